"""Choose the best passages: none that overlaps a better one, and near copies as one passage."""

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from gossamer.context.passages.cut_passages import Candidate
from gossamer.context.passages.score_passages import PageScorer
from gossamer.search.index.page_entry import IndexedPage
from gossamer.search.terms.analysis import split_text

# Two passages are near copies if the shorter one shares so many of its pairs of neighbouring words. A simhash of so few
# words would change in six bits by one word, and in all of them where two pages are cut at different places.
_SHARED = 0.7

WordPairs = frozenset[tuple[str, str]]


class ScoredPassage(msgspec.Struct, frozen=True):
    """A candidate with its page and its score."""

    score: float
    page: int
    """Id of its page."""
    source: IndexedPage
    candidate: Candidate
    scorer: PageScorer

    @property
    def text(self) -> str:
        """The text of the passage."""
        return self.source.text[self.candidate.begin : self.candidate.end]


class ChosenPassage(msgspec.Struct, frozen=True):
    """A passage, and the near copies of it on other pages."""

    best: ScoredPassage
    copies: list[ScoredPassage]


def choose_passages(candidates: Sequence[ScoredPassage], most: int) -> list[ChosenPassage]:
    """Return the best passages, the best first. Cost: O(candidates · most)."""
    chosen: list[ChosenPassage] = []
    pairs: list[WordPairs] = []
    # All of them may be needed: the best ones can be copies of one another.
    for one in sorted(candidates, key=lambda scored: -scored.score):
        if any(_overlap(one, other) for group in chosen for other in (group.best, *group.copies)):
            continue
        own = list_pairs(one.text)
        at = next((at for at, other in enumerate(pairs) if are_near_copies(own, other)), None)
        if at is not None:
            if chosen[at].best.page != one.page:
                chosen[at].copies.append(one)
        elif len(chosen) < most:
            chosen.append(ChosenPassage(one, []))
            pairs.append(own)
        else:
            break
    return chosen


def list_pairs(text: str) -> WordPairs:
    """Return the different pairs of neighbouring words of a text."""
    return frozenset(pairwise(split_text(text)))


def are_near_copies(one: WordPairs, other: WordPairs) -> bool:
    """Say whether the shorter of two texts is mostly a part of the longer one."""
    return len(one & other) >= _SHARED * max(1, min(len(one), len(other)))


def _overlap(one: ScoredPassage, other: ScoredPassage) -> bool:
    mine, others = one.candidate, other.candidate
    return one.page == other.page and mine.begin < others.end and others.begin < mine.end
