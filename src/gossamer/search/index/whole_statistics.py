"""The statistics of several webs together, by which an index of one of them scores pages as one index of all would."""

import math

import msgspec


class WholeStatistics(msgspec.Struct, frozen=True):
    """What the rarity of words and the lengths of pages are in several webs together."""

    pages: int
    """All pages."""
    languages: tuple[str, ...]
    """The largest languages of all pages, in which base forms of query words are found."""
    lengths: dict[str, float]
    """By field: its average number of terms."""
    counts: dict[tuple[str, str], int]
    """By field and term: how many pages have it."""


def compute_idf(pages: int, total: int) -> float:
    """Return the idf of BM25: the rarity of a term that some of all pages have."""
    return math.log(1 + (max(pages, total) - pages + 0.5) / (pages + 0.5))
