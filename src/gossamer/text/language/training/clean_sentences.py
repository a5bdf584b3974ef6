"""Lists made of nothing but sentences that are clearly in one language: what cleans lists of a crawl."""

from collections.abc import Collection, Iterable

from gossamer.text.language.detection.detect_language import detect_many
from gossamer.text.language.model.model import Model
from gossamer.text.language.verdict import Verdict

LEAST_SHARE = 0.7
MOST_OF_SECOND = 0.1
"""Seed 003, section 4.7: a sentence is kept if its language has at least 70 % and the second at most 10 %."""


def cleaned(sentences: Iterable[str], languages: Collection[str], model: Model) -> dict[str, list[str]]:
    """Sort sentences by the language they are recognised in, without those in doubt or in none of the languages.

    The page's label does not matter any more: English sentences of German pages go to English. Cost: one look at each.
    """
    kept: dict[str, list[str]] = {code: [] for code in languages}
    listed = list(sentences)
    for sentence, verdict in zip(listed, detect_many(listed, model=model), strict=True):
        if verdict.language in kept and is_clear(verdict):
            kept[verdict.language].append(sentence)
    return kept


def is_clear(verdict: Verdict) -> bool:
    """Say whether a verdict leaves no doubt."""
    shares = [candidate.share for candidate in verdict.candidates[:2]]
    return bool(shares) and shares[0] >= LEAST_SHARE and all(one <= MOST_OF_SECOND for one in shares[1:])
