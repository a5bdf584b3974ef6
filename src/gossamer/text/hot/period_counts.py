"""The frequency list of a period: in how many texts of a day or week each word and name occurs."""

from collections.abc import Iterable

import msgspec

from gossamer.text.hot.list_terms import list_terms
from gossamer.text.hot.text_memory import TextMemory


class PeriodSize(msgspec.Struct, frozen=True):
    """How much text a period has."""

    period: int
    """The number of the day or week, counted from any day or week on."""
    texts: int
    mass: int
    """The sum of all counts: long texts have more terms, so that it measures a period better than its texts do."""


class PeriodCounts(msgspec.Struct, frozen=True):
    """The frequency list of one period: all that is kept of a past period."""

    period: int
    """The number of the day or week, counted from any day or week on."""
    texts: int
    counts: dict[str, int]
    """In how many texts each term occurs."""

    @property
    def mass(self) -> int:
        """The sum of all counts: long texts have more terms, so that it measures a period better than its texts do."""
        return sum(self.counts.values())


class PeriodTexts(msgspec.Struct, frozen=True):
    """The current period, with the texts that carry each term."""

    counts: PeriodCounts
    carriers: dict[str, list[str]]
    """The ids of the texts with each term, in the order in which they were read."""


def read_period(period: int, texts: Iterable[tuple[str, str]], memory: TextMemory) -> PeriodTexts:
    """Read the texts of a period, each with its id, and count in how many each term occurs.

    Only sentences count that `memory` has not seen, in this period or an earlier one. A text without a new sentence is
    no text of the period. A term that a text repeats counts once.
    """
    carriers: dict[str, list[str]] = {}
    number = 0
    for id_, text in texts:
        sentences = memory.take_new_sentences(text)
        number += bool(sentences)
        for term in sorted(set().union(*map(list_terms, sentences))):
            carriers.setdefault(term, []).append(id_)
    counts = {term: len(ids) for term, ids in carriers.items()}
    return PeriodTexts(PeriodCounts(period, number, counts), carriers)
