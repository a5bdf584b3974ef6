"""Agreement between judges, beyond what chance alone would give: Cohen's and Fleiss' kappa."""

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
    """The share of pairs of judgements on one page that are the same."""
    kappa: float | None
    """1: always the same, 0: as by chance; None if only one verdict occurs, or the judges have no page in common."""


def measure_agreements(judgements: Sequence[Judgement]) -> list[Agreement]:
    """Return the agreement of all judges, and of each pair if there are more than two."""
    verdicts: dict[str, dict[int, Verdict]] = defaultdict(dict)
    for one in judgements:
        verdicts[one.judge][one.page] = one.verdict
    judges = sorted(verdicts)
    if len(judges) < 2:
        return []
    pairs = [_compare_pair(verdicts, pair) for pair in combinations(judges, 2)]
    return pairs if len(judges) == 2 else [_compare_all(verdicts, tuple(judges)), *pairs]


def cohen_kappa(first: Sequence[str], second: Sequence[str]) -> float | None:
    """Return Cohen's kappa of two judges: (observed - expected) / (1 - expected) agreement.

    Expected is what two judges with these shares of verdicts would have in common by chance; None if that is 1.
    Source: Cohen 1960, Educational and Psychological Measurement 20.
    """
    if not first:
        return None
    pages = len(first)
    observed = sum(one == other for one, other in zip(first, second, strict=True)) / pages
    counts, others = Counter(first), Counter(second)
    expected = sum(counts[verdict] * others[verdict] for verdict in counts) / pages**2
    return None if expected == 1 else (observed - expected) / (1 - expected)


def fleiss_kappa(pages: Sequence[Sequence[str]]) -> float | None:
    """Return Fleiss' kappa; `pages` has the verdicts on each page, of the same number of judges.

    Source: Fleiss 1971, Psychological Bulletin 76.
    """
    if not pages:
        return None
    judges = len(pages[0])
    shares = Counter(verdict for page in pages for verdict in page)
    expected = sum((count / (judges * len(pages))) ** 2 for count in shares.values())
    return None if expected == 1 else (_measure_agreed_share(pages) - expected) / (1 - expected)


def _measure_agreed_share(pages: Sequence[Sequence[str]]) -> float:
    """Return the share of pairs of judgements on one page that are the same."""
    same = sum(count * (count - 1) for page in pages for count in Counter(page).values())
    pairs = sum(len(page) * (len(page) - 1) for page in pages)
    return same / pairs if pairs else 0.0


def _compare_pair(verdicts: Mapping[str, Mapping[int, Verdict]], pair: tuple[str, str]) -> Agreement:
    pages = _select_common(verdicts, pair)
    kappa = cohen_kappa([page[0] for page in pages], [page[1] for page in pages])
    return Agreement(pair, "Cohen's kappa", len(pages), _measure_agreed_share(pages), kappa)


def _compare_all(verdicts: Mapping[str, Mapping[int, Verdict]], judges: tuple[str, ...]) -> Agreement:
    pages = _select_common(verdicts, judges)
    return Agreement(judges, "Fleiss' kappa", len(pages), _measure_agreed_share(pages), fleiss_kappa(pages))


def _select_common(
    verdicts: Mapping[str, Mapping[int, Verdict]], judges: tuple[str, ...]
) -> list[tuple[Verdict, ...]]:
    """Return the verdicts of these judges on the pages that all of them judged."""
    common = set.intersection(*(set(verdicts[judge]) for judge in judges))
    return [tuple(verdicts[judge][page] for judge in judges) for page in sorted(common)]
