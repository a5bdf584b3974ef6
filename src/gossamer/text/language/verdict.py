"""The result of language detection for one text."""

import msgspec


class Candidate(msgspec.Struct, frozen=True):
    """A language that a text may be in, with its share of the probability."""

    language: str
    share: float


class Verdict(msgspec.Struct, frozen=True):
    """The language of a text as a BCP 47 code, or None for unknown, with its candidates."""

    language: str | None = None
    candidates: tuple[Candidate, ...] = ()
    """The best first; shares add up to 1, except for those too small to list."""
    confidence: float = 0.0
    """The share of the best candidate, 0 for unknown."""
    running: bool = False
    """Whether it is running text, not a list or a table."""
    zipf_share: float = 0.0
    """The share of its words that are Zipf words of the language: words above 0.06 % of all words."""


UNKNOWN = Verdict()
