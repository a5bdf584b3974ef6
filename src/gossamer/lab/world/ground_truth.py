"""What is true of a world: of each page, of its graph, and what a crawler must find."""

import math
from array import array
from collections import deque
from collections.abc import Callable, Iterator

import msgspec

from gossamer.errors import BadInput
from gossamer.lab.behaviour.faults import OUTCOMES, Outcome, Troubles
from gossamer.lab.behaviour.page_changes import Timetable
from gossamer.lab.layout.link_graph import Linker
from gossamer.lab.layout.link_spelling import split
from gossamer.lab.layout.page_facts import PageFacts, Register
from gossamer.lab.layout.page_places import Layout, Region
from gossamer.lab.layout.page_urls import Addresses, ResolvedUrl
from gossamer.lab.options import GroupKind
from gossamer.lab.page_plan import PagePlan
from gossamer.lab.world.answer_request import Responder
from gossamer.lab.world.plan_page import PlannedPage, Planner
from gossamer.lab.world.robots_and_sitemaps import RobotsFiles
from gossamer.lab.writing.page_content import PageWriter
from gossamer.records import Link

_LARGEST_GRAPH = 5_000_000


class PageTruth(msgspec.Struct, frozen=True, kw_only=True):
    """What is true of a URL at one time."""

    url: str
    status: int
    outcome: Outcome
    """What a careful client gets out of it (`trouble.OUTCOMES`); pages that are not there are broken."""
    trouble: str
    """Its trouble: one of `options.PAGE_TROUBLES`, "calendar", "directories", "mirror" or ""."""
    host_trouble: tuple[str, ...]
    final_url: str
    """Where redirects end; "" for a loop."""
    allowed: bool
    """Robots.txt lets it be fetched."""
    index: bool
    follow: bool
    """What robots meta and X-Robots-Tag allow."""
    number: int = -1
    """The page's number; -1 for traps."""
    region: Region | None = None
    language: str = ""
    topic: str = ""
    title: str = ""
    text: str = ""
    main_text: str = ""
    headings: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    """In document order, with canonical URLs. Title, text and links are empty if there is nothing to read."""
    encoding: str = "UTF-8"
    declared_encoding: str = "UTF-8"
    copy_of: str = ""
    """URL of the page that a mirror's page or a near copy copies."""
    aliases: tuple[str, ...] = ()
    """URLs that redirect to it, in the order in which a client passes them."""
    born_s: float = -math.inf
    gone_s: float = math.inf
    version: int = 0
    change_times: tuple[float, ...] = ()
    """When its text or its links changed, until the time asked for."""
    lie: str = ""
    """How ETag and Last-Modified lie: "always new", "never new" or ""."""


class TrueGraph(msgspec.Struct, frozen=True):
    """The true graph of a small world: page i has the URL `urls[i]`; link j leads from sources[j] to targets[j].

    Redirects are followed, session ids left out; traps and mirrors are no part of it.
    """

    urls: list[str]
    sources: "array[int]"
    targets: "array[int]"
    """Arrays of 64-bit numbers, which numpy can use without copying."""
    regions: list[Region]

    @property
    def edges(self) -> Iterator[tuple[str, str]]:
        """The links as pairs of URLs."""
        return ((self.urls[a], self.urls[b]) for a, b in zip(self.sources, self.targets, strict=True))


class Community(msgspec.Struct, frozen=True):
    """A community that was built into the core."""

    kind: GroupKind
    left: tuple[str, ...]
    """All members; or fans, or hubs."""
    right: tuple[str, ...]
    """Nobody; or centres, or authorities."""
    topic: str


class Truth:
    """Knows everything about a world."""

    def __init__(
        self,
        *,
        layout: Layout,
        register: Register,
        linker: Linker,
        planner: Planner,
        manners: RobotsFiles,
        responder: Responder,
        addresses: Addresses,
        troubles: Troubles,
        timetable: Timetable,
        writer: Callable[[], PageWriter],
    ) -> None:
        self._layout = layout
        self._register = register
        self._linker = linker
        self._planner = planner
        self._manners = manners
        self._responder = responder
        self._addresses = addresses
        self._troubles = troubles
        self._timetable = timetable
        self._writer = writer

    def _place(self, url: str) -> tuple[int, str] | None:
        """Return host and canonical path of a URL of this world."""
        if not url.startswith("http://") or "/" not in url[7:]:
            return None
        origin, target = split(url)
        host = self._addresses.number(origin.removeprefix("http://"))
        if host is None or origin != split(self._addresses.url(host, "/"))[0]:
            return None
        path = self._responder.path(host, target)
        return None if path is None else (host, path)

    def way(self, url: str) -> ResolvedUrl | None:
        """Return what a URL means, or None if it is no URL of the world."""
        place = self._place(url)
        return None if place is None else self._register.way(*place)

    def about(self, url: str) -> tuple[str, str]:
        """Return the topic and the language of a page; both are empty if there is no such page. Cheap: nothing is written."""
        way = self.way(url)
        if way is None or way.kind != "page":
            return "", ""
        facts = self._register.page(way.number)
        return self._planner.topic_name(facts.topic), facts.language

    def allows(self, url: str) -> bool:
        """Tell whether robots.txt lets a robot fetch a URL; other worlds' URLs are not closed."""
        place = self._place(url)
        return place is None or self._manners.allows(*place)

    def page(self, url: str, now_s: float) -> PageTruth | None:
        """Return what is true of a URL now, or None if the world has no such URL."""
        way = self.way(url)
        if way is None:
            return None
        here = self._addresses.url(way.host, way.path)
        facts = None if way.kind in ("calendar", "directories") else self._register.page(way.number)
        truth = PageTruth(
            url=here,
            status=self._responder.status(way, now_s),
            outcome=self.outcome(facts, now_s),
            trouble=self._trouble(way, facts),
            host_trouble=self._troubles.find_host_troubles(self._register.original(way.host)),
            final_url=here if facts is None or way.kind == "page" else self._register.url(facts),
            allowed=self._manners.allows(way.host, way.path),
            index=True,
            follow=True,
        )
        if facts is None:
            return self._read(truth, self._planner.trap(way))
        truth = self._with_facts(truth, facts, way, now_s)
        if way.kind != "page" or truth.outcome == "broken":
            return truth
        return self._read(truth, self._planner.page(way, now_s))

    def _trouble(self, way: ResolvedUrl, facts: PageFacts | None) -> str:
        if facts is None:
            return way.kind
        return facts.trouble or ("mirror" if way.host != facts.spot.host and way.kind == "page" else "")

    def outcome(self, facts: PageFacts | None, now_s: float) -> Outcome:
        """Return what a careful client gets out of a URL."""
        if facts is None:
            return "page"
        if not facts.life.includes(now_s):
            return "broken"
        return OUTCOMES.get(facts.trouble, "page")

    def _with_facts(self, truth: PageTruth, facts: PageFacts, way: ResolvedUrl, now_s: float) -> PageTruth:
        loops = facts.trouble == "redirect_loop"
        copied = self._register.page(facts.copied) if facts.copied >= 0 else None
        if copied is None and way.kind == "page" and way.host != facts.spot.host:
            copied = facts
        return msgspec.structs.replace(
            truth,
            final_url="" if loops else truth.final_url,
            number=facts.spot.number,
            region=facts.spot.area.region,
            language=facts.language,
            topic=self._planner.topic_name(facts.topic),
            copy_of=self._register.url(copied) if copied else "",
            aliases=self._register.aliases(facts) if way.host == facts.spot.host else (),
            born_s=facts.life.born_s,
            gone_s=facts.life.gone_s,
            version=self._timetable.find_version(facts.key, now_s)[0],
            change_times=self.change_times(facts, now_s),
            lie=self._timetable.find_lie(facts.key),
        )

    def change_times(self, facts: PageFacts, now_s: float) -> tuple[float, ...]:
        """Return when a page changed: its text, or its links because pages appeared."""
        targets = (self._register.page(edge.target) for edge in self._linker.links(facts.spot))
        births = (target.life.born_s for target in targets)
        times = {
            *self._timetable.list_changes(facts.key, now_s),
            *(time_s for time_s in births if 0 <= time_s <= now_s),
        }
        return tuple(sorted(time_s for time_s in times if time_s > facts.life.born_s))

    def _read(self, truth: PageTruth, planned: PlannedPage) -> PageTruth:
        """Add what stands on a page."""
        plan = planned.plan
        written = self._writer().page(plan)
        directives = {word.strip() for word in (plan.robots_meta or planned.robots_header).split(",")}
        return msgspec.structs.replace(
            truth,
            title=written.title,
            text=written.text,
            main_text=written.main_text,
            headings=written.headings,
            language=plan.language,
            links=tuple(_link(plan, written.anchors, position) for position in written.order),
            encoding=plan.encoding,
            declared_encoding=plan.declared_encoding,
            index=not directives & {"noindex", "none"},
            follow=not directives & {"nofollow", "none"},
        )

    def graph(self, now_s: float) -> TrueGraph:
        """Return the graph of the pages that are there now."""
        pages = self._layout.pages
        if pages > _LARGEST_GRAPH:
            raise BadInput(
                f"The graph of {pages:,} pages is too large to be held: {_LARGEST_GRAPH:,} at most."
            )
        index: dict[int, int] = {}
        graph = TrueGraph([], array("q"), array("q"), [])
        for number in range(pages):
            page = self._register.page(number)
            if page.life.includes(now_s):
                index[number] = len(graph.urls)
                graph.urls.append(self._register.url(page))
                graph.regions.append(page.spot.area.region)
        for number, source in index.items():
            for edge in self._linker.links(self._layout.spot(number)):
                if (target := index.get(edge.target)) is not None:
                    graph.sources.append(source)
                    graph.targets.append(target)
        return graph

    def communities(self) -> Iterator[Community]:
        """Yield the communities that were built into the core."""
        area = self._layout.areas.get("groups")
        rank = 0
        while area and rank < area.count:
            spot = self._layout.spot(area.start + rank)
            membership = self._layout.membership(spot)
            if membership is None:
                break
            numbers = range(spot.number, spot.number + membership.group.pages)
            urls = [self._register.url(self._register.page(number)) for number in numbers]
            left = membership.group.left
            topic = self._planner.topic_name(self._layout.topic(spot))
            yield Community(membership.group.kind, tuple(urls[:left]), tuple(urls[left:]), topic)
            rank += membership.group.pages

    def reachable(
        self, seeds: list[str], now_s: float, *, robots: bool, redirects: bool, doubtful: bool
    ) -> dict[str, int]:
        """Return the pages that a crawler reaches from the seeds, with the clicks it takes; see `World`."""
        depths: dict[str, int] = {}
        queue = deque((url, 0) for url in seeds)
        passed: set[str] = set()
        while queue:
            url, depth = queue.popleft()
            if url in passed:
                continue
            passed.add(url)
            way = self.way(url)
            if way is None or way.kind in ("calendar", "directories", "loop"):
                continue
            if robots and not self._manners.allows(way.host, way.path):
                continue
            facts = self._register.page(way.number)
            if way.kind == "moved":
                if redirects:
                    queue.appendleft((self._register.url(facts), depth))
                continue
            outcome = self.outcome(facts, now_s)
            if outcome == "broken" or (outcome == "doubtful" and not doubtful):
                continue
            depths[url] = depth
            planned = self._planner.page(way, now_s)
            queue.extend((target, depth + 1) for target in _followed(planned, robots))
        return depths


def _link(plan: PagePlan, anchors: tuple[str, ...], position: int) -> Link:
    link = plan.links[position]
    return Link(link.url, link.type, anchors[position], link.rel)


def _followed(planned: PlannedPage, robots: bool) -> list[str]:
    """Return the targets of the links that a crawler follows; a polite one heeds nofollow."""
    words = planned.plan.robots_meta or planned.robots_header
    if robots and ("nofollow" in words or "none" in words):
        return []
    return [link.url for link in planned.plan.links if not (robots and link.rel == "nofollow")]
