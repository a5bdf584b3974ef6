"""Whether a text is running text at all, or a list, a table, a menu, a headline.

Seed 003, section 4.8, goes by Zipf words alone: below 20 % of them it is no text. On labelled blocks of real pages that
finds nearly all running text, but two fifths of what it takes for text are menus, headings and lists (F1 0.74). So what else
can be seen is weighed with it: length, how sentences end, capitals, letters, and of a block of a page also its kind and its links.
"""

from math import log2
from operator import mul
from typing import Final, NamedTuple

from gossamer.net.document import Block, BlockKind

_SENTENCE_ENDS: Final = frozenset(".!?…。！？｡।॥؟۔")
_CLOSING: Final = "\"'”’»›)]」』） "
_SPACED_STOPS: Final = (". ", "! ", "? ", "؟ ", "۔ ", "। ")
_UNSPACED_STOPS: Final = ("。", "！", "？", ". ", " ")
# From 64 words on more of them say nothing more; sentences of more than 32 are rarely any.
_MOST_BITS_OF_WORDS: Final = 6.0
_WORDS_OF_A_SENTENCE: Final = 31
_BITS_OF_A_SENTENCE: Final = 5.0
_MOST_ZIPF: Final = 0.6
# More letters between spaces than any language has on average: the text is written without spaces.
_UNSPACED_LETTERS: Final = 12
_LETTERS_OF_UNSPACED_WORD: Final = 2
_USUAL_WORD_LETTERS: Final = 5.0


class Weights(NamedTuple):
    """What speaks for running text, and how much: a sum above 0 says that it is."""

    base: float
    zipf: float
    """For the share of Zipf words."""
    length: float
    """For each doubling of the number of words."""
    ends: float
    """For a mark at the end that ends a sentence."""
    endless: float
    """For each doubling of the words between two such marks beyond 32."""
    capitals: float
    """For the share of words, after the first, with a capital."""
    letters: float
    """For the share of letters among all that is not space."""
    word_letters: float
    """For each letter that words have on average."""
    begins_small: float
    """For beginning with a small letter."""


class BlockWeights(NamedTuple):
    """What a block of a page tells beside its text."""

    links: float
    """For the share of its characters that stand in links."""
    kinds: dict[BlockKind, float]


# Learnt by `bench/running_text.py --learn` from the tuning half of the labelled blocks.
OF_TEXT: Final = Weights(-9.44, 2.25, 1.38, 3.26, -0.46, -3.45, 1.11, 0.23, -0.85)
OF_BLOCK: Final = Weights(-8.47, 2.36, 1.45, 2.1, -0.54, -2.85, 1.43, 0.12, -0.77)
BESIDE: Final = BlockWeights(-2.11, {"heading": -1.9, "list item": -0.67, "code": -1.42})


def is_running(text: str, letters: int, zipf_share: float) -> bool:
    """Say whether a text is running text, from what the text alone shows.

    `letters` is how many of its characters are letters. A text of several lines is, if lines that are make up more than
    half of it.
    """
    if "\n" not in text:
        return _weighed(OF_TEXT, features(text, letters, zipf_share)) > 0
    letter_share = letters / max(1, len(text))
    running = sum(
        len(line)
        for line in text.split("\n")
        if _weighed(OF_TEXT, features(line, round(letter_share * len(line)), zipf_share)) > 0
    )
    return 2 * running > len(text)


def block_is_running(block: Block, zipf_share: float) -> bool:
    """Say whether a block of a page is running text."""
    letters = sum(map(str.isalpha, block.text))
    seen = _weighed(OF_BLOCK, features(block.text, letters, zipf_share))
    return seen + BESIDE.links * block.link_density + BESIDE.kinds.get(block.kind, 0.0) > 0


def features(text: str, letters: int, zipf_share: float) -> tuple[float, ...]:
    """Return what is seen of a text, in the order of `Weights`."""
    parts = text.split()
    if not parts:
        return (1.0, *[0.0] * (len(Weights._fields) - 1))
    count = len(parts)
    spaced = letters <= _UNSPACED_LETTERS * count
    words = count if spaced else letters / _LETTERS_OF_UNSPACED_WORD
    stops = sum(map(text.count, _SPACED_STOPS if spaced else _UNSPACED_STOPS))
    bits = log2(words + 1)
    return (
        1.0,
        min(zipf_share, _MOST_ZIPF),
        min(bits, _MOST_BITS_OF_WORDS),
        text.rstrip(_CLOSING)[-1:] in _SENTENCE_ENDS,
        max(0.0, bits - log2(stops + 1) - _BITS_OF_A_SENTENCE) if words > _WORDS_OF_A_SENTENCE else 0.0,
        sum([part[0].isupper() for part in parts[1:]]) / count if spaced else 0.0,
        letters / (len(text) - count + 1),
        letters / count if spaced else _USUAL_WORD_LETTERS,
        parts[0][0].islower(),
    )


def _weighed(weights: Weights, seen: tuple[float, ...]) -> float:
    return float(sum(map(mul, weights, seen)))
