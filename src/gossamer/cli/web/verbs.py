"""The group of verbs `gossamer web`: show and set what holds for a whole web, such as its title."""

import difflib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.task_options import Json, WebPath
from gossamer.cli.web.report import report
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.web import Web

app = typer.Typer(name="web", rich_markup_mode=None)
SETTINGS = ("title",)


@app.callback(invoke_without_command=True)
def start(context: typer.Context) -> None:
    """Show and set what holds for a whole web, such as its title, and make its reports."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command("show")
def show(web: WebPath = Path("web"), json: Json = False) -> int:
    """Show the settings of a web.

    \b
    gossamer web show --web docs.web
    gossamer web show --web docs.web --json
    """
    from gossamer.web import open_to_read

    with open_to_read(web) as opened:
        _print_settings(opened, json)
    return 0


app.command("report")(report)


@app.command("set")
def set_(
    settings: Annotated[
        list[str],
        typer.Argument(help="Settings and their values: title='Our library'.", metavar="NAME=VALUE…"),
    ],
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Set the title of a web, which its search pages and its API show.

    An empty value removes it. A server that is running shows the change at once.

    \b
    gossamer web set title='Music library' --web docs.web
    gossamer web set title= --web docs.web
    """
    from gossamer.store.collection_title import check_title
    from gossamer.web import open_web

    values = dict(_parse_setting(one) for one in settings)
    title = check_title(values["title"])
    with open_web(web, create=False) as opened:
        opened.set_title(title)
        _print_settings(opened, json)
    return 0


@app.command("pack")
def pack(
    web: WebPath = Path("web"),
    every: Annotated[
        bool, typer.Option("--all", help="Also pack what does not fill a file of 1 GB, as after a crawl.")
    ] = False,
    json: Json = False,
) -> int:
    """Pack the small WARC files of a web in a database into files of about 1 GB, with CDXJ indexes.

    Fetchers write a small file for each batch. Packs are the same records in larger files, which replay tools read. It may be
    killed at any time and run again, also while fetchers and readers are at work. Files that were packed are deleted an hour
    later, by the next run. Files of fetchers that died before they could write their pages into the database are deleted after
    a week.

    \b
    gossamer web pack --web 'postgresql://crawl@db.example/web?archive=s3://pages/web'
    gossamer web pack --web 'postgresql://crawl@db.example/web?archive=/mnt/pages' --all --json
    """
    from gossamer.store.opening.web_archive import pack_archive
    from gossamer.store.opening.web_location import find_database

    address = find_database(web)
    if address is None:
        raise BadInput(f"{web} is a directory: its WARC files are large already, and have indexes")
    done = pack_archive(address, lambda text: typer.echo(text, err=True), whole_only=not every)
    found = done.result
    if json:
        from gossamer.cli.output.json_lines import print_json

        print_json(
            {"packs": found.packs, "segments": found.segments, "bytes": found.packed_bytes}
            | {"damaged": list(found.damaged), "unknown": list(done.unknown), "orphans": done.orphans}
        )
    else:
        typer.echo(
            f"{found.segments:,} files were packed into {found.packs:,}, with {found.packed_bytes / 1e6:,.1f} MB"
        )
        if done.orphans:
            typer.echo(f"{done.orphans:,} old files whose pages were never written were deleted")
    for name in found.damaged:
        typer.echo(f"{name} is missing or damaged, and was left as it is", err=True)
    for name in done.unknown:
        typer.echo(
            f"{name} is needed, but the database does not know it: it is older than the archive", err=True
        )
    return 1 if found.damaged or done.unknown else 0


def _parse_setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if name not in SETTINGS:
        near = difflib.get_close_matches(name, SETTINGS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"a web has: {', '.join(SETTINGS)}"
        raise BadInput(f"there is no setting {name[:40]!r}; {hint}")
    if not equals:
        raise BadInput(f"{name} needs a value: {name}=…; an empty one removes it")
    return name, value


def _print_settings(web: "Web", json: bool) -> None:
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.terminal_text import clean_text

    if json:
        print_json({"web": web.name, "title": web.title})
    else:
        typer.echo(f"title: {clean_text(web.title) or '(none)'}")
