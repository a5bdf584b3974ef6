"""Sentences of real words, made beforehand in halves so that a page is written by drawing them.

A sentence is the first half of one and the second half of another: 4,096 halves of each kind give 16 million
sentences of a language. Between the halves there is room for a link or for a word of the page's own.
"""

from functools import cache

import msgspec

from gossamer.lab.writing.phrases import LANGUAGES
from gossamer.lab.writing.vocabulary import TOPIC_DRAW_SIZE, lexicon, numbers, topic_draw

GENERAL_HALVES = 1 << 12
TOPIC_HALVES = 1 << 10
_MOST_WORDS = 10
_FEWEST_WORDS = 3
_ENDINGS = 32  # of so many sentences, two ask and one exclaims


class SentenceHalves(msgspec.Struct, frozen=True):
    """First halves begin with a capital; second halves begin with a space or comma and end the sentence."""

    first: tuple[str, ...]
    second: tuple[str, ...]


def capitalised(words: str, language: str) -> str:
    """Write the first letter as a capital, the Turkish way in Turkish."""
    first = "İ" if language == "tr" and words.startswith("i") else words[:1].upper()
    return first + words[1:]


@cache
def halves(language: str, topic: str = "", topic_share: float = 0.0) -> SentenceHalves:
    """Return the half sentences of a language in which `topic_share` of the words speak of a topic."""
    count = TOPIC_HALVES if topic else GENERAL_HALVES
    how = LANGUAGES[language]
    first = tuple(
        capitalised(how.space.join(words), language)
        for words in _clauses(language, topic, topic_share, count, 1)
    )
    second = tuple(
        (how.comma if place % 3 == 0 else "") + how.space + how.space.join(words) + _ending(language, place)
        for place, words in enumerate(_clauses(language, topic, topic_share, count, 2))
    )
    return SentenceHalves(first, second)


def _ending(language: str, place: int) -> str:
    how = LANGUAGES[language]
    return {0: how.exclamation, 1: how.question, 2: how.question}.get(place % _ENDINGS, how.stop)


def _clauses(language: str, topic: str, topic_share: float, count: int, half: int) -> list[list[str]]:
    """Draw `count` runs of words, of `_FEWEST_WORDS` to `_MOST_WORDS` words each."""
    general = lexicon(language).draw
    special = topic_draw(topic, language) if topic else ()
    threshold = int(topic_share * 65536) if topic else 0
    stream = iter(numbers(count * (1 + 2 * _MOST_WORDS), "halves", language, topic, half))
    clauses = []
    for _ in range(count):
        length = _FEWEST_WORDS + next(stream) % (_MOST_WORDS - _FEWEST_WORDS + 1)
        words: list[str] = []
        for _ in range(length):
            which, kind = next(stream), next(stream)
            word = special[which % TOPIC_DRAW_SIZE] if kind < threshold else general[which]
            if not words or word != words[-1]:
                words.append(word)
        clauses.append(words)
    return clauses
