"""`gossamer tasks`: the tasks of a web, how they stand, and why."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gossamer.cli.task_options import Json, WebPath

if TYPE_CHECKING:  # imported by the verb when it runs: help has to answer at once
    from gossamer.store.batch import TaskNote
    from gossamer.web import Web


def tasks(web: WebPath = Path("web"), json: Json = False) -> int:
    """List the tasks of a web: state, reason, and what they have done.

    \b
    gossamer tasks --web docs.web
    gossamer tasks --web docs.web --json
    """
    from gossamer.web import open_to_read

    with open_to_read(web) as opened:
        show_tasks(opened, opened.tasks(), json)
    return 0


def show_tasks(web: "Web", notes: Sequence["TaskNote"], json: bool) -> None:
    """Show some tasks as they are now."""
    from gossamer.crawl.control.mailbox import is_running

    running = is_running(web.folder)
    if json:
        for note in notes:
            _print_json(note, running)
    elif notes:
        _print_table(notes, running)
    else:
        from gossamer.cli.output.tables import console

        console.print(f"The web at {web.folder} has no tasks.", markup=False)


def _print_json(note: "TaskNote", running: bool) -> None:
    import msgspec

    from gossamer.cli.output.json_lines import print_json

    told = {name: getattr(note, name) for name in note.__struct_fields__ if name != "spec"}
    told |= {"active": running and note.state == "running", "spec": msgspec.Raw(note.spec)}
    print_json(told)


def _print_table(notes: Sequence["TaskNote"], running: bool) -> None:
    from gossamer.cli.output.tables import clean_text, print_table
    from gossamer.cli.output.wording import count_causes, count_waiting

    columns = ["", "task", "state", "pages", "waiting", "failed", "refused", "begun", "why"]
    rows = []
    for note in notes:
        state, why = note.state, note.reason
        if state == "running" and not running:
            state, why = "left", "its process ended; `gossamer resume` goes on"  # type: ignore[assignment]
        sums = [sum(times for _, times in count_causes(note.counts, kind)) for kind in ("failed", "refused")]
        begun = time.strftime("%Y-%m-%d %H:%M", time.localtime(note.created_s))
        pages, waiting = note.counts.get("downloaded", 0), count_waiting(note.counts)
        rows.append(
            [note.number, clean_text(note.name), state, pages, waiting, *sums, begun, clean_text(why)]
        )
    print_table("", columns, rows)
