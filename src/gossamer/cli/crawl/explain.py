"""`gossamer explain`: show every decision about one URL."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from gossamer.cli.output.terminal_text import print_error
from gossamer.cli.task_options import Json, WebPath, with_some_task_options
from gossamer.crawl.rule_names import RULE_OPTIONS

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from rich.progress import Progress, TaskID

    from gossamer.crawl.explain.explain_url import Explanation
    from gossamer.crawl.recrawl.revisit_plan import PageOutlook
    from gossamer.search.index.index_status import IndexStatus
    from gossamer.web import Web

_SORTING = "Sorting {what} since the last `explain`, so that looking up a URL is quick"
_SORTED_ROWS = {"known": "new URLs", "visit": "visits", "decision": "decisions", "link": "pages with links"}
_SHOWN_ROWS = {"known": 300_000, "visit": 300_000, "decision": 300_000, "link": 2_000}
"""The rows whose sorting takes a few tenths of a second: a page has about a hundred links."""

_LINK_SCANS = 3
"""The links to the URL, their number, and those to one other page. Where more is looked up, sorting pays."""
_MANY_PAGES = 20_000
"""Reading the history of so many pages takes a second."""
_MANY_URLS = 5_000_000
"""Looking through so many known URLs, and the links to them, takes half a second, and longer from a slow disk."""


@with_some_task_options(*RULE_OPTIONS)
def explain(
    options: dict[str, Any],
    urls: Annotated[
        list[str] | None,
        typer.Argument(
            help="Any URL, whether it is in the web or not; several with --rules.",
            metavar="URL…",
            show_default=False,
        ),
    ] = None,
    rules: Annotated[
        str,
        typer.Option(
            "--rules",
            metavar="TASK",
            help="Only say which rule of a task decides for each URL, before it is crawled: the name or number of a task, "
            "or a task file (.toml). Options such as --exclude try other rules.",
        ),
    ] = "",
    file: Annotated[
        Path | None,
        typer.Option("--file", help="With --rules: a file of URLs, one on each line; - for standard input."),
    ] = None,
    matching: Annotated[
        str,
        typer.Option(
            "--matching",
            metavar="PATTERN",
            help="With --rules: also the known URLs that this regular expression matches.",
        ),
    ] = "",
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Show every decision about one URL, or which rule of a task decides for many.

    Where it was found, which rule kept it from being followed, when it was fetched, whether it is stored and indexed.
    In webs that are recrawled also how often it changes and when its next visit is due.
    URLs of files, of FTP, and of schemes that plug-ins fetch are taken as well.

    \b
    gossamer explain https://www.example.org/calendar/2031 --web docs.web
    gossamer explain --rules trier --file urls.txt --web docs.web
    gossamer explain --rules trier --matching /calendar/ --exclude /calendar/20 --json --web docs.web
    """
    _check_use(options, urls, rules, file, matching)
    if rules:
        from gossamer.cli.console.show_verdicts import judge_urls, read_urls

        wanted = [*(urls or ()), *(read_urls(file) if file is not None else ())]
        return judge_urls(web, wanted, rules, matching, options, json)
    return _explain((urls or [""])[0], web, json)


def _check_use(
    options: dict[str, Any], urls: list[str] | None, rules: str, file: Path | None, matching: str
) -> None:
    """Raise BadInput if options do not go together."""
    from gossamer.errors import BadInput
    from gossamer.task_file import to_flag

    if rules:
        if not (urls or file is not None or matching):
            raise BadInput("--rules needs URLs, a file of them with --file, or a pattern with --matching")
        return
    given = [flag for flag, value in (("--file", file), ("--matching", matching)) if value]
    given += map(to_flag, options)
    if given:
        raise BadInput(f"{given[0]} needs --rules TASK, the task whose rules decide")
    if not urls:
        raise BadInput("give a URL, or --rules TASK with URLs, --file or --matching")
    if len(urls) > 1:
        raise BadInput("explain tells the story of one URL; --rules TASK judges several at once")


def _explain(url: str, web: Path, json: bool) -> int:
    """Show every decision about one URL."""
    from gossamer.cli.task_options import to_canonical_url
    from gossamer.cli.typed_url import complete_url, find_typed_url
    from gossamer.crawl.explain.describe_url import USUAL_SHARE
    from gossamer.crawl.explain.explain_url import explain as explain_url
    from gossamer.crawl.explain.typed_schemes import find_typed_rules, has_other_scheme
    from gossamer.store.sqlite.sqlite_store import SqliteStore
    from gossamer.web import open_to_read

    if not has_other_scheme(url):  # what its tasks follow is known once the web is open
        to_canonical_url(complete_url(url))  # report what is no URL before a web is opened
    with open_to_read(web) as opened, _SortingDisplay() as display:
        if isinstance(opened.store, SqliteStore):  # a database has its index of links already
            opened.store.sorter.watch = display.update
            opened.store.sorter.allow_link_scans(_LINK_SCANS)
        _announce_long_search(opened)
        typed = find_typed_url(opened.store, url)
        wanted = to_canonical_url(typed, find_typed_rules(opened.store, typed).schemes)
        explanation = explain_url(opened.store, wanted, opened.folder)
        found = opened.presence(explanation.page) if explanation.page else None
        outlook = None
        if explanation.page:
            _announce_long_reading(opened)
            outlook = opened.outlook(explanation.page, USUAL_SHARE)
    if json:
        from gossamer.cli.output.json_lines import print_json

        print_json(msgspec.to_builtins(explanation) | {"index": found, "fresh": outlook})
    else:
        _print(explanation, found, outlook)
    return 0


def _announce_long_search(web: "Web") -> None:
    """Say what takes long in a web that knows millions of URLs."""
    known = web.store.counts()["known"]
    if known >= _MANY_URLS:
        print_error(f"Looking through {known:,} known URLs and the links to them")


def _announce_long_reading(web: "Web") -> None:
    """Say what takes long in a large web that is kept fresh: the estimates need the visits of all pages."""
    from gossamer.crawl.recrawl.revisit_rounds import list_recrawl_tasks

    pages = web.store.counts()["pages"]
    if pages >= _MANY_PAGES and list_recrawl_tasks(web.store):
        print_error(f"Reading how often {pages:,} pages changed, to tell when this one is due")


class _SortingDisplay:
    """Shows the progress of sorting, which takes long in a large web the first time."""

    def __init__(self) -> None:
        self._display: Progress | None = None
        self._bars: dict[str, TaskID] = {}

    def __enter__(self) -> "_SortingDisplay":
        return self

    def __exit__(self, *_: object) -> None:
        if self._display is not None:
            self._display.stop()

    def update(self, table: str, done: int, rows: int) -> None:
        """Show how many rows of a table are sorted; open no display for a few rows."""
        what = _SORTED_ROWS[table]
        if self._display is None and rows - done >= _SHOWN_ROWS[table]:
            self._display = _open_display()
            if self._display.disable:
                print_error(_SORTING.format(what=f"{rows - done:,} {what}"))
        if self._display is not None:
            if table not in self._bars:
                self._bars[table] = self._display.add_task(_SORTING.format(what=what), total=rows)
            self._display.update(self._bars[table], completed=done, total=rows)


def _open_display() -> "Progress":
    """Draw bars on a terminal, with rows and the time left; elsewhere nothing."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(20), MofNCompleteColumn(), TimeRemainingColumn())
    display = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    display.start()
    return display


def _print(explanation: "Explanation", found: "IndexStatus | None", outlook: "PageOutlook | None") -> None:
    from gossamer.cli.output.tables import clean_text, console, print_line
    from gossamer.crawl.explain.describe_url import (
        describe_changes,
        describe_index,
        describe_page,
        describe_task,
    )
    from gossamer.crawl.explain.suggest_change import suggest_change

    now_s = time.time()
    lines = describe_page(explanation)
    lines += [describe_index(found.verdict, found.in_links, found.rank)] if found is not None else []
    lines += describe_changes(outlook, now_s, _format_minute)
    print_line((clean_text(explanation.url, 2000), "bold"))
    for line in lines:
        console.print(f"  {line.text}")
    for task in explanation.tasks:
        print_line(
            (clean_text(task.task), "bold"), f" ({task.state}, {clean_text(task.reason) or 'running'})"
        )
        for line in describe_task(task, now_s):
            console.print(f"  {_format_second(line.when_s)}{line.text}")
        if change := suggest_change(task):
            console.print(f"  What would have to change: {change}")
    if not explanation.tasks:
        console.print("  This web has no tasks.")


def _format_minute(time_s: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(time_s))


def _format_second(time_s: float) -> str:
    """Return a local time in front of what happened then; nothing for 0."""
    return time.strftime("%Y-%m-%d %H:%M:%S  ", time.localtime(time_s)) if time_s else ""
