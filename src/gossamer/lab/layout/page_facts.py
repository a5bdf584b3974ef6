"""The facts about every host and page except its links: name, key, language, topic, trouble, lifespan."""

from functools import lru_cache

import msgspec

from gossamer.lab.behaviour.faults import Troubles
from gossamer.lab.behaviour.page_changes import Lifespan, Timetable
from gossamer.lab.layout.page_places import AreaName, Layout, Spot
from gossamer.lab.layout.page_urls import (
    Addresses,
    ResolvedUrl,
    build_path,
    parse_special_path,
    redirect_path,
)
from gossamer.lab.scripts.script_kinds import ScriptKinds
from gossamer.lab.seeded_random import mix, salt, unit

_STYLE = salt("style of URLs")
_ELSEWHERE, _ELSEWHERE_WHERE = salt("moved from elsewhere"), salt("moved from where")
_COPIED = salt("copied page")
_FOREIGN = salt("foreign pages")
_MISDECLARED, _MISDECLARED_HOW = salt("misdeclared hosts"), salt("how misdeclared")
_COPY_TRIES = 24
_LOOP_MOST = 3


class HostFacts(msgspec.Struct, frozen=True):
    """The facts about a host."""

    number: int
    name: str
    key: int
    style: int
    language: str
    declared: str | None
    """The language that all its pages declare; None if each declares its own."""
    offsets: dict[AreaName, int]
    """Position on the host of the first page of each area."""


class LanguageMix(msgspec.Struct, frozen=True):
    """How languages are mixed and declared; see `world.Options`."""

    first: str
    foreign: float = 0.0
    misdeclared: float = 0.0


class PageFacts(msgspec.Struct, frozen=True, gc=False):
    """The facts about a page."""

    spot: Spot
    host: HostFacts
    local: int
    path: str
    key: int
    language: str
    topic: int
    trouble: str
    life: Lifespan
    copied: int = -1
    """Number of the page that a near copy copies; -1 for none."""
    scripted: str = ""
    """The kind of script that it needs, or "" (`script_options.Scripted`)."""

    @property
    def front_page(self) -> bool:
        """Whether the page is the first of its area on its host; such pages have no trouble."""
        return self.spot.position == 0


class Register:
    """Finds hosts and pages by number, and resolves URLs."""

    def __init__(
        self,
        layout: Layout,
        addresses: Addresses,
        troubles: Troubles,
        timetable: Timetable,
        speech: LanguageMix,
        scripts: ScriptKinds,
    ) -> None:
        self._layout = layout
        self._addresses = addresses
        self._troubles = troubles
        self._timetable = timetable
        self._speech = speech
        self._scripts = scripts
        self.pages = layout.pages
        # Every link needs the facts of a host; a few MB cache those of a busy part of the web.
        self.find_host = lru_cache(maxsize=8192)(self._read_host)

    def _read_host(self, number: int) -> HostFacts:
        addresses, offsets, local = self._addresses, dict[AreaName, int](), 0
        for name, area in self._layout.areas.items():
            offsets[name] = local
            local += area.pages_on(number)
        key = addresses.key(addresses.name(number))
        return HostFacts(
            number=number,
            name=addresses.name(number),
            key=key,
            style=mix(key, _STYLE) % 3,
            language=addresses.language(number),
            declared=self._pick_declared_language(key),
            offsets=offsets,
        )

    def _pick_declared_language(self, host_key: int) -> str | None:
        if unit(host_key, _MISDECLARED) >= self._speech.misdeclared:
            return None
        return self._speech.first if mix(host_key, _MISDECLARED_HOW) % 2 else ""

    def language(self, spot: Spot) -> str:
        """Return the language of a page: that of its site, or the first one."""
        foreign = self._speech.foreign
        if foreign and unit(self.key(spot), _FOREIGN) < foreign:
            return self._speech.first
        return self.find_host(spot.host).language

    def key(self, spot: Spot) -> int:
        """Return the key of a page."""
        host = self.find_host(spot.host)
        local = host.offsets[spot.area.name] + spot.position
        return self._addresses.key(host.name + build_path(local, host.style))

    def find_page(self, number: int) -> PageFacts:
        """Return the facts about a page."""
        spot = self._layout.find_spot(number)
        host = self.find_host(spot.host)
        local = host.offsets[spot.area.name] + spot.position
        path = build_path(local, host.style)
        key = self._addresses.key(host.name + path)
        trouble = self._troubles.find_page_trouble(key, spot.position == 0)
        topic, copied = self._layout.topic(spot), -1
        if trouble == "near_copy":
            copied = self._find_copied_page(spot, key, topic)
            trouble = trouble if copied >= 0 else ""
        return PageFacts(
            spot=spot,
            host=host,
            local=local,
            path=path,
            key=key,
            language=self.language(spot),
            topic=topic,
            trouble=trouble,
            life=self._timetable.find_lifespan(key, spot.position == 0),
            copied=copied,
            scripted="" if trouble or spot.position == 0 else self._scripts.draw(key),
        )

    def _find_copied_page(self, spot: Spot, key: int, topic: int) -> int:
        """Draw a page of the same topic and language that is not a copy itself; -1 if no draw suits."""
        language = self.language(spot)
        for attempt in range(_COPY_TRIES):
            number = spot.area.start + mix(key, _COPIED + attempt) % spot.area.count
            other = self._layout.find_spot(number)
            if number == spot.number or self.language(other) != language:
                continue
            if self._layout.topic(other) != topic:
                continue
            if self._troubles.find_page_trouble(self.key(other), other.position == 0) != "near_copy":
                return number
        return -1

    def find_original(self, host: int) -> int:
        """Return the host that a mirror copies, or the host itself."""
        hosts = self._addresses.hosts
        return host if host < hosts else self._troubles.find_original(host - hosts)

    def find_mirror(self, host: int) -> int | None:
        """Return the mirror of a host, if it has one."""
        mirror = self._troubles.find_mirror(host)
        return None if mirror is None else self._addresses.hosts + mirror

    def build_url(self, page: PageFacts) -> str:
        """Return the URL of a page itself, not of a redirect to it."""
        return self._addresses.build_url_at(page.host.name, page.path)

    def find_alias_host(self, page: PageFacts) -> HostFacts:
        """Return the host of the redirects to a page: for three quarters the page's own, otherwise another."""
        hosts = self._addresses.hosts
        if hosts == 1 or unit(page.key, _ELSEWHERE) >= 0.25:
            return page.host
        return self.find_host((page.spot.host + 1 + mix(page.key, _ELSEWHERE_WHERE) % (hosts - 1)) % hosts)

    def list_aliases(self, page: PageFacts) -> tuple[str, ...]:
        """Return the URLs that redirect to a page, in the order of the redirects."""
        if page.trouble != "redirect":
            return ()
        name = self.find_alias_host(page).name
        hops = range(self._troubles.pick_chain_length(page.key), 0, -1)
        return tuple(self._addresses.build_url_at(name, redirect_path(page.spot.number, hop)) for hop in hops)

    def count_loop_turns(self, page: PageFacts) -> int:
        """Return how many redirects a loop has besides the page itself."""
        return self._troubles.pick_variant(page.key, _LOOP_MOST)

    def resolve(self, host: int, path: str) -> ResolvedUrl | None:
        """Return what a path on a host means, or None if it does not exist."""
        original = self.find_original(host)
        local = self._addresses.parse_path(path, self.find_host(original).style)
        if local is not None:
            number = self._layout.find_number(original, local)
            return None if number is None else ResolvedUrl("page", host, path, number)
        special = parse_special_path(host, path)
        return special if special and self._is_valid(special, original) else None

    def _is_valid(self, resolved: ResolvedUrl, original: int) -> bool:
        if resolved.kind in ("calendar", "directories"):
            return self._troubles.strikes(resolved.kind, original)
        if resolved.number >= self._layout.pages:
            return False
        page = self.find_page(resolved.number)
        if resolved.kind == "moved":
            right_host = self.find_alias_host(page).number == resolved.host
            return (
                page.trouble == "redirect"
                and right_host
                and 1 <= resolved.hop <= self._troubles.pick_chain_length(page.key)
            )
        right_host = page.spot.host == original
        return (
            page.trouble == "redirect_loop"
            and right_host
            and 1 <= resolved.hop <= self.count_loop_turns(page)
        )
