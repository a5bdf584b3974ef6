"""Score passages: the rarity of the question's words in them, in their headings and title, and the score of their page.

A word counts by its rarity as in BM25, and the more often it occurs, the less each time. All passages are about as long, so
that their length does not count. The weights were chosen on the odd lines of `bench/questions`
([decision 45](docs/decisions/0045-cited-passages.md) has the figures).
"""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from gossamer.context.passages.cut_passages import Candidate, find_headings
from gossamer.context.passages.question_words import QuestionWords
from gossamer.search.answers.snippets import Match
from gossamer.search.index.page_entry import IndexedPage

_SATURATION = 1.0
_HEADING, _TITLE = 0.5, 0.25
"""What a word counts in the headings above a passage, and in the title of its page; in the passage it counts up to 1."""
_NEAR = 0.3
"""What two words beside each other add, as a part of the rarity of the more frequent one."""
_PAGE = 1.0
"""What the score of its page counts."""
_LEAD = 0.1
"""What the first passage of a section gains, in multiples of the rarity of the question."""
# Characters between two words that stand beside each other: a space, a hyphen, or a bracket with it.
_BESIDE = 3


class PageScorer:
    """Scores the passages of one page."""

    def __init__(self, words: QuestionWords, page: IndexedPage, page_score: float) -> None:
        self.matches = words.find(page.text, page.language)
        """Where words of the question stand in the text of the page."""
        self._words = words
        self._page = page
        self._begins = [begin for begin, _, _ in self.matches]
        title = words.find_numbers(page.title, page.language)
        self._base = _PAGE * page_score + _TITLE * self._sum_rarities(title)
        self._sections: dict[int, float] = {}
        """By section: the score of its headings."""

    def score(self, candidate: Candidate) -> float:
        """Return the score of a candidate. Cost: O(matching words in it)."""
        inside = self._list_inside(candidate)
        rarities = self._words.rarities
        counts: dict[int, int] = {}
        for _, _, number in inside:
            counts[number] = counts.get(number, 0) + 1
        score = self._base + (_LEAD * self._words.rarity if candidate.is_lead else 0.0)
        for number, count in counts.items():
            score += rarities[number] * count / (count + _SATURATION)
        if len(counts) > 1:
            score += _NEAR * self._score_nearness(inside)
        return score + self._score_headings(candidate.section)

    def list_marks(self, candidate: Candidate) -> tuple[tuple[int, int], ...]:
        """Return where words of the question begin and end in a candidate."""
        marks: list[tuple[int, int]] = []
        for begin, end, _ in self._list_inside(candidate):
            if end <= candidate.end and (not marks or begin - candidate.begin >= marks[-1][1]):
                marks.append((begin - candidate.begin, end - candidate.begin))
        return tuple(marks)

    def _list_inside(self, candidate: Candidate) -> list[Match]:
        first = bisect_left(self._begins, candidate.begin)
        return self.matches[first : bisect_left(self._begins, candidate.end, first)]

    def _score_nearness(self, inside: Sequence[Match]) -> float:
        """Return the rarity of the different pairs of words that stand beside each other."""
        rarities = self._words.rarities
        pairs = {
            (one[2], other[2])
            for one, other in pairwise(inside)
            if one[2] != other[2] and other[0] - one[1] <= _BESIDE
        }
        return sum(min(rarities[one], rarities[other]) for one, other in pairs)

    def _score_headings(self, section: int) -> float:
        if section not in self._sections:
            # The outermost heading of a page repeats its title.
            inner = " / ".join(find_headings(self._page.sections, section)[1:])
            found = self._words.find_numbers(inner, self._page.language)
            self._sections[section] = _HEADING * self._sum_rarities(found)
        return self._sections[section]

    def _sum_rarities(self, numbers: frozenset[int]) -> float:
        return sum(self._words.rarities[number] for number in numbers)
