"""Stories: hot terms that the same texts carry are one story, not several."""

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Protocol

import msgspec

from gossamer.text.hot.hot_terms import (
    DAYS_OF_WEEK,
    History,
    HotTerm,
    JudgeTerm,
    find_hot_terms,
    sort_terms,
)
from gossamer.text.hot.period_counts import PeriodCounts, PeriodTexts
from gossamer.text.hot.text_likeness import TextLikeness, weigh_terms

MAX_TERMS = 400
"""The hottest terms of a period; the work grows with their square."""
# The cosine of two groups' texts above which they are one story.
_MIN_COSINE = 0.4
# A story is known by several words: a single word that is hot is often a fashion of writing.
_WORDS_OF_A_STORY = 3
# A single word must be as improbable as one in a hundred, in texts that are alike. On news whose texts were dealt to days
# at random, 3 stories a day are found so, and 13 on the days as they were.
_MIN_SURPRISE = math.log(100)
# A word that is so improbable is hot even if its texts have nothing else in common.
_SURE_SURPRISE = math.log(100_000)
# Two words with nearly the same texts, of which nearly the same number was expected, are one phrase: they say one thing.
_SAME_PHRASE_TEXTS = 0.7
_SAME_PHRASE_EXPECTED = 1.5
_MIN_PHRASE_EXPECTED = 0.5
# Texts of one subject share rare words, each a few of them: without this, many texts of sport on one day were a story of twenty
# words. Swept 0, .2 to .6 on worlds of the lab: false words fall from 1.2 to .7 in 1,000 at .5, and no planted story is lost.
_LEAST_COVER = 0.5
_MAX_WORDS = 12
MAX_CURVE = 14
"""So many periods are in the curve of a story."""
# A name that is carried by so large a share of a word's texts says the same as the word.
_SAME_TEXTS = 0.8


class Story(msgspec.Struct, frozen=True):
    """A group of hot terms with the texts that carry them."""

    words: tuple[str, ...]
    """The most surprising first."""
    score: float
    """The mean weight of its three heaviest words, where a missing word counts as 0."""
    ids: tuple[str, ...]
    """The texts that carry it, those with most of its words first."""
    curve: tuple[float, ...] = ()
    """How often its words occurred in the last periods, in texts of 1,000; the last is the current one."""


class StoryTexts(Protocol):
    """The texts of the current period, as far as the grouping of hot terms asks for them."""

    def list_carriers(self, term: str) -> Sequence[str]:
        """Return the ids of the texts with a term; of very many, some."""
        ...

    def compare_texts(self, ids: Collection[str]) -> TextLikeness:
        """Return the likeness of texts."""
        ...


class CountedTexts:
    """The texts of a period and the frequency lists before it, in memory."""

    def __init__(self, past: Sequence[PeriodCounts], now: PeriodTexts) -> None:
        self._periods = [*past[-MAX_CURVE + 1 :], now.counts]
        self._now = now

    def list_carriers(self, term: str) -> Sequence[str]:
        """Return the ids of the texts with a term."""
        return self._now.carriers[term]

    def compare_texts(self, ids: Collection[str]) -> TextLikeness:
        """Return the likeness of texts."""
        return TextLikeness(weigh_terms(self._now, ids))

    def draw_curve(self, terms: Sequence[str]) -> tuple[float, ...]:
        """Return in how many texts of 1,000 the terms occurred in the last periods, on average; the last is the current one."""
        found = [sum(one.counts.get(term, 0) for term in terms) for one in self._periods]
        return scale_curve(found, [one.texts for one in self._periods], len(terms))


def scale_curve(found: Sequence[int], texts: Sequence[int], terms: int) -> tuple[float, ...]:
    """Return counts of several terms in periods as texts of 1,000."""
    pairs = zip(found, texts, strict=True)
    return tuple(round(1_000 * count / max(terms, 1) / max(size, 1), 1) for count, size in pairs)


def find_stories(past: Sequence[PeriodCounts], now: PeriodTexts, cycle: int = DAYS_OF_WEEK) -> list[Story]:
    """Return the stories of a period, the hottest first; `past` and `cycle` are those of `History`."""
    return group_stories(past, now, History(past, now.counts, cycle).judge_term)


def group_stories(past: Sequence[PeriodCounts], now: PeriodTexts, judge_term: JudgeTerm) -> list[Story]:
    """Find the hot terms of a period and group them into stories, the hottest first."""
    texts = CountedTexts(past, now)
    stories = group_terms(find_hot_terms(now.counts, judge_term), texts, judge_term)
    return [
        msgspec.structs.replace(one, curve=texts.draw_curve(one.words[:_WORDS_OF_A_STORY])) for one in stories
    ]


def group_terms(hot: Sequence[HotTerm], texts: StoryTexts, judge_term: JudgeTerm) -> list[Story]:
    """Group hot terms, the most surprising first, into stories, the hottest first.

    Hot terms are joined by agglomeration: the two groups whose texts have the largest cosine become one, until no cosine
    reaches 0.4. The texts of a group are weighted by the surprise of the terms that they carry. Then texts that are
    unlike the others of their group are left out, and the terms are judged again by the texts that are left, and must be
    in half of them: a word that unrelated texts happen to use is no story. Cost: O(hot terms² + texts² of a group).
    """
    chosen = hot[:MAX_TERMS]
    groups = _join_groups(
        [_Group([one], dict.fromkeys(texts.list_carriers(one.term), one.surprise)) for one in chosen]
    )
    likeness = texts.compare_texts({id_ for group in groups for id_ in group.weights})
    stories = []
    for group in groups:
        ids, terms = _choose_texts(group, likeness, texts, judge_term)
        first = _choose_independent(terms, texts)
        if sum(one.surprise for one in first) >= _MIN_SURPRISE:
            stories.append(_tell_story(terms, first, ids, texts))
    return sorted(stories, key=lambda one: (-one.score, one.words))


def _choose_texts(
    group: "_Group", likeness: TextLikeness, texts: StoryTexts, judge_term: JudgeTerm
) -> tuple[list[str], list[HotTerm]]:
    """Return the texts of a story, and the terms that are hot in them and that at least half of them carry.

    Texts with three hot terms belong together; others must be alike.
    """
    carried = Counter(id_ for one in group.terms for id_ in texts.list_carriers(one.term))
    sure = {id_ for id_, terms in carried.items() if terms >= _WORDS_OF_A_STORY}
    ids = likeness.keep_alike(_list_texts(group), sure)
    kept = set(ids)
    judged = _judge_again(group.terms, kept, texts, judge_term)
    terms = [
        one
        for one in judged
        if len(kept.intersection(texts.list_carriers(one.term))) >= _LEAST_COVER * len(kept)
    ]
    first = group.terms[0]
    if not terms and first.surprise >= _SURE_SURPRISE:
        return list(texts.list_carriers(first.term)), [first]
    return ids, terms


def _judge_again(
    terms: Sequence[HotTerm], ids: set[str], texts: StoryTexts, judge_term: JudgeTerm
) -> list[HotTerm]:
    """Judge terms by the texts of their story alone; return those that are still hot."""
    judged = []
    for one in terms:
        carriers = texts.list_carriers(one.term)
        share = sum(id_ in ids for id_ in carriers) / len(carriers)
        judged.append(judge_term(one.term, round(share * one.texts)))
    return sort_terms(one for one in judged if one.is_hot)


class _Group:
    """Hot terms, with the weight of each text that carries some of them."""

    def __init__(self, terms: list[HotTerm], weights: dict[str, float]) -> None:
        self.terms = terms
        self.weights = weights
        self.length = math.sqrt(sum(weight * weight for weight in weights.values()))

    def join(self, other: "_Group") -> "_Group":
        weights = dict(self.weights)
        for id_, weight in other.weights.items():
            weights[id_] = weights.get(id_, 0.0) + weight
        return _Group(sort_terms([*self.terms, *other.terms]), weights)

    def compare(self, other: "_Group") -> float:
        """Return the cosine of the texts of both."""
        few, many = sorted((self.weights, other.weights), key=len)
        product = sum(weight * many.get(id_, 0.0) for id_, weight in few.items())
        return product / (self.length * other.length)


def _join_groups(groups: list[_Group]) -> list[_Group]:
    """Join the two most similar groups until none are similar."""
    alive = dict(enumerate(groups))
    cosines = {
        (one, other): cosine
        for one in alive
        for other in range(one)
        if (cosine := alive[one].compare(alive[other])) >= _MIN_COSINE
    }
    while cosines:
        one, other = max(cosines, key=lambda pair: (cosines[pair], pair))
        joined = alive.pop(one).join(alive.pop(other))
        cosines = {pair: cosine for pair, cosine in cosines.items() if not {one, other} & set(pair)}
        number = len(groups) + one * len(groups) + other
        for rest, group in alive.items():
            if (cosine := joined.compare(group)) >= _MIN_COSINE:
                cosines[number, rest] = cosine
        alive[number] = joined
    return list(alive.values())


def _tell_story(
    terms: Sequence[HotTerm], first: Sequence[HotTerm], ids: Sequence[str], texts: StoryTexts
) -> Story:
    score = sum(one.weight for one in first) / _WORDS_OF_A_STORY
    words = tuple(_drop_parts_of_names([one.term for one in terms], texts))[:_MAX_WORDS]
    return Story(words, score, tuple(ids))


def _choose_independent(terms: Sequence[HotTerm], texts: StoryTexts) -> list[HotTerm]:
    """Return the three heaviest terms that are not part of one phrase: a stock phrase is one piece of evidence, not several."""
    chosen: list[HotTerm] = []
    for one in sorted(terms, key=lambda term: -term.weight):
        if not any(_is_same_phrase(one, other, texts) for other in chosen):
            chosen.append(one)
        if len(chosen) == _WORDS_OF_A_STORY:
            break
    return chosen


def _is_same_phrase(one: HotTerm, other: HotTerm, texts: StoryTexts) -> bool:
    few, many = sorted((one.expected, other.expected))
    if few < _MIN_PHRASE_EXPECTED or many > _SAME_PHRASE_EXPECTED * few:
        return False
    own, others = set(texts.list_carriers(one.term)), set(texts.list_carriers(other.term))
    return len(own & others) >= _SAME_PHRASE_TEXTS * len(own | others)


def _drop_parts_of_names(terms: Sequence[str], texts: StoryTexts) -> Iterator[str]:
    """Yield the terms without words that say the same as a name among them: "wall" of "Wall Street"."""
    names = [term for term in terms if " " in term]
    for term in terms:
        covered = any(
            term in name.lower().split()
            and len(texts.list_carriers(name)) >= _SAME_TEXTS * len(texts.list_carriers(term))
            for name in names
        )
        if not covered:
            yield term


def _list_texts(group: _Group) -> list[str]:
    """Return the texts that carry at least half as much of a story as its typical text, best first."""
    typical = sum(weight * weight for weight in group.weights.values()) / sum(group.weights.values())
    chosen = [id_ for id_, weight in group.weights.items() if weight >= typical / 2]
    return sorted(chosen, key=lambda id_: -group.weights[id_])
