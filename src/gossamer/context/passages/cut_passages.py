"""Cut a page into candidate passages: runs of whole paragraphs of one section, near words of the question."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import msgspec

from gossamer.context.passages.text_units import Unit, split_units
from gossamer.search.index.page_entry import IndexedPage, Section

# How many different beginnings are tried on a page: later ones are no better on pages that repeat a word without end.
_MOST_STARTS = 200


class Candidate(msgspec.Struct, frozen=True, gc=False):
    """A run of text that may become a passage."""

    begin: int
    end: int
    section: int
    """The number of its section in the page; -1 before the first one."""
    is_lead: bool
    """Whether it is the beginning of its section."""


def cut_page(page: IndexedPage, places: Sequence[int], most_words: int) -> list[Candidate]:
    """Return candidates near the places of matching words, in the order of the text; they may overlap.

    A candidate begins with a unit that has a match, with the units before it that take up half of its words, or with its
    section. It goes on to the end of its section, or until it has `most_words`. Without places, it is the beginning
    of the text. Cost: O(characters + starts).
    """
    units = split_units(page.text, most_words)
    if not units:
        return []
    begins = [begin for begin, _, _ in units]
    bounds = [bisect_left(begins, section.begin) for section in page.sections]
    leads = {0, *bounds}
    candidates = []
    for start in _list_starts(units, begins, bounds, places or [0], most_words // 2):
        end = _find_end(units, start, _find_bound(bounds, start, len(units)), most_words)
        section = bisect_right(bounds, start) - 1
        candidates.append(Candidate(begins[start], units[end - 1][1], section, start in leads))
    return candidates


def find_headings(sections: Sequence[Section], number: int) -> tuple[str, ...]:
    """Return the headings above the text of a section, from the outermost; none for -1."""
    path: list[Section] = []
    for section in sections[: number + 1]:
        while path and path[-1].level >= section.level:
            path.pop()
        path.append(section)
    return tuple(section.heading for section in path if section.heading)


def _list_starts(
    units: Sequence[Unit], begins: Sequence[int], bounds: Sequence[int], places: Sequence[int], reach: int
) -> list[int]:
    """Return the units with which candidates begin, ascending."""
    starts: set[int] = set()
    for matching in sorted({max(0, bisect_right(begins, place) - 1) for place in places}):
        if len(starts) >= _MOST_STARTS:
            break
        first = bounds[at] if (at := bisect_right(bounds, matching) - 1) >= 0 else 0
        earliest, words = matching, 0
        while earliest > first and words + units[earliest - 1][2] <= reach:
            earliest -= 1
            words += units[earliest][2]
        starts.update((matching, earliest))
    return sorted(starts)


def _find_bound(bounds: Sequence[int], start: int, last: int) -> int:
    """Return the unit with which the next section begins."""
    after = bisect_right(bounds, start)
    return bounds[after] if after < len(bounds) else last


def _find_end(units: Sequence[Unit], start: int, bound: int, most_words: int) -> int:
    """Return the unit after the last one of a candidate."""
    words, end = units[start][2], start + 1
    while end < bound and words + units[end][2] <= most_words:
        words += units[end][2]
        end += 1
    return end
