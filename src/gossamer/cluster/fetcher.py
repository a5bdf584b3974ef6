"""A fetcher: one process on any machine that crawls its part of a web which is kept in PostgreSQL.

It joins, takes leases of groups of hosts, and crawls them as one shard. When its part changes, because another fetcher came or
vanished, it finishes its visits, writes them, and crawls its new part. While the database or the archive is away, it keeps what
it has fetched and waits. When it has lost its leases, it drops what it had not written and begins anew with what the database
says: nothing that was written is lost, and what was not is fetched again by the fetcher that has its host then.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from types import MappingProxyType

import msgspec

from gossamer.cluster.address_turns import AddressTurns
from gossamer.cluster.background_exchange import LONGEST_WAIT_S, BackgroundExchange
from gossamer.cluster.browser_hosts import BrowserHosts, take_missing
from gossamer.cluster.fetcher_store import FetcherStore
from gossamer.cluster.heartbeat import Heartbeat
from gossamer.cluster.reserved_pages import ReservedPages, ReservedQuota
from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.control.stored_mailbox import StoredMailbox
from gossamer.crawl.events import Notice, PageVisited, Progress, Watcher
from gossamer.crawl.host_shards import GROUPS, Territory
from gossamer.crawl.run.assemble_crawl import Crawl
from gossamer.crawl.run.surroundings import Surroundings
from gossamer.crawl.status.status_records import ShardStatus
from gossamer.crawl.task.task import Task
from gossamer.errors import StoreFailed
from gossamer.store.archive.visit_archive import VisitArchive
from gossamer.store.batch import TaskNote
from gossamer.store.postgres.address import Address
from gossamer.store.postgres.connect import Session, Statement
from gossamer.store.postgres.coordination.leases import LEASE_S, Leases, Standing
from gossamer.store.postgres.coordination.turn_table import read_time, release_turns
from gossamer.store.postgres.failures import LeaseLost
from gossamer.store.postgres.postgres_store import PostgresStore
from gossamer.store.wait_for_store import Patience, Waiting

MOST_FETCHERS = 1 << 16
"""Above the numbers that fetchers have at the same time."""
IDLE_S = 0.5
PATIENCE_S = 600.0
"""How long a fetcher keeps its hosts while it cannot write into the archive; then others may have them."""
SILENCE_S = 900.0
"""A crawl that reports nothing for so long, although its leases are renewed, hangs. It may wait ten minutes for the archive."""

_TIME_QUERIES = 5

MakeArchive = Callable[[int], VisitArchive]
"""Makes the archive for the fetcher with this number."""


class FetcherStatus(msgspec.Struct):
    """What a fetcher says about itself, for `gossamer cluster`."""

    pages: int = 0
    pages_per_s: float = 0.0
    in_flight: int = 0
    last_error: str = ""
    renders: bool = False
    """Whether it has a browser that shows pages."""
    browser_groups: frozenset[int] = frozenset()
    """The groups of hosts that it knows to need one."""
    shard: ShardStatus | None = None
    """What it crawls at this moment, for those who look at the crawl."""


class Fetcher:
    """Joins the crawl of a web, and leaves it when it is stopped or, with `until_done`, when no task runs any more."""

    def __init__(
        self,
        address: Address,
        folder: Path,
        name: str,
        machine: str,
        connections: int,
        make_archive: MakeArchive,
        watcher: Watcher,
        until_done: bool = False,
        lease_s: float = LEASE_S,
        tasks: Mapping[int, Task] = MappingProxyType({}),
        check_archive: Callable[[], None] = lambda: None,
    ) -> None:
        self._address = address
        self._folder = folder
        self._name = name
        self._machine = machine
        self._connections = connections
        self._make_archive = make_archive
        self._check_archive = check_archive
        """Raises StoreFailed if the archive cannot be written."""
        self._watch = watcher
        self._until_done = until_done
        self._tasks = tasks
        """Tasks that have functions of this program, by number."""
        self._lease_s = lease_s
        self._leases = Leases(address, lease_s)
        self._session = Session(address)
        """For what is exchanged in the background."""
        self._heartbeat: Heartbeat | None = None
        self._crawl: Crawl | None = None
        self._epochs: dict[int, int] = {}
        self._stopping = ""
        self._is_leaving = False
        """Whether the tasks go on after this fetcher was stopped."""
        self._status = FetcherStatus()
        self._browsers = BrowserHosts()
        self._woken = threading.Event()
        self._watched: Crawl | None = None
        self._event_s = 0.0
        """When the crawl that `is_working` has seen last did something."""

    def is_working(self) -> bool:
        """Say whether this fetcher crawls, or waits for a good reason: for work, the database or the archive."""
        crawl, now_s = self._crawl, time.monotonic()
        if crawl is not self._watched:
            self._watched, self._event_s = crawl, now_s
        is_away = self._heartbeat is None or not self._heartbeat.is_alive()
        return crawl is None or is_away or now_s - self._event_s < SILENCE_S

    def stop(self, why: str, leave: bool = True) -> None:
        """Finish the visits under way, write them, and leave; without `leave`, the tasks are stopped."""
        self._stopping, self._is_leaving = why, leave
        self._woken.set()
        if self._crawl is not None:
            self._crawl.stop(why, leave)

    def run(self) -> None:
        """Crawl until the fetcher is stopped."""
        pause_s = 0.0
        try:
            while not self._stopping:
                try:
                    if pause_s:
                        self._wait_for_archive()
                    self._join()
                    pause_s = 0.0
                    if self._crawl_parts():
                        return
                except LeaseLost as lost:
                    self._report(f"{lost}; this fetcher joins again")
                    self._abandon()
                except StoreFailed as failure:
                    pause_s = self._rest_after(failure, pause_s)
        finally:
            self._leave()

    def _rest_after(self, failure: StoreFailed, pause_s: float) -> float:
        """Wait before the next try; return for how long. Raise a failure that does not pass."""
        if not failure.full:
            raise failure
        if self._stopping:
            self._report(f"{failure}; what this fetcher has not written is fetched again by others")
        elif not pause_s:
            self._report(f"{failure}; this fetcher waits, and goes on by itself")
        pause_s = min(LONGEST_WAIT_S, 2 * pause_s + 0.2)
        self._woken.wait(pause_s)
        return pause_s

    def _wait_for_archive(self) -> None:
        """Raise StoreFailed if the archive cannot be written, and leave the hosts to others meanwhile."""
        try:
            self._check_archive()
        except StoreFailed:
            self._give_hosts()
            raise

    # Membership

    def _join(self) -> None:
        """Join, unless this fetcher has joined before and is still known."""
        if self._leases.fetcher and self._heartbeat is not None:
            self._heartbeat.beat()
            return
        self._leases.join(self._name, self._machine, self._connections)
        self._heartbeat = Heartbeat(
            self._leases, self._describe, self._follow_standing, self._report_trouble, self._lease_s
        )
        self._heartbeat.beat()
        self._heartbeat.start()

    def _abandon(self) -> None:
        """Forget a membership that the database has forgotten, or that lost its hosts."""
        if self._heartbeat is not None:
            self._heartbeat.stop()
        self._heartbeat = None
        self._leases.fetcher = 0

    def _leave(self) -> None:
        try:
            self._give_hosts()
        except StoreFailed as failure:
            self._report(f"{failure}; the leases of this fetcher expire in {self._lease_s:g} s")
        self._leases.close()
        self._session.close()

    def _give_hosts(self) -> None:
        """Leave all hosts to others."""
        number = self._leases.fetcher
        self._abandon()
        if number:
            ReservedPages(self._session, number).give_all()
            self._leases.leave(number)

    def _settle_leases(self) -> dict[int, int]:
        """Give groups to others that lack some, or take what is free; return the groups that are held now."""
        assert self._heartbeat is not None  # noqa: S101 - for the type checker
        standing = self._heartbeat.beat()  # nothing is crawled now
        self._browsers.follow(standing)
        if surplus := standing.list_surplus():
            self._leases.release(surplus)
            standing = self._heartbeat.beat()
        elif standing.missing and self._heartbeat.may_take():
            return standing.epochs | take_missing(self._leases, standing)
        return standing.epochs

    def _follow_standing(self, standing: Standing) -> None:
        """Have the crawl end if its part of the web changes; called by the heartbeat."""
        self._browsers.follow(standing)
        crawl, heartbeat = self._crawl, self._heartbeat
        if crawl is None or heartbeat is None:
            return
        if not heartbeat.is_alive():
            crawl.stop("the lease was not renewed in time", leave=True)
        elif standing.missing and heartbeat.may_take() and take_missing(self._leases, standing):
            crawl.stop("this fetcher gets more hosts", leave=True)
        elif standing.surplus or standing.epochs != self._epochs:
            crawl.stop("some hosts go to other fetchers", leave=True)

    # Crawling

    def _crawl_parts(self) -> bool:
        """Crawl one part after the other; return whether this fetcher is done."""
        with closing(PostgresStore(self._address)) as store:
            while not self._stopping:
                epochs = self._settle_leases()
                running = [note for note in store.tasks() if note.state == "running"]
                if not running and self._until_done:
                    return True
                if running and epochs:
                    self._crawl_part(epochs, running)
                else:
                    self._woken.wait(IDLE_S)
        return True

    def _crawl_part(self, epochs: dict[int, int], notes: Sequence[TaskNote]) -> None:
        """Crawl the hosts of some groups until the tasks have ended, or the part changes."""
        assert self._heartbeat is not None  # noqa: S101 - for the type checker
        self._heartbeat.depend_on(epochs)
        self._browsers.begin_part(notes)
        number = self._leases.fetcher
        territory = Territory(number % MOST_FETCHERS, MOST_FETCHERS, frozenset(epochs))
        clock = self._read_clock()
        # After a failure, what this fetcher asked last, and when, is not known any more.
        release_turns(self._session, number, max(read_spec(note).politeness.delay_s for note in notes))
        turns = AddressTurns(self._session, number, territory, clock, self._heartbeat.is_alive)
        pages = ReservedPages(self._session, number)
        waiting = Waiting(Patience(most_s=LONGEST_WAIT_S), self._report, lambda: bool(self._stopping))
        store = FetcherStore(self._address, number, epochs, pages.spend, waiting)
        archive = self._make_archive(number)
        try:
            surroundings = Surroundings(
                territory,
                turns,
                partial(ReservedQuota, pages=pages),
                archive,
                StoredMailbox(store),
                clock,
                may_send=self._heartbeat.is_alive,
                connections=self._connections,
                hurry=self._must_give_up,
                status=self,
                bandwidth_share=len(epochs) / GROUPS,
                hand_over=self._browsers.hand_over,
            )
            crawl = Crawl(store, self._folder, self._observe, surroundings=surroundings)
            for note in notes:
                crawl.resume(note, self._tasks.get(note.number) or Task(read_spec(note)))
            self._epochs, self._crawl = epochs, crawl
            if self._stopping:
                crawl.stop(self._stopping, self._is_leaving)
            exchange = BackgroundExchange(
                turns, pages, partial(self._exchange_status, {note.number for note in notes})
            )
            with exchange.running(on_failure=lambda why: crawl.stop(str(why), leave=True)):
                asyncio.run(crawl.run())
            turns.give_all()
        finally:
            self._crawl = None
            self._heartbeat.depend_on({})
            store.close()

    def _must_give_up(self, waited_s: float) -> bool:
        """Say whether to drop a batch that could not be written for so long.

        While the database is away, no other fetcher can take the hosts, so the batch is kept. If only the archive is, perhaps
        for this machine alone, others get a chance.
        """
        assert self._heartbeat is not None  # noqa: S101 - for the type checker
        return bool(self._stopping) or (waited_s > PATIENCE_S and self._heartbeat.reaches_database())

    def publish(self, status: ShardStatus) -> None:
        """Keep the status of the crawl, until it goes to the database in the background."""
        self._status.shard = status

    def remove(self) -> None:
        """Forget the status: the crawl of this part has ended."""
        self._status.shard = None

    def _exchange_status(self, known: set[int]) -> bool:
        """Write what this fetcher does into the database; end the part if tasks run that it was not begun with.

        Both take one round trip.
        """
        steps = [
            Statement(
                "update fetcher set status = %s where number = %s", (self._describe(), self._leases.fetcher)
            ),
            Statement("select number from task where state = 'running'"),
        ]
        _, found = self._session.transact(steps)
        if any(number not in known for (number,) in found):
            if self._crawl is not None:
                self._crawl.stop("another task was started", leave=True)
            return True
        return False

    def _read_clock(self) -> Callable[[], float]:
        """Return a clock that shows the time of the database: the clocks of machines differ.

        Of several answers the quickest counts: its time is known best.
        """
        answers = []
        for _ in range(_TIME_QUERIES):
            began_s = time.monotonic()
            now_s = read_time(self._session)
            ended_s = time.monotonic()
            answers.append((ended_s - began_s, now_s - ended_s))
        offset_s = min(answers)[1]
        return lambda: offset_s + time.monotonic()

    # Reporting

    def _observe(self, event: msgspec.Struct) -> None:
        self._event_s = time.monotonic()
        if isinstance(event, PageVisited):
            self._status.pages += 1
        elif isinstance(event, Progress):
            self._status.pages_per_s = event.pages_per_s
        self._watch(event)

    def _describe(self) -> bytes:
        crawl = self._crawl
        self._status.in_flight = crawl.count_visits_under_way() if crawl is not None else 0
        self._status.renders, self._status.browser_groups = self._browsers.renders, self._browsers.groups
        return msgspec.json.encode(self._status)

    def _report(self, text: str) -> None:
        self._status.last_error = text
        self._watch(Notice(time.time(), text))

    def _report_trouble(self, failure: StoreFailed) -> None:
        self._status.last_error = str(failure)
        if isinstance(failure, LeaseLost) and self._crawl is not None:
            self._crawl.stop("the leases were lost", leave=True)
