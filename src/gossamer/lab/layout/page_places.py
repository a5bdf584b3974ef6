"""Map page numbers to region, host and position on the host, and back, by arithmetic alone.

Pages are numbered by area: first the core, then the communities (which belong to the core), then the other
regions of the bow-tie. Inside an area, numbers are dealt to the hosts in rounds, like cards; after some rounds
only the first half of the hosts continues, then a quarter …, so hosts differ in size. The n-th page of an area
is also its n-th most popular, and every host has popular pages.
"""

from bisect import bisect_right
from typing import Literal

import msgspec

from gossamer.errors import BadInput
from gossamer.lab.options import BowTie, Group, Shape, default_groups

Region = Literal["core", "in", "out", "tubes", "tendrils", "disconnected"]
AreaName = Literal["core", "groups", "in", "out", "tubes", "tendrils_in", "tendrils_out", "disconnected"]
AREAS: tuple[tuple[AreaName, Region], ...] = (
    ("core", "core"),
    ("groups", "core"),
    ("in", "in"),
    ("out", "out"),
    ("tubes", "tubes"),
    ("tendrils_in", "tendrils"),
    ("tendrils_out", "tendrils"),
    ("disconnected", "disconnected"),
)


_TURNS = 5  # one of this many pages on a host has any topic in turn, the others have the host's main topic


class Tier(msgspec.Struct, frozen=True, gc=False):
    """Rounds in which pages are dealt to the first `width` hosts."""

    first: int
    """Number of its first page within the area."""
    round: int
    """Number of its first round."""
    width: int
    count: int


def deal(count: int, hosts: int, skew: float) -> tuple[Tier, ...]:
    """Plan the rounds in which `count` pages are dealt to hosts; only the last round may be incomplete."""
    widths = [hosts]
    while skew > 0 and widths[-1] > 1:
        widths.append(widths[-1] // 2)
    tiers: list[Tier] = []
    first = round_ = 0
    for step, width in enumerate(widths):
        left = count - first
        share = left / sum(skew**later for later in range(len(widths) - step))
        rounds = max(int(share / width), 0 if step else 1)
        pages = left if step == len(widths) - 1 else min(left, rounds * width)
        if pages:
            tiers.append(Tier(first, round_, width, pages))
            first, round_ = first + pages, round_ + -(-pages // width)
    return tuple(tiers)


class Area(msgspec.Struct, frozen=True):
    """Pages with the same role in the graph."""

    name: AreaName
    region: Region
    start: int
    """Number of its first page in the world."""
    count: int
    hosts: int
    shift: int
    """The host that gets the first page."""
    tiers: tuple[Tier, ...]

    @property
    def homes(self) -> int:
        """Number of hosts that have pages of this area."""
        return min(self.hosts, self.count)

    def place(self, rank: int) -> tuple[int, int]:
        """Return the host, and the position on it (0, 1, 2 …), of the area's page with this rank."""
        for tier in reversed(self.tiers):
            if rank >= tier.first:
                rounds, seat = divmod(rank - tier.first, tier.width)
                return (seat + self.shift) % self.hosts, tier.round + rounds
        raise ValueError(rank)

    def rank(self, host: int, position: int) -> int:
        """Return the rank of a page; `pages_on` says which positions exist."""
        seat = (host - self.shift) % self.hosts
        for tier in reversed(self.tiers):
            if position >= tier.round:
                return tier.first + (position - tier.round) * tier.width + seat
        raise ValueError(position)

    def pages_on(self, host: int) -> int:
        """Return how many pages of this area the host has."""
        seat = (host - self.shift) % self.hosts
        total = 0
        for tier in self.tiers:
            if seat >= tier.width:
                break
            rounds, rest = divmod(tier.count, tier.width)
            total += rounds + (seat < rest)
        return total


class Spot(msgspec.Struct, frozen=True):
    """The place of one page: area, rank, host and position on the host."""

    number: int
    area: Area
    rank: int
    """Its number within the area."""
    host: int
    position: int
    """Its position among the area's pages on its host."""


class Membership(msgspec.Struct, frozen=True, gc=False):
    """The community that a page belongs to."""

    group: Group
    community: int
    """Number of the community among all communities."""
    first_rank: int
    """Rank of its first member within the area of the groups."""
    member: int
    """Position of the page among the members; the first `group.left` are the left side."""


def count_regions(bowtie: BowTie, pages: int) -> dict[str, int]:
    """Divide pages among the regions by largest remainder; regions impossible in a tiny world go to the core."""
    shares = {name: getattr(bowtie, name) * pages for name in bowtie.__struct_fields__}
    counts = {name: int(share) for name, share in shares.items()}
    by_rest = sorted(shares, key=lambda name: (counts[name] - shares[name], name != "core"))
    for name in by_rest[: pages - sum(counts.values())]:
        counts[name] += 1
    impossible = {
        "tubes": not (counts["in_"] and counts["out"]),
        "tendrils": not (counts["in_"] or counts["out"]),
    }
    for name, cannot in impossible.items():
        if cannot:
            counts["core"], counts[name] = counts["core"] + counts[name], 0
    if counts["core"] < 1:
        raise BadInput(
            f"A world of {pages} pages is too small for a core of {bowtie.core:g}: use more pages."
        )
    return counts


class Layout:
    """Computes the place of every page of a world."""

    def __init__(self, hosts: int, pages: int, shape: Shape, topics: int) -> None:
        self.hosts = hosts
        self.pages = pages
        self.counts = count_regions(shape.bowtie, pages)
        self.groups = default_groups(self.counts["core"]) if shape.groups is None else shape.groups
        self.island_pages = max(1, min(shape.island_pages, self.counts["core"]))
        self.kinds = topics + 1
        self._turns = 1 if shape.mixed_hosts else _TURNS
        self._group_starts = self._find_group_starts()
        self.areas = self._make_areas(shape)
        self._starts = [area.start for area in self.areas.values()]
        self._in_order = list(self.areas.values())

    def _find_group_starts(self) -> list[int]:
        starts = [0]
        for group in self.groups:
            starts.append(starts[-1] + group.count * group.pages)
        if starts[-1] >= self.counts["core"]:
            raise BadInput(
                f"The communities need {starts[-1]} pages, but the core has only {self.counts['core']}:"
                " use more pages or fewer groups."
            )
        return starts

    def _count_areas(self) -> dict[AreaName, int]:
        counts, grouped = self.counts, self._group_starts[-1]
        tendrils_in = counts["tendrils"] // 2 if counts["out"] else counts["tendrils"]
        if not counts["in_"]:
            tendrils_in = 0
        return {
            "core": counts["core"] - grouped,
            "groups": grouped,
            "in": counts["in_"],
            "out": counts["out"],
            "tubes": counts["tubes"],
            "tendrils_in": tendrils_in,
            "tendrils_out": counts["tendrils"] - tendrils_in,
            "disconnected": counts["disconnected"],
        }

    def _make_areas(self, shape: Shape) -> dict[AreaName, Area]:
        areas: dict[AreaName, Area] = {}
        start = shift = 0
        counts = self._count_areas()
        for name, region in AREAS:
            count = counts[name]
            if not count:
                continue
            # Outside the core links only lead ahead; if the last pages were on few hosts, so would be the links.
            skew = shape.host_skew if name == "core" else 0.0
            # An area too small for all hosts starts where the last such area ended, so that no host is empty.
            own_shift = shift % self.hosts if count < self.hosts else 0
            shift += count if count < self.hosts else 0
            areas[name] = Area(
                name=name,
                region=region,
                start=start,
                count=count,
                hosts=self.hosts,
                shift=own_shift,
                tiers=deal(count, self.hosts, skew),
            )
            start += count
        return areas

    def find_spot(self, number: int) -> Spot:
        """Return the place of a page."""
        area = self._in_order[bisect_right(self._starts, number) - 1]
        rank = number - area.start
        host, position = area.place(rank)
        return Spot(number, area, rank, host, position)

    def pages_on(self, host: int) -> int:
        """Return how many pages a host has."""
        return sum(area.pages_on(host) for area in self._in_order)

    def find_number(self, host: int, local: int) -> int | None:
        """Return the number of the page with this position on the host, or None."""
        for area in self._in_order:
            there = area.pages_on(host)
            if local < there:
                return area.start + area.rank(host, local)
            local -= there
        return None

    def list_island_roots(self) -> list[int]:
        """Return the first page of every island of the disconnected region."""
        area = self.areas.get("disconnected")
        if area is None:
            return []
        return [
            area.start + area.rank(host, position)
            for host in range(self.hosts)
            for position in range(0, area.pages_on(host), self.island_pages)
        ]

    def find_membership(self, spot: Spot) -> Membership | None:
        """Return the community of a page, or None."""
        return self._find_membership(spot.rank) if spot.area.name == "groups" else None

    def _find_membership(self, rank: int) -> Membership:
        which = bisect_right(self._group_starts, rank) - 1
        group, start = self.groups[which], self._group_starts[which]
        community, member = divmod(rank - start, group.pages)
        before = sum(earlier.count for earlier in self.groups[:which])
        return Membership(group, before + community, start + community * group.pages, member)

    def topic(self, spot: Spot) -> int:
        """Return the number of a page's topic; the number after the last topic stands for no topic."""
        return self.topic_at(spot.area, spot.host, spot.position)

    def topic_at(self, area: Area, host: int, position: int) -> int:
        """Return the topic of the page at a position.

        Four fifths of the pages of a host have its main topic, the rest all topics in turn; a community has
        one topic.
        """
        if area.name == "groups":
            return self._find_membership(area.rank(host, position)).community % max(1, self.kinds - 1)
        turn = (position + host) % (self._turns * self.kinds)
        return turn if turn < self.kinds else host % self.kinds

    def main_topic(self, host: int) -> int | None:
        """Return the topic of most pages of a host; None if its pages have all topics in turn."""
        return None if self._turns == 1 else host % self.kinds

    def count_to_topic(self, host: int, position: int, topic: int) -> int:
        """Return how many ranks further on pages of this topic, or of hosts with this main topic, come next."""
        turn = host if self._turns > 1 else host + position
        return (topic - turn) % self.kinds or self.kinds

    def topic_turn(self, host: int, topic: int) -> tuple[int, int]:
        """Return the first position that a topic gets in turn on a host, and the step to the next one."""
        step = self._turns * self.kinds
        return (topic - host) % step, step
