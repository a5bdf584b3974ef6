"""The process of one run: it runs a verb of this program, writes down what was found, and how it ended."""

import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from gossamer.schedule.journal.journal_records import News
from gossamer.schedule.run_file import RunFile, RunNote
from gossamer.schedule.run_order import RunOrder, locate_news

if TYPE_CHECKING:  # loaded when the verb is known to need it
    from gossamer.web import Web

_LOOK_S = 1.0
_DATABASE = "://"


def main() -> None:
    """Run the verb of the order on the command line, and end as it did."""
    order = msgspec.json.decode(sys.argv[1], type=RunOrder)
    file = RunFile(order.file)
    os.set_inheritable(order.file, False)  # what this process starts does not outlive it unnoticed
    file.write(msgspec.structs.replace(file.read(), process=os.getpid()))
    code = run_order(order, file)
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    file.write(msgspec.structs.replace(file.read(), code=code, ended_s=time.time()))
    os._exit(code)


def run_order(order: RunOrder, file: RunFile) -> int:
    """Run a verb when its web is free; return its exit code."""
    from gossamer.cli.main import run_verb
    from gossamer.errors import GossamerError
    from gossamer.schedule.run_command import WRITERS

    if order.do in WRITERS:
        _wait_for_web(order.web)
    try:
        note = _look_before(order, file)
        arguments = _find_arguments(order, note)
    except GossamerError:
        note, arguments = RunNote(), list(order.arguments)  # the verb says what is wrong
    code = run_verb(arguments)
    sys.stdout.flush()
    with suppress(GossamerError, OSError):
        _write_news(order, note)
    return code


def _wait_for_web(web: str) -> None:
    """Wait while another program writes into a web of this machine: the runner stops a run that waits too long."""
    from gossamer.crawl.control.command_mailbox import is_running

    said = False
    while _DATABASE not in web and is_running(Path(web)):
        if not said:
            sys.stderr.write(f"{web} is in use by another program; waiting until it ends\n")
            sys.stderr.flush()
        said = True
        time.sleep(_LOOK_S)


def _look_before(order: RunOrder, file: RunFile) -> RunNote:
    """Write down where the web ends before the run, at its first try."""
    from gossamer.schedule.read_news import reads_visits

    note = file.read()
    if note.tasks >= 0 or not reads_visits(order.do):
        return note
    tasks, visits = 0, 0
    if _exists(order.web):
        with _open(order.web) as web:
            tasks = max((one.number for one in web.tasks()), default=0)
            visits = web.store.last_visit()
    note = msgspec.structs.replace(note, tasks=tasks, visits=visits, since_s=time.time())
    file.write(note)
    return note


def _find_arguments(order: RunOrder, note: RunNote) -> list[str]:
    """Return the arguments of the verb; a crawl that was interrupted is resumed and not begun again."""
    if order.do == "crawl" and order.tries > 1 and _exists(order.web):
        with _open(order.web) as web:
            begun = [one for one in web.tasks() if one.number > note.tasks]
        if begun:
            return ["resume", str(begun[0].number), "--web", order.web]
    return list(order.arguments)


def _write_news(order: RunOrder, note: RunNote) -> None:
    from gossamer.schedule.read_news import read_output, read_visits, reads_visits

    news: News | None
    if reads_visits(order.do) and _exists(order.web):
        with _open(order.web) as web:
            news = read_visits(web.store, max(note.visits, 0), note.since_s)
    else:
        news = read_output(order.do, Path(order.output))
    if news is not None:
        locate_news(Path(order.folder), order.number).write_bytes(msgspec.json.encode(news))


def _exists(web: str) -> bool:
    from gossamer.cli.task_options import parse_web
    from gossamer.web import exists

    return exists(parse_web(web))


def _open(web: str) -> "Web":
    from gossamer.cli.task_options import parse_web
    from gossamer.web import open_to_read

    return open_to_read(parse_web(web))


if __name__ == "__main__":
    main()
