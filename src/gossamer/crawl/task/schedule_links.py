"""Turn the links of a page into requests: which are new, which are followed, and which go first."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import compress
from operator import and_, gt, not_
from typing import TYPE_CHECKING

import msgspec

from gossamer.crawl.host_shards import WHOLE, Territory, host_of, share_of
from gossamer.crawl.rule_names import FORGOTTEN
from gossamer.crawl.seen_keys import KNOWN_URL, depth_mark, done_mark, task_mark, text_mark
from gossamer.crawl.task.link_keys import ids_of, kinds_of, targets_of, unknown_places
from gossamer.crawl.task.scope_rules import FOLLOW, ScopeRules
from gossamer.crawl.task_counts import Tally
from gossamer.frontier.seen_set import SeenSet
from gossamer.frontier.spider_traps import TrapDetector
from gossamer.net.html.link_columns import PageLinks
from gossamer.net.url.public_suffix import SiteRule, is_same_site
from gossamer.order import Order
from gossamer.order.terms.order_term import NewLink
from gossamer.records import Link, Page, Request
from gossamer.store.batch import KIND_OF_TYPE, NOFOLLOW, SPANS_HOSTS, SPANS_SITES, Batch, LinkColumns
from gossamer.store.tombstones import NONE, Tombstones

if TYPE_CHECKING:  # loaded by tasks that have a guide
    from gossamer.order.link_guide import Guide

MOST_LEVELS = 32
"""The highest depth limit up to which pages are reached by their shortest path; beyond, the difference is not noticeable."""


class Candidates(msgspec.Struct, frozen=True):
    """The links of a page, the ids of their URLs, and which of them the rules follow."""

    links: PageLinks
    ids: dict[str, int]
    """The id of each distinct URL: of a hundred links, thirty are different."""
    at: list[int]
    """The places of the links to follow."""
    filtered: Counter[str]
    """How many links each rule refused."""

    def id_at(self, place: int) -> int:
        """Return the id of the page that a link leads to."""
        return self.ids[self.links.urls[place]]

    def keep_only(self, page_ids: set[int]) -> "Candidates":
        """Return the same links, of which only those to these pages are followed."""
        return msgspec.structs.replace(self, at=[place for place in self.at if self.id_at(place) in page_ids])


class LinkScheduler:
    """Schedules links for one task. All tasks share the seen set and the trap detector."""

    def __init__(
        self,
        number: int,
        rules: ScopeRules,
        order: Order,
        seen: SeenSet,
        traps: TrapDetector | None,
        tally: Tally,
        site_rule: SiteRule,
        full_hosts: set[str] | None = None,
        territory: Territory = WHOLE,
        guide: "Guide | None" = None,
        forgotten: Tombstones = NONE,
    ) -> None:
        self._number = number
        self._forgotten = forgotten
        self._guide = guide
        self._rules = rules
        self._order = order
        self._seen = seen
        self._traps = traps
        self._tally = tally
        self._territory = territory
        self._site_rule = site_rule
        self._mark = task_mark(number)
        self._done_mark = done_mark(number)
        self._text_mark = text_mark(number)
        self._every_level = tuple(depth_mark(number, depth) for depth in range(MOST_LEVELS + 1))
        self._levels = self._every_level[: rules.deepest + 1] if 0 < rules.deepest <= MOST_LEVELS else ()
        """Marks for each depth up to the limit, if the task has one: see `visit/follow_shorter_path.py`."""
        self.full_hosts = set() if full_hosts is None else full_hosts
        """Hosts whose page budget is spent, or that are dead."""

    def find_candidates(self, links: Sequence[Link], depth: int) -> Candidates:
        """Find the links that the rules follow and that are not scheduled yet, or only by a longer path."""
        columns = self.leave_out_forgotten(links)
        ids = ids_of(columns.urls)
        filtered: Counter[str] = Counter()
        at = []
        for place in unknown_places(columns.urls, ids, self.are_known(list(ids.values()), depth)):
            # Most links that are refused lead to other hosts: they are judged by their host alone.
            rule = self._rules.decide_host(host_of(columns.urls[place]), depth) or self._find_rule(
                columns[place], depth
            )
            if rule == FOLLOW:
                at.append(place)
            else:
                filtered[rule] += 1
        return Candidates(columns, ids, at, filtered)

    def leave_out_forgotten(self, links: Sequence[Link]) -> PageLinks:
        """Return the links without those to pages that the web has forgotten: nothing of them is written again."""
        columns = PageLinks.from_links(links)
        covered = self._forgotten.find_covered(dict.fromkeys(columns.urls))
        return columns.keep_only([url not in covered for url in columns.urls]) if covered else columns

    def are_known(self, keys: list[int], depth: int) -> bytes:
        """Say for each page whether it is scheduled; with a depth limit, by a path that is not longer than this."""
        known = self._seen.has_many(keys, (self._mark,))
        return self._flag_near(keys, known, depth) if depth + 1 < len(self._levels) else known

    def _flag_near(self, keys: list[int], known: bytes, depth: int) -> bytes:
        """Say which of the `known` pages are scheduled by a path that is not longer than this."""
        near = self._seen.has_many(keys, self._levels[: depth + 1])
        found = bytearray(map(and_, known, near))
        far = list(compress(range(len(keys)), map(gt, known, near)))
        if far:  # pages scheduled without a depth limit have no recorded depth: they count as near
            longer = self._seen.has_many([keys[at] for at in far], self._every_level)
            for at, is_longer in zip(far, longer, strict=True):
                found[at] = not is_longer
        return bytes(found)

    def find_depths(self, page_ids: list[int]) -> dict[int, int]:
        """Return the depths of those of these pages that were scheduled under a depth limit."""
        found: dict[int, int] = {}
        for depth, mark in enumerate(self._every_level):
            for page_id in compress(page_ids, self._seen.has_many(page_ids, (mark,))):
                found.setdefault(page_id, depth)
        return found

    def is_done(self, page_id: int) -> bool:
        """Say whether the task has visited a page; always False without a depth limit."""
        return bool(self._levels) and bool(self._seen.has_many([page_id], (self._done_mark,))[0])

    def record_done(self, page_id: int, batch: Batch) -> None:
        """Record that a page was visited, if the task has a depth limit."""
        if self._levels:
            self._add_keys([page_id], self._done_mark, batch.scheduled)

    def has_seen_text(self, page: Page) -> bool:
        """Say whether the task has read the same text before, under another URL."""
        return bool(page.text_digest and self._seen.has_many([page.text_digest], (self._text_mark,))[0])

    def record_text(self, page: Page, batch: Batch) -> None:
        """Record that the task has read this text."""
        if page.text_digest:
            self._add_keys([page.text_digest], self._text_mark, batch.scheduled)

    def record_links(
        self, source: Request, found: Candidates, batch: Batch, keep_links: bool
    ) -> list[tuple[int, str]]:
        """Put the links of a page into the batch; return the ids and URLs that are new to the web."""
        new = self._seen.add_many(list(found.ids.values()), KNOWN_URL)
        new_urls = [(page_id, url) for url, page_id in compress(found.ids.items(), new)]
        batch.known.extend(new_urls)
        if keep_links:
            batch.read.append(source.id)
            batch.links.append(self._make_columns(source, found))
        return new_urls

    def record_urls(self, page_urls: Iterable[str], batch: Batch) -> None:
        """Put URLs that are new to the web into the batch, although no link of a page leads to them."""
        ids = ids_of([url for url in page_urls if not self._forgotten.covers(url)])
        nowhere = Request(0, "", "", self._number)
        self.record_links(
            nowhere, Candidates(PageLinks.from_links(()), ids, [], Counter()), batch, keep_links=False
        )

    def schedule(
        self, source: Request, depth: int, found: Candidates, batch: Batch, hops: int = 0
    ) -> list[Request]:
        """Make requests, not numbered yet, of the candidates; a page is scheduled once, or again by a shorter path.

        Links to hosts of another shard are sent to it, and counted there: only the owner can say what is new.
        """
        places, sent = found.at, 0
        if self._territory.shards > 1:
            own = [self._territory.owns(host_of(found.links.urls[at])) for at in found.at]
            places = list(compress(found.at, own))
            foreign = list(compress(found.at, map(not_, own)))
            outgoing = self._make_requests(source, depth, found, foreign, hops, [])
            batch.sent.extend((share_of(one.host), one) for one in outgoing)
            sent = len(outgoing)
            if self._guide is not None:  # the shard that follows them weighs them again
                self._guide.forget_links(one.id for one in outgoing)
        requests = self._make_requests(source, depth, found, places, hops, batch.scheduled)
        self._tally.count_links(len(found.links) - sent, len(requests), found.filtered)
        return requests

    def accept(
        self,
        requests: list[Request],
        batch: Batch,
        against: Callable[[Request], str],
        is_wanted_again: Callable[[Request], bool] = lambda _: False,
    ) -> list[Request]:
        """Accept requests from other shards that are new here, and start pages that are wanted again.

        `against` returns the name of a further rule that refuses a request, or FOLLOW; no rule refuses start pages.
        """
        accepted: list[Request] = []
        filtered: Counter[str] = Counter()
        for request in requests:
            self._add_keys([request.id], KNOWN_URL, [])  # the sender has recorded its URL
            rule = FORGOTTEN if self._forgotten.covers(request.url) else FOLLOW
            if rule == FOLLOW and request.type not in ("seed", "revisit"):
                rule = self._find_learnt_rule(request.url, request.host) or against(request)
            if rule != FOLLOW:
                filtered[rule] += 1
            elif (
                request.type == "revisit"  # although the page is scheduled
                or self._add_scheduled([request.id], request.depth, batch.scheduled)[0]
                or (request.type == "seed" and is_wanted_again(request))
            ):
                accepted.append(request)
        self._tally.count_links(len(requests), len(accepted), filtered)
        return accepted

    def _make_requests(
        self,
        source: Request,
        depth: int,
        found: Candidates,
        places: list[int],
        hops: int,
        scheduled: list[int],
    ) -> list[Request]:
        """Make requests of the links at these places that are new; append their keys to `scheduled`."""
        new = self._add_scheduled([found.id_at(place) for place in places], depth, scheduled)
        links = [found.links[place] for place in compress(places, new)]
        requests = []
        for link, priority in zip(links, self._weigh(source, found, links, depth), strict=True):
            requests.append(
                Request(
                    found.ids[link.url],
                    link.url,
                    host_of(link.url),
                    self._number,
                    depth,
                    priority,
                    source.id,
                    link.type,
                    hops=hops,
                )
            )
        return requests

    def _weigh(
        self, source: Request, found: Candidates, links: Sequence[Link], depth: int
    ) -> Iterable[float]:
        if self._guide is None:
            return [self._order(link, depth) for link in links]
        new = [NewLink(found.ids[link.url], link) for link in links]
        return self._guide.weigh_links(source, new, found.ids.values())

    def _add_scheduled(self, keys: list[int], depth: int, scheduled: list[int]) -> bytes:
        """Record pages as scheduled; say for each whether it was not, or only at a greater depth."""
        if not self._levels or not keys:  # no links below the depth limit
            return self._add_keys(keys, self._mark, scheduled)
        near = self._flag_near(keys, self._seen.has_many(keys, (self._mark,)), depth)
        self._add_keys(keys, self._mark, scheduled)
        farther = [key for key, is_near in zip(keys, near, strict=True) if not is_near]
        first = iter(self._add_keys(farther, self._levels[depth], scheduled))
        return bytes(not is_near and next(first) for is_near in near)

    def _add_keys(self, keys: list[int], mark: int, fresh: list[int]) -> bytes:
        """Add marked keys to the seen set; say for each whether it was new, and append the new ones to `fresh`."""
        new = self._seen.add_many(keys, mark)
        fresh.extend([key ^ mark for key in compress(keys, new)])
        return new

    def _find_rule(self, link: Link, depth: int) -> str:
        host = host_of(link.url)
        return self._rules.decide(link, host, depth) or self._find_learnt_rule(link.url, host)

    def _find_learnt_rule(self, url: str, host: str) -> str:
        """Name what the crawl has learnt that refuses a URL, or return FOLLOW."""
        if host in self.full_hosts:
            return "per_host"
        if self._traps is not None and self._traps.judge(url):
            return "trap"
        return FOLLOW

    def _make_columns(self, source: Request, found: Candidates) -> LinkColumns:
        home = source.url[: source.url.find("/", len("https://")) + 1]
        spans = {
            url: _span_flags(source.host, host_of(url), self._site_rule)
            for url in found.ids
            if not url.startswith(home)
        }
        links = found.links
        kinds = kinds_of(links.types, links.urls, links.rels, KIND_OF_TYPE, spans, NOFOLLOW)
        return LinkColumns(source.id, targets_of(links.urls, found.ids), kinds, links.texts)


@lru_cache(maxsize=16_384)
def _span_flags(source: str, target: str, rule: SiteRule) -> int:
    """Return the flags of a link from one host to another: whether it spans hosts and sites."""
    if source == target:
        return 0
    return SPANS_HOSTS if is_same_site(source, target, rule) else SPANS_HOSTS + SPANS_SITES
