"""One shard in a process of its own: `python -m gossamer.crawl.run.shard_process CONTROL EVENTS`, started by `processes`.

It loads before it is told anything. The first message through the socket CONTROL says what to do and brings the files
that the shards share, further ones when to stop; its end says that the parent is gone, and then nothing is worth finishing: what was promised is in the store. Events go out through the pipe EVENTS.
"""

import asyncio
import gc
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import msgspec

from gossamer.crawl.control import task_functions
from gossamer.crawl.control.mailbox import Mailbox, read_spec
from gossamer.crawl.host_shards import Territory
from gossamer.crawl.run import channel
from gossamer.crawl.run.assemble import Crawl
from gossamer.crawl.run.channel import Job, Outbox, PageKept, Stop
from gossamer.crawl.shared_turns import SharedTurns
from gossamer.crawl.task.task import Task
from gossamer.records import Page
from gossamer.store.batch import TaskNote
from gossamer.store.sqlite.sqlite_store import SqliteStore

_ORPHANED = 3
_FAILED = 1


def main() -> int:
    """Do the job that the parent gives; return the exit code."""
    control, events = map(int, sys.argv[1:3])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, who says when to stop
    outbox = Outbox(events)
    files = channel.receive_files(control, 2)
    message = channel.read_message(control)
    if message is None:
        return _ORPHANED
    try:
        _run(msgspec.msgpack.decode(message, type=Job), files[0], control, outbox)
    except BaseException as error:  # noqa: BLE001 - the parent raises it again
        outbox.hear(channel.broken(error, time.time()))
        return _FAILED
    return 0


def _run(job: Job, shared: int, control: int, outbox: Outbox) -> None:
    folder = Path(job.folder)
    judges = task_functions.unpack(job.functions)
    store = SqliteStore(Path(job.state))
    shared_turns = SharedTurns(shared, job.shard)
    mailbox = Mailbox(folder, job.mailbox_bytes)
    territory = Territory(job.shard, job.shards)
    crawl = Crawl(store, folder, outbox.hear, job.fresh, territory, shared_turns, mailbox)
    for note in store.tasks():
        if note.state == "running":
            task = task_functions.attach(Task(read_spec(note)), judges.get(note.number, {}))
            if note.number in job.heard:
                task.listener(_telling(note, outbox))
            crawl.resume(note, task)
    threading.Thread(target=_obey, args=(control, crawl), daemon=True).start()
    gc.freeze()
    try:
        asyncio.run(crawl.run())
    finally:
        store.close()


def _telling(note: TaskNote, outbox: Outbox) -> Any:
    return lambda page: outbox.hear(_kept(note.number, page))


def _kept(task: int, page: Page) -> PageKept:
    return PageKept(page.fetched_s, task, page)


def _obey(control: int, crawl: Crawl) -> None:
    """Stop when the parent says so, and end at once when it is gone."""
    while message := channel.read_message(control):
        crawl.stop(msgspec.msgpack.decode(message, type=Stop).why)
    os._exit(_ORPHANED)


if __name__ == "__main__":
    gc.set_threshold(100_000, 10, 10)  # as for the program itself
    sys.exit(main())
