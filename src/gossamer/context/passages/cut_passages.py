"""Cut a page into candidate passages: runs of whole paragraphs of one section, near words of the question."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import msgspec

from gossamer.context.passages.text_units import Unit, split_units
from gossamer.search.index.page_entry import IndexedPage, Section

# How many different beginnings are tried on a page: later ones are no better on pages that repeat a word without end.
_MOST_STARTS = 200
# A short line above a paragraph names what it explains: a function, a term, a heading.
_NAMING_WORDS = 12


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

    A candidate begins with a unit that has a match, with the line above it that names it, or earlier in its section. It
    is a piece of one section; one that would be short goes on below the next heading, or begins earlier. Without places, it
    is the beginning of the text. Cost: O(characters + starts).
    """
    units = split_units(page.text, most_words)
    if not units:
        return []
    begins = [begin for begin, _, _ in units]
    bounds = [bisect_left(begins, section.begin) for section in page.sections]
    leads = {0, *bounds}
    spans: set[tuple[int, int]] = set()
    for start in _list_starts(units, begins, bounds, places or [0], most_words // 2):
        bound = _find_bound(bounds, start, len(units))
        spans.add(_fill_span(units, start, bound, _find_first(bounds, start), most_words))
    return [
        Candidate(begins[start], units[end - 1][1], bisect_right(bounds, start) - 1, start in leads)
        for start, end in sorted(spans)
    ]


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
        first = _find_first(bounds, matching)
        earliest, words = matching, 0
        while earliest > first and words + units[earliest - 1][2] <= reach:
            earliest -= 1
            words += units[earliest][2]
        is_named = matching > first and units[matching - 1][2] <= _NAMING_WORDS
        starts.update((matching - is_named, earliest))
    return sorted(starts)


def _find_first(bounds: Sequence[int], start: int) -> int:
    """Return the unit with which the section of a unit begins."""
    at = bisect_right(bounds, start) - 1
    return bounds[at] if at >= 0 else 0


def _find_bound(bounds: Sequence[int], start: int, last: int) -> int:
    """Return the unit with which the next section begins."""
    after = bisect_right(bounds, start)
    return bounds[after] if after < len(bounds) else last


def _fill_span(units: Sequence[Unit], start: int, bound: int, first: int, most_words: int) -> tuple[int, int]:
    """Return the first unit of a candidate and the unit after its last one, so that it is not short if there is more text."""
    words, end = units[start][2], start + 1
    while end < bound and words + units[end][2] <= most_words:
        words += units[end][2]
        end += 1
    while start > first and end == bound and words + units[start - 1][2] <= most_words:
        start -= 1
        words += units[start][2]
    while words < most_words // 2 and end < len(units) and words + units[end][2] <= most_words:
        words += units[end][2]
        end += 1
    return start, end
