"""The program of one shard process: `python -m gossamer.crawl.run.shard_process CONTROL EVENTS`, started by `processes`.

It loads before it has a job. The first message through the socket CONTROL brings the job and the files that the shards
share; later messages say when to stop. When the socket closes, the parent is gone and the process exits at once:
everything accepted is in the store. Events go out through the pipe EVENTS.
"""

import asyncio
import gc
import os
import signal
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from gossamer.crawl.control import pickle_functions
from gossamer.crawl.control.command_mailbox import Mailbox, read_spec
from gossamer.crawl.host_shards import Territory
from gossamer.crawl.loop.page_quota import PageQuota
from gossamer.crawl.run import process_messages
from gossamer.crawl.run.assemble_crawl import Crawl
from gossamer.crawl.run.process_messages import Outbox, PageKept, ShardJob, StopShard
from gossamer.crawl.run.surroundings import Surroundings
from gossamer.crawl.shared_turns import SharedTurns
from gossamer.crawl.task.task import Task
from gossamer.store.batch import TaskNote
from gossamer.store.sqlite.sqlite_store import SqliteStore

_ORPHANED = 3
_FAILED = 1


def main() -> int:
    """Run the job that the parent sends; return the exit code."""
    control, events = map(int, sys.argv[1:3])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C and says when to stop
    outbox = Outbox(events)
    files = process_messages.receive_files(control, 2)
    message = process_messages.read_message(control)
    if message is None:
        return _ORPHANED
    try:
        _run(msgspec.msgpack.decode(message, type=ShardJob), files[0], control, outbox)
    except BaseException as error:  # noqa: BLE001 - the parent raises it again
        outbox.send(process_messages.describe_failure(error, time.time()))
        return _FAILED
    return 0


def _run(job: ShardJob, shared: int, control: int, outbox: Outbox) -> None:
    folder = Path(job.folder)
    judges = pickle_functions.unpack(job.functions)
    store = SqliteStore(Path(job.state))
    shared_turns = SharedTurns(shared, job.shard)
    surroundings = Surroundings(
        Territory(job.shard, job.shards),
        shared_turns,
        partial(PageQuota, claims=shared_turns),
        mailbox=Mailbox(folder, job.mailbox_bytes),
        make_cell=shared_turns.make_cell,
        is_verbose=job.is_verbose,
    )
    crawl = Crawl(store, folder, outbox.send, job.fresh, surroundings)
    for note in store.tasks():
        if note.state == "running":
            task = pickle_functions.attach(Task(read_spec(note)), judges.get(note.number, {}))
            if note.number in job.with_listeners:
                task.listener(_make_listener(note, outbox))
            crawl.resume(note, task)
    threading.Thread(target=_obey, args=(control, crawl), daemon=True).start()
    gc.freeze()
    try:
        asyncio.run(crawl.run())
    finally:
        store.close()


def _make_listener(note: TaskNote, outbox: Outbox) -> Any:
    return lambda page: outbox.send(PageKept(page.fetched_s, note.number, page))


def _obey(control: int, crawl: Crawl) -> None:
    """Stop when the parent says so, and exit at once when it is gone."""
    while message := process_messages.read_message(control):
        crawl.stop(msgspec.msgpack.decode(message, type=StopShard).why)
    os._exit(_ORPHANED)


if __name__ == "__main__":
    gc.set_threshold(100_000, 10, 10)  # as for the program itself
    sys.exit(main())
