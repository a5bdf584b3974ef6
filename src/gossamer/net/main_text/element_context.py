"""Computes what the elements inside the main region say about the text in them."""

from gossamer.net.main_text.class_name_hints import FIRM, UNFAVOURABLE, ElementHint
from gossamer.net.main_text.fragments import Containers, Fragment
from gossamer.net.main_text.main_region import TEXT_HOLDERS, MainRegion, TextMeasure

_COMMENT = int(ElementHint.COMMENT)
_ITEM_BODY = int(ElementHint.ITEM_BODY)
_NOT_MAIN = int(
    ElementHint.NAV_TAG
    | ElementHint.FOOTER_TAG
    | ElementHint.ASIDE_TAG
    | ElementHint.FORM_TAG
    | ElementHint.CAPTION_TAG
    | ElementHint.COMMENT
    | ElementHint.RELATED
    | ElementHint.MENU
    | ElementHint.PAGE_EDGE
    | ElementHint.SIDE
    | ElementHint.ASKING
)
_CELLS = frozenset(("td", "th"))
_TABLE_PARTS = frozenset(("td", "th", "tr", "tbody", "thead", "tfoot", "table"))


class RegionContext:
    """The elements of the main region, with their hints and their depth of wrappers."""

    __slots__ = ("hints", "home_share", "homes", "inside", "members", "strong", "usual_wrappers", "wrappers")

    def __init__(
        self,
        containers: Containers,
        fragments: list[Fragment],
        measures: list[TextMeasure],
        region: MainRegion,
    ) -> None:
        count = len(containers.parent)
        self.inside = [False] * count
        self.hints = [0] * count
        self.wrappers = [0] * count
        """The number of elements between the region and this one with less than half of the region's running text."""
        self._pass_down(containers, region)
        self.members = [i for i, fragment in enumerate(fragments) if self.inside[fragment.container]]
        """The places of the region's fragments."""
        self.homes = _find_homes(containers, [fragments[i].container for i in self.members])
        self.home_share = self._compute_home_shares(measures)
        """For each member, the running text of its home, relative to the home with the most."""
        self.strong = [
            measures[i].running > 0 and share >= 0.15 and not self.hints[fragments[i].container] & _NOT_MAIN
            for i, share in zip(self.members, self.home_share, strict=True)
        ]
        """For each member, whether it is almost certainly main text."""
        self.usual_wrappers = self._find_usual_wrappers(measures)
        """The median number of wrappers around strong running text."""

    def _pass_down(self, containers: Containers, region: MainRegion) -> None:
        """Pass hints and depth down from the region to every element in it."""
        parent, tag, running, top = containers.parent, containers.tag, region.running, region.place
        self.inside[top] = True
        self.hints[top] = _find_item_body(containers, top)
        for place in range(top + 1, len(parent)):
            outer = parent[place]
            if not self.inside[outer]:
                continue
            self.inside[place] = True
            hints = containers.hints[place]
            large = running[place] >= 0.5 * running[top] > 0
            if large:  # a name that does not fit most of the text is about something else
                hints &= ~UNFAVOURABLE | (FIRM if running[place] < 0.9 * running[top] else _COMMENT)
            self.hints[place] = self.hints[outer] | hints
            wraps = not large and tag[place] not in TEXT_HOLDERS and tag[place] not in _TABLE_PARTS
            self.wrappers[place] = self.wrappers[outer] + wraps

    def _compute_home_shares(self, measures: list[TextMeasure]) -> list[float]:
        running: dict[int, float] = {}
        for index, home in zip(self.members, self.homes, strict=True):
            running[home] = running.get(home, 0.0) + measures[index].running
        most = max(running.values(), default=0.0) or 1.0
        return [running[home] / most for home in self.homes]

    def _find_usual_wrappers(self, measures: list[TextMeasure]) -> int:
        amounts: dict[int, float] = {}
        for index, home, strong in zip(self.members, self.homes, self.strong, strict=True):
            if strong:
                depth = self.wrappers[home]
                amounts[depth] = amounts.get(depth, 0.0) + measures[index].running
        half = 0.5 * sum(amounts.values())
        for depth in sorted(amounts):
            half -= amounts[depth]
            if half <= 0:
                return depth
        return 0


def _find_item_body(containers: Containers, place: int) -> int:
    """Return the hint ITEM_BODY if an element is inside schema.org's articleBody, else 0."""
    while place:
        if containers.hints[place] & _ITEM_BODY:
            return _ITEM_BODY
        place = containers.parent[place]
    return 0


def _find_homes(containers: Containers, places: list[int]) -> list[int]:
    """Return the part of the page that contains each text: the element outside its paragraph, list, table and quote.

    A div with nothing but text counts as a paragraph. Each element is visited once.
    """
    parent, tag = containers.parent, containers.tag
    has_children = set(parent[1:])
    known: dict[int, int] = {}

    def climb(place: int, through: frozenset[str]) -> int:
        passed = []
        while place and tag[place] in through and place not in known:
            passed.append(place)
            place = parent[place]
        home = known.get(place, place)
        for inner in passed:
            known[inner] = home
        return home

    homes = []
    for place in places:
        start = place
        if tag[place] in _CELLS:
            homes.append(climb(climb(place, _TABLE_PARTS), TEXT_HOLDERS))
            continue
        if place not in has_children and tag[place] not in TEXT_HOLDERS:
            start = parent[place]
        homes.append(climb(start, TEXT_HOLDERS))
    return homes
