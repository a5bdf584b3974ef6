"""The verb `gossamer backup`: copy a web while it is crawled, list its back-ups, and check them."""

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.output.terminal_text import print_error
from gossamer.cli.run_options import with_run_options
from gossamer.cli.task_options import Json, WebPath

if TYPE_CHECKING:  # imported when the verb runs, so that help is fast
    from gossamer.store.backup.snapshot import Snapshot
    from gossamer.store.backup.take_backup import BackupResult

_NICE, _NICER = 10, 9
"""A crawl on the same machine comes first; before all, once its write-ahead log can be emptied again."""
_MIB = 1 << 20


@with_run_options(crawls=False)
def backup(
    folder: Annotated[
        Path, typer.Argument(help="Folder of the back-ups of this web, on another disk.", metavar="DEST")
    ],
    keep: Annotated[
        int, typer.Option("--keep", min=0, help="Keep this many back-ups, and delete older ones; 0: all.")
    ] = 0,
    with_index: Annotated[
        bool,
        typer.Option("--with-index", help="Also what can be made anew: the search index, words and stories."),
    ] = False,
    bytes_per_second: Annotated[
        int, typer.Option("--bytes-per-second", min=0, help="Read this many bytes in a second; 0: no limit.")
    ] = 0,
    listed: Annotated[bool, typer.Option("--list", help="List the back-ups; make none.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Check that all back-ups can be restored; make none.")
    ] = False,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Back up a web, also while it is crawled; each back-up after the first copies only what is new.

    A back-up is the web as it was at one moment. It has everything except the search index, the words and the hot stories, which can be made anew. If it is interrupted, there is no half back-up: run the command again, and it goes on with what it has copied. The folder is readable for you alone, since a web may hold passwords and private pages.

    \b
    gossamer backup /mnt/disk2/docs --web docs.web
    gossamer backup /mnt/disk2/docs --keep 7 --web docs.web
    gossamer backup /mnt/disk2/docs --bytes-per-second 20000000 --web docs.web
    gossamer backup /mnt/disk2/docs --list
    gossamer backup /mnt/disk2/docs --check
    """
    from gossamer.cli.output.result_tables import show_progress
    from gossamer.crawl.control.command_mailbox import is_running
    from gossamer.store.backup.take_backup import BackupOptions, take_backup

    if listed:
        return _list(folder, json)
    if check:
        return _check(folder, json)
    os.nice(_NICE)
    with show_progress("Backing up", with_time_left=True) as progress:
        options = BackupOptions(with_index, bytes_per_second, keep)
        result = take_backup(web, folder, options, progress, _be_nicer, partial(is_running, web))
    _print_result(folder, result, json)
    missing = result.snapshot.missing
    if missing:
        print_error("the archive is damaged; `gossamer verify` lists what is lost.")
    return int(bool(missing))


@with_run_options(crawls=False)
def restore(
    folder: Annotated[Path, typer.Argument(help="Folder of the back-ups.", metavar="SRC")],
    target: Annotated[
        str, typer.Argument(help="A new folder, or the address of an empty database.", metavar="WEB")
    ],
    at: Annotated[
        str,
        typer.Option("--at", help="The newest back-up of this time or before, in UTC.", metavar="TIME"),
    ] = "",
    json: Json = False,
) -> int:
    """Restore a web from its back-ups into a new folder or an empty database.

    Everything that is written is compared with its digest. Nothing is ever written over a web. If it is interrupted, run the same command again. Afterwards `gossamer verify` finds the web sound, and `gossamer resume` goes on with its crawl.

    \b
    gossamer restore /mnt/disk2/docs docs.web
    gossamer restore /mnt/disk2/docs docs.web --at 2026-11-19
    gossamer restore /mnt/disk2/docs docs.web --at 2026-11-19T03:00:00Z
    """
    from gossamer.cli.output.result_tables import show_progress
    from gossamer.cli.task_options import parse_web
    from gossamer.store.backup.restore_web import restore_web

    with show_progress("Restoring", with_time_left=True) as progress:
        snapshot = restore_web(folder, parse_web(target), at, progress)
    if json:
        from gossamer.cli.output.json_lines import print_json

        print_json({"web": target, **_describe(snapshot)})
    else:
        from gossamer.cli.output.tables import console
        from gossamer.cli.output.wording import format_count

        pages, waiting = snapshot.counts.get("pages", 0), snapshot.counts.get("waiting", 0)
        console.print(
            f"{target}: the web as it was at {snapshot.at}, with {format_count(pages, 'page')} "
            f"and {format_count(waiting, 'waiting request')}"
        )
    return 0


def _be_nicer() -> None:
    os.nice(_NICER)


def _print_result(folder: Path, result: "BackupResult", json: bool) -> None:
    snapshot = result.snapshot
    if json:
        from gossamer.cli.output.json_lines import print_json

        print_json(
            {
                "path": str(folder),
                **_describe(snapshot),
                "dropped": result.dropped,
                "freed_bytes": result.freed_bytes,
            }
        )
        return
    from gossamer.cli.output.tables import console
    from gossamer.cli.output.wording import format_count

    console.print(
        f"{folder}: the web as it was at {snapshot.at}, with {format_count(snapshot.counts.get('pages', 0), 'page')}; "
        f"{_format_size(snapshot.new_bytes)} of {_format_size(snapshot.state_bytes + snapshot.archive_bytes)} were new"
    )
    if result.dropped:
        console.print(
            f"{format_count(len(result.dropped), 'old back-up')} deleted, {_format_size(result.freed_bytes)} freed"
        )
    for name, size in snapshot.missing.items():
        console.print(f"left out: {name} lacks {format_count(size, 'byte')}")


def _list(folder: Path, json: bool) -> int:
    from gossamer.store.backup.restore_web import list_backups

    found = list_backups(folder)
    if json:
        from gossamer.cli.output.json_lines import print_json

        for snapshot in found:
            print_json(_describe(snapshot))
        return 0
    _print_table(found, [])
    return 0


def _check(folder: Path, json: bool) -> int:
    from gossamer.cli.output.result_tables import show_progress
    from gossamer.store.backup.restore_web import check_backups

    with show_progress("Checking", with_time_left=True) as progress:
        found = check_backups(folder, progress)
    damaged = sum(bool(one.damaged) for one in found)
    if json:
        from gossamer.cli.output.json_lines import print_json

        for one in found:
            print_json({**_describe(one.snapshot), "damaged": one.damaged})
    else:
        _print_table([one.snapshot for one in found], [len(one.damaged) for one in found])
    if damaged:
        print_error("some back-ups are damaged: make a new one, which stores again what is lost of the web.")
    return int(bool(damaged))


def _print_table(found: "Sequence[Snapshot]", damaged: Sequence[int]) -> None:
    from gossamer.cli.output.tables import console, print_table

    if not found:
        console.print("There is no whole back-up yet.")
        return
    columns = ["time", "pages", "state", "archive", "new", *(["damaged files"] if damaged else [])]
    rows = [
        [
            one.at,
            one.counts.get("pages", 0),
            _format_size(one.state_bytes),
            _format_size(one.archive_bytes),
            _format_size(one.new_bytes),
            *damaged[at : at + 1],
        ]
        for at, one in enumerate(found)
    ]
    print_table(f"Back-ups of {found[-1].web}", columns, rows)


def _describe(snapshot: "Snapshot") -> dict[str, object]:
    import msgspec

    known = msgspec.to_builtins(snapshot)
    return {name: value for name, value in known.items() if name not in ("lists", "details")}


def _format_size(size: int) -> str:
    return f"{size / _MIB:,.1f} MiB"
