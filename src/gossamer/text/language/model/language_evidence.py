"""The result of both scorers, compiled and plain, and the constants that turn penalties into shares."""

from typing import NamedTuple

# Words of a text depend on each other: their joint evidence grows with this power of their number.
INDEPENDENCE = 0.5
# A language that is farther behind the best one, in nats, has no share.
FARTHEST = 12.0
LEAST_SHARE = 0.005
MOST_CANDIDATES = 5


class LanguageEvidence(NamedTuple):
    """Counts of a text, and the languages that it may be in."""

    letters: int
    words: int
    junk: int
    zipf_words: int
    """Zipf words of the best language."""
    shares: tuple[tuple[int, float], ...]
    """Numbers of languages with their shares, the best first."""
