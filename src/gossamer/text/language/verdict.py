"""What a recogniser says of a text."""

import msgspec


class Candidate(msgspec.Struct, frozen=True):
    """A language that a text may be in, with its share of the probability."""

    language: str
    share: float


class Verdict(msgspec.Struct, frozen=True):
    """Which language a text is in, as a BCP 47 code or None for unknown, and what speaks for it."""

    language: str | None = None
    candidates: tuple[Candidate, ...] = ()
    """The best first; shares add up to 1, less what is too small to name."""
    confidence: float = 0.0
    """The share of the best candidate, 0 for unknown."""
    running: bool = False
    """Whether it is running text at all, not a list or a table."""
    zipf_share: float = 0.0
    """How many of its words are Zipf words of the language: those above 0.06 % of all words."""


UNKNOWN = Verdict()
