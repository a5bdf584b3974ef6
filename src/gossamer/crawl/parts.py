"""What a visit works with: one shard's frontier, fetcher, robots, tasks, and the batch that is being filled."""

import inspect
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from gossamer.crawl.events import PageVisited, TrapFound, Watcher
from gossamer.crawl.finding import Candidates
from gossamer.crawl.reading import Reading
from gossamer.crawl.running import RunningTask
from gossamer.errors import BadUrl
from gossamer.fetch.fetcher import Fetcher, Located
from gossamer.fetch.robots_cache import RobotsCache
from gossamer.frontier.queue import Frontier
from gossamer.frontier.traps import TrapWatch
from gossamer.net import url as urls
from gossamer.records import (
    Decision,
    Exchange,
    Failed,
    Fetched,
    Link,
    Outcome,
    Redirected,
    Refused,
    Request,
    Visit,
)
from gossamer.store.batch import Batch

MOST_HOPS = 8
"""Redirects in a row that are followed; Chromium gives up after 20, RFC 1945 recommended 5."""

# Failures after which the server is left alone for a while; other answers above 400 are answers.
_SERVER_TROUBLE = {"429", "500", "502", "503", "504"}


class Judged(msgspec.Struct, frozen=True):
    """A page with its marks, and what came of its links."""

    reading: Reading
    found: Candidates


class Filling(msgspec.Struct):
    """The batch that is being filled, with the exchanges that go into the archive before it."""

    batch: Batch
    exchanges: list[tuple[Request, Exchange]]


class Parts:
    """One shard's equipment. Every method is one step of the life of a link, as `visit.py` tells it."""

    def __init__(
        self,
        frontier: Frontier,
        fetcher: Fetcher,
        robots: RobotsCache,
        traps: TrapWatch,
        clock: Callable[[], float],
        watcher: Watcher,
    ) -> None:
        self.frontier = frontier
        self.fetcher = fetcher
        self.robots = robots
        self.traps = traps
        self.clock = clock
        self.watch = watcher
        self.tasks: dict[int, RunningTask] = {}
        self.filling = Filling(Batch(), [])
        self.touched: set[str] = set()
        """Hosts of which the store must learn: robots.txt, pauses, failures."""
        self.given_up: set[tuple[str, int, str]] = set()
        """Hosts and tasks whose remaining requests are to be dismissed, and why."""
        # Microseconds since 1970: later runs go on with higher numbers, and nothing has to be looked up.
        self._number = int(clock() * 1_000_000)

    def begin_task(self, running: RunningTask, links: list[Link]) -> None:
        """Schedule the start pages of a new task: they are wanted, whatever its rules say."""
        found = running.finder.candidates(links, 0)
        found = msgspec.structs.replace(found, at=list(range(len(links))), filtered=Counter())
        nowhere = Request(0, "", "", running.number)
        running.finder.hear(nowhere, found, self.filling.batch, keep_links=False)
        self.add(running.finder.schedule(nowhere, 0, found, self.filling.batch))

    # On the way to the page

    def begin(self, request: Request) -> None:
        """A request was taken."""
        self._task(request).under_way += 1

    def in_trap(self, request: Request) -> bool:
        """Say whether the request leads into a trap that was found since it was scheduled."""
        return self._task(request).spec.filters.traps and self.traps.judge(request.url) is not None

    async def locate(self, request: Request) -> Located | Refused | Failed:
        """Find the addresses of the host."""
        return await self.fetcher.locate(request.host, self._task(request).spec.fetching)

    def address_is_free(self, request: Request, where: Located) -> bool:
        """Say whether the host's address may be asked now; if not, the request waits on."""
        # Behind a proxy that looks names up itself there is no address to share.
        if not where.addresses or self.frontier.locate(request, where.addresses[0], self.clock()):
            return True
        self._put_back(request)
        return False

    async def robots_known(self, request: Request, where: Located) -> bool:
        """Say whether the host's robots.txt is known; if it has to be asked for, the request waits out the pause."""
        task = self._task(request)
        manners = task.spec.politeness
        if not manners.robots:
            return True
        last_try = request.attempt + 1 >= manners.tries
        known = self.robots.known(request.host, manners.robots_age_s)
        if known is not None and (last_try or not known.unreachable):
            return True
        scheme = request.url.partition(":")[0]
        answer = await self.robots.ask(request.host, scheme, where, task.ask(request))
        now_s = self.clock()
        self.frontier.slow_down(request.host, answer.delay_s(task.agent))
        self.touched.add(request.host)
        task.under_way -= 1
        if answer.unreachable:
            again = msgspec.structs.replace(request, attempt=request.attempt + 1)
            self.filling.batch.retried.append(again)
            self.frontier.failed(again, now_s, done=False)
            self._give_up_if_dead(request)
        else:
            self.frontier.answered(request, now_s, done=False)
        return False

    def robots_refuse(self, request: Request) -> Refused | None:
        """Say why robots.txt keeps us from asking for this page, if it does."""
        task = self._task(request)
        manners = task.spec.politeness
        known = self.robots.known(request.host, manners.robots_age_s) if manners.robots else None
        cause = known.refusal(request.url, task.agent) if known else None
        return Refused(cause) if cause else None

    def agent(self, request: Request) -> str:
        """Return the name under which the task visits."""
        return self._task(request).agent

    async def fetch(self, request: Request, where: Located) -> Outcome:
        """Ask for the page."""
        return await self.fetcher.fetch(request.url, where, self._task(request).ask(request))

    # Judging

    async def judge(self, request: Request, reading: Reading) -> Judged:
        """Let classifiers mark the page and its links, and filters decide which links are followed."""
        running = self._task(request)
        task, finder = running.task, running.finder
        if task.page_classifiers:
            marks = dict(reading.page.marks)
            for classify in task.page_classifiers:
                marks |= await _answer(classify(reading)) or {}
            reading = msgspec.structs.replace(
                reading, page=msgspec.structs.replace(reading.page, marks=marks)
            )
        found = finder.candidates(reading.links, request.depth + 1)
        rule = await self._page_rule(running, reading)
        if rule:
            self._decided(request.id, running, rule, "its links are not followed")
            return Judged(
                reading,
                msgspec.structs.replace(
                    found, at=[], filtered=found.filtered + Counter({rule: len(found.at)})
                ),
            )
        if task.link_filters:
            found = await self._filter_links(running, reading, found)
        return Judged(reading, found)

    async def _page_rule(self, running: RunningTask, reading: Reading) -> str:
        """Name the rule by which no link of this page is followed, or return ""."""
        filters = running.spec.filters
        if filters.nofollow and not reading.follow:
            return "nofollow page"
        if filters.content_seen and running.finder.content_seen(reading.page, self.filling.batch):
            return "content seen"
        for keep in running.task.page_filters:
            if not await _answer(keep(reading)):
                return _name(keep)
        return ""

    async def _filter_links(self, running: RunningTask, reading: Reading, found: Candidates) -> Candidates:
        """Ask the task's own link filters about each link that the rules would follow."""
        filtered = Counter(found.filtered)
        at = []
        for place in found.at:
            link = found.links[place]
            marks: dict[str, str] = {}
            for classify in running.task.link_classifiers:
                marks |= await _answer(classify(link, reading.page)) or {}
            against = ""
            for keep in running.task.link_filters:
                if not await _answer(_called(keep, link, marks)):
                    against = _name(keep)
                    break
            if against:
                filtered[against] += 1
                self._decided(found.keys[place], running, against)
            else:
                at.append(place)
        return msgspec.structs.replace(found, at=at, filtered=filtered)

    # Keeping

    def keep(self, request: Request, outcome: Outcome, judged: Judged | None = None) -> None:
        """Write down how a request ended, with everything that came of it."""
        running = self._task(request)
        match outcome:
            case Fetched(exchange) if judged is not None:
                self._keep_page(running, request, exchange, judged)
                result = "downloaded"
            case Redirected(exchange, location):
                self._follow_redirect(running, request, location)
                result = "redirected"
            case Refused(cause):
                result = f"refused:{cause}"
            case Failed(cause, detail):
                result = f"failed:{detail if cause == 'status' else cause}"
            case _:
                result = "not modified"
        self._end(running, request, outcome, result)

    def retry(self, request: Request, failure: Failed) -> None:
        """Let a failed request wait for its next try."""
        running = self._task(request)
        again = msgspec.structs.replace(request, attempt=request.attempt + 1)
        running.under_way -= 1
        self.filling.batch.retried.append(again)
        self.filling.batch.visits.append(_visit(request, failure, self.clock()))
        self.frontier.failed(again, self.clock(), failure.retry_after_s, done=False)
        self.touched.add(request.host)
        self._give_up_if_dead(request)

    def worth_another_try(self, request: Request, failure: Failed) -> bool:
        """Say whether a failure may pass."""
        passing = failure.cause in ("dns", "connect", "timeout", "reset") or failure.detail in _SERVER_TROUBLE
        return passing and request.attempt + 1 < self._task(request).spec.politeness.tries

    def add(self, requests: Iterable[Request]) -> None:
        """Number new requests, and let them wait for their turn."""
        numbered = []
        for request in requests:
            self._number += 1
            numbered.append(msgspec.structs.replace(request, number=self._number))
        self.filling.batch.requests.extend(numbered)
        self.frontier.add(numbered)

    async def tell(self, request: Request, judged: Judged) -> None:
        """Tell the task's listeners of a page that was kept."""
        for listener in self._task(request).task.listeners:
            await _answer(listener(judged.reading.page))

    def _keep_page(self, running: RunningTask, request: Request, exchange: Exchange, judged: Judged) -> None:
        batch, page = self.filling.batch, judged.reading.page
        kinds = running.spec.filters.kinds
        if not kinds or page.kind in kinds:
            batch.pages.append(page)
            if running.spec.keeping.bodies:
                self.filling.exchanges.append((request, exchange))
        running.finder.hear(request, judged.found, batch, running.spec.keeping.links)
        self.add(running.finder.schedule(request, request.depth + 1, judged.found, batch))
        if (
            page.simhash
            and running.spec.filters.traps
            and (trap := self.traps.note(request.url, page.simhash))
        ):
            # Under its pattern: so everybody of the family finds it.
            self._decided(urls.page_id(trap.pattern), running, "trap", f"{trap.reason}: {trap.pattern}")
            self.watch(TrapFound(self.clock(), running.name, trap.reason, trap.pattern))

    def _follow_redirect(self, running: RunningTask, request: Request, location: str) -> None:
        try:
            link = Link(urls.canonical(location, request.url), "redirect")
        except BadUrl as error:
            self._decided(request.id, running, "bad redirect", str(error))
            return
        found = running.finder.candidates([link], request.depth)
        if request.hops >= MOST_HOPS and found.at:
            found = Candidates(found.links, found.keys, [], Counter({"redirects": 1}))
            self._decided(found.keys[0], running, "redirects", f"{request.hops} in a row")
        running.finder.hear(request, found, self.filling.batch, running.spec.keeping.links)
        self.add(running.finder.schedule(request, request.depth, found, self.filling.batch, request.hops + 1))

    def _end(self, running: RunningTask, request: Request, outcome: Outcome, result: str) -> None:
        now_s = self.clock()
        visit = _visit(request, outcome, now_s)
        running.under_way -= 1
        running.tally.finished(result, visit.body_bytes)
        self.filling.batch.finished.append(request)
        self.filling.batch.visits.append(visit)
        self._pause_host(request, outcome, now_s)
        if result == "downloaded" and running.spec.limits.per_host:
            self._spend_budget(running, request.host)
        self.watch(
            PageVisited(
                now_s,
                running.name,
                request.url,
                visit.result,
                visit.status,
                visit.cause,
                visit.body_bytes,
                visit.took_s,
                request.depth,
            )
        )

    def _pause_host(self, request: Request, outcome: Outcome, now_s: float) -> None:
        match outcome:
            case Refused():
                self.frontier.skipped(request)
            case Failed(cause, detail, retry_after_s) if cause != "status" or detail in _SERVER_TROUBLE:
                self.frontier.failed(request, now_s, retry_after_s)
                self.touched.add(request.host)
                self._give_up_if_dead(request)
            case _:
                self.frontier.answered(request, now_s)

    def _spend_budget(self, running: RunningTask, host: str) -> None:
        running.host_pages[host] += 1
        if running.host_pages[host] >= running.spec.limits.per_host:
            self._give_up(host, running.number, "per_host")

    def _give_up_if_dead(self, request: Request) -> None:
        if self.frontier.is_dead(request.host):
            self._give_up(request.host, request.task, "dead host")

    def _give_up(self, host: str, task: int, why: str) -> None:
        self.tasks[task].finder.full_hosts.add(host)
        self.frontier.dismiss(host, task)
        self.given_up.add((host, task, why))

    def dismissed(self, host: str, task: int, why: str, left: int) -> None:
        """Note that the requests left at a host are given up."""
        self.filling.batch.dismissed.append((host, task))
        self.tasks[task].tally.finished_many(f"refused:{why}", left)
        # Under the host's name: so each of its pages finds it.
        self._decided(urls.page_id(host), self.tasks[task], why, f"{left} requests were given up")

    def _put_back(self, request: Request) -> None:
        self._task(request).under_way -= 1
        self.frontier.put_back(request)

    def _decided(self, page_id: int, running: RunningTask, rule: str, detail: str = "") -> None:
        self.filling.batch.decisions.append(
            Decision(int(page_id), running.number, self.clock(), rule, detail)
        )

    def _task(self, request: Request) -> RunningTask:
        return self.tasks[request.task]


def _visit(request: Request, outcome: Outcome, now_s: float) -> Visit:
    """Write down one attempt."""
    result = {
        "Fetched": "fetched",
        "NotModified": "not modified",
        "Redirected": "redirected",
        "Refused": "refused",
    }
    exchange = getattr(outcome, "exchange", None)
    return Visit(
        request.id,
        request.task,
        now_s,
        result.get(type(outcome).__name__, "failed"),  # type: ignore[arg-type]
        exchange.status if exchange else 0,
        getattr(outcome, "cause", ""),
        getattr(outcome, "detail", "") or getattr(outcome, "location", ""),
        exchange.took_s if exchange else 0.0,
        len(exchange.body) if exchange else 0,
        exchange.address if exchange else "",
    )


async def _answer(given: Any) -> Any:
    """A task's function may be async or not."""
    return await given if inspect.isawaitable(given) else given


def _called(keep: Callable[..., Any], link: Link, marks: dict[str, str]) -> Any:
    """Call a link filter with as much as it wants to know: the link, or the link and its marks."""
    return keep(link, marks) if len(inspect.signature(keep).parameters) > 1 else keep(link)


def _name(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", type(function).__name__)
