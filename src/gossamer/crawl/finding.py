"""From the links of a page to requests: what is new, what is followed, what goes first."""

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from gossamer.crawl.naming import depth_mark, done_mark, host_of, task_mark, text_mark
from gossamer.crawl.rules import FOLLOW, Rules
from gossamer.crawl.sharing import WHOLE, Territory, share_of
from gossamer.crawl.tally import Tally
from gossamer.frontier.seen import Flags, Keys, Seen
from gossamer.frontier.traps import TrapWatch
from gossamer.net import url as urls
from gossamer.net.site import SiteRule, same_site
from gossamer.order import Order
from gossamer.records import Link, Page, Request
from gossamer.store.batch import Batch, LinkRow

MOST_LEVELS = 32
"""Up to this limit of depth it is seen to that pages are reached by their shortest way; beyond, nobody would notice."""


class Candidates(msgspec.Struct, frozen=True):
    """The links of a page with their ids, and which of them the rules would follow."""

    links: Sequence[Link]
    keys: Keys
    at: list[int]
    filtered: Counter[str]


class Finder:
    """Schedules links for one task. Knows the rules; shares the seen set and the traps with all tasks."""

    def __init__(
        self,
        number: int,
        rules: Rules,
        order: Order,
        seen: Seen,
        traps: TrapWatch | None,
        tally: Tally,
        site_rule: SiteRule,
        full_hosts: set[str] | None = None,
        territory: Territory = WHOLE,
    ) -> None:
        self._number = number
        self._rules = rules
        self._order = order
        self._seen = seen
        self._traps = traps
        self._tally = tally
        self._territory = territory
        self._site_rule = site_rule
        self._mark = task_mark(number)
        self._done_mark = done_mark(number)
        deepest = rules.deepest if rules.deepest <= MOST_LEVELS else 0
        self._levels = [depth_mark(number, depth) for depth in range(deepest + 1)] if deepest > 0 else []
        """Marks for each depth, if it matters how deep a page is: see `nearer`."""
        self.full_hosts = set() if full_hosts is None else full_hosts
        """Hosts whose budget is spent, or that are dead."""

    def candidates(self, links: Sequence[Link], depth: int) -> Candidates:
        """Find the links that the rules would follow and that are not scheduled yet."""
        keys = np.array([urls.page_id(link.url) for link in links], np.int64)
        filtered: Counter[str] = Counter()
        at = []
        for place in np.flatnonzero(self._wanted(keys, depth)).tolist():
            rule = self._decide(links[place], depth)
            if rule == FOLLOW:
                at.append(place)
            else:
                filtered[rule] += 1
        return Candidates(links, keys, at, filtered)

    def _wanted(self, keys: Keys, depth: int) -> Flags:
        """Say which pages are not scheduled yet, or only by a longer way where that matters."""
        wanted = ~self._seen.has(keys ^ self._mark)
        if depth + 1 < len(self._levels):
            wanted |= self._is_nearer(keys, depth)
        return wanted

    def _is_nearer(self, keys: Keys, depth: int) -> Flags:
        """Say which pages were not scheduled at this depth or a smaller one."""
        nearer = np.ones(keys.size, np.bool_)
        for mark in self._levels[: depth + 1]:
            nearer &= ~self._seen.has(keys ^ mark)
        return nearer

    def is_done(self, page_id: int) -> bool:
        """Say whether a page was visited, by whatever way; always False where that does not matter."""
        return bool(self._levels) and bool(self._seen.has(np.array([page_id], np.int64) ^ self._done_mark)[0])

    def done(self, page_id: int, batch: Batch) -> None:
        """Remember that a page was visited, where that matters."""
        if self._levels:
            key = np.array([page_id], np.int64) ^ self._done_mark
            if self._seen.add(key)[0]:
                batch.scheduled.extend(key.tolist())

    def content_seen(self, page: Page, batch: Batch) -> bool:
        """Say whether a page with these words was met before, under another name; remember it."""
        key = np.array([page.text_digest], np.int64) ^ text_mark(self._number)
        if not page.text_digest or not self._seen.add(key)[0]:
            return bool(page.text_digest)
        batch.scheduled.extend(key.tolist())
        return False

    def hear(self, source: Request, found: Candidates, batch: Batch, keep_links: bool) -> None:
        """Note the links of a page in the batch, and every URL that was never heard of."""
        fresh = self._seen.add(found.keys)
        ids = found.keys.tolist()
        batch.known.extend((ids[at], found.links[at].url) for at in np.flatnonzero(fresh).tolist())
        if keep_links:
            batch.links.extend(self._rows(source, found.links, ids))

    def schedule(
        self, source: Request, depth: int, found: Candidates, batch: Batch, hops: int = 0
    ) -> list[Request]:
        """Make requests, still without number, of the candidates; each page is scheduled once, or again if nearer.

        What belongs to another shard is sent to it, and counted there: it alone can say what is new.
        """
        places, sent = found.at, 0
        if self._territory.shards > 1:
            places = [at for at in found.at if self._territory.owns(host_of(found.links[at].url))]
            foreign = [at for at in found.at if not self._territory.owns(host_of(found.links[at].url))]
            wishes = self._requests(source, depth, found, foreign, hops, [])
            batch.sent.extend((share_of(one.host), one) for one in wishes)
            sent = len(wishes)
        requests = self._requests(source, depth, found, places, hops, batch.scheduled)
        self._tally.found(len(found.links) - sent, len(requests), found.filtered)
        return requests

    def receive(self, requests: list[Request], batch: Batch) -> list[Request]:
        """Accept what others found for this shard, if it is new here; start pages are wanted in any case."""
        accepted: list[Request] = []
        filtered: Counter[str] = Counter()
        for request in requests:
            key = np.array([request.id], np.int64)
            self._seen.add(key)  # whoever sent it has seen to it that its URL is known
            rule = FOLLOW if request.type == "seed" else self._learnt(request.url, request.host)
            if rule != FOLLOW:
                filtered[rule] += 1
            elif self._add(key, request.depth, batch.scheduled)[0]:
                accepted.append(request)
        self._tally.found(len(requests), len(accepted), filtered)
        return accepted

    def _requests(
        self, source: Request, depth: int, found: Candidates, places: list[int], hops: int, scheduled: list[int]
    ) -> list[Request]:
        """Make requests of those of these links that are new; note in `scheduled` that they are."""
        new = np.flatnonzero(self._add(found.keys[places], depth, scheduled))
        requests = []
        for place in (places[at] for at in new.tolist()):
            link = found.links[place]
            requests.append(
                Request(
                    int(found.keys[place]),
                    link.url,
                    host_of(link.url),
                    self._number,
                    depth,
                    self._order(link, depth),
                    source.id,
                    link.type,
                    hops=hops,
                )
            )
        return requests

    def _add(self, keys: Keys, depth: int, scheduled: list[int]) -> Flags:
        """Remember that pages are scheduled; say for each whether it was not, or only at a greater depth."""
        marks = keys ^ self._mark
        new = self._seen.add(marks)
        scheduled.extend(marks[new].tolist())
        if self._levels and keys.size:  # there are none below the last level
            nearer = self._is_nearer(keys, depth)
            marks = keys ^ self._levels[depth]
            new = self._seen.add(marks) & nearer
            scheduled.extend(marks[new].tolist())
        return new

    def _decide(self, link: Link, depth: int) -> str:
        host = host_of(link.url)
        return self._rules.decide(link, host, depth) or self._learnt(link.url, host)

    def _learnt(self, url: str, host: str) -> str:
        """Name what was learnt on the way that is against a URL, or say FOLLOW."""
        if host in self.full_hosts:
            return "per_host"
        if self._traps is not None and self._traps.judge(url):
            return "trap"
        return FOLLOW

    def _rows(self, source: Request, links: Sequence[Link], ids: list[int]) -> Iterator[LinkRow]:
        spans: dict[str, tuple[bool, bool]] = {}
        for link, page_id in zip(links, ids, strict=True):
            host = host_of(link.url)
            if host not in spans:
                spans[host] = self._spans(source.host, host)
            nofollow = bool(link.rel) and "nofollow" in link.rel
            yield (source.id, page_id, link.type, link.text, nofollow, *spans[host])

    def _spans(self, source: str, target: str) -> tuple[bool, bool]:
        return source != target, not same_site(source, target, self._site_rule)
