"""Do judges agree, beyond what chance alone would make them?"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations

import msgspec

from gossamer.assess.records import Judgement, Verdict


class Agreement(msgspec.Struct, frozen=True):
    """How far some judges agree on the pages that all of them judged."""

    judges: tuple[str, ...]
    measure: str
    """Cohen's kappa for two, Fleiss' for more."""
    pages: int
    agreed: float
    """Share of pairs of judgements of one page that are the same."""
    kappa: float | None
    """1: always the same, 0: as by chance; None where everybody always says one thing, or no page is common."""


def agreements(judgements: Sequence[Judgement]) -> list[Agreement]:
    """Return the agreement of all judges, and that of each two if there are more."""
    said: dict[str, dict[int, Verdict]] = defaultdict(dict)
    for one in judgements:
        said[one.judge][one.page] = one.verdict
    judges = sorted(said)
    if len(judges) < 2:
        return []
    pairs = [_of_two(said, pair) for pair in combinations(judges, 2)]
    return pairs if len(judges) == 2 else [_of_many(said, tuple(judges)), *pairs]


def cohen(first: Sequence[str], second: Sequence[str]) -> float | None:
    """Return Cohen's kappa of two judges: (observed - expected) / (1 - expected) agreement.

    Expected is what two judges with these habits would have in common by chance. None where that is everything.
    Source: Cohen 1960, Educational and Psychological Measurement 20.
    """
    if not first:
        return None
    pages = len(first)
    observed = sum(one == other for one, other in zip(first, second, strict=True)) / pages
    habits, others = Counter(first), Counter(second)
    expected = sum(habits[verdict] * others[verdict] for verdict in habits) / pages**2
    return None if expected == 1 else (observed - expected) / (1 - expected)


def fleiss(pages: Sequence[Sequence[str]]) -> float | None:
    """Return Fleiss' kappa: for each page, what each of the same number of judges said of it.

    Source: Fleiss 1971, Psychological Bulletin 76.
    """
    if not pages:
        return None
    judges = len(pages[0])
    shares = Counter(verdict for page in pages for verdict in page)
    expected = sum((count / (judges * len(pages))) ** 2 for count in shares.values())
    return None if expected == 1 else (_agreed(pages) - expected) / (1 - expected)


def _agreed(pages: Sequence[Sequence[str]]) -> float:
    """Return which share of the pairs of judgements of one page are the same."""
    same = sum(count * (count - 1) for page in pages for count in Counter(page).values())
    pairs = sum(len(page) * (len(page) - 1) for page in pages)
    return same / pairs if pairs else 0.0


def _of_two(said: Mapping[str, Mapping[int, Verdict]], pair: tuple[str, str]) -> Agreement:
    pages = _common(said, pair)
    kappa = cohen([page[0] for page in pages], [page[1] for page in pages])
    return Agreement(pair, "Cohen's kappa", len(pages), _agreed(pages), kappa)


def _of_many(said: Mapping[str, Mapping[int, Verdict]], judges: tuple[str, ...]) -> Agreement:
    pages = _common(said, judges)
    return Agreement(judges, "Fleiss' kappa", len(pages), _agreed(pages), fleiss(pages))


def _common(said: Mapping[str, Mapping[int, Verdict]], judges: tuple[str, ...]) -> list[tuple[Verdict, ...]]:
    """Return what these judges said of the pages that all of them judged."""
    common = set.intersection(*(set(said[judge]) for judge in judges))
    return [tuple(said[judge][page] for judge in judges) for page in sorted(common)]
