"""The link graph of a world, computed page by page from page numbers and hashes.

Out-degrees are drawn from a power law. A page first gets its fixed links (`backbone_links.py`). The others are
drawn so that all links of the page together have the requested shares: inside the host, inside the site and
across sites; to the same topic and to others. Targets are drawn by rank with falling probability, which
gives in-degrees a power law. Cost of a page: proportional to its links, independent of the size of the world.
"""

from collections.abc import Callable

import msgspec

from gossamer.lab.layout.backbone_links import EXITS, Backbone
from gossamer.lab.layout.link_targets import Dice, Reach, TargetPicker, TargetTopic
from gossamer.lab.layout.page_places import Area, Layout, Spot
from gossamer.lab.options import Shape
from gossamer.lab.page_plan import Place
from gossamer.lab.seeded_random import draw_power_law, mix, salt, unit

_LINKS = salt("links")
_HUB, _HUB_PLACE = salt("links to the hub"), salt("places of links to the hub")
_ANY_TOPIC = TargetTopic()
# For draws from one list, a steepness of 1/(exponent - 1) would do. Here hosts, topics and the rule that a page
# links to another only once flatten the law: with 2.5 the tail (the best-linked 100 to 400 of 20,000 pages on 20
# or 200 hosts) measures 2.0 to 2.3 where 2.1 is requested; with 1.5 it would measure 2.2 to 2.5.
_STEEPNESS = 2.5
_HUB_POSITION = 1
_TRIES = 12  # give up after this many draws without a suitable target


class Edge(msgspec.Struct, frozen=True, gc=False):
    """A link between two pages, by their numbers."""

    target: int
    place: Place
    template: bool = False
    """The template of the host repeats the link on its pages."""


class LinkQuotas:
    """How many links of each kind a page still needs while its links are drawn."""

    def __init__(self, degree: int, shape: Shape, locality: float | None) -> None:
        self.needs: dict[Reach | None, float] = {
            "host": shape.inside_host * degree,
            "site": shape.inside_site * degree,
            "across": max(0.0, 1.0 - shape.inside_host - shape.inside_site) * degree,
        }
        self.same_topic = None if locality is None else locality * degree
        self.left = degree

    def count(self, reach: Reach, same_topic: bool) -> None:
        """Count a link that the page has."""
        if reach in self.needs:
            self.needs[reach] -= 1
        self.left -= 1
        if self.same_topic is not None and same_topic:
            self.same_topic -= 1

    def draw_reach(self, dice: Dice) -> Reach | None:
        """Draw how far the next link should lead; None if any target will do."""
        point = dice.random() * sum(need for need in self.needs.values() if need > 0)
        for reach, need in self.needs.items():
            if need > 0:
                point -= need
                if point < 0:
                    return reach
        return None

    def draw_same_topic(self, dice: Dice) -> bool | None:
        """Draw whether the next link should lead to the same topic; None if it does not matter."""
        return None if self.same_topic is None else dice.random() * self.left < self.same_topic


class Linker:
    """Computes the links of every page of a world."""

    def __init__(
        self,
        layout: Layout,
        shape: Shape,
        *,
        topics: int,
        locality: float,
        key: Callable[[Spot], int],
        site_hosts: Callable[[int], range],
    ) -> None:
        steepness = _STEEPNESS / (shape.in_exponent - 1.0)
        self._layout = layout
        self._shape = shape
        self._no_topic = topics
        self._locality = locality
        self._key = key
        self._site_hosts = site_hosts
        self._steepness = steepness
        self._backbone = Backbone(layout, steepness, locality)
        self._picker = TargetPicker(layout, self._backbone, near=shape.near, site_hosts=site_hosts)

    def list_links(self, spot: Spot) -> list[Edge]:
        """Return the links of a page: each target once, never the page itself."""
        key = self._key(spot)
        dice = Dice(mix(key, _LINKS))
        topic = self._layout.topic(spot)
        drawn = draw_power_law(dice.random(), self._shape.least_links, self._shape.out_exponent)
        fixed = {
            number: place for number, place in self._backbone.list_links(spot, key) if number != spot.number
        }
        # Fixed links are added to the degree, so that every page has links left to meet its quotas.
        degree = int(min(drawn, self._shape.most_links)) + len(fixed)
        locality = self._locality if topic != self._no_topic else None
        page = _PageLinks(spot, topic, LinkQuotas(degree, self._shape, locality), fixed)
        for number in fixed:
            target = self._layout.find_spot(number)
            self._count_link(page, target.host, self._layout.topic(target) == topic)
        if spot.area.name in EXITS:
            self._add_exit(page, self._layout.areas[EXITS[spot.area.name]], dice)
        while page.quotas.left > 0 and self._add_link(page, dice):
            pass
        edges = [Edge(number, place) for number, place in page.found.items()]
        if self._shape.hub and spot.area.name == "core" and unit(key, _HUB) < self._shape.hub:
            self._add_hub(edges, page, key)
        return edges

    def _add_hub(self, edges: list[Edge], page: "_PageLinks", key: int) -> None:
        """Add a link to the hub of the host, anywhere among the links of the page."""
        area, host = page.spot.area, page.spot.host
        if area.pages_on(host) > _HUB_POSITION:
            hub = area.start + area.rank(host, _HUB_POSITION)
            if hub != page.spot.number and hub not in page.found:
                edges.insert(mix(key, _HUB_PLACE) % (len(edges) + 1), Edge(hub, "text"))

    def _count_link(self, page: "_PageLinks", host: int, same_topic: bool) -> None:
        if host == page.spot.host:
            page.quotas.count("host", same_topic)
        else:
            page.quotas.count("site" if host in self._site_hosts(page.spot.host) else "across", same_topic)

    def _add_exit(self, page: "_PageLinks", area: Area, dice: Dice) -> None:
        """Add the link that leads out of an area; if no draw suits, link to the root of the other area."""
        reach = page.quotas.draw_reach(dice)
        if not self._try_link(
            page, area, reach, page.quotas.draw_same_topic(dice), dice
        ) and not self._try_link(page, area, None, None, dice):
            page.found.setdefault(area.start, "text")

    def _add_link(self, page: "_PageLinks", dice: Dice) -> bool:
        """Draw one more link; give up the reach before the topic, and drop quotas that cannot be met."""
        quotas = page.quotas
        same_topic, reach = quotas.draw_same_topic(dice), quotas.draw_reach(dice)
        if self._try_link(page, None, reach, same_topic, dice):
            return True
        if same_topic is not None:
            if self._try_link(page, None, "across", same_topic, dice) or self._try_link(
                page, None, reach, None, dice
            ):
                return True
            quotas.same_topic = None
        if reach is None:
            return False
        del quotas.needs[reach]
        return self._try_link(page, None, None, None, dice)

    def _try_link(
        self, page: "_PageLinks", area: Area | None, reach: Reach | None, same_topic: bool | None, dice: Dice
    ) -> bool:
        """Draw until a target suits, and link to it; return False if none does."""
        target_topic = _ANY_TOPIC
        if same_topic is not None:
            target_topic = TargetTopic(wanted=page.topic) if same_topic else TargetTopic(unwanted=page.topic)
        for attempt in range(_TRIES):
            # A page that already links to the most popular pages must draw lower ranks.
            dice.steepness = self._steepness / (1 + attempt / 4)
            place = self._picker.draw(page.spot, area, reach, target_topic, dice)
            if place is None:
                continue
            target_area, host, position = place
            number = target_area.start + target_area.rank(host, position)
            if number == page.spot.number or number in page.found:
                continue
            same = self._layout.topic_at(target_area, host, position) == page.topic
            if same_topic is None or same == same_topic:
                page.found[number] = "text"
                self._count_link(page, host, same)
                return True
        return False


class _PageLinks:
    """A page whose links are being drawn."""

    __slots__ = ("found", "quotas", "spot", "topic")

    def __init__(self, spot: Spot, topic: int, quotas: LinkQuotas, found: dict[int, Place]) -> None:
        self.spot = spot
        self.topic = topic
        self.quotas = quotas
        self.found = found
