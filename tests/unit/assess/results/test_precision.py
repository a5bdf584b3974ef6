import math
from itertools import count, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.assess.records import Item, Sample, Stratum, Verdict
from gossamer.assess.results.precision import compute_overall_precision, compute_precisions, wilson_interval


def test_the_wilson_interval_agrees_with_a_worked_example() -> None:
    # 81 of 263 at 95 %: Newcombe 1998, Statistics in Medicine 17, table I: 0.2553 to 0.3662.
    low, high = wilson_interval(81 / 263, 263)
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)
    # 0 of 20 and 1 of 29, from the same table.
    assert [round(end, 4) for end in wilson_interval(0, 20)] == [0.0, 0.1611]
    assert [round(end, 4) for end in wilson_interval(1 / 29, 29)] == [0.0061, 0.1718]


@given(st.integers(1, 500), st.data())
def test_the_wilson_interval_contains_the_share_and_solves_its_equation(
    judged: int, data: st.DataObject
) -> None:
    share = data.draw(st.integers(0, judged)) / judged
    low, high = wilson_interval(share, judged)
    assert 0 <= low <= share + 1e-12
    assert share - 1e-12 <= high <= 1
    for end in (low, high):
        if 1e-9 < end < 1 - 1e-9:
            assert abs(share - end) == pytest.approx(1.959963984540054 * math.sqrt(end * (1 - end) / judged))


def test_without_judgements_the_interval_is_from_zero_to_one() -> None:
    assert wilson_interval(0.0, 0) == (0.0, 1.0)


def make_sample(*strata: tuple[int, int, int, int]) -> tuple[Sample, dict[int, Verdict]]:
    """Make a sample by depth from (pages of the web, relevant, not relevant, unsure) for each depth."""
    numbers = count(1)
    items: list[Item] = []
    verdicts: dict[int, Verdict] = {}
    for depth, (_, relevant, against, unsure) in enumerate(strata):
        times: dict[Verdict, int] = {"relevant": relevant, "not": against, "unsure": unsure}
        for verdict, number in times.items():
            for page in islice(numbers, number):
                items.append(Item(page, depth=depth, order="topic" if page % 2 else "breadth"))
                verdicts[page] = verdict
    made = tuple(Stratum((str(depth),), pages) for depth, (pages, *_) in enumerate(strata))
    return Sample("s", 10, 1, by=("depth",), strata=made, items=tuple(items)), verdicts


def test_precision_is_computed_for_each_stratum_without_unsure_verdicts() -> None:
    sample, verdicts = make_sample((10, 9, 1, 0), (1000, 2, 6, 2))
    shallow, deep = compute_precisions(sample, verdicts)
    assert (shallow.values, shallow.judged, shallow.relevant, shallow.precision) == (("0",), 10, 9, 0.9)
    assert (deep.values, deep.sampled, deep.judged, deep.unsure, deep.precision) == (("1",), 10, 8, 2, 0.25)
    assert (deep.low, deep.high) == wilson_interval(0.25, 8)


def test_in_the_overall_precision_each_stratum_counts_by_its_pages() -> None:
    sample, verdicts = make_sample((10, 9, 1, 0), (990, 2, 6, 2))
    found = compute_overall_precision(sample, verdicts)
    assert found.precision == pytest.approx((10 * 0.9 + 990 * 0.25) / 1000)
    assert found.values == ()
    # Eight judgements have nearly all the weight: the interval is about as wide as theirs.
    assert found.high - found.low > 0.9 * (wilson_interval(0.25, 8)[1] - wilson_interval(0.25, 8)[0])


def test_groups_may_cut_across_strata() -> None:
    sample, verdicts = make_sample((100, 4, 4, 0), (100, 0, 8, 0))
    breadth, topic = compute_precisions(sample, verdicts, ("order",))
    assert (breadth.values, topic.values) == (("breadth",), ("topic",))
    assert breadth.judged == topic.judged == 8
    assert breadth.precision == topic.precision == 0.25


def test_unjudged_strata_have_no_precision() -> None:
    sample, verdicts = make_sample((10, 1, 1, 0), (10, 1, 1, 0))
    del verdicts[3], verdicts[4]
    assert [one.precision for one in compute_precisions(sample, verdicts)] == [0.5, None]
    assert compute_precisions(sample, verdicts)[1].high == 1.0
    assert compute_overall_precision(sample, {}).precision is None
