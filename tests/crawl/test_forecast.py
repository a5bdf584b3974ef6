"""The end of a crawl is forecast when half of its pages are kept: a few of the worlds of bench/forecast.py."""

import sys

import msgspec
import pytest

sys.path.insert(0, "bench")

from forecast import WORLDS, GroundTruth, crawl_world, judge

FEW = {"small": 100, "page limit": 300, "time limit": 300}
"""The worlds, and how many pages they have here."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "truth", [truth for truth in WORLDS if truth.name in FEW], ids=lambda truth: truth.name
)
def test_the_end_is_within_a_quarter_of_the_truth_at_half_time(truth: GroundTruth) -> None:
    small = msgspec.structs.replace(truth, world=truth.world | {"pages": FEW[truth.name]})
    steps = crawl_world(small)
    off_time, off_pages, _ = judge(steps)
    assert steps[-1].pages > 50
    assert min(off_time, off_pages) <= 0.25
    assert max(off_time, off_pages) <= 0.5  # such small worlds may be far off in one of them
