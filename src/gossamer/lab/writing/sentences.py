"""Tables of half sentences of real words, made once, from which pages draw their sentences.

A sentence joins any first half with any second half: 4,096 halves of each kind give 16 million sentences of a
language. A link or a word of the page's own fits between the halves.
"""

from functools import cache

import msgspec

from gossamer.lab.writing.phrases import LANGUAGES
from gossamer.lab.writing.vocabulary import TOPIC_DRAW_SIZE, build_topic_table, draw_numbers, load_lexicon

GENERAL_HALVES = 1 << 12
TOPIC_HALVES = 1 << 10
_MOST_WORDS = 10
_FEWEST_WORDS = 3
_ENDINGS = 32  # of this many sentences, two end with a question mark and one with an exclamation mark


class SentenceHalves(msgspec.Struct, frozen=True):
    """First halves start with a capital; second halves start with a space or comma and end the sentence."""

    first: tuple[str, ...]
    second: tuple[str, ...]


def capitalise(words: str, language: str) -> str:
    """Make the first letter a capital, by the Turkish rule in Turkish."""
    first = "İ" if language == "tr" and words.startswith("i") else words[:1].upper()
    return first + words[1:]


@cache
def make_halves(language: str, topic: str = "", topic_share: float = 0.0) -> SentenceHalves:
    """Return the half sentences of a language; `topic_share` of their words belong to the topic."""
    count = TOPIC_HALVES if topic else GENERAL_HALVES
    phrases = LANGUAGES[language]
    first = tuple(
        capitalise(phrases.space.join(words), language)
        for words in _draw_clauses(language, topic, topic_share, count, 1)
    )
    second = tuple(
        (phrases.comma if place % 3 == 0 else "")
        + phrases.space
        + phrases.space.join(words)
        + _choose_ending(language, place)
        for place, words in enumerate(_draw_clauses(language, topic, topic_share, count, 2))
    )
    return SentenceHalves(first, second)


def _choose_ending(language: str, place: int) -> str:
    phrases = LANGUAGES[language]
    return {0: phrases.exclamation, 1: phrases.question, 2: phrases.question}.get(
        place % _ENDINGS, phrases.stop
    )


def _draw_clauses(language: str, topic: str, topic_share: float, count: int, half: int) -> list[list[str]]:
    """Draw `count` runs of words, of `_FEWEST_WORDS` to `_MOST_WORDS` words each."""
    general = load_lexicon(language).draw
    special = build_topic_table(topic, language) if topic else ()
    threshold = int(topic_share * 65536) if topic else 0
    stream = iter(draw_numbers(count * (1 + 2 * _MOST_WORDS), "halves", language, topic, half))
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
