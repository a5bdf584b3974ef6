"""What both scorers, compiled and plain, say of a text, and how penalties become shares."""

from typing import NamedTuple

# Words of a text depend on each other: what they say together grows with a power of their number, not with it.
INDEPENDENCE = 0.5
# A language that is farther behind the best, in nats, has no share at all.
FARTHEST = 12.0
LEAST_SHARE = 0.005
MOST_CANDIDATES = 5


class Judgement(NamedTuple):
    """What there is in a text, and which languages it may be in."""

    letters: int
    words: int
    junk: int
    zipf_words: int
    """Zipf words of the best language."""
    shares: tuple[tuple[int, float], ...]
    """Numbers of languages with their shares, the best first."""
