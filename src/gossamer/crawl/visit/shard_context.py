"""What a visit works with: one shard's frontier, fetcher, robots, tasks, and the batch that is being filled."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import msgspec

from gossamer.crawl.events import Watcher
from gossamer.crawl.host_shards import WHOLE, Territory
from gossamer.crawl.seen_keys import format_count
from gossamer.crawl.shared_turns import Commons
from gossamer.crawl.task.running_task import RunningTask
from gossamer.crawl.visit.cached_pages import Cache, CacheHit
from gossamer.crawl.visit.pending_batch import Filling, Kept, robots_visit
from gossamer.crawl.visit.robots_redirects import RobotsHops
from gossamer.fetch.fetcher import Fetcher, HostAddresses
from gossamer.fetch.http.response_head import parse_retry_after
from gossamer.fetch.robots_cache import RobotsAnswer, RobotsCache
from gossamer.frontier.frontier import Frontier
from gossamer.frontier.politeness import MAX_RETRY_AFTER_S, Pace
from gossamer.frontier.spider_traps import TrapDetector
from gossamer.net import url as urls
from gossamer.records import Decision, Failed, HostNote, Outcome, Refused, Request

if TYPE_CHECKING:  # loaded by crawls that visit pages again, and by no others
    from gossamer.crawl.visit.revisit import Revisits

# How long a request waits for a page that another task has fetched and that is not written yet.
_SOON_S = 0.1
# A process that was killed is not back sooner than this: shorter pauses need not be known to the web at once.
_RESTART_S = 0.5


class Memory(msgspec.Struct, frozen=True):
    """What a shard knows of the time before it began."""

    host: Callable[[str], HostNote | None]
    """What the web remembers of a host."""
    cache: Cache
    revisits: "Callable[[], Revisits]"
    """What is known of pages that are visited again: loaded with the first of them."""
    numbers: Iterator[int]
    """For new requests: above all that were ever given, and given by no other shard."""
    since_s: float
    """Up to this time somebody else may have asked any host, and been killed before it could say so."""


class Parts:
    """One shard's equipment. Every method is one step on the way to a page, as `visit.py` tells it."""

    def __init__(
        self,
        frontier: Frontier,
        fetcher: Fetcher,
        robots: RobotsCache,
        traps: TrapDetector,
        clock: Callable[[], float],
        watcher: Watcher,
        memory: Memory,
        territory: Territory = WHOLE,
        commons: Commons | None = None,
    ) -> None:
        self.frontier = frontier
        self.fetcher = fetcher
        self.robots = robots
        self.traps = traps
        self.clock = clock
        self.watch = watcher
        self.tasks: dict[int, RunningTask] = {}
        self.filling = Filling()
        self.unwritten: set[int] = set()
        """Pages that were visited, which the store does not know yet."""
        self.touched: set[str] = set()
        """Hosts of which the store must learn: robots.txt, pauses, failures."""
        self.given_up: set[tuple[str, int, str]] = set()
        """Hosts and tasks whose remaining requests are to be dismissed, and why."""
        self.cache = memory.cache
        self.territory = territory
        self.commons = commons
        """What is shared with other shards on this machine, if there are any."""
        self._turns: dict[int, tuple[str, ...]] = {}
        """Hosts and addresses where it is the turn of a request, by its number."""
        self._memory = memory

    def add(self, requests: Iterable[Request]) -> None:
        """Number new requests, and let them wait for their turn."""
        numbered = []
        for request in requests:
            numbered.append(msgspec.structs.replace(request, number=next(self._memory.numbers)))
            if self.frontier.has_room_for(request.host):
                self.meet(request.host)
        self.filling.batch.requests.extend(numbered)
        self.frontier.add(numbered)
        if numbered and (guide := self.tasks[numbered[0].task].guide) is not None:
            guide.waits(numbered)

    def meet(self, host: str) -> None:
        """Recall what the web knows of a host, if it is new to the frontier: its pauses outlive the process."""
        if host in self.frontier:
            return
        since_s = self._memory.since_s
        note = self._memory.host(host)
        if note is None:
            self.frontier.add_host(host, Pace(ended_s=since_s))
            return
        # Whatever was written, and whatever clock it was written by: nobody is waited for longer than this.
        ready_s = min(note.ready_s, self.clock() + MAX_RETRY_AFTER_S)
        pace = Pace(ready_s, crawl_delay_s=note.crawl_delay_s, failures=note.failures, ended_s=since_s)
        self.frontier.add_host(host, pace)

    @property
    def revisits(self) -> "Revisits":
        """What is known of the pages that are visited again."""
        return self._memory.revisits()

    def task(self, request: Request) -> RunningTask:
        """Return the task that wants this page."""
        return self.tasks[request.task]

    # On the way to the page

    def begin(self, request: Request) -> None:
        """A request was taken."""
        task = self.task(request)
        task.under_way += 1
        if task.guide is not None:
            task.guide.taken(request)

    def unwanted(self, request: Request) -> Refused | None:
        """Say why a page is no longer wanted, if something was learnt since it was scheduled."""
        task = self.task(request)
        if request.host in task.finder.full_hosts:
            return Refused("dead host" if self.frontier.is_dead(request.host) else "per_host")
        if task.spec.filters.traps and self.traps.judge(request.url) is not None:
            return Refused("trap")
        return None

    def being_written(self, request: Request) -> bool:
        """Say whether the page was visited and will be in the web in a moment; then the request waits until it is."""
        if request.id not in self.unwritten:
            return False
        task = self.task(request)
        if not task.spec.fetching.max_age_s and not task.finder.is_done(request.id):
            return False
        self.task(request).under_way -= 1
        self.frontier.postpone(request, self.clock() + _SOON_S)
        return True

    async def cached(self, request: Request) -> CacheHit | None:
        """Take the page from the web, if that is young enough for the task."""
        task = self.task(request)
        if not task.spec.fetching.max_age_s:
            return None
        return await self.cache.find(request, task.spec.fetching, task.agent, self.clock())

    async def locate(self, request: Request) -> HostAddresses | Refused | Failed:
        """Find the addresses of the host."""
        return await self.fetcher.locate(request.host, self.task(request).spec.fetching)

    def address_is_free(self, request: Request, where: HostAddresses) -> bool:
        """Say whether the host's address may be asked now; if not, the request waits on."""
        # Behind a proxy that looks names up itself there is no address to share.
        if where.addresses and not self.frontier.claim_address(request, where.addresses[0], self.clock()):
            self.task(request).under_way -= 1
            self.frontier.put_back(request)
            return False
        if self.commons is None:
            return True
        names = (request.host, *self.frontier.addresses_of(request.host))
        if wait_s := self.commons.begin(names, self.frontier.least_pause_s(request)):
            self.task(request).under_way -= 1
            self.frontier.postpone_address(request, self.clock() + wait_s)
            return False
        self._turns[request.number] = names
        return True

    def depart(self, request: Request) -> None:
        """Whatever came of a visit, it is over: other shards may have their turn when the pause is."""
        names = self._turns.pop(request.number, ())
        if names and self.commons is not None:
            now_s = self.clock()
            self.commons.end({name: self.frontier.ready_s(name) - now_s for name in names})

    async def robots_known(self, request: Request, where: HostAddresses) -> bool:
        """Say whether the host's robots.txt is known; if it has to be asked for, the request waits out the pause."""
        task = self.task(request)
        manners = task.spec.politeness
        if not manners.robots:
            return True
        last_try = request.attempt + 1 >= manners.tries
        known = self._robots_of(request.host, manners.robots_age_s)
        if known is not None and (last_try or not known.unreachable):
            return True
        scheme = request.url.partition(":")[0]
        hops = RobotsHops(self, request)
        try:
            answer = await self.robots.fetch(request.host, scheme, where, task.ask(request), hops)
        finally:
            hops.end()
        self._heard_robots(request, answer)
        return False

    def _robots_of(self, host: str, max_age_s: float) -> RobotsAnswer | None:
        """Return what is known of a host's robots.txt, here or in the web."""
        known = self.robots.find_fresh(host, max_age_s)
        if known is None and (note := self._memory.host(host)) is not None:
            self.robots.prime(note)
            known = self.robots.find_fresh(host, max_age_s)
        return known

    def _heard_robots(self, request: Request, answer: RobotsAnswer) -> None:
        """Learn from an answer how long to pause; the request itself still waits."""
        now_s = self.clock()
        task = self.task(request)
        self.frontier.set_crawl_delay(request.host, answer.delay_s(task.agent))
        self.touched.add(request.host)
        self._note_robots(request, answer)
        task.under_way -= 1
        if answer.unreachable:
            again = msgspec.structs.replace(request, attempt=request.attempt + 1)
            self.filling.batch.retried.append(again)
            self.frontier.record_failure(again, now_s, _wanted_wait_s(answer, now_s), done=False)
            self.give_up_if_dead(request)
        else:
            self.frontier.record_answer(request, now_s, done=False)
        self.note_pause(request, task.spec.politeness.delay_s)

    def _note_robots(self, request: Request, answer: RobotsAnswer) -> None:
        """Write down what was asked for a robots.txt, as visits of their own kind."""
        batch, via, steps = self.filling.batch, request.url, "P"
        self.task(request).finder.know([exchange.url for exchange in answer.exchanges], batch)
        for exchange in answer.exchanges:
            self.archive(Kept(request, exchange, len(batch.visits), via=via, beyond=steps))
            batch.visits.append(robots_visit(request.task, exchange, self.clock()))
            via, steps = exchange.url, steps + "R"

    def archive(self, kept: Kept) -> None:
        """Have an exchange written into the archive, if its task keeps bodies and an answer came."""
        if kept.exchange.status and self.task(kept.request).spec.keeping.bodies:
            self.filling.exchanges.append(kept)

    def robots_refuse(self, request: Request) -> Refused | None:
        """Say why robots.txt keeps us from asking for this page, if it does."""
        task = self.task(request)
        manners = task.spec.politeness
        if not manners.robots:
            return None
        known = self.robots.find_fresh(request.host, manners.robots_age_s)
        cause = known.check_url(request.url, task.agent) if known else "robots unreachable"
        return Refused(cause) if cause else None

    async def fetch(self, request: Request, where: HostAddresses) -> Outcome | None:
        """Ask for the page; None if only its head was, and the page itself is wanted after the pause."""
        ask = self.task(request).ask(request)
        if request.type != "revisit":
            return await self.fetcher.fetch(request.url, where, ask)
        revisits = self.revisits
        ask = revisits.ask(request, ask, self.clock())
        outcome = await revisits.heard(request, await self.fetcher.fetch(request.url, where, ask))
        if outcome is None:
            self.task(request).under_way -= 1
            self.frontier.record_answer(request, self.clock(), done=False)
        return outcome

    def note_pause(self, request: Request, usual_s: float) -> None:
        """Let the web learn at once of a pause that is longer than the `usual` one, which every restart keeps."""
        pace = self.frontier.pace(request.host) or Pace()
        if pace.ready_s - self.clock() > usual_s + _RESTART_S:
            self.touched.add(request.host)
            self.filling.urgent = True

    def learn(self, running: RunningTask, request: Request, tell: bool) -> None:
        """Let the guide of a task learn how a visit has ended, and move what it weighs anew."""
        if running.guide is None:
            return
        running.guide.ended(request, tell)
        if running.guide.due():
            self.move(running.guide.moves())

    def move(self, moves: Iterable[tuple[Request, Request]]) -> None:
        """Let requests of one task that wait go elsewhere, given as they were and as they are now."""
        moved: dict[str, dict[int, Request]] = {}
        for before, after in moves:
            if after.host not in self.task(after).full_hosts:
                self.filling.batch.moved.append((before, after))
                moved.setdefault(after.host, {})[after.number] = after
        for host, these in moved.items():
            self.frontier.update_priorities(host, next(iter(these.values())).task, these)

    # What is given up

    def give_up_if_dead(self, request: Request) -> None:
        """Give up what a task still wants of a host that has failed too often."""
        if self.frontier.is_dead(request.host):
            self.give_up(request.host, request.task, "dead host")

    def give_up(self, host: str, task: int, why: str) -> None:
        """Ask a host for nothing more on behalf of a task."""
        self.tasks[task].finder.full_hosts.add(host)
        self.frontier.drop_requests(host, task)
        self.given_up.add((host, task, why))

    def dismissed(self, host: str, task: int, why: str, left: int) -> None:
        """Note that the requests left at a host are given up."""
        self.filling.batch.dismissed.append((host, task))
        self.tasks[task].tally.finished_many(f"refused:{why}", left)
        # Under the host's name: so each of its pages finds it.
        self.decided(urls.page_id(host), self.tasks[task], why, f"{format_count(left, 'request')} given up")

    def decided(self, page_id: int, running: RunningTask, rule: str, detail: str = "") -> None:
        """Keep a decision that cannot be found again from the rules alone."""
        decision = Decision(int(page_id), running.number, self.clock(), rule, detail)
        self.filling.batch.decisions.append(decision)


def _wanted_wait_s(answer: RobotsAnswer, now_s: float) -> float | None:
    """Return how long the server that has no robots.txt for us wants to be left in peace, if it says so."""
    headers = answer.exchanges[-1].headers if answer.exchanges else ()
    said = next((value for name, value in headers if name == "retry-after"), "")
    return parse_retry_after(said, now_s) if said else None
