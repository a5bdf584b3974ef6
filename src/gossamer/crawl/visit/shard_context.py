"""What a visit works with: one shard's frontier, fetcher, robots cache, tasks, and the batch that is being filled."""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

import msgspec

from gossamer.crawl.common_turns import CommonTurns
from gossamer.crawl.events import Notice, Watcher
from gossamer.crawl.host_shards import WHOLE, Territory
from gossamer.crawl.read_page import FORMAT, Reading, add_content, read
from gossamer.crawl.render.shard_browsers import ShardBrowsers
from gossamer.crawl.task.running_task import RunningTask
from gossamer.crawl.task_counts import format_count
from gossamer.crawl.visit.cached_pages import PageCache
from gossamer.crawl.visit.host_turns import Turns
from gossamer.crawl.visit.pending_batch import PendingBatch
from gossamer.crawl.visit.socket_shortage_pause import ShortagePause
from gossamer.documents.plugin_readers import READER
from gossamer.documents.read_document import DocumentReaders
from gossamer.documents.readable_pages import UNREADABLE
from gossamer.fetch.body_budget import BodyBudget
from gossamer.fetch.fetcher import Fetcher
from gossamer.fetch.robots_cache import RobotsAnswer, RobotsCache
from gossamer.frontier.frontier import Frontier
from gossamer.frontier.pauses_and_backoff import CLOCK_SLACK_S, Pace, is_possible
from gossamer.frontier.spider_traps import TrapDetector
from gossamer.net import url as urls
from gossamer.records import Decision, Exchange, HostNote, Request

if TYPE_CHECKING:  # loaded only by crawls that visit pages again
    from gossamer.crawl.visit.revisit import Revisits

# A killed process is not back sooner than this, so shorter pauses need not be written at once.
_RESTART_S = 0.5


class ShardMemory(msgspec.Struct, frozen=True):
    """What a shard knows of earlier runs."""

    host: Callable[[str], HostNote | None]
    """Returns what the web remembers of a host."""
    cache: PageCache
    revisits: "Callable[[], Revisits]"
    """Returns what is known of pages that are visited again; loaded at the first of them."""
    numbers: Iterator[int]
    """Numbers for new requests: higher than all given before, and given by no other shard."""
    since_s: float
    """Until this time a process that was killed may have asked any host without recording it."""


class Connections(Protocol):
    """How many pages are fetched at the same time."""

    number: int

    def describe(self) -> str:
        """Say how many, and why, in a sentence."""
        ...


class ShardContext:
    """One shard's equipment, and the state that its visits share."""

    def __init__(
        self,
        frontier: Frontier,
        fetcher: Fetcher,
        robots: RobotsCache,
        traps: TrapDetector,
        clock: Callable[[], float],
        watcher: Watcher,
        memory: ShardMemory,
        territory: Territory = WHOLE,
        common_turns: CommonTurns | None = None,
        budget: BodyBudget | None = None,
    ) -> None:
        self.budget = budget or BodyBudget()
        """The bytes of bodies in memory; the fetcher has the same one."""
        self.frontier = frontier
        self.fetcher = fetcher
        self.robots = robots
        self.traps = traps
        self.clock = clock
        self.watch = watcher
        self.tasks: dict[int, RunningTask] = {}
        self.pending = PendingBatch()
        self.unwritten: set[int] = set()
        """Ids of visited pages that the store does not know yet."""
        self.touched: set[str] = set()
        """Hosts whose robots.txt, pause or failures changed since they were last written."""
        self.given_up: set[tuple[str, int, str]] = set()
        """Hosts and tasks whose remaining requests are to be dismissed, and why."""
        self.cache = memory.cache
        self.territory = territory
        self.turns = Turns(frontier, clock, common_turns)
        self.shortage = ShortagePause()
        self.answers = self.unanswered = 0
        """Visits that asked a server, and those of them that brought no answer."""
        self.connections: Connections | None = None
        self.quiet = ""
        """Until when nothing is fetched, in a sentence; "" if something may be."""
        self.is_verbose = False
        """Whether each step of a visit is told, for the log."""
        self.hand_over: Callable[[str], bool] = lambda _: False
        """Has another fetcher crawl a host whose pages need a browser; says whether there is one that can."""
        self.handed_over: set[str] = set()
        """Hosts that this shard asks for nothing more, until they are another's."""
        self.clock_reported = False
        """Whether times of a wrong clock were reported, by this shard or by another."""
        self._memory = memory
        self.browsers = ShardBrowsers(
            fetcher,
            lambda what: self.watch(Notice(self.clock(), what)),
            territory.shards if territory.groups is None else 1,  # fetchers have a machine each
        )
        """Show pages; none starts before there is a page to show."""

    def task_of(self, request: Request) -> RunningTask:
        """Return the task that wants this page."""
        return self.tasks[request.task]

    def read(self, request: Request, exchange: Exchange) -> Reading:
        """Read what was fetched, within the limits of its task."""
        task = self.tasks[request.task]
        return read(
            request,
            exchange,
            task.agent,
            task.spec.fetching.page_links,
            self.cache.attempts,
            task.requisites is not None,
            task.readers,
            task.spec.fetching.schemes,
            task.reads_text(request),
            task.task.page_keeper.groups if task.task.page_keeper is not None else None,
        )

    @property
    def documents(self) -> DocumentReaders:
        """Reads documents beyond HTML, in processes with limits."""
        return self.cache.documents

    async def read_document(self, request: Request, reading: Reading) -> Reading:
        """Read a document beyond HTML, if it was fetched, while other visits go on."""
        if reading.unread is None:
            return reading
        task = self.tasks[request.task]
        waiting_bytes = len(reading.unread.body)
        self.budget.keep(waiting_bytes)
        try:
            found = await self.documents.read_soon(reading.unread)
        finally:
            self.budget.release_kept(waiting_bytes)
        reading = add_content(reading, found, task.spec.fetching.page_links)
        marks = reading.page.marks
        if UNREADABLE in marks:
            task.tally.count(f"unread:{marks[UNREADABLE].partition(':')[0]}")
            if READER in marks:
                task.plugin_failures.record_sentence(marks[READER], marks[UNREADABLE])
        elif FORMAT in marks:
            task.tally.count(f"read:{marks[FORMAT]}")
        return reading

    @property
    def revisits(self) -> "Revisits":
        """What is known of the pages that are visited again."""
        return self._memory.revisits()

    # Hosts

    def register_host(self, host: str) -> None:
        """Load what the web remembers of a host that is new to the frontier: its pause outlives the process."""
        if host in self.frontier:
            return
        since_s = self._memory.since_s
        note = self._memory.host(host)
        if note is None:
            self.frontier.add_host(host, Pace(ended_s=since_s))
            return
        ready_s, now_s = note.ready_s, self.clock()
        manners = [task.spec.politeness for task in self.tasks.values()]
        usual_s = max((max(each.delay_s, each.max_delay_s) for each in manners), default=math.inf)
        if any(each.quiet_hours for each in manners):
            usual_s = math.inf
        if not is_possible(ready_s, note.failures, usual_s, now_s):
            self.report_wrong_clock(ready_s)
            ready_s, since_s = 0.0, now_s  # it is not known when it was asked: as if just now
        pace = Pace(ready_s, crawl_delay_s=note.crawl_delay_s, failures=note.failures, ended_s=since_s)
        self.frontier.add_host(host, pace)

    def find_robots(self, host: str, max_age_s: float) -> RobotsAnswer | None:
        """Return what is known of a host's robots.txt, in memory or in the store."""
        known = self.robots.find_fresh(host, max_age_s)
        if known is None and (note := self._memory.host(host)) is not None:
            if note.robots_s > self.clock() + CLOCK_SLACK_S:
                self.report_wrong_clock(note.robots_s)
            self.robots.prime(note)
            known = self.robots.find_fresh(host, max_age_s)
        return known

    def save_long_pause(self, request: Request, usual_s: float) -> None:
        """Have a host's pause written at once if it is longer than the usual one, which every restart keeps anyway."""
        pace = self.frontier.pace(request.host) or Pace()
        if pace.ready_s - self.clock() > usual_s + _RESTART_S:
            self.touched.add(request.host)
            self.pending.urgent = True

    def give_up_if_dead(self, request: Request) -> None:
        """Give up the remaining requests of a task at a host that has failed too often."""
        if self.frontier.is_dead(request.host):
            self.give_up_host(request.host, request.task, "dead host")

    def give_up_host(self, host: str, task: int, why: str) -> None:
        """Ask a host for nothing more on behalf of a task, except for requisites if its page budget is spent."""
        self.tasks[task].full_hosts.add(host)
        if why == "per_host" and self.tasks[task].requisites is not None:
            return  # each page is refused when its turn comes
        self.frontier.drop_requests(host, task)
        self.given_up.add((host, task, why))

    def report_wrong_clock(self, later_s: float) -> None:
        """Report once that the web has a time that is still to come."""
        if self.clock_reported:
            return
        self.clock_reported = True
        then, now_s = time.strftime("%Y-%m-%d %H:%M", time.localtime(later_s)), self.clock()
        now = time.strftime("%Y-%m-%d %H:%M", time.localtime(now_s))
        why = f"the web has times as late as {then}, and it is {now}: the clock of this machine was wrong, or is now"
        self.watch(Notice(now_s, f"{why}; such pauses and ages count as unknown"))

    def report_plugin_failures(self, task: RunningTask) -> None:
        """Report the first failure of each plug-in of a task."""
        for sentence in task.plugin_failures.take_new():
            rest = "the crawl goes on, and pages at which it fails are kept and marked"
            self.watch(Notice(self.clock(), f"{task.name}: {sentence}; {rest}"))

    def wait_out(self, what: str) -> float:
        """Take no requests for a while because this machine has run out of something; return until when."""
        now_s = self.clock()
        if self.shortage.record(what, now_s, sum(task.under_way for task in self.tasks.values())):
            self.watch(Notice(now_s, f"{what}; the crawl waits, loses nothing and continues by itself"))
        return self.shortage.until_s

    # What goes into the batch

    def add_requests(self, requests: Iterable[Request]) -> None:
        """Number new requests, put them into the batch and queue them in the frontier."""
        numbered = []
        for request in requests:
            numbered.append(msgspec.structs.replace(request, number=next(self._memory.numbers)))
            if self.frontier.has_room_for(request.host):
                self.register_host(request.host)
        self.pending.batch.requests.extend(numbered)
        self.frontier.add(numbered)
        if numbered and (guide := self.tasks[numbered[0].task].guide) is not None:
            guide.add_waiting([one for one in numbered if one.type != "requisite"])

    def hold_bytes(self, page_bytes: int) -> None:
        """Count what the pending batch holds of a page: its body and its links."""
        self.pending.held_bytes += page_bytes
        self.budget.keep(page_bytes)

    def move_requests(self, moves: Iterable[tuple[Request, Request]]) -> None:
        """Give waiting requests of one task new priorities; each is given as it was and as it is now."""
        moved: dict[str, dict[int, Request]] = {}
        for before, after in moves:
            if after.host not in self.task_of(after).full_hosts:
                self.pending.batch.moved.append((before, after))
                moved.setdefault(after.host, {})[after.number] = after
        for host, these in moved.items():
            self.frontier.update_priorities(host, next(iter(these.values())).task, these)

    def dismiss_requests(self, host: str, task: int, why: str, left: int) -> None:
        """Record that the remaining requests of a task at a host are given up."""
        self.pending.batch.dismissed.append((host, task))
        self.tasks[task].tally.count_finished(f"refused:{why}", left)
        # Under the host's name, so that every page of the host finds it.
        detail = f"{format_count(left, 'request')} given up"
        self.record_decision(urls.page_id(host), self.tasks[task], why, detail)

    def record_decision(self, page_id: int, task: RunningTask, rule: str, detail: str = "") -> None:
        """Keep a decision that cannot be derived from the rules alone."""
        decision = Decision(int(page_id), task.number, self.clock(), rule, detail)
        self.pending.batch.decisions.append(decision)
