"""What can be seen of a text that tells whether it is running text: in plain Python, as `weighing.pyx` sees it compiled.

A test keeps both equal.
"""

from math import log2
from operator import mul
from typing import Final, NamedTuple

SENTENCE_ENDS: Final = ".!?…。！？｡।॥؟۔"
CLOSING: Final = "\"'”’»›)]」』） "
SPACED_STOPS: Final = ".!?؟۔।"
"""What ends a sentence before a space."""
UNSPACED_STOPS: Final = "。！？ "
"""What does in scripts without spaces, where a space does too."""
# From 64 words on more of them say nothing more; sentences of more than 32 are rarely any.
MOST_BITS_OF_WORDS: Final = 6.0
BITS_OF_A_SENTENCE: Final = 5.0
MOST_ZIPF: Final = 0.6
# The seed's 20 % hold for languages like German; of three sentences in Estonian, Croatian or Korean 5 to 15 % are Zipf words,
# of lists of words in any language with spaces 5 % at most.
FEW_ZIPF: Final = 0.15
BITS_OF_A_FEW_WORDS: Final = 3.0
UNSPACED_LETTERS: Final = 12
"""More letters between spaces than words have on average in any language: the text is written without spaces."""
LETTERS_OF_UNSPACED_WORD: Final = 2
USUAL_WORD_LETTERS: Final = 5.0


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
    few_zipf: float
    """For too few Zipf words, none as against 15 %, and each doubling of the words beyond eight: the longer, the surer."""


def weigh(text: str, letters: float, zipf_share: float, weights: Weights) -> float:
    """Return the sum of what speaks for running text."""
    return float(sum(map(mul, weights, features(text, letters, zipf_share))))


def features(text: str, letters: float, zipf_share: float) -> tuple[float, ...]:
    """Return what is seen of a text, in the order of `Weights`."""
    parts = text.split()
    if not parts:
        return (1.0, *[0.0] * (len(Weights._fields) - 1))
    count = len(parts)
    spaced = letters <= UNSPACED_LETTERS * count
    words = count if spaced else letters / LETTERS_OF_UNSPACED_WORD
    stops = sum([text.count(stop + " ") for stop in SPACED_STOPS])
    if not spaced:
        stops = sum(map(text.count, UNSPACED_STOPS))
    bits = log2(words + 1)
    return (
        1.0,
        min(zipf_share, MOST_ZIPF),
        min(bits, MOST_BITS_OF_WORDS),
        float(text.rstrip(CLOSING)[-1:] in set(SENTENCE_ENDS)),
        max(0.0, bits - log2(stops + 1) - BITS_OF_A_SENTENCE),
        sum([part[0].isupper() for part in parts[1:]]) / count if spaced else 0.0,
        letters / (len(text) - count + 1),
        letters / count if spaced else USUAL_WORD_LETTERS,
        float(parts[0][0].islower()),
        max(0.0, 1 - zipf_share / FEW_ZIPF) * max(0.0, min(bits, MOST_BITS_OF_WORDS) - BITS_OF_A_FEW_WORDS),
    )
