"""Real words by frequency, from which the pages of the synthetic web are written.

The only module that needs wordfreq. A language is loaded on first use (30 to 100 ms, 40,000 words) and cached;
everything drawn here is the same on every machine.
"""

import heapq
import re
import struct
import unicodedata
from collections.abc import Collection
from functools import cache
from importlib.util import find_spec
from itertools import accumulate

import msgspec
import xxhash

from gossamer.errors import BadInput, MissingExtra
from gossamer.lab.writing.phrases import LANGUAGES
from gossamer.lab.writing.topic_words import TOPICS

DRAW_SIZE = 1 << 16
"""A 16-bit number draws one word: a word has as many slots of the table as its frequency demands."""
TOPIC_WORDS = 150
TOPIC_DRAW_SIZE = 1 << 10
_TOPIC_RANKS = slice(500, 20_000)  # neither grammar words nor very rare words
_MIDDLE_RANKS = slice(300, 8_000)
_FIRST_RANKS_ZIPF = 20  # flattens the head of a topic's word distribution, so that no word fills every page

# wordfreq folds case and final sigma; this restores them.
_SPELLING = {"en": {"i": "I"}}
# The word lists come from films and forums; demonstrations should not contain their swear words.
_CRUDE = ("fuck", "shit", "cunt", "porn", "nigg", "bitch", "whore", "rape", "pussy", "fick", "fotze", "hure")


class Lexicon(msgspec.Struct, frozen=True):
    """The words of a language."""

    ranked: tuple[str, ...]
    """Most frequent first, down to the last rank that topics use."""
    draw: tuple[str, ...]
    """`DRAW_SIZE` slots, each word as often as the language uses it."""
    middle: tuple[str, ...]
    """Words that carry meaning: for titles and headings."""


def draw_numbers(count: int, *parts: int | str) -> tuple[int, ...]:
    """Return `count` uniform 16-bit numbers that follow from `parts` alone: xxh3 with a counter as seed."""
    name = repr(parts).encode()
    blocks = [xxhash.xxh3_128_digest(name, block) for block in range(-(-count // 8))]
    return struct.unpack(f"<{count}H", b"".join(blocks)[: 2 * count])


def check_offered(kind: str, name: str, offered: Collection[str]) -> None:
    """Raise `BadInput`, which lists what is available, unless `name` is offered."""
    if name not in offered:
        raise BadInput(f"There is no {kind} {name!r}: use one of {', '.join(offered)}.")


@cache
def load_lexicon(language: str) -> Lexicon:
    """Return the words of a language; raise `BadInput` if it is not available."""
    check_offered("language", language, LANGUAGES)
    frequencies = _select_words(language, _load(language))
    ranked = tuple(frequencies)[: _TOPIC_RANKS.stop]
    return Lexicon(ranked, fill_table(frequencies, DRAW_SIZE), ranked[_MIDDLE_RANKS])


def check_installed() -> None:
    """Raise `MissingExtra` unless wordfreq is installed; does not import it."""
    if find_spec("wordfreq") is None:
        raise MissingExtra("lab", "wordfreq")


def _load(language: str) -> dict[str, float]:
    check_installed()
    import wordfreq  # late: it takes 0.1 s and only the lab needs it

    frequencies: dict[str, float] = wordfreq.get_frequency_dict(language, wordlist="small")
    # wordfreq would cache every list, 5 MB per language; we cache our own instead.
    wordfreq.get_frequency_dict.cache_clear()
    wordfreq.get_frequency_list.cache_clear()
    return frequencies


def _select_words(language: str, frequencies: dict[str, float]) -> dict[str, float]:
    """Keep words in the language's own letters, with correct spelling and the order of wordfreq: most frequent first."""
    scripts = tuple(LANGUAGES[language].script.split("|"))
    letters = "".join(
        letter
        for letter in sorted(set("".join(frequencies)))
        if letter.isalpha() and unicodedata.name(letter, "").startswith(scripts)
    )
    in_script = re.compile(f"[{letters}]+").fullmatch
    spelling = _SPELLING.get(language, {})
    return {
        spelling.get(word, f"{word[:-1]}ς" if word.endswith("σ") else word): frequency
        for word, frequency in frequencies.items()
        if in_script(word) and not word.startswith(_CRUDE)
    }


def fill_table(weights: dict[str, float], size: int) -> tuple[str, ...]:
    """Fill a table of `size` slots with words by weight, so that a uniform number draws a word.

    Slot i holds the word at the quantile (i + ½) / size of the weights; of the rarest words only some get a
    slot. Cost: O(words + size).
    """
    table: list[str] = []
    scale = size / sum(weights.values())
    for word, up_to in zip(weights, accumulate(weights.values()), strict=True):
        table.extend([word] * (round(up_to * scale) - len(table)))
    return tuple(table)


@cache
def list_topic_words(topic: str, language: str) -> tuple[str, ...]:
    """Return the words of a topic in a language, most frequent first.

    English and German start with hand-written words; the rest are drawn by hash from the words of medium
    frequency, without the hand-written words of other topics.
    """
    check_offered("topic", topic, TOPICS)
    check_offered("language", language, LANGUAGES)
    written = TOPICS[topic].get(language, "").split()
    taken = {word.lower() for words in TOPICS.values() for word in words.get(language, "").split()}
    shortest = 4 if LANGUAGES[language].space else 2
    free = (
        word
        for word in load_lexicon(language).ranked[_TOPIC_RANKS]
        if len(word) >= shortest and word not in taken
    )
    drawn = heapq.nsmallest(
        TOPIC_WORDS - len(written),
        free,
        key=lambda word: xxhash.xxh3_64_intdigest(f"{topic}/{language}/{word}".encode()),
    )
    return (*written, *drawn)


@cache
def build_topic_table(topic: str, language: str) -> tuple[str, ...]:
    """Return a table of `TOPIC_DRAW_SIZE` slots with the words of a topic by frequency."""
    words = list_topic_words(topic, language)
    return fill_table(
        {word: 1 / (rank + _FIRST_RANKS_ZIPF) for rank, word in enumerate(words)}, TOPIC_DRAW_SIZE
    )
