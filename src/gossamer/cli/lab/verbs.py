"""`gossamer lab`: serve webs to try a crawler on, reachable from this machine only."""

import difflib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gossamer.cli.lab.compare import compare
from gossamer.cli.output.wording import format_count
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported when the verbs run, so that help stays fast
    from gossamer.lab.options import Trouble
    from gossamer.lab.script_options import Scripted

app = typer.Typer(name="lab", rich_markup_mode=None)

Port = Annotated[int, typer.Option(help="Port of all hosts; 0 takes a free one.", min=0, max=65535)]
Processes = Annotated[int, typer.Option(help="Number of processes that serve.", min=1, max=64)]
LogTo = Annotated[
    Path | None, typer.Option("--log", help="Append every request to this file, as JSON lines.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one line of JSON.")]
Ends = Annotated[float | None, typer.Option("--time", help="Stop after this many seconds.", min=0)]

_DEFAULT_SHARE = 0.02

app.command("compare")(compare)


@app.callback(invoke_without_command=True)
def start(context: typer.Context) -> None:
    """Serve a web to try a crawler on, on this machine only."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command("serve")
def serve(
    pages: Annotated[int, typer.Option(help="Number of pages.", min=1)] = 10_000,
    hosts: Annotated[int, typer.Option(help="Number of hosts.", min=1)] = 50,
    seed: Annotated[int, typer.Option(help="The same seed makes the same web.")] = 1,
    naming: Annotated[
        Literal["address", "names", "countries"], typer.Option(help="How URLs name a host.")
    ] = "address",
    trouble: Annotated[
        str,
        typer.Option(
            help="A share such as 0.02 for all kinds, or a list of kinds such as stall,slow=0.1, or 'none'."
        ),
    ] = "none",
    languages: Annotated[str, typer.Option(help="Languages of the pages, such as de,en.")] = "en,de",
    foreign: Annotated[
        float,
        typer.Option(help="Share of the pages that are in the first language, whatever their site uses."),
    ] = 0.0,
    misdeclared: Annotated[
        float, typer.Option(help="Share of the hosts that do not declare the true language of their pages.")
    ] = 0.0,
    stories: Annotated[
        int, typer.Option(help="Number of stories in dated pages; a third of them rise on one day.", min=0)
    ] = 0,
    scripted: Annotated[
        str,
        typer.Option(
            help="Pages that need JavaScript: a share such as 0.3 of all pages, or a list of kinds such as "
            "client=0.2,memory=0.01, or 'none'."
        ),
    ] = "none",
    probed: Annotated[
        str, typer.Option(help="Address and port that pages of the kind 'probes' try to reach.")
    ] = "127.0.0.9:9",
    port: Port = 0,
    processes: Processes = 1,
    log: LogTo = None,
    json: Json = False,
    time: Ends = None,
) -> None:
    """Serve a synthetic web, the same for the same seed.

    It may have any size and needs no files.

    \b
    gossamer lab serve --pages 100000 --hosts 200 --seed 7
    gossamer lab serve --trouble 0.02 --port 8000 --log requests.jsonl
    gossamer lab serve --trouble stall=0.1,slow=0.2 --languages de,fr
    gossamer lab serve --pages 3000 --stories 12 --languages en
    gossamer lab serve --pages 500 --scripted 0.3
    gossamer lab serve --languages en,da,sv --naming countries --foreign 0.2 --misdeclared 0.3
    """
    from gossamer.cli.check_extra import check_extra

    check_extra("lab")
    from gossamer.cli.lab.serve_lab import ServeOptions, serve_until_stopped
    from gossamer.lab.options import Stories
    from gossamer.lab.world.world import World

    world = World(
        seed=seed,
        hosts=hosts,
        pages=pages,
        naming=naming,
        trouble=parse_trouble(trouble),
        languages=tuple(name for name in languages.replace(" ", "").split(",") if name),
        foreign=foreign,
        misdeclared=misdeclared,
        stories=Stories(count=stories, rising=-(-stories // 3)),
        scripted=parse_scripted(scripted, probed),
    )
    what = f"{format_count(pages, 'page')} on {format_count(hosts, 'host')}"
    serve_until_stopped(
        world, ServeOptions(what=what, port=port, processes=processes, log_to=log, json=json, ends_s=time)
    )


@app.command("replay")
def replay(
    file: Annotated[Path, typer.Argument(help="A WARC file, compressed record by record or not at all.")],
    hosts_file: Annotated[
        Path | None,
        typer.Option(
            help="Write hosts and addresses to this file, in the format of /etc/hosts; - prints them."
        ),
    ] = None,
    by_clock: Annotated[
        bool,
        typer.Option(
            "--by-clock",
            help="Serve the capture of each page that is current by the lab's clock, not the last one.",
        ),
    ] = False,
    port: Port = 0,
    processes: Processes = 1,
    log: LogTo = None,
    json: Json = False,
    time: Ends = None,
) -> None:
    """Serve the responses of a WARC file again.

    Use 127.0.0.1 as an HTTP proxy, send the recorded name as Host, or connect to the host's own address.

    \b
    gossamer lab replay crawl.warc.gz --port 8000
    curl --proxy http://127.0.0.1:8000 http://www.example.org/
    """
    from gossamer.cli.lab.serve_lab import ServeOptions, open_recording, serve_until_stopped, write_hosts

    recording = open_recording(file, by_clock)
    if hosts_file is not None:
        write_hosts(recording, hosts_file)
    what = (
        f"{format_count(len(recording), 'recorded page')} of {format_count(len(recording.hosts()), 'host')}"
    )
    serve_until_stopped(
        recording,
        ServeOptions(
            what=what, port=port, processes=processes, log_to=log, json=json, ends_s=time, proxy=True
        ),
    )


@app.command("site")
def site(
    folders: Annotated[list[Path], typer.Argument(help="Folders to serve, each as a host.")],
    port: Port = 0,
    processes: Processes = 1,
    log: LogTo = None,
    json: Json = False,
    time: Ends = None,
) -> None:
    """Serve folders as hosts.

    The first is at 127.0.0.1, the next at 127.0.0.2 and so on; the name of a folder is also its host name.

    \b
    gossamer lab site public_html --port 8000
    gossamer lab site mirror/*
    """
    from gossamer.cli.lab.serve_lab import ServeOptions, serve_until_stopped
    from gossamer.lab.recordings.serve_folder import Folders

    world = Folders(folders)
    what = f"{len(world.hosts()):,} folders" if len(folders) > 1 else f"the folder {folders[0]}"
    serve_until_stopped(
        world, ServeOptions(what=what, port=port, processes=processes, log_to=log, json=json, ends_s=time)
    )


def parse_trouble(text: str) -> "Trouble":
    """Parse the trouble of a world: `none`, a share for all kinds, or kinds with or without a share."""
    from gossamer.lab.options import HOST_TROUBLES, PAGE_TROUBLES, ROBOTS_TROUBLES, Trouble

    if text == "none":
        return Trouble()
    if text[:1].isdigit() or text[:1] in (".", "-"):
        return Trouble.all(_parse_share(text))
    kinds = (*PAGE_TROUBLES, *ROBOTS_TROUBLES, *HOST_TROUBLES, "disallowed", "nofollow")
    return Trouble(**_parse_kinds(text, kinds, "trouble"))  # type: ignore[arg-type]  # only names of shares


def parse_scripted(text: str, probed: str) -> "Scripted":
    """Parse which pages need JavaScript: `none`, a share for the kinds that come to rest, or kinds with or without a share."""
    from gossamer.lab.script_options import RESTING_SCRIPTS, RESTLESS_SCRIPTS, Scripted

    shares: dict[str, float] = {}
    if text[:1].isdigit() or text[:1] in (".", "-"):
        share = _parse_share(text) / len(RESTING_SCRIPTS)
        shares = dict.fromkeys(RESTING_SCRIPTS, share)
    elif text != "none":
        shares = _parse_kinds(text, (*RESTING_SCRIPTS, *RESTLESS_SCRIPTS), "kind of script")
    return Scripted(**shares, probed=probed)


def _parse_kinds(text: str, kinds: tuple[str, ...], what: str) -> dict[str, float]:
    """Parse a list of kinds, with or without a share."""
    shares: dict[str, float] = {}
    for item in text.split(","):
        name, equals, share = item.strip().replace("-", "_").partition("=")
        if name not in kinds:
            near = difflib.get_close_matches(name, kinds, 1)
            hint = f"did you mean {near[0]}?" if near else f"use one of {', '.join(kinds)}."
            raise BadInput(f"There is no {what} {name!r}: {hint}")
        shares[name] = _parse_share(share) if equals else _DEFAULT_SHARE
    return shares


def _parse_share(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise BadInput(f"{text!r} is not a share: use a number from 0 to 1.") from None
