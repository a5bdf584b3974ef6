"""Draw the target of a link: by popularity, within a reach, and of a topic."""

from collections.abc import Callable
from random import Random
from typing import Literal, NamedTuple

from gossamer.lab.layout.backbone_links import CYCLIC, Backbone
from gossamer.lab.layout.page_places import Area, AreaName, Layout, Spot
from gossamer.lab.seeded_random import draw_zipf

Reach = Literal["host", "site", "across"]

FLOWS: dict[AreaName, tuple[tuple[AreaName, float], ...]] = {
    "core": (("core", 0.75), ("out", 0.25)),
    "groups": (("core", 0.75), ("out", 0.25)),
    "in": (("in", 0.45), ("core", 0.40), ("out", 0.05), ("tendrils_in", 0.08), ("tubes", 0.02)),
    "out": (("out", 1.0),),
    "tubes": (("tubes", 0.5), ("out", 0.5)),
    "tendrils_in": (("tendrils_in", 1.0),),
    "tendrils_out": (("tendrils_out", 0.6), ("out", 0.4)),
    "disconnected": (("disconnected", 1.0),),
}
"""Areas that the drawn links of an area lead to, with their shares (our choice); a bow-tie allows no others."""
_TOPIC_STEPS = 6
_NEAR_RUN = 8  # near pages are in the same group of eight, the length of a run in one directory


class TargetTopic(NamedTuple):
    """The topic that a target should or should not have; a draw may still return another."""

    wanted: int | None = None
    unwanted: int | None = None


class Dice(Random):
    """A random generator with a steepness: how strongly popular pages are preferred."""

    steepness: float = 1.0


class TargetPicker:
    """Draws targets; a draw may find none that suits, then the caller tries again."""

    def __init__(
        self,
        layout: Layout,
        backbone: Backbone,
        *,
        near: float,
        site_hosts: Callable[[int], range],
    ) -> None:
        self._layout = layout
        self._backbone = backbone
        self._near = near
        self._site_hosts = site_hosts
        self._flows = {name: self._list_flows(name) for name in layout.areas}

    def _list_flows(self, source: AreaName) -> tuple[tuple[Area, float], ...]:
        """Return the areas that exist, with the cumulative shares of the links that lead there."""
        areas = self._layout.areas
        flows = [(areas[name], share) for name, share in FLOWS[source] if name in areas]
        if "groups" in areas and flows[0][0].name == "core":
            grouped = areas["groups"].count / (areas["groups"].count + areas["core"].count)
            core_share = flows[0][1]
            flows[0] = (areas["core"], core_share * (1 - grouped))
            flows.append((areas["groups"], core_share * grouped))
        total = sum(share for _, share in flows)
        cumulated = [sum(share for _, share in flows[: index + 1]) / total for index in range(len(flows))]
        return tuple((area, upper) for (area, _), upper in zip(flows, cumulated, strict=True))

    def draw(
        self, spot: Spot, area: Area | None, reach: Reach | None, topic: TargetTopic, dice: Dice
    ) -> tuple[Area, int, int] | None:
        """Draw area, host and position of a page that this page may link to."""
        if spot.area.name == "disconnected":
            return self._draw_on_island(spot, dice)
        area = area or self._draw_area(spot, dice)
        ahead = area is spot.area and area.name not in CYCLIC
        if reach == "host":
            return self._draw_on_host(spot, area, spot.host, ahead, topic, dice)
        if reach == "site":
            hosts = self._site_hosts(spot.host)
            other = hosts[int(dice.random() * len(hosts))]
            return None if other == spot.host else self._draw_on_host(spot, area, other, ahead, topic, dice)
        place = self._draw_anywhere(spot, area, ahead, topic.wanted, dice)
        if place is None or (reach and place[1] in self._site_hosts(spot.host)):
            return None
        return place

    def _draw_area(self, spot: Spot, dice: Dice) -> Area:
        chance = dice.random()
        flows = self._flows[spot.area.name]
        for area, upper in flows:
            if chance < upper:
                return area
        return flows[-1][0]

    def _draw_anywhere(
        self, spot: Spot, area: Area, ahead: bool, topic: int | None, dice: Dice
    ) -> tuple[Area, int, int] | None:
        first = spot.rank + 1 if ahead else 0
        if area.count <= first:
            return None
        rank = self._draw_rank(area.count, first, ahead, dice)
        for _ in range(_TOPIC_STEPS):
            host, position = area.place(rank)
            if topic is None or self._layout.topic_at(area, host, position) == topic:
                return area, host, position
            # Go on to the next most popular page on a host with this main topic.
            step = self._layout.count_to_topic(host, position, topic)
            rank += -step if ahead else step
            if not first <= rank < area.count:
                return None
        return None

    def _draw_on_host(
        self, spot: Spot, area: Area, host: int, ahead: bool, sought: TargetTopic, dice: Dice
    ) -> tuple[Area, int, int] | None:
        there = area.pages_on(host)
        first = spot.position + 1 if ahead else 0
        if there <= first:
            return None
        position: int | None
        topic = sought.wanted
        if sought.unwanted is not None and self._layout.main_topic(host) == sought.unwanted:
            topic = int(dice.random() * self._layout.kinds)
        if topic is not None and area.name != "groups" and self._layout.main_topic(host) != topic:
            position = self._draw_in_turn(host, there, first, ahead, topic, dice)
        elif area is spot.area and host == spot.host and dice.random() < self._near:
            step = draw_zipf(dice.random(), _NEAR_RUN, dice.steepness)
            run = spot.position - spot.position % _NEAR_RUN
            position = spot.position + 1 + step if ahead else run + step
        else:
            position = self._draw_rank(there, first, ahead, dice)
        return None if position is None or position >= there else (area, host, position)

    def _draw_in_turn(
        self, host: int, there: int, first: int, ahead: bool, topic: int, dice: Dice
    ) -> int | None:
        """Draw one of the positions that a topic gets in turn on a host with another main topic."""
        start, step = self._layout.topic_turn(host, topic)
        start += max(0, -(-(first - start) // step)) * step
        turns = -(-(there - start) // step)
        return start + self._draw_rank(turns, 0, ahead, dice) * step if turns > 0 else None

    def _draw_rank(self, count: int, first: int, ahead: bool, dice: Dice) -> int:
        """Draw from first to count-1: the first are most popular, or the last where links only lead ahead."""
        rank = draw_zipf(dice.random(), count - first, dice.steepness)
        return count - 1 - rank if ahead else first + rank

    def _draw_on_island(self, spot: Spot, dice: Dice) -> tuple[Area, int, int] | None:
        first, size = self._backbone.find_island(spot)
        ahead = first + size - spot.position - 1
        return (spot.area, spot.host, spot.position + 1 + int(dice.random() * ahead)) if ahead > 0 else None
