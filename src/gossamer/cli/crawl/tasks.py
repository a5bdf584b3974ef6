"""`gossamer tasks`: list the tasks of a web with their states."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gossamer.cli.task_options import Json, WebPath

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.store.batch import TaskNote
    from gossamer.web import Web


def tasks(web: WebPath = Path("web"), json: Json = False) -> int:
    """List the tasks of a web with their states, reasons and counts.

    \b
    gossamer tasks --web docs.web
    gossamer tasks --web docs.web --json
    """
    from gossamer.web import open_to_read

    with open_to_read(web) as opened:
        show_tasks(opened, opened.tasks(), json)
    return 0


def show_tasks(web: "Web", notes: Sequence["TaskNote"], json: bool) -> None:
    """Print tasks as a table or as JSON lines."""
    from gossamer.crawl.control.reach_crawl import is_crawled

    running = is_crawled(web.store, web.folder)
    if json:
        for note in notes:
            _print_json(note, running)
    elif notes:
        _print_table(notes, running)
    else:
        from gossamer.cli.output.tables import console

        console.print(f"The web at {web.name} has no tasks.")


def _print_json(note: "TaskNote", running: bool) -> None:
    import msgspec

    from gossamer.cli.output.json_lines import print_json
    from gossamer.config import may_hold_password

    spec = note.spec
    if may_hold_password(spec):
        from gossamer.crawl.control.move_credentials import hide_passwords

        spec = hide_passwords(note)
    record = {name: getattr(note, name) for name in note.__struct_fields__ if name != "spec"}
    record |= {"active": running and note.state == "running", "spec": msgspec.Raw(spec)}
    print_json(record)


def _print_table(notes: Sequence["TaskNote"], running: bool) -> None:
    from gossamer.cli.output.tables import clean_text, print_table
    from gossamer.cli.output.wording import count_causes, count_waiting

    columns = ["", "task", "state", "pages", "waiting", "failed", "refused", "started", "reason"]
    rows = []
    for note in notes:
        state, reason = note.state, note.reason
        if state == "running" and not running:
            state, reason = "left", "its process ended; `gossamer resume` continues it"  # type: ignore[assignment]
        sums = [sum(times for _, times in count_causes(note.counts, kind)) for kind in ("failed", "refused")]
        started = time.strftime("%Y-%m-%d %H:%M", time.localtime(note.created_s))
        pages, waiting = note.counts.get("downloaded", 0), count_waiting(note.counts)
        rows.append(
            [note.number, clean_text(note.name), state, pages, waiting, *sums, started, clean_text(reason)]
        )
    print_table("", columns, rows)
