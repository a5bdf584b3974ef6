"""`gossamer watch`: look at pages again and again, and tell what changed on them."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gossamer.cli.run_options import with_run_options
from gossamer.cli.task_options import Json, WebPath, with_some_task_options

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.cli.watch.run_checks import CheckOptions

_UNITS_S = {"m": 60.0, "h": 3600.0, "d": 86_400.0, "w": 604_800.0}
_INTERVAL = re.compile(r"(\d+(?:\.\d+)?)\s*([mhdw])")
_VERBS = ("list", "remove")

Every = Annotated[
    str,
    typer.Option(
        "--every",
        help="Time between two checks: 30m, 1h, 2d, 1w. Checks go on until Ctrl-C, unless --once. [default: 1d]",
        metavar="TIME",
    ),
]
Once = Annotated[bool, typer.Option("--once", help="Check once and end, also with --every.")]
Select = Annotated[str, typer.Option("--select", help="Watch what this CSS selector matches.", metavar="CSS")]
HeadingText = Annotated[
    str,
    typer.Option(
        "--heading", help="Watch the text below this heading, to the next of its level.", metavar="TEXT"
    ),
]
Notify = Annotated[
    str,
    typer.Option(
        "--notify",
        help="Run this command for each change; it reads the change in JSON from standard input.",
        metavar="COMMAND",
    ),
]
Webhook = Annotated[
    str, typer.Option("--webhook", help="Post each change in JSON to this address.", metavar="URL")
]
Feed = Annotated[
    Path | None, typer.Option("--feed", help="Write the changes as an Atom feed.", metavar="FILE")
]
HtmlFile = Annotated[
    Path | None, typer.Option("--html", help="Write the changes as an HTML page.", metavar="FILE")
]


@with_run_options()
@with_some_task_options(
    *("delay_s", "robots", "user_agent", "contact", "tries", "back_off_s", "page_time_s"),
    *("proxy", "allow_private", "hosts_file"),
)
def watch(
    pages: Annotated[
        list[str] | None,
        typer.Argument(
            help="URLs to watch and to check now; `list`, or `remove` with URLs. [default: check pages that are due]",
            metavar="[URL…|list|remove URL…]",
            show_default=False,
        ),
    ] = None,
    web: WebPath = Path("web"),
    every: Every = "",
    once: Once = False,
    select: Select = "",
    heading: HeadingText = "",
    notify: Notify = "",
    webhook: Webhook = "",
    feed: Feed = None,
    html: HtmlFile = None,
    json: Json = False,
    *,
    options: dict[str, Any],
) -> int:
    """Watch pages, and tell what changed in their main text.

    Pages stay on the watch list of the web; without URLs, those that are due are checked. What differs at every request
    (advertisements, counters, today's date) is learnt by looking several times, and left out. A page that is gone,
    fails, moved or lost the watched part is told once.

    \b
    gossamer watch https://www.example.org/news --web pages.web
    gossamer watch https://www.example.org/ --heading "Opening hours" --every 6h
    gossamer watch --web pages.web --every 1h --feed changes.atom --notify "python3 tell.py"
    gossamer watch list --web pages.web
    gossamer watch remove https://www.example.org/news --web pages.web
    """
    from gossamer.cli.watch import run_checks, watch_entries
    from gossamer.cli.watch.run_checks import CheckOptions

    part = _make_part(select, heading)
    word, *urls = [*(pages or ()), ""][: len(pages or ()) or 1]
    if word in _VERBS:
        return watch_entries.run(word, urls, web, part, json)
    checks = CheckOptions(
        pages=tuple(pages or ()),
        part=part,
        every_s=parse_interval(every) if every else None,
        again=bool(every) and not once,
        notify=_split_command(notify),
        webhook=webhook,
        feed=feed,
        html=html,
        json=json,
        task=options,
    )
    return _run(web, checks, run_checks.run)


def _run(web: Path, checks: "CheckOptions", run: Any) -> int:
    """Check the addresses and files that were given before anything is fetched."""
    from gossamer.errors import BadInput
    from gossamer.fetch.post_message import check_post_address

    if checks.webhook:
        check_post_address(checks.webhook)
    for path in (checks.feed, checks.html):
        if path is not None and not path.absolute().parent.is_dir():
            raise BadInput(f"{path} cannot be written: there is no folder {path.absolute().parent}")
    code: int = run(web, checks)
    return code


def _make_part(select: str, heading: str) -> Any:
    """Return the part of pages to watch; raise BadInput if it cannot be one."""
    from gossamer.errors import BadInput
    from gossamer.watch.difference.part_text import WatchedPart, check_selector

    if select and heading:
        raise BadInput("give --select or --heading, not both")
    if select:
        check_selector(select)
    return WatchedPart(select, " ".join(heading.split()))


def parse_interval(text: str) -> float:
    """Parse a time such as `30m` or `1d` and return seconds."""
    from gossamer.errors import BadInput

    match = _INTERVAL.fullmatch(text.strip().lower())
    seconds = float(match[1]) * _UNITS_S[match[2]] if match else 0.0
    if seconds < _UNITS_S["m"]:
        raise BadInput(f"--every {text!r} is not a time between checks; write 30m, 1h, 2d or 1w, at least 1m")
    return seconds


def _split_command(command: str) -> tuple[str, ...]:
    """Split a command into words as a shell would, without running one."""
    import shlex

    from gossamer.errors import BadInput

    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise BadInput(f"--notify {command!r} is not a command: {error}") from None
    if command and not words:
        raise BadInput("--notify needs the name of a command")
    return words
