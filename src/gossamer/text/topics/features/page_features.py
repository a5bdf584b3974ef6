"""The features of a page: words and pairs, counted by their hashes for each field."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.text.topics.features.count_words import count_words
from gossamer.text.topics.features.field_weights import FIELDS
from gossamer.text.topics.training_example import Example

Counts = tuple[NDArray[np.uint32], NDArray[np.float32]]
"""Hashes in ascending order, and how often each occurs."""

_TEXT, _TITLE, _HEADINGS, _URL, _ANCHORS, _LINKED_FROM = range(len(FIELDS))
_FIELD_AT = 29  # the highest bits of a hash, see `count_words`
_TITLE_CHARACTERS = 80
"""The first characters of a page without a title serve as its title."""
# Separates two headings, so that the words of both do not form a pair.
_BETWEEN = "\n"


def count_features(page: Example, kind: str = "linear") -> Counts:
    """Count the words and pairs of a page in each field."""
    return count_words(list_fields(page, kind))


def list_fields(page: Example, kind: str = "linear") -> list[tuple[int, str, bool]]:
    """Return the texts of a page, each with its field and whether its pairs count.

    Naive Bayes takes only the words of title and text, as in Schmitz 2001: pairs, and the same words in other fields,
    would count the same evidence several times.
    """
    if kind == "bayes":
        return [(_TEXT, page.title + _BETWEEN + page.text, False)]
    return [
        (_TEXT, page.text, True),
        (_TITLE, page.title, True),
        (_HEADINGS, _BETWEEN.join(page.headings), False),
        (_URL, extract_path(page.url), False),
        (_ANCHORS, _BETWEEN.join(page.anchors), True),
        (_LINKED_FROM, _BETWEEN.join(page.linked_from), False),
    ]


class LinkFields(NamedTuple):
    """What the links of one page say about the pages they lead to."""

    shared: list[tuple[int, str, bool]]
    """Texts that all links have in common, in the form of `list_fields`."""
    columns: list[tuple[int, list[str], bool]]
    """Texts of the links, one for each."""


def list_link_fields(
    texts: list[str], urls: Sequence[str], linked_from: str, kind: str, as_text: bool
) -> LinkFields:
    """Return what links say about their targets: link texts, URLs, and the title of the page they stand on.

    With `as_text` the text of a link also counts as the text of its target: the titles of a few examples have few of the
    words that links use, their texts have many.
    """
    if kind == "bayes":
        return LinkFields([], [(_TEXT, texts, False)])
    paths = [extract_path(url) for url in urls]
    own = [(_TITLE, texts, True), (_URL, paths, False), (_ANCHORS, texts, True)]
    if as_text:
        own.insert(0, (_TEXT, texts, True))
    return LinkFields([(_LINKED_FROM, linked_from, False)], own)


def describe_as_link(page: Example, kind: str) -> Example:
    """Return what is known of a page before it is fetched; its title stands in for the text of a link."""
    title = page.title or page.text[:_TITLE_CHARACTERS]
    text = "" if kind == "bayes" else title  # naive Bayes adds up title and text
    return Example(text, title=title, url=page.url, anchors=(title,), linked_from=page.linked_from[:1])


def extract_path(url: str) -> str:
    """Return the part of a URL after the host: host names say where a page is, seldom what it is about."""
    return url.partition("://")[2].partition("/")[2]


def get_field(ids: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return the field number of each hash."""
    return ids >> np.uint32(_FIELD_AT)


class CountTable(NamedTuple):
    """Counts of many pages as sparse rows over the same columns."""

    starts: NDArray[np.int64]
    columns: NDArray[np.int64]
    values: NDArray[np.float64]
    ids: NDArray[np.uint32]
    """The hash of each column, in ascending order."""

    @property
    def rows(self) -> int:
        """The number of pages."""
        return len(self.starts) - 1

    def list_rows(self) -> NDArray[np.int64]:
        """Return the row of each entry."""
        return np.repeat(np.arange(self.rows), np.diff(self.starts))

    def select_rows(self, rows: NDArray[np.bool_]) -> "CountTable":
        """Return a table of these rows over the same columns."""
        entries = np.repeat(rows, np.diff(self.starts))
        starts = np.concatenate(([0], np.cumsum(np.diff(self.starts)[rows])))
        return self._replace(starts=starts, columns=self.columns[entries], values=self.values[entries])


def choose_columns(pages: Sequence[Counts], fewest_pages: int) -> NDArray[np.uint32]:
    """Return the hashes that occur on at least `fewest_pages` pages, in ascending order."""
    every = np.concatenate([ids for ids, _ in pages]) if pages else np.empty(0, np.uint32)
    ids, pages_with = np.unique(every, return_counts=True)
    kept: NDArray[np.uint32] = ids[pages_with >= fewest_pages]
    return kept


def build_table(pages: Sequence[Counts], ids: NDArray[np.uint32]) -> CountTable:
    """Build the table of pages over these columns; hashes without a column are left out."""
    starts = np.zeros(len(pages) + 1, np.int64)
    columns = [np.empty(0, np.int64)]
    values = [np.empty(0, np.float32)]
    ended = np.append(ids, np.uint32(0))  # no hash is 0, so a place after the last one matches nothing
    for row, (has, times) in enumerate(pages):
        place = np.searchsorted(ids, has)
        known = ended[place] == has
        columns.append(place[known])
        values.append(times[known])
        starts[row + 1] = starts[row] + len(columns[-1])
    return CountTable(starts, np.concatenate(columns), np.concatenate(values).astype(np.float64), ids)
