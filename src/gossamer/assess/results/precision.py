"""Precision: the share of relevant pages, estimated from a judged sample, with its interval."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence

import msgspec

from gossamer.assess.records import Item, Sample, Verdict
from gossamer.assess.sample.strata import get_values, sort_key

# 95 % of a normal distribution lie within this many standard deviations.
Z_95 = 1.959963984540054


class Precision(msgspec.Struct, frozen=True):
    """The precision of a group of pages, as far as it was judged."""

    values: tuple[str, ...]
    """The values of the group, one for each grouping."""
    sampled: int
    judged: int
    """Pages judged relevant or not; those of which judges are unsure do not count."""
    relevant: int
    unsure: int
    precision: float | None
    """None if no page of the group was judged."""
    low: float
    high: float
    """The precision lies between `low` and `high`, 95 times in 100."""


def wilson_interval(share: float, judged: float, z: float = Z_95) -> tuple[float, float]:
    """Return the ends of the Wilson interval of a share among independent judgements.

    It stays within 0 and 1, and is not empty if all or none are relevant. Source: Wilson 1927, Journal of the American
    Statistical Association 22. With judgements of unequal weight, `judged` is their effective number (Kish 1965).
    """
    if judged <= 0:
        return 0.0, 1.0
    spread = z * z / judged
    middle = (share + spread / 2) / (1 + spread)
    half = z * math.sqrt(share * (1 - share) / judged + spread / (4 * judged)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def compute_precisions(
    sample: Sample,
    verdicts: Mapping[int, Verdict],
    by: tuple[str, ...] | None = None,
    only: Callable[[Item], bool] = lambda _: True,
) -> list[Precision]:
    """Return the precision of each group of pages, by default grouped as the sample was drawn.

    Within a stratum all judged pages have the same weight. Where groups cut across strata, each judged page stands for
    its part of the stratum: a stratum of ten thousand pages does not count less because only a hundred were drawn.
    """
    chosen = sample.by if by is None else by
    weights = _compute_weights(sample, verdicts)
    groups: dict[tuple[str, ...], list[Item]] = defaultdict(list)
    for item in filter(only, sample.items):
        groups[get_values(item, chosen)].append(item)
    return [
        _compute_precision(values, groups[values], sample, verdicts, weights)
        for values in sorted(groups, key=sort_key)
    ]


def compute_overall_precision(sample: Sample, verdicts: Mapping[int, Verdict]) -> Precision:
    """Return the precision of all pages that the sample stands for."""
    return compute_precisions(sample, verdicts, ())[0]


def _compute_weights(sample: Sample, verdicts: Mapping[int, Verdict]) -> dict[tuple[str, ...], float]:
    """Return how many pages of its stratum each judged page stands for."""
    judged = Counter(
        get_values(item, sample.by) for item in sample.items if verdicts.get(item.page) in ("relevant", "not")
    )
    return {
        stratum.values: stratum.pages / judged[stratum.values]
        for stratum in sample.strata
        if judged[stratum.values]
    }


def _compute_precision(
    values: tuple[str, ...],
    items: Sequence[Item],
    sample: Sample,
    verdicts: Mapping[int, Verdict],
    weights: Mapping[tuple[str, ...], float],
) -> Precision:
    counts = Counter(verdicts[item.page] for item in items if item.page in verdicts)
    weighed = [
        (weights[get_values(item, sample.by)], verdicts[item.page] == "relevant")
        for item in items
        if verdicts.get(item.page) in ("relevant", "not")
    ]
    total = sum(weight for weight, _ in weighed)
    share = sum(weight for weight, is_relevant in weighed if is_relevant) / total if weighed else None
    effective = total**2 / sum(weight**2 for weight, _ in weighed) if weighed else 0.0
    low, high = wilson_interval(share or 0.0, effective)
    return Precision(
        values=values,
        sampled=len(items),
        judged=len(weighed),
        relevant=counts["relevant"],
        unsure=counts["unsure"],
        precision=share,
        low=low,
        high=high,
    )
