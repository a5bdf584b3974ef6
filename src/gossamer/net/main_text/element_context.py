"""Computes what the elements of a page say about the text in them, given its main region."""

from gossamer.net.main_text.class_name_hints import FIRM, UNFAVOURABLE, ElementHint
from gossamer.net.main_text.fragments import Containers, Fragment
from gossamer.net.main_text.main_region import TEXT_HOLDERS, MainRegion, TextMeasure

_COMMENT = int(ElementHint.COMMENT)
_ITEM_BODY = int(ElementHint.ITEM_BODY)
NOT_MAIN = int(
    ElementHint.NAV_TAG
    | ElementHint.FOOTER_TAG
    | ElementHint.ASIDE_TAG
    | ElementHint.FORM_TAG
    | ElementHint.CAPTION_TAG
    | ElementHint.COMMENT
    | ElementHint.RELATED
    | ElementHint.MENU
    | ElementHint.PAGE_EDGE
    | ElementHint.PAGE_HEAD
    | ElementHint.SIDE
    | ElementHint.ASKING
)
CELLS = frozenset(("td", "th"))
TABLE_PARTS = frozenset(("td", "th", "tr", "tbody", "thead", "tfoot", "table"))


class PageContext:
    """The elements of a page as seen from its main region: hints, depth of wrappers, and where text is certainly main.

    What an element inherits begins below the last element that it shares with the region, so names of elements around
    both say nothing about either.
    """

    __slots__ = (
        "first_strong",
        "hints",
        "home_share",
        "homes",
        "inside",
        "last_strong",
        "strong",
        "title",
        "usual",
        "wrappers",
    )

    def __init__(
        self,
        containers: Containers,
        fragments: list[Fragment],
        measures: list[TextMeasure],
        region: MainRegion,
    ) -> None:
        count = len(containers.parent)
        self.inside = [False] * count
        """For each element, whether it is in the region."""
        self.hints = [0] * count
        self.wrappers = [0] * count
        """The number of elements above this one with less than half of the region's running text."""
        self._pass_down(containers, region)
        places = [fragment.container for fragment in fragments]
        self.homes = _find_homes(containers, places)
        self.home_share = self._compute_home_shares(places, measures)
        """For each fragment, the running text of its home, relative to the home with the most in the region."""
        self.strong = [
            self.inside[place] and measure.running > 0 and share >= 0.15 and not self.hints[place] & NOT_MAIN
            for place, measure, share in zip(places, measures, self.home_share, strict=True)
        ]
        """For each fragment, whether it is almost certainly main text."""
        self.usual = self._find_usual_wrappers(measures)
        """The median number of wrappers around strong running text."""
        self._find_bounds(containers, places)

    def _pass_down(self, containers: Containers, region: MainRegion) -> None:
        """Pass hints and depth down from the elements around the region to every other element."""
        parent, tag, running, top = containers.parent, containers.tag, region.running, region.place
        around = _find_ancestors(containers, top)
        self.inside[top] = True
        self.hints[top] = _find_item_body(containers, top)
        for place in range(1, len(parent)):
            if place in around:
                continue
            outer = parent[place]
            self.inside[place] = self.inside[outer]
            hints = containers.hints[place]
            large = running[place] >= 0.5 * running[top] > 0
            if large:  # a name that does not fit most of the text is about something else
                hints &= ~UNFAVOURABLE | (FIRM if running[place] < 0.9 * running[top] else _COMMENT)
            self.hints[place] = self.hints[outer] | hints
            wraps = not large and tag[place] not in TEXT_HOLDERS and tag[place] not in TABLE_PARTS
            self.wrappers[place] = self.wrappers[outer] + wraps

    def _compute_home_shares(self, places: list[int], measures: list[TextMeasure]) -> list[float]:
        running: dict[int, float] = {}
        for home, measure in zip(self.homes, measures, strict=True):
            running[home] = running.get(home, 0.0) + measure.running
        inside = (running[home] for home, place in zip(self.homes, places, strict=True) if self.inside[place])
        most = max(inside, default=0.0) or 1.0
        return [running[home] / most for home in self.homes]

    def _find_usual_wrappers(self, measures: list[TextMeasure]) -> int:
        amounts: dict[int, float] = {}
        for measure, home, strong in zip(measures, self.homes, self.strong, strict=True):
            if strong:
                depth = self.wrappers[home]
                amounts[depth] = amounts.get(depth, 0.0) + measure.running
        half = 0.5 * sum(amounts.values())
        for depth in sorted(amounts):
            half -= amounts[depth]
            if half <= 0:
                return depth
        return 0

    def _find_bounds(self, containers: Containers, places: list[int]) -> None:
        """Find where the main text begins and ends, and its title: the last h1 before it."""
        strong = [index for index, is_strong in enumerate(self.strong) if is_strong]
        inside = (index for index, place in enumerate(places) if self.inside[place])
        self.first_strong = strong[0] if strong else next(inside, 0)
        self.last_strong = strong[-1] if strong else -1
        titles = (i for i in range(self.first_strong - 1, -1, -1) if containers.tag[places[i]] == "h1")
        self.title = next(titles, -1)


def _find_ancestors(containers: Containers, place: int) -> set[int]:
    """Return an element and all elements around it."""
    found = {place}
    while place:
        place = containers.parent[place]
        found.add(place)
    return found


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
        if tag[place] in CELLS:
            homes.append(climb(climb(place, TABLE_PARTS), TEXT_HOLDERS))
            continue
        if place not in has_children and tag[place] not in TEXT_HOLDERS:
            start = parent[place]
        homes.append(climb(start, TEXT_HOLDERS))
    return homes
