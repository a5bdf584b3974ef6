"""Shares of single words, corrected so that a share of 0.8 is right in 80 % of all cases.

Words in a text correct each other, and the shares of two words and more are right as often as they say. A single word,
above all one outside the lists, is judged with too much confidence. Alternatives: docs/decisions/0027-calibrated-words.md.
"""

from bisect import bisect_right
from typing import Final

MOST_WORDS: Final = 1
# With few candidates a share says something else: a word that can only be Danish or Norwegian is in one of them.
_FEWEST_CANDIDATES: Final = 10

# Fitted by `bench/language_calibration.py --fit` on the even lines of the development data.
KNOTS: Final = (
    (0.0, 0.0), (0.2, 0.2), (0.36, 0.32), (0.47, 0.35), (0.55, 0.43), (0.62, 0.48), (0.73, 0.52), (0.85, 0.73),
    (0.93, 0.92), (1.0, 1.0),
)  # fmt: skip
"""How often the best language is right, by its share; linear in between."""


def calibrate_shares(
    shares: tuple[tuple[int, float], ...], words: int, candidates: int
) -> tuple[tuple[int, float], ...]:
    """Return the shares of languages, the best first, corrected for a text of this many words."""
    if words > MOST_WORDS or candidates < _FEWEST_CANDIDATES:
        return shares
    at, best = shares[0]
    if best >= 1.0:
        return shares
    right = _interpolate(best)
    others = (1 - right) / (1 - best)
    return ((at, right), *((other, min(right, share * others)) for other, share in shares[1:]))


def _interpolate(share: float) -> float:
    at = min(bisect_right(KNOTS, (share, 2.0)), len(KNOTS) - 1)
    (x, y), (u, v) = KNOTS[at - 1], KNOTS[at]
    return y + (v - y) * (share - x) / (u - x)
