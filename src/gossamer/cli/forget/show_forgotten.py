"""Show what would be forgotten, what was, and where traces of it are."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
import typer

from gossamer.cli.output.wording import format_count

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.forget.choose_pages import Chosen, Wish
    from gossamer.store.tombstones import Takedown
    from gossamer.web import Web

_SHOWN = 20


def count_chosen(chosen: "Chosen") -> str:
    """Say how many pages and addresses were chosen."""
    pages = format_count(chosen.pages, "page")
    others = len(chosen.urls) - chosen.pages
    if not others:
        return pages
    more = f"{others:,} more URLs" if others > 1 else "1 more URL"
    return (
        f"{pages} and {more} that the web only knows"
        if chosen.pages
        else f"{others:,} URLs that the web only knows"
    )


def show_chosen(wish: "Wish", chosen: "Chosen", json: bool) -> int:
    """Show what would be forgotten."""
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.terminal_text import clean_text

    if json:
        for url in chosen.urls.values():
            print_json({"url": url})
        print_json({"kind": wish.kind, "pages": chosen.pages, "urls": len(chosen.urls), "done": False})
        return 0
    for url in list(chosen.urls.values())[:_SHOWN]:
        typer.echo(clean_text(url, 500))
    if len(chosen.urls) > _SHOWN:
        typer.echo(f"… and {len(chosen.urls) - _SHOWN:,} more")
    typer.echo(f"{count_chosen(chosen)} would be forgotten; nothing was changed.")
    return 0


def show_done(done: "Takedown", json: bool) -> int:
    """Show what was forgotten."""
    from gossamer.cli.output.json_lines import print_json

    if json:
        print_json(msgspec.to_builtins(done))
        return 0
    verb = "Dropped" if done.kind == "keep bytes" else "Forgot"
    typer.echo(
        f"{verb} {format_count(done.pages, 'page')}: {format_count(done.visits, 'visit')}, "
        f"{format_count(done.links, 'link')}, {format_count(done.records, 'WARC record')} "
        f"({done.archive_bytes / 1e6:,.1f} MB) in {format_count(done.files, 'file')} (takedown {done.number})."
    )
    return 0


def show_log(opened: "Web", json: bool) -> int:
    """Show the log of takedowns."""
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.tables import clean_text, print_table
    from gossamer.store.tombstones import read_takedowns

    log = read_takedowns(opened.store)
    if json:
        for one in log:
            print_json(msgspec.to_builtins(one))
        return 0
    if not log:
        typer.echo("Nothing was forgotten in this web.")
        return 0
    rows = [
        [
            one.number,
            time.strftime("%Y-%m-%d %H:%M", time.localtime(one.when_s)),
            f"{one.kind} {clean_text(one.asked, 80)}",
            one.pages,
            one.records,
            clean_text(one.reason, 80),
            _describe_state(one),
        ]
        for one in log
    ]
    print_table("", ["number", "when", "what", "pages", "records", "reason", "state"], rows)
    return 0


def show_undone(opened: "Web", what: str, json: bool) -> int:
    """Allow what was forgotten to be collected again, and say so."""
    from gossamer.cli.output.json_lines import print_json
    from gossamer.forget.forget_place import find_place
    from gossamer.forget.undo import undo

    with find_place(opened.store, opened.folder) as place:
        numbers, pages = undo(place, what, time.time())
    if json:
        print_json({"undone": numbers, "pages": pages})
    else:
        which = ", ".join(map(str, numbers))
        typer.echo(f"{format_count(pages, 'URL')} may be collected again (takedown {which}).")
    return 0


def show_traces(opened: "Web", what: str, texts: Sequence[str], json: bool) -> int:
    """Search every file for a URL and texts; exit code 1 if one of them is found."""
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.terminal_text import clean_text
    from gossamer.forget.find_traces import find_traces

    traces = list(find_traces(opened.folder, what, texts))
    for one in traces:
        if json:
            print_json(msgspec.to_builtins(one))
        else:
            typer.echo(f"{one.file}: {one.where}: {clean_text(one.text, 100)}")
    own = [one for one in traces if not one.is_quote]
    if json:
        print_json({"traces": len(traces), "quotes": len(traces) - len(own), "gone": not own})
    elif own:
        typer.echo(f"{format_count(len(own), 'trace')} found.")
    elif traces:
        typer.echo("Gone: only pages that are kept quote it in their own text.")
    else:
        typer.echo("No file of this web holds it.")
    return 1 if own else 0


def _describe_state(one: "Takedown") -> str:
    if one.undone_s:
        return "undone"
    return "done" if one.finished_s else "unfinished"
