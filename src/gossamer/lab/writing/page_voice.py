"""How pages of one language and topic speak: the tables they draw from, their titles and set pieces."""

from functools import cache, lru_cache

import msgspec

from gossamer.lab.seeded_random import mix, salt
from gossamer.lab.writing.phrases import LANGUAGES, Phrasebook
from gossamer.lab.writing.sentences import SentenceHalves, capitalised, halves
from gossamer.lab.writing.vocabulary import TOPIC_DRAW_SIZE, check_offered, lexicon, numbers, topic_draw

_TITLE = salt("title")
_DENSE_SHARE = 0.4  # share of topic words in the sentences that speak of the topic; the others are general


class Voice(msgspec.Struct, frozen=True):
    """What pages of one language and topic are written with."""

    code: str
    language: Phrasebook
    general: SentenceHalves
    special: SentenceHalves
    special_of_256: int
    """How many of 256 sentences speak of the topic."""
    telling: tuple[str, ...]
    """`TOPIC_DRAW_SIZE` places that draw words of the topic, for titles."""
    middle: tuple[str, ...]
    """Words that carry meaning, of no topic."""

    def phrase(self, words: list[str]) -> str:
        """Join words as a title or an anchor text."""
        return capitalised(self.language.space.join(words), self.code)


@cache
def voice(code: str, topic: str, topic_share: float) -> Voice:
    """Return the voice of a language and topic; raise `BadInput` for one that is not offered."""
    check_offered("language", code, LANGUAGES)
    middle = lexicon(code).middle
    general = halves(code)
    if not topic:
        return Voice(code, LANGUAGES[code], general, general, 0, middle[:TOPIC_DRAW_SIZE], middle)
    dense_share = max(_DENSE_SHARE, topic_share)
    special = halves(code, topic, dense_share)
    share_of_256 = round(256 * topic_share / dense_share)
    return Voice(code, LANGUAGES[code], general, special, share_of_256, topic_draw(topic, code), middle)


def title_words(key: int, voice: Voice) -> list[str]:
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
def boilerplate(seed: int, host_key: int, code: str) -> tuple[str, ...]:
    """Return the three sentences that stand on every page of a host in a language."""
    pool = halves(code)
    drawn = numbers(6, "host", seed, host_key, code)
    return tuple(
        pool.first[first % len(pool.first)] + pool.second[second % len(pool.second)]
        for first, second in zip(drawn[::2], drawn[1::2], strict=True)
    )
