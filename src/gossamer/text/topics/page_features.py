"""What is seen of a page: its words by the places where they stand, counted by their hashes."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.text.topics.count_words import counted
from gossamer.text.topics.example import Example

Counts = tuple[NDArray[np.uint32], NDArray[np.float32]]
"""Hashes in their order, and how often each occurs."""

# Fields: the same word says another thing in the title than in the text.
FIELDS = ("text", "title", "headings", "url", "anchors", "linked from")
_TEXT, _TITLE, _HEADINGS, _URL, _ANCHORS, _LINKED_FROM = range(len(FIELDS))
_FIELD_AT = 29  # the highest bits of a hash, see `words`
# Keeps words of two headings from making a pair.
_BETWEEN = "\n"


def counts_of(page: Example, kind: str = "linear") -> Counts:
    """Count the words and pairs of a page, each by the field it stands in."""
    return counted(parts_of(page, kind))


def parts_of(page: Example, kind: str = "linear") -> list[tuple[int, str, bool]]:
    """Return the texts of a page with the field each is of, and whether its pairs count.

    Naive Bayes takes words of title and text alone, as in the seed: pairs and the same words in other places would
    count evidence several times.
    """
    if kind == "bayes":
        return [(_TEXT, page.title + _BETWEEN + page.text, False)]
    return [
        (_TEXT, page.text, True),
        (_TITLE, page.title, True),
        (_HEADINGS, _BETWEEN.join(page.headings), False),
        (_URL, path_of(page.url), False),
        (_ANCHORS, _BETWEEN.join(page.anchors), True),
        (_LINKED_FROM, _BETWEEN.join(page.linked_from), False),
    ]


class LinkParts(NamedTuple):
    """What is known of pages by links to them that stand on one page."""

    shared: list[tuple[int, str, bool]]
    """Texts that all of them have in common, as `parts_of` has them."""
    columns: list[tuple[int, list[str], bool]]
    """Texts of their own, one for each link."""


def link_parts_of(called: list[str], urls: Sequence[str], linked_from: str, kind: str) -> LinkParts:
    """Return what links say of the pages they lead to: their texts, their URLs, the title of the page they stand on."""
    if kind == "bayes":
        return LinkParts([], [(_TEXT, called, False)])
    paths = [path_of(url) for url in urls]
    own = [(_TITLE, called, True), (_URL, paths, False), (_ANCHORS, called, True)]
    return LinkParts([(_LINKED_FROM, linked_from, False)], own)


def path_of(url: str) -> str:
    """Return the part of a URL behind the host: names of hosts say where, and seldom what."""
    return url.partition("://")[2].partition("/")[2]


def field_of(ids: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return the number of the field that each hash is of."""
    return ids >> np.uint32(_FIELD_AT)


class Table(NamedTuple):
    """Numbers of many pages as sparse rows over the same columns."""

    starts: NDArray[np.int64]
    columns: NDArray[np.int64]
    values: NDArray[np.float64]
    ids: NDArray[np.uint32]
    """The hash of each column, in order."""

    @property
    def rows(self) -> int:
        """How many pages it has."""
        return len(self.starts) - 1

    def row_of(self) -> NDArray[np.int64]:
        """Return the row of each entry."""
        return np.repeat(np.arange(self.rows), np.diff(self.starts))

    def only(self, rows: NDArray[np.bool_]) -> "Table":
        """Return the table of some rows, over the same columns."""
        entries = np.repeat(rows, np.diff(self.starts))
        starts = np.concatenate(([0], np.cumsum(np.diff(self.starts)[rows])))
        return self._replace(starts=starts, columns=self.columns[entries], values=self.values[entries])


def columns_of(pages: Sequence[Counts], fewest_pages: int) -> NDArray[np.uint32]:
    """Return the hashes that occur in so many pages, in order."""
    every = np.concatenate([ids for ids, _ in pages]) if pages else np.empty(0, np.uint32)
    ids, pages_with = np.unique(every, return_counts=True)
    kept: NDArray[np.uint32] = ids[pages_with >= fewest_pages]
    return kept


def table_of(pages: Sequence[Counts], ids: NDArray[np.uint32]) -> Table:
    """Lay out the counts of pages over these columns; what has no column is left out."""
    starts = np.zeros(len(pages) + 1, np.int64)
    columns = [np.empty(0, np.int64)]
    values = [np.empty(0, np.float32)]
    ended = np.append(ids, np.uint32(0))  # no hash is 0: what comes after the last is not known
    for row, (has, times) in enumerate(pages):
        place = np.searchsorted(ids, has)
        known = ended[place] == has
        columns.append(place[known])
        values.append(times[known])
        starts[row + 1] = starts[row] + len(columns[-1])
    return Table(starts, np.concatenate(columns), np.concatenate(values).astype(np.float64), ids)
