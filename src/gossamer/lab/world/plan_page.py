"""Plan the page of a URL: its links and their spelling, and the effect of its trouble."""

import math

import msgspec

from gossamer.lab.behaviour.faults import ROBOTS_METAS, WRONG_ENCODINGS, Troubles
from gossamer.lab.behaviour.news_stories import NewsCalendar
from gossamer.lab.behaviour.page_changes import Timetable
from gossamer.lab.layout.link_graph import Edge, Linker
from gossamer.lab.layout.link_spelling import add_session, spell
from gossamer.lab.layout.page_facts import PageFacts, Register
from gossamer.lab.layout.page_urls import Addresses, ResolvedUrl, calendar_path
from gossamer.lab.layout.template_links import TemplateLinks
from gossamer.lab.page_plan import PagePlan, PlannedLink
from gossamer.lab.seeded_random import draw_power_law, mix, salt, unit

_LINK = salt("looks of links")
_IMAGE, _NOFOLLOW = salt("image links"), salt("nofollow links")
_SIZE, _TRAPPED, _BASE = salt("size of the text"), salt("links to traps"), salt("base")
_LEAST_PARAGRAPHS, _MOST_PARAGRAPHS, _SIZE_EXPONENT = 3, 24, 2.6
_IMAGE_SHARE = 0.06
_TRAP_SHARE = 0.1  # of the pages of a struck host; its front pages link to the trap, too
_COPY_EDITS_MOST = 6
_FIRST_MONTH = 2024 * 12
_AREAS_OF_A_MAP = 3
_FRAMES_MOST = 5


class PlannedPage(msgspec.Struct, frozen=True):
    """The plan of a page, with facts that are not part of the plan."""

    plan: PagePlan
    facts: PageFacts | None
    """None for the pages of traps."""
    births: int = 0
    """Number of links that have appeared since the start because their targets did."""
    changed_s: float = -math.inf
    """When text or links last changed; minus infinity if not since the start."""
    robots_header: str = ""
    """Value of X-Robots-Tag; "" for none."""


class Planner:
    """Plans the pages of a world."""

    def __init__(
        self,
        register: Register,
        linker: Linker,
        templates: TemplateLinks,
        addresses: Addresses,
        troubles: Troubles,
        timetable: Timetable,
        topics: tuple[str, ...],
        calendar: NewsCalendar,
    ) -> None:
        self._register = register
        self._linker = linker
        self._templates = templates
        self._addresses = addresses
        self._troubles = troubles
        self._timetable = timetable
        self._nofollow = troubles.trouble.nofollow
        self._topics = (*topics, "")
        self._calendar = calendar

    def topic_name(self, topic: int) -> str:
        """Return a topic's name, "" for none."""
        return self._topics[topic]

    def plan_page(self, resolved: ResolvedUrl, now_s: float) -> PlannedPage:
        """Plan a page as it is now, on its own host or on a mirror."""
        facts = self._register.find_page(resolved.number)
        url = self._addresses.build_url(resolved.host, resolved.path)
        edges = self._templates.add_links(facts, self._linker.list_links(facts.spot))
        shown = self._select_born(edges, now_s)
        births = [target.life.born_s for _, target in shown if target.life.born_s >= 0]
        version, changed_s = self._timetable.find_version(facts.key, now_s)
        base = self._choose_base(facts, resolved) if facts.trouble == "base" else ""
        links = [self._plan_link(facts, resolved, base or url, edge, target) for edge, target in shown]
        links += self._plan_extra_links(facts, resolved, base or url)
        plan = PagePlan(
            url=url,
            key=facts.key,
            language=facts.language,
            declared_language=facts.host.declared,
            topic=self._topics[facts.topic],
            version=version,
            host_name=facts.host.name,
            host_key=facts.host.key,
            links=tuple(links),
            paragraphs=_count_paragraphs(facts.key),
            base=base,
            canonical=self._register.build_url(facts)
            if resolved.host != facts.spot.host and resolved.host % 2
            else "",
            published="" if facts.front_page else self._calendar.find_date(facts.key),
            stories=() if facts.front_page else self._calendar.choose_words(facts.key),
        )
        plan, header = self._apply_trouble(plan, facts)
        return PlannedPage(plan, facts, len(births), max([changed_s, *births]), header)

    def _select_born(self, edges: list[Edge], now_s: float) -> list[tuple[Edge, PageFacts]]:
        """Return the links whose targets have appeared; templates link only to pages that exist from the start."""
        found = [(edge, self._register.find_page(edge.target)) for edge in edges]
        until_s = math.floor(now_s)
        return [
            (edge, target)
            for edge, target in found
            if target.life.born_s < 0 or (target.life.born_s <= until_s and not edge.template)
        ]

    def _choose_base(self, facts: PageFacts, resolved: ResolvedUrl) -> str:
        """Return another directory of the host as the base of a page's links."""
        return self._addresses.build_url(resolved.host, f"/library/{mix(facts.key, _BASE) % 10}/")

    def _plan_link(
        self, facts: PageFacts, resolved: ResolvedUrl, base: str, edge: Edge, target: PageFacts
    ) -> PlannedLink:
        # A template looks the same on all pages of a host.
        chance = mix(mix(facts.host.key if edge.template else facts.key, _LINK), edge.target)
        url = self._choose_target_url(resolved, facts, target)
        href = spell(url, base, chance)
        if self._troubles.strikes("sessions", target.spot.host) and "/moved/" not in url:
            href = add_session(href, chance)
        described = self._register.find_page(target.copied) if target.copied >= 0 else target
        return PlannedLink(
            href=href,
            url=url,
            place=edge.place,
            topic=self._topics[target.topic],
            language=target.language,
            key=described.key,
            rel="nofollow" if self._nofollow and unit(chance, _NOFOLLOW) < self._nofollow else "",
            image=unit(chance, _IMAGE) < _IMAGE_SHARE,
            template=edge.template,
        )

    def _choose_target_url(self, resolved: ResolvedUrl, facts: PageFacts, target: PageFacts) -> str:
        """Return the URL for links to a page: a mirror links to itself, a moved page is linked by its old URL."""
        if resolved.host != facts.spot.host and target.spot.host == facts.spot.host:
            return self._addresses.build_url(resolved.host, target.path)
        aliases = self._register.list_aliases(target)
        return aliases[0] if aliases else self._register.build_url(target)

    def _plan_extra_links(self, facts: PageFacts, resolved: ResolvedUrl, base: str) -> list[PlannedLink]:
        """Return the links that are not part of the graph: into traps, and to the mirror of the host."""
        paths: list[tuple[int, str]] = []
        host = facts.spot.host
        if facts.front_page or unit(facts.key, _TRAPPED) < _TRAP_SHARE:
            if self._troubles.strikes("calendar", host):
                paths.append((resolved.host, calendar_path(_FIRST_MONTH)))
            if self._troubles.strikes("directories", host):
                paths.append((resolved.host, "/files/"))
        mirror = self._register.find_mirror(host)
        if mirror is not None and facts.local == 0 and resolved.host == host:
            paths.append((mirror, "/"))
        return [self._plan_extra_link(base, on_host, path, facts.host.language) for on_host, path in paths]

    def _plan_extra_link(self, base: str, host: int, path: str, language: str) -> PlannedLink:
        original = self._register.find_host(self._register.find_original(host))
        key = self._addresses.key(original.name + path)
        url = self._addresses.build_url(host, path)
        return PlannedLink(href=spell(url, base, key), url=url, place="footer", language=language, key=key)

    def _apply_trouble(self, plan: PagePlan, facts: PageFacts) -> tuple[PagePlan, str]:
        """Apply a page's trouble to its plan; return the plan and the value of X-Robots-Tag."""
        changed, header = plan, ""
        detail = self._troubles.pick_variant(facts.key, 60)
        match facts.trouble:
            case "near_copy":
                copied = self._register.find_page(facts.copied)
                changed = msgspec.structs.replace(
                    plan,
                    copy_of=copied.key,
                    copy_edits=1 + detail % _COPY_EDITS_MOST,
                    paragraphs=_count_paragraphs(copied.key),
                )
            case "wrong_encoding":
                real, declared = WRONG_ENCODINGS[detail % len(WRONG_ENCODINGS)]
                changed = msgspec.structs.replace(plan, encoding=real, declared_encoding=declared)
            case "large":
                changed = msgspec.structs.replace(plan, large_bytes=self._troubles.trouble.large_bytes)
            case "frames":
                changed = _use_frames(plan)
            case "image_map":
                changed = _use_image_map(plan)
            case "refresh":
                changed = _use_refresh(plan, delay_s=detail % 3 * 5)
            case "robots_meta":
                words = ROBOTS_METAS[detail % len(ROBOTS_METAS)]
                header = words if detail % 3 == 0 else ""
                changed = msgspec.structs.replace(plan, robots_meta="" if header else words)
        return changed, header

    def plan_trap(self, resolved: ResolvedUrl) -> PlannedPage:
        """Plan a page of an endless calendar or of endless directories; it links only further into the trap."""
        original = self._register.find_host(self._register.find_original(resolved.host))
        url = self._addresses.build_url(resolved.host, resolved.path)
        if resolved.kind == "calendar":
            months = [month for month in (resolved.number - 1, resolved.number + 1) if month >= 0]
            paths = [calendar_path(month) for month in months]
        else:
            paths = [f"{resolved.path}older/", f"{resolved.path}copy/"]
        plan = PagePlan(
            url=url,
            key=self._addresses.key(original.name + resolved.path),
            language=original.language,
            topic="",
            version=0,
            host_name=original.name,
            host_key=original.key,
            links=tuple(self._plan_extra_link(url, resolved.host, path, original.language) for path in paths),
            paragraphs=1,
        )
        return PlannedPage(plan, None)


def _count_paragraphs(key: int) -> int:
    return min(_MOST_PARAGRAPHS, int(draw_power_law(unit(key, _SIZE), _LEAST_PARAGRAPHS, _SIZE_EXPONENT)))


def _use_frames(plan: PagePlan) -> PagePlan:
    """Turn all links of a page with few links into frames, or the first of many into an inline frame.

    So no link is beside the frames, where parsers differ in whether they read it.
    """
    whole = len(plan.links) <= _FRAMES_MOST
    framed = plan.links if whole else plan.links[:1]
    frames = tuple(
        msgspec.structs.replace(link, type="frame" if whole else "iframe", rel="", image=False)
        for link in framed
    )
    return msgspec.structs.replace(
        plan, links=frames + plan.links[len(frames) :], frameset=whole and bool(frames)
    )


def _use_image_map(plan: PagePlan) -> PagePlan:
    """Turn the last links into areas of an image map."""
    first = max(0, len(plan.links) - _AREAS_OF_A_MAP)
    areas = tuple(msgspec.structs.replace(link, type="area", image=False) for link in plan.links[first:])
    return msgspec.structs.replace(plan, links=plan.links[:first] + areas, image_map=bool(areas))


def _use_refresh(plan: PagePlan, delay_s: int) -> PagePlan:
    """Turn the first link into a meta refresh."""
    if not plan.links:
        return plan
    first = msgspec.structs.replace(plan.links[0], type="refresh", place="head", rel="", image=False)
    return msgspec.structs.replace(
        plan, links=(first, *plan.links[1:]), refresh=f"{delay_s}; url={first.href}"
    )
