"""The fixed links of every page, which guarantee its region of the bow-tie and its community.

Inside each area, the pages of a host form a binary tree below the area's first page on that host, and these first
pages form a tree over the hosts: all of an area is reachable from its root. In the core, every page also links to
an earlier page of its host, and front pages to the front page of an earlier host, which makes the core strongly
connected. Outside the core, links inside an area only lead to higher ranks: there are no cycles, so no other
strongly connected component can outgrow the core.
"""

from collections.abc import Iterator

from gossamer.lab.layout.page_places import AreaName, Layout, Membership, Spot
from gossamer.lab.page_plan import Place
from gossamer.lab.seeded_random import draw_zipf, mix, salt, unit

ENTRANCES: dict[AreaName, tuple[AreaName, ...]] = {
    "core": ("groups", "out"),
    "in": ("core", "tubes", "tendrils_in"),
}
"""For an area, the areas that its front pages link into."""
EXITS: dict[AreaName, AreaName] = {"in": "core", "tubes": "out", "tendrils_out": "out"}
"""Every page of these areas links to a page of another area, which guarantees its region."""
CYCLIC: frozenset[AreaName] = frozenset(("core", "groups"))
"""Areas whose links may lead to any of their pages."""

_GROUP = salt("links of communities")
_HOMEWARD, _LOCAL = salt("links homeward"), salt("links homeward to the own topic")
_TRIES = 6


class Backbone:
    """The fixed links of every page."""

    def __init__(self, layout: Layout, steepness: float, locality: float) -> None:
        self._layout = layout
        self._locality = locality
        self._steepness = steepness

    def list_links(self, spot: Spot, key: int) -> Iterator[tuple[int, Place]]:
        """Yield the pages that this page must link to, with the place of the link; a page may come twice."""
        if spot.area.name == "disconnected":
            yield from self._link_island(spot)
            return
        yield from self._link_tree(spot, key)
        if spot.position == 0:
            yield from self._link_hosts(spot)
            yield from self._link_entrances(spot)
        if membership := self._layout.find_membership(spot):
            for rank in _list_partners(membership, key):
                yield spot.area.start + rank, "text"

    def _link_island(self, spot: Spot) -> Iterator[tuple[int, Place]]:
        first, size = self.find_island(spot)
        place = spot.position - first
        for child in (2 * place + 1, 2 * place + 2):
            if child < size:
                yield spot.area.start + spot.area.rank(spot.host, first + child), "list"

    def find_island(self, spot: Spot) -> tuple[int, int]:
        """Return the position of the first page of an island on its host, and the size of the island."""
        first = spot.position - spot.position % self._layout.island_pages
        return first, min(self._layout.island_pages, spot.area.pages_on(spot.host) - first)

    def _link_tree(self, spot: Spot, key: int) -> Iterator[tuple[int, Place]]:
        area, position = spot.area, spot.position
        if area.name in CYCLIC and position:
            yield area.start + area.rank(spot.host, self._draw_earlier(spot, key)), "navigation"
        there = area.pages_on(spot.host)
        for child in (2 * position + 1, 2 * position + 2):
            if child < there:
                yield area.start + area.rank(spot.host, child), "list"

    def _draw_earlier(self, spot: Spot, key: int) -> int:
        """Draw the earlier position that a page of the core links to; it has the same topic at the rate `locality`."""
        layout, area = self._layout, spot.area
        local = unit(key, _LOCAL) < self._locality
        position = 0
        for attempt in range(_TRIES if local else 1):
            position = draw_zipf(unit(key, _HOMEWARD + attempt), spot.position, self._steepness)
            if layout.topic_at(area, spot.host, position) == layout.topic(spot):
                break
        return position

    def _link_hosts(self, spot: Spot) -> Iterator[tuple[int, Place]]:
        """Yield links between the front pages of an area, which are its first ranks, one for each host."""
        area, seat = spot.area, spot.rank
        if area.name == "core" and seat:
            yield area.start + (seat - 1) // 2, "footer"
        if area.name == "groups":
            yield self._find_front("core", spot.host), "footer"
        for child in (2 * seat + 1, 2 * seat + 2):
            if child < area.homes:
                yield area.start + child, "list"

    def _link_entrances(self, spot: Spot) -> Iterator[tuple[int, Place]]:
        for name in ENTRANCES.get(spot.area.name, ()):
            area = self._layout.areas.get(name)
            if not area:
                continue
            if spot.rank == 0:
                yield area.start, "navigation"
            if area.pages_on(spot.host):
                yield area.start + area.rank(spot.host, 0), "navigation"

    def _find_front(self, name: AreaName, host: int) -> int:
        """Return the first page of an area on a host, or the area's root if the host has none."""
        area = self._layout.areas[name]
        return area.start + (area.rank(host, 0) if area.pages_on(host) else 0)


def _list_partners(membership: Membership, key: int) -> Iterator[int]:
    """Yield the ranks of the members that a member of a community links to."""
    group, member = membership.group, membership.member
    two_sided = group.kind in ("bipartite", "hubs")
    if two_sided and member >= group.left:
        return
    others = range(group.left, group.pages) if two_sided else range(group.pages)
    for other in others:
        if other != member and unit(mix(key, other), _GROUP) < group.density:
            yield membership.first_rank + other
