"""Precision: which share of the pages found is relevant, as far as a sample can tell."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence

import msgspec

from gossamer.assess.records import Item, Sample, Verdict
from gossamer.assess.sample.strata import place, values_of

# 95 % of a normal distribution lie within so many standard deviations.
Z_95 = 1.959963984540054


class Precision(msgspec.Struct, frozen=True):
    """What is known of the precision of some pages."""

    values: tuple[str, ...]
    """What these pages are like, in the ways that were asked for."""
    sampled: int
    judged: int
    """Relevant or not; those of which judges are unsure say nothing."""
    relevant: int
    unsure: int
    precision: float | None
    """None if nobody has judged any of them."""
    low: float
    high: float
    """Within these ends it lies, 95 times in 100."""


def wilson(share: float, judged: float, z: float = Z_95) -> tuple[float, float]:
    """Return the ends of the interval for a share that so many independent judgements showed.

    Never outside 0 to 1, and not empty where all or none are relevant. Source: Wilson 1927, Journal of the American
    Statistical Association 22. With judgements of unequal weight, `judged` is their effective number (Kish 1965).
    """
    if judged <= 0:
        return 0.0, 1.0
    spread = z * z / judged
    middle = (share + spread / 2) / (1 + spread)
    half = z * math.sqrt(share * (1 - share) / judged + spread / (4 * judged)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def precisions(
    sample: Sample,
    verdicts: Mapping[int, Verdict],
    by: tuple[str, ...] | None = None,
    only: Callable[[Item], bool] = lambda _: True,
) -> list[Precision]:
    """Return the precision of each group of pages, by default by what the sample was drawn by.

    Within a stratum every judged page counts alike. Where groups cut across strata, each judged page stands for as many
    as its stratum has: a stratum of ten thousand pages does not count less because a hundred of it were drawn.
    """
    chosen = sample.by if by is None else by
    weights = _weights(sample, verdicts)
    groups: dict[tuple[str, ...], list[Item]] = defaultdict(list)
    for item in filter(only, sample.items):
        groups[values_of(item, chosen)].append(item)
    return [
        _precision(values, groups[values], sample, verdicts, weights) for values in sorted(groups, key=place)
    ]


def whole(sample: Sample, verdicts: Mapping[int, Verdict]) -> Precision:
    """Return the precision of all pages that the sample stands for."""
    return precisions(sample, verdicts, ())[0]


def _weights(sample: Sample, verdicts: Mapping[int, Verdict]) -> dict[tuple[str, ...], float]:
    """Return for how many pages of its stratum each judged one stands."""
    judged = Counter(
        values_of(item, sample.by) for item in sample.items if verdicts.get(item.page) in ("relevant", "not")
    )
    return {
        stratum.values: stratum.pages / judged[stratum.values]
        for stratum in sample.strata
        if judged[stratum.values]
    }


def _precision(
    values: tuple[str, ...],
    items: Sequence[Item],
    sample: Sample,
    verdicts: Mapping[int, Verdict],
    weights: Mapping[tuple[str, ...], float],
) -> Precision:
    said = Counter(verdicts[item.page] for item in items if item.page in verdicts)
    weighed = [
        (weights[values_of(item, sample.by)], verdicts[item.page] == "relevant")
        for item in items
        if verdicts.get(item.page) in ("relevant", "not")
    ]
    total = sum(weight for weight, _ in weighed)
    share = sum(weight for weight, is_relevant in weighed if is_relevant) / total if weighed else None
    effective = total**2 / sum(weight**2 for weight, _ in weighed) if weighed else 0.0
    low, high = wilson(share or 0.0, effective)
    return Precision(values, len(items), len(weighed), said["relevant"], said["unsure"], share, low, high)
