"""The long-lived process of `gossamer run`: look at the clock, start what is due, write down what ends, tell what is new."""

import fcntl
import logging
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import msgspec

from gossamer.cli.run.background_work import BackgroundWork
from gossamer.cli.run.crew import Crew
from gossamer.cli.run.serve_child import ServeChild
from gossamer.errors import BadInput, StoreFailed
from gossamer.printable_text import clean_text
from gossamer.schedule.clock_watch import format_moment
from gossamer.schedule.journal.journal import Journal
from gossamer.schedule.journal.journal_records import Notice, Run
from gossamer.schedule.keep_schedule import Ending, Keeper
from gossamer.schedule.look_at_sitemap import SitemapLook, SitemapState, is_due, look_at_sitemap
from gossamer.schedule.read_state import LOCK
from gossamer.schedule.schedule_file import is_timed
from gossamer.schedule.schedule_records import Entry, Schedule
from gossamer.schedule.tell import send_notices
from gossamer.schedule.tell.send_notices import Sender, judge_sending

LOG = logging.getLogger("gossamer.run")
_LOOK_S = 0.5
_FULL_PAUSE_S = 5.0
_STUCK_S = 120.0
_LOCK_TRIES, _LOCK_PAUSE_S = 10, 0.05
_SITEMAP = "sitemap "


class RunLoop:
    """A runner of one schedule."""

    def __init__(self, schedule: Schedule, path: Path, folder: Path, journal: Journal) -> None:
        """`path` is the schedule's file, `folder` has the runner's own files."""
        self._schedule = schedule
        self._journal = journal
        self._keeper = Keeper(journal, schedule)
        self._crew = Crew(schedule, folder, path.parent)
        self._serve = ServeChild(schedule, path, folder)
        self._sender = Sender(schedule.written, path.parent, self._list_feed)
        self._telling: BackgroundWork[tuple[Notice, str]] = BackgroundWork("gossamer tell")
        self._sitemaps: BackgroundWork[tuple[str, SitemapLook]] = BackgroundWork("gossamer sitemap")
        self._feed: list[Notice] = []
        self._told: tuple[Notice, str] | None = None
        self._stop = threading.Event()
        self._beat_s = time.monotonic()
        self._said = ""

    def run(self, once: bool) -> int:
        """Run until a signal; with `once`, until all that is due now has ended and was told. Return the exit code."""
        self._take_up()
        failed = False
        while not self._stop.is_set():
            self._beat_s = time.monotonic()
            try:
                failed = self._step(once) or failed
                self._said = ""
            except StoreFailed as error:
                self._say_once(f"{error}; nothing begins until it can be written")
                self._stop.wait(_FULL_PAUSE_S)
                continue
            if once and self._is_idle():
                break
            self._stop.wait(_LOOK_S)
        self._end()
        return int(once and failed)

    def stop(self, *_: object) -> None:
        """End soon: runs stop cleanly, and go on at the next start."""
        self._stop.set()

    def is_working(self) -> bool:
        """Say whether the runner still looks at its schedule, for those who watch it."""
        return time.monotonic() - self._beat_s < _STUCK_S

    def _take_up(self) -> None:
        """Take up the journal; a full disk is waited for."""
        while not self._stop.is_set():
            self._beat_s = time.monotonic()
            try:
                for run in self._keeper.open(time.time()):
                    LOG.info("%s: the run of %s was under way", run.entry, format_moment(run.due_s))
                    self._crew.adopt(run)
            except StoreFailed as error:
                self._say_once(f"{error}; nothing begins until it can be written")
                self._stop.wait(_FULL_PAUSE_S)
            else:
                return

    def _step(self, once: bool) -> bool:
        """Do what is to be done at this moment; return whether a run has failed for good."""
        failed = self._write_endings()
        for run in self._keeper.look(time.time(), time.monotonic()):
            self._start(run)
        self._look_at_sitemaps()
        self._tell()
        if not once and (said := self._serve.look()):
            LOG.warning("%s", said)
            self._journal.add_event(time.time(), said)
        return failed

    def _start(self, run: Run) -> None:
        LOG.info("%s: begins, due %s%s", run.entry, format_moment(run.due_s), _count_tries(run))
        if why := self._crew.start(run):
            ended = self._keeper.end(run, Ending(None, time.time(), why=why), time.time())
            LOG.error("%s: %s", run.entry, ended.why)

    def _write_endings(self) -> bool:
        failed = False
        for run, ending in self._crew.find_ended():
            ended = self._keeper.end(run, ending, time.time())
            self._crew.forget(run)
            if ended.state == "waiting":
                LOG.warning("%s: %s; it is tried again", run.entry, clean_text(ended.why, 300))
                continue
            self._crew.forget_file(run)
            failed = failed or ended.state == "failed"
            level = logging.ERROR if ended.state == "failed" else logging.INFO
            LOG.log(
                level,
                "%s: %s%s",
                run.entry,
                ended.state,
                f", {clean_text(ended.why, 300)}" if ended.why else "",
            )
        return failed

    def _is_idle(self) -> bool:
        """Say whether nothing runs, waits or is being told."""
        return not (
            self._journal.list_open()
            or len(self._crew)
            or self._telling.is_busy
            or self._told
            or self._sitemaps.is_busy
        ) and not any(send_notices.is_due(one, time.time()) for one in self._journal.list_notices("waiting"))

    def _tell(self) -> None:
        """Write what came of telling, and tell the next notice that is due."""
        self._write_told()
        if self._telling.is_busy:
            return
        now_s = time.time()
        for notice in self._journal.list_notices("waiting"):
            if send_notices.is_due(notice, now_s):
                self._feed = self._journal.list_notices("", "feed", send_notices.MOST_FEED_ENTRIES)
                self._telling.start(partial(self._send, notice))
                return

    def _write_told(self) -> None:
        """Write what came of telling, if it has ended."""
        self._told = self._told or self._telling.take_result()
        if self._told is None:
            return
        notice, why = self._told
        told = judge_sending(notice, why, time.time())
        self._journal.put_notice(told)
        self._told = None  # not before it is written: a notice is told twice only after a kill
        if why:
            LOG.warning("%s by %s: %s; %s", notice.entry, notice.channel, clean_text(why, 300), told.state)

    def _send(self, notice: Notice) -> tuple[Notice, str]:
        try:
            return notice, self._sender.send(notice)
        except Exception as error:  # noqa: BLE001 - a way of telling must not end the runner
            return notice, f"{type(error).__name__}: {error}"

    def _list_feed(self) -> list[Notice]:
        return self._feed

    def _look_at_sitemaps(self) -> None:
        """Write what a look at a sitemap has shown, and begin the next one that is due."""
        result = self._sitemaps.take_result()
        if result is not None:
            name, look = result
            with self._journal.write():
                self._journal.put_fact(_SITEMAP + name, msgspec.json.encode(look.state).decode())
                if look.changed:
                    self._keeper.add_run(name, time.time())
                if look.why and look.state.failures == 1:
                    self._journal.add_event(time.time(), f"the sitemap of {name} cannot be read: {look.why}")
            if look.why:
                LOG.warning("%s: its sitemap cannot be read: %s", name, clean_text(look.why, 300))
        if self._sitemaps.is_busy:
            return
        for entry in self._schedule.entries.values():
            state = self._read_state(entry)
            if not is_timed(entry) and is_due(state, entry.look_every_s, time.time()):
                self._sitemaps.start(partial(self._look, entry, state))
                return

    def _look(self, entry: Entry, state: SitemapState) -> tuple[str, SitemapLook]:
        written, now_s = self._schedule.written, time.time()
        try:
            return entry.name, look_at_sitemap(
                entry.written.sitemap, state, written.contact, written.allow_private, now_s
            )
        except Exception as error:  # noqa: BLE001 - a strange answer must not end the looks
            why = f"{type(error).__name__}: {error}"
            changed = msgspec.structs.replace(state, looked_s=now_s, failures=state.failures + 1)
            return entry.name, SitemapLook(changed, why=why)

    def _read_state(self, entry: Entry) -> SitemapState:
        kept = self._journal.read_fact(_SITEMAP + entry.name)
        with suppress(msgspec.MsgspecError):
            return msgspec.json.decode(kept, type=SitemapState)
        return SitemapState()

    def _say_once(self, sentence: str) -> None:
        if sentence != self._said:
            LOG.error("%s", clean_text(sentence, 500))
        self._said = sentence

    def _end(self) -> None:
        """Stop all runs within the grace time, and write that."""
        LOG.info("the runner ends")
        self._crew.stop()
        self._serve.stop(self._schedule.grace_s)
        until_s = time.monotonic() + self._schedule.grace_s + 5.0
        while (len(self._crew) or self._telling.is_busy) and time.monotonic() < until_s:
            self._beat_s = time.monotonic()
            with suppress(StoreFailed):  # the next runner reads the files of the runs
                self._write_endings()
                self._write_told()
            time.sleep(0.05)
        with suppress(StoreFailed):
            self._keeper.close(
                time.time(), "it was stopped" if self._stop.is_set() else "nothing more is due"
            )


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Make the runner's folder and keep other runners of this schedule away."""
    try:
        folder.mkdir(exist_ok=True)
        file = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise BadInput(f"{folder} cannot be written: {error.strerror}") from None
    try:
        _take_lock(file, folder)
        yield
    finally:
        os.close(file)


def _take_lock(file: int, folder: Path) -> None:
    """Take a lock; a look whether a runner works holds it for a few microseconds."""
    for _ in range(_LOCK_TRIES):
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_LOCK_PAUSE_S)
        else:
            return
    raise BadInput(f"another `gossamer run` works with {folder}; stop it first")


def attach_signals(loop: RunLoop) -> None:
    """End cleanly by SIGTERM and Ctrl-C."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, loop.stop)


def _count_tries(run: Run) -> str:
    return f", try {run.tries}" if run.tries > 1 else ""
