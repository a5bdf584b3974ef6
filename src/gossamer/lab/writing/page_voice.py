"""The words for pages of one language and topic: tables to draw from, titles and boilerplate."""

from functools import cache, lru_cache

import msgspec

from gossamer.lab.seeded_random import mix, salt
from gossamer.lab.writing.phrases import LANGUAGES, Phrasebook
from gossamer.lab.writing.sentences import SentenceHalves, capitalise, make_halves
from gossamer.lab.writing.vocabulary import (
    TOPIC_DRAW_SIZE,
    build_topic_table,
    check_offered,
    draw_numbers,
    load_lexicon,
)

_TITLE = salt("title")
_DENSE_SHARE = 0.4  # share of topic words in the sentences about the topic; the other sentences are general


class Voice(msgspec.Struct, frozen=True):
    """Word and sentence tables for pages of one language and topic."""

    code: str
    phrases: Phrasebook
    general: SentenceHalves
    special: SentenceHalves
    special_of_256: int
    """How many of 256 sentences are about the topic."""
    telling: tuple[str, ...]
    """`TOPIC_DRAW_SIZE` slots with words of the topic, for titles."""
    middle: tuple[str, ...]
    """Words that carry meaning but belong to no topic."""

    def phrase(self, words: list[str]) -> str:
        """Join words as a title or an anchor text."""
        return capitalise(self.phrases.space.join(words), self.code)


@cache
def make_voice(code: str, topic: str, topic_share: float) -> Voice:
    """Return the voice of a language and topic; raise `BadInput` if either is not available."""
    check_offered("language", code, LANGUAGES)
    middle = load_lexicon(code).middle
    general = make_halves(code)
    if not topic:
        return Voice(
            code=code,
            phrases=LANGUAGES[code],
            general=general,
            special=general,
            special_of_256=0,
            telling=middle[:TOPIC_DRAW_SIZE],
            middle=middle,
        )
    dense_share = max(_DENSE_SHARE, topic_share)
    special = make_halves(code, topic, dense_share)
    share_of_256 = round(256 * topic_share / dense_share)
    return Voice(
        code=code,
        phrases=LANGUAGES[code],
        general=general,
        special=special,
        special_of_256=share_of_256,
        telling=build_topic_table(topic, code),
        middle=middle,
    )


def choose_title_words(key: int, voice: Voice) -> list[str]:
    """Return the two to four words of the title of the page with this key."""
    bits = mix(key, _TITLE)
    telling, middle = voice.telling, voice.middle
    words = (
        telling[bits % TOPIC_DRAW_SIZE],
        middle[(bits >> 12 & 0xFFFF) % len(middle)],
        telling[(bits >> 28) % TOPIC_DRAW_SIZE],
        middle[(bits >> 40 & 0xFFFF) % len(middle)],
    )
    return list(dict.fromkeys(words[: 2 + (bits >> 58) % 3]))


@lru_cache(maxsize=4096)
def write_boilerplate(seed: int, host_key: int, code: str) -> tuple[str, ...]:
    """Return the three sentences that are on every page of a host in a language."""
    pool = make_halves(code)
    drawn = draw_numbers(6, "host", seed, host_key, code)
    return tuple(
        pool.first[first % len(pool.first)] + pool.second[second % len(pool.second)]
        for first, second in zip(drawn[::2], drawn[1::2], strict=True)
    )
