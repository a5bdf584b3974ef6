"""The result of language detection for one text."""

from typing import NamedTuple

import msgspec

SURE = 0.7
"""The share from which a language counts as recognised. Stein 1997, section 4.7, keeps sentences with this share."""


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
    """The share of the best candidate, 0 for unknown: how often such a verdict is right."""
    running: bool = False
    """Whether it is running text, not a list or a table."""
    zipf_share: float = 0.0
    """The share of its words that are Zipf words of the language: words above 0.06 % of all words."""
    sure: bool = False
    """Whether the confidence is at least 0.7. Otherwise the text is too short or too mixed, and `language` a guess."""


UNKNOWN = Verdict()


class BestLanguage(NamedTuple):
    """What a page needs to know of each of its texts: a verdict without candidates, found in less time."""

    language: str | None
    confidence: float
    zipf_share: float

    @property
    def sure(self) -> bool:
        """Whether the language counts as recognised."""
        return self.confidence >= SURE


NO_LANGUAGE = BestLanguage(None, 0.0, 0.0)
