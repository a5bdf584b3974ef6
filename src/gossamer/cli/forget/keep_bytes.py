"""`gossamer forget --keep-bytes`: drop the least valuable pages until a web takes no more than a number of bytes."""

import sys
import time
from typing import TYPE_CHECKING

import typer

from gossamer.cli.output.wording import format_count
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.forget.size_budget import Drops
    from gossamer.web import Web

_MOST_ROUNDS = 8
_KEPT_SHARE = 0.5
"""What a drop frees is known only afterwards. Of the pages that the first one leaves, later ones leave at least this share."""


def drop_pages(opened: "Web", size: str, yes: bool, dry_run: bool, json: bool) -> int:
    """Drop pages in rounds, since what they free is known only afterwards; exit code 1 if the web is still larger."""
    from gossamer.cli.forget.durations import parse_size
    from gossamer.cli.forget.show_forgotten import show_done
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.result_tables import show_progress
    from gossamer.forget.forget_pages import ForgetRun, check_supported, finish
    from gossamer.forget.forget_place import find_place
    from gossamer.forget.size_budget import choose_drops, make_journal, measure_web

    store = check_supported(opened.store, "gossamer forget --keep-bytes")
    most_bytes = parse_size(size)
    with find_place(store, opened.folder) as place:
        drops = choose_drops(store, opened.folder, most_bytes)
        if dry_run or not drops.chosen:
            return _show_drops(drops, json)
        if not yes:
            _ask(drops)
        least_pages = _KEPT_SHARE * (store.counts()["pages"] - len(drops.pages))
        for _ in range(_MOST_ROUNDS):
            with show_progress("Dropping", with_time_left=False) as progress:
                run = ForgetRun(place, on_progress=progress)
                place.check_disk()
                journal = make_journal(store, drops, time.time())
                place.write_journal(journal)
                done = finish(run, journal)
            show_done(done, json)
            try:
                drops = choose_drops(store, opened.folder, most_bytes)
            except BadInput:  # without any page it would still be too large
                break
            if not drops.chosen or store.counts()["pages"] - len(drops.pages) < least_pages:
                break
        used_bytes = measure_web(opened.folder)
    if json:
        print_json({"bytes": used_bytes, "keep": most_bytes, "fits": used_bytes <= most_bytes})
    else:
        still = ", still too much: run the command again to drop more" if used_bytes > most_bytes else ""
        typer.echo(f"The web takes {used_bytes / 1e6:,.1f} MB{still}.")
    return int(used_bytes > most_bytes)


def _ask(drops: "Drops") -> None:
    counted = _count(drops)
    if not sys.stdin.isatty():
        raise BadInput(f"this would drop {counted}: add --yes, or --dry-run to see them")
    typer.confirm(f"Drop {counted}?", abort=True, err=True)


def _count(drops: "Drops") -> str:
    versions = len(drops.chosen) - len(drops.pages)
    return f"{format_count(versions, 'old version')} and {format_count(len(drops.pages), 'page')}"


def _show_drops(drops: "Drops", json: bool) -> int:
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.terminal_text import clean_text
    from gossamer.forget.size_budget import RULE

    if json:
        for one in drops.chosen:
            print_json({"url": one.url, "page": one.page, "why": one.why, "bytes": one.gain_bytes})
        print_json({"bytes": drops.used_bytes, "keep": drops.most_bytes, "done": False})
        return 0
    if not drops.chosen:
        typer.echo(f"The web takes {drops.used_bytes / 1e6:,.1f} MB: nothing has to be dropped.")
        return 0
    for one in drops.pages[:20]:
        typer.echo(f"{clean_text(one.url, 500)}: {one.why}")
    typer.echo(f"Dropped are {RULE}.")
    typer.echo(f"{_count(drops)} would be dropped; nothing was changed.")
    return 0
