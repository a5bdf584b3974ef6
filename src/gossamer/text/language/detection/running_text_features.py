"""The features that distinguish running text, in plain Python.

`running_text_features_compiled.pyx` computes the same, compiled; a test keeps both equal.
"""

from math import log2
from operator import mul
from typing import Final, NamedTuple

SENTENCE_ENDS: Final = ".!?…。！？｡।॥؟۔"
CLOSING: Final = "\"'”’»›)]」』） "
SPACED_STOPS: Final = ".!?؟۔।"
"""Marks that end a sentence before a space."""
UNSPACED_STOPS: Final = "。！？ "
"""Marks that end a sentence in scripts without spaces, where a space does too."""
# Beyond 64 words, more words add nothing; a sentence of more than 32 words is rarely one.
MOST_BITS_OF_WORDS: Final = 6.0
BITS_OF_A_SENTENCE: Final = 5.0
MOST_ZIPF: Final = 0.6
# The 20 % of Stein 1997 hold for languages like German. In three sentences of Estonian, Croatian or Korean, 5 to 15 % are
# Zipf words; in word lists of any language with spaces, at most 5 %.
FEW_ZIPF: Final = 0.15
BITS_OF_A_FEW_WORDS: Final = 3.0
UNSPACED_LETTERS: Final = 12
"""With more letters between spaces than the words of any language have on average, the script has no spaces."""
LETTERS_OF_UNSPACED_WORD: Final = 2
USUAL_WORD_LETTERS: Final = 5.0


class RunningTextWeights(NamedTuple):
    """The weight of each feature: a weighted sum above 0 means running text."""

    base: float
    zipf: float
    """For the share of Zipf words."""
    length: float
    """For each doubling of the number of words."""
    ends: float
    """For a mark at the end of the text that ends a sentence."""
    endless: float
    """For each doubling, beyond 32, of the words between two such marks."""
    capitals: float
    """For the share of words after the first that begin with a capital."""
    letters: float
    """For the share of letters among all characters except spaces."""
    word_letters: float
    """For each letter of the average word length."""
    begins_small: float
    """For a first letter in lower case."""
    few_zipf: float
    """For fewer than 15 % Zipf words, times each doubling of the words beyond eight: longer texts are surer."""


def weigh(text: str, letters: float, zipf_share: float, weights: RunningTextWeights) -> float:
    """Return the weighted sum of the features: above 0 for running text."""
    return float(sum(map(mul, weights, extract_features(text, letters, zipf_share))))


def count_letters(text: str) -> int:
    """Return the number of letters of any script."""
    return sum(map(str.isalpha, text))


def extract_features(text: str, letters: float, zipf_share: float) -> tuple[float, ...]:
    """Return the features of a text, in the order of `RunningTextWeights`."""
    parts = text.split()
    if not parts:
        return (1.0, *[0.0] * (len(RunningTextWeights._fields) - 1))
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
