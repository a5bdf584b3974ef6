"""Tells whether a field stopped matching: pages change their layout, and selectors silently find nothing."""

import math
from collections.abc import Sequence
from typing import Literal

import msgspec

Verdict = Literal["steady", "stopped", "fell", "never matched", "no pages"]
CHANCE = 0.001
"""How improbable a run of misses, or a fall, must be if nothing has changed."""
LEAST_FALL = 0.1
"""A smaller fall of the share of matches is not reported."""


class FieldDrift(msgspec.Struct, frozen=True):
    """How often a field matched, earlier and later."""

    name: str
    required: bool
    pages: int
    """Copies of pages that should have the field."""
    matched: int
    earlier: float
    """The share of matches in the first half of the copies, by time; before the last match if the field stopped."""
    later: float
    verdict: Verdict
    since_s: float = 0.0
    """When the field stopped: the time of the first copy after the last match."""


def measure_drift(name: str, required: bool, seen: Sequence[tuple[float, bool]]) -> FieldDrift:
    """Compare earlier and later copies of the pages that should have a field; `seen` are times, and whether it matched.

    It *stopped* if the run of misses at the end is improbable (below `CHANCE`) at the share of matches before, and *fell* if the share of
    the second half is lower than that of the first by more than chance explains (a test of two proportions) and by `LEAST_FALL`.
    Cost: O(n log n).
    """
    found = [is_match for _, is_match in sorted(seen)]
    times = sorted(when_s for when_s, _ in seen)
    matched, total = sum(found), len(found)
    if not total or not matched:
        return FieldDrift(name, required, total, 0, 0.0, 0.0, "never matched" if total else "no pages")
    last = total - 1 - found[::-1].index(True)
    before = matched / (last + 1)
    misses = total - last - 1
    if misses and _is_run_improbable(before, misses):
        return FieldDrift(name, required, total, matched, before, 0.0, "stopped", times[last + 1])
    half = total // 2
    earlier = sum(found[:half]) / half if half else 1.0
    later = sum(found[half:]) / (total - half)
    fell = earlier - later >= LEAST_FALL and _is_fall_improbable(earlier, half, later, total - half)
    return FieldDrift(name, required, total, matched, earlier, later, "fell" if fell else "steady")


def _is_run_improbable(share: float, misses: int) -> bool:
    # Of a field that always matched, three misses in a row are enough, and not one: a page may be an exception.
    return misses * math.log1p(-min(share, 0.95)) < math.log(CHANCE)


def _is_fall_improbable(earlier: float, before: int, later: float, after: int) -> bool:
    pooled = (earlier * before + later * after) / (before + after)
    spread = math.sqrt(pooled * (1 - pooled) * (1 / before + 1 / after))
    return spread > 0 and 0.5 * math.erfc((earlier - later) / spread / math.sqrt(2)) < CHANCE
