"""The truth about a world: about each page, about its graph, and the pages that a crawler must find."""

import math
from array import array
from collections import deque
from collections.abc import Callable, Iterator

import msgspec

from gossamer.errors import BadInput
from gossamer.lab.behaviour.faults import OUTCOMES, Outcome, Troubles
from gossamer.lab.behaviour.page_changes import Timetable
from gossamer.lab.layout.link_graph import Linker
from gossamer.lab.layout.link_spelling import split_origin
from gossamer.lab.layout.page_facts import PageFacts, Register
from gossamer.lab.layout.page_places import Layout, Region
from gossamer.lab.layout.page_urls import Addresses, ResolvedUrl
from gossamer.lab.options import GroupKind
from gossamer.lab.page_plan import PagePlan
from gossamer.lab.scripts.make_shell import list_pictures
from gossamer.lab.scripts.script_kinds import IN_RESPONSE
from gossamer.lab.world.answer_request import Responder
from gossamer.lab.world.plan_page import PlannedPage, Planner
from gossamer.lab.world.robots_and_sitemaps import RobotsFiles
from gossamer.lab.writing.page_content import PageWriter
from gossamer.records import Link

_LARGEST_GRAPH = 5_000_000


class PageTruth(msgspec.Struct, frozen=True, kw_only=True):
    """The truth about a URL at one time."""

    url: str
    status: int
    outcome: Outcome
    """What a careful client gets from it (`faults.OUTCOMES`); pages that do not exist are broken."""
    trouble: str
    """Its trouble: one of `options.PAGE_TROUBLES`, "calendar", "directories", "mirror" or ""."""
    host_trouble: tuple[str, ...]
    final_url: str
    """The URL where redirects end; "" for a loop."""
    allowed: bool
    """Whether robots.txt allows it."""
    index: bool
    follow: bool
    """Whether robots meta and X-Robots-Tag allow indexing, and following links."""
    number: int = -1
    """The page's number; -1 for traps."""
    region: Region | None = None
    language: str = ""
    topic: str = ""
    scripted: str = ""
    """The kind of script that it needs, or "" (`script_options.Scripted`). Title, text and links are those that a browser shows."""
    pictures: tuple[str, ...] = ()
    """The pictures that only a browser loads that scrolls to the end."""
    title: str = ""
    text: str = ""
    main_text: str = ""
    headings: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    """In document order, with canonical URLs. Title, text and links are empty if there is no page to read."""
    template: tuple[bool, ...] = ()
    """For each of its links, whether the template of its host repeats it."""
    encoding: str = "UTF-8"
    declared_encoding: str = "UTF-8"
    copy_of: str = ""
    """URL of the page that a mirror's page or a near copy copies."""
    aliases: tuple[str, ...] = ()
    """URLs that redirect to it, in the order of the redirects."""
    born_s: float = -math.inf
    gone_s: float = math.inf
    version: int = 0
    change_times: tuple[float, ...] = ()
    """When its text or its links changed, up to the given time."""
    lie: str = ""
    """How ETag and Last-Modified are wrong: "always new", "never new" or ""."""


class TrueGraph(msgspec.Struct, frozen=True):
    """The true graph of a small world: page i has the URL `urls[i]`; link j leads from sources[j] to targets[j].

    Redirects are followed and session ids left out; traps, mirrors and the links of templates are not part of it.
    """

    urls: list[str]
    sources: "array[int]"
    targets: "array[int]"
    """Arrays of 64-bit integers, which numpy can use without copying."""
    regions: list[Region]

    @property
    def edges(self) -> Iterator[tuple[str, str]]:
        """The links as pairs of URLs."""
        return ((self.urls[a], self.urls[b]) for a, b in zip(self.sources, self.targets, strict=True))


class Community(msgspec.Struct, frozen=True):
    """A community that was built into the core."""

    kind: GroupKind
    left: tuple[str, ...]
    """All members of a clique or dense group; fans; or hubs."""
    right: tuple[str, ...]
    """Empty for a clique or dense group; centres; or authorities."""
    topic: str


class Truth:
    """Computes the truth about a world."""

    def __init__(
        self,
        *,
        layout: Layout,
        register: Register,
        linker: Linker,
        planner: Planner,
        robots_files: RobotsFiles,
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
        self._robots_files = robots_files
        self._responder = responder
        self._addresses = addresses
        self._troubles = troubles
        self._timetable = timetable
        self._writer = writer

    def _locate(self, url: str) -> tuple[int, str] | None:
        """Return host and canonical path of a URL of this world, or None."""
        if not url.startswith("http://") or "/" not in url[7:]:
            return None
        origin, target = split_origin(url)
        host = self._addresses.find_host(origin.removeprefix("http://"))
        if host is None or origin != split_origin(self._addresses.build_url(host, "/"))[0]:
            return None
        path = self._responder.normalise_path(host, target)
        return None if path is None else (host, path)

    def resolve(self, url: str) -> ResolvedUrl | None:
        """Return what a URL means, or None if the world has no such URL."""
        place = self._locate(url)
        return None if place is None else self._register.resolve(*place)

    def about(self, url: str) -> tuple[str, str]:
        """Return the topic and the language of a page without writing it; both are "" if there is no such page."""
        resolved = self.resolve(url)
        if resolved is None or resolved.kind != "page":
            return "", ""
        facts = self._register.find_page(resolved.number)
        return self._planner.topic_name(facts.topic), facts.language

    def allows(self, url: str) -> bool:
        """Tell whether robots.txt allows a URL; URLs outside the world are allowed."""
        place = self._locate(url)
        return place is None or self._robots_files.allows(*place)

    def page(self, url: str, now_s: float) -> PageTruth | None:
        """Return the truth about a URL now, or None if the world has no such URL."""
        resolved = self.resolve(url)
        if resolved is None:
            return None
        here = self._addresses.build_url(resolved.host, resolved.path)
        facts = (
            None
            if resolved.kind in ("calendar", "directories")
            else self._register.find_page(resolved.number)
        )
        truth = PageTruth(
            url=here,
            status=self._responder.find_status(resolved, now_s),
            outcome=self.outcome(facts, now_s),
            trouble=self._find_trouble(resolved, facts),
            host_trouble=self._troubles.find_host_troubles(self._register.find_original(resolved.host)),
            final_url=here if facts is None or resolved.kind == "page" else self._register.build_url(facts),
            allowed=self._robots_files.allows(resolved.host, resolved.path),
            index=True,
            follow=True,
        )
        if facts is None:
            return self._add_content(truth, self._planner.plan_trap(resolved))
        truth = self._add_facts(truth, facts, resolved, now_s)
        if resolved.kind != "page" or truth.outcome == "broken":
            return truth
        return self._add_content(truth, self._planner.plan_page(resolved, now_s))

    def _find_trouble(self, resolved: ResolvedUrl, facts: PageFacts | None) -> str:
        if facts is None:
            return resolved.kind
        return facts.trouble or (
            "mirror" if resolved.host != facts.spot.host and resolved.kind == "page" else ""
        )

    def outcome(self, facts: PageFacts | None, now_s: float) -> Outcome:
        """Return what a careful client gets from a URL."""
        if facts is None:
            return "page"
        if not facts.life.includes(now_s):
            return "broken"
        return OUTCOMES.get(facts.trouble, "page")

    def _add_facts(
        self, truth: PageTruth, facts: PageFacts, resolved: ResolvedUrl, now_s: float
    ) -> PageTruth:
        loops = facts.trouble == "redirect_loop"
        copied = self._register.find_page(facts.copied) if facts.copied >= 0 else None
        if copied is None and resolved.kind == "page" and resolved.host != facts.spot.host:
            copied = facts
        return msgspec.structs.replace(
            truth,
            final_url="" if loops else truth.final_url,
            number=facts.spot.number,
            region=facts.spot.area.region,
            language=facts.language,
            topic=self._planner.topic_name(facts.topic),
            copy_of=self._register.build_url(copied) if copied else "",
            aliases=self._register.list_aliases(facts) if resolved.host == facts.spot.host else (),
            born_s=facts.life.born_s,
            gone_s=facts.life.gone_s,
            version=self._timetable.find_version(facts.key, now_s)[0],
            change_times=self.change_times(facts, now_s),
            lie=self._timetable.find_lie(facts.key),
            scripted=facts.scripted,
            pictures=tuple(
                self._addresses.build_url(resolved.host, path)
                for path in list_pictures(facts.scripted, facts.key)
            ),
        )

    def change_times(self, facts: PageFacts, now_s: float) -> tuple[float, ...]:
        """Return when a page changed: its text, or its links because targets appeared."""
        targets = (self._register.find_page(edge.target) for edge in self._linker.list_links(facts.spot))
        births = (target.life.born_s for target in targets)
        times = {
            *self._timetable.list_changes(facts.key, now_s),
            *(time_s for time_s in births if 0 <= time_s <= now_s),
        }
        return tuple(sorted(time_s for time_s in times if time_s > facts.life.born_s))

    def _add_content(self, truth: PageTruth, planned: PlannedPage) -> PageTruth:
        """Add the text and the links of a page."""
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
            links=tuple(_make_link(plan, written.anchors, position) for position in written.order),
            template=tuple(plan.links[position].template for position in written.order),
            encoding=plan.encoding,
            declared_encoding=plan.declared_encoding,
            index=not directives & {"noindex", "none"},
            follow=not directives & {"nofollow", "none"},
        )

    def graph(self, now_s: float) -> TrueGraph:
        """Return the graph of the pages that exist now."""
        pages = self._layout.pages
        if pages > _LARGEST_GRAPH:
            raise BadInput(
                f"The graph of {pages:,} pages is too large: at most {_LARGEST_GRAPH:,} are possible."
            )
        index: dict[int, int] = {}
        graph = TrueGraph([], array("q"), array("q"), [])
        for number in range(pages):
            page = self._register.find_page(number)
            if page.life.includes(now_s):
                index[number] = len(graph.urls)
                graph.urls.append(self._register.build_url(page))
                graph.regions.append(page.spot.area.region)
        for number, source in index.items():
            for edge in self._linker.list_links(self._layout.find_spot(number)):
                if (target := index.get(edge.target)) is not None:
                    graph.sources.append(source)
                    graph.targets.append(target)
        return graph

    def communities(self) -> Iterator[Community]:
        """Yield the communities that were built into the core."""
        area = self._layout.areas.get("groups")
        rank = 0
        while area and rank < area.count:
            spot = self._layout.find_spot(area.start + rank)
            membership = self._layout.find_membership(spot)
            if membership is None:
                break
            numbers = range(spot.number, spot.number + membership.group.pages)
            urls = [self._register.build_url(self._register.find_page(number)) for number in numbers]
            left = membership.group.left
            topic = self._planner.topic_name(self._layout.topic(spot))
            yield Community(membership.group.kind, tuple(urls[:left]), tuple(urls[left:]), topic)
            rank += membership.group.pages

    def reachable(
        self,
        seeds: list[str],
        now_s: float,
        *,
        robots: bool,
        redirects: bool,
        doubtful: bool,
        scripts: bool,
    ) -> dict[str, int]:
        """Return the pages that a crawler reaches from the seeds, with their depths; see `World.reachable`."""
        depths: dict[str, int] = {}
        queue = deque((url, 0) for url in seeds)
        visited: set[str] = set()
        while queue:
            url, depth = queue.popleft()
            if url in visited:
                continue
            visited.add(url)
            resolved = self.resolve(url)
            if resolved is None or resolved.kind in ("calendar", "directories", "loop"):
                continue
            if robots and not self._robots_files.allows(resolved.host, resolved.path):
                continue
            facts = self._register.find_page(resolved.number)
            if resolved.kind == "moved":
                if redirects:
                    queue.appendleft((self._register.build_url(facts), depth))
                continue
            outcome = self.outcome(facts, now_s)
            if outcome == "broken" or (outcome == "doubtful" and not doubtful):
                continue
            depths[url] = depth
            if not scripts and facts.scripted not in ("", *IN_RESPONSE):
                continue
            planned = self._planner.plan_page(resolved, now_s)
            queue.extend((target, depth + 1) for target in _list_followed(planned, robots))
        return depths


def _make_link(plan: PagePlan, anchors: tuple[str, ...], position: int) -> Link:
    link = plan.links[position]
    return Link(link.url, link.type, anchors[position], link.rel)


def _list_followed(planned: PlannedPage, robots: bool) -> list[str]:
    """Return the targets of the links that a crawler follows; with `robots` it obeys nofollow."""
    words = planned.plan.robots_meta or planned.robots_header
    if robots and ("nofollow" in words or "none" in words):
        return []
    return [link.url for link in planned.plan.links if not (robots and link.rel == "nofollow")]
