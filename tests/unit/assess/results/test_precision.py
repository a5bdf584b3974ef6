import math
from itertools import count, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.assess.records import Item, Sample, Stratum, Verdict
from gossamer.assess.results.precision import precisions, whole, wilson


def test_wilson_agrees_with_a_worked_example() -> None:
    # 81 of 263 at 95 %: Newcombe 1998, Statistics in Medicine 17, table I: 0.2553 to 0.3662.
    low, high = wilson(81 / 263, 263)
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)
    # 0 of 20 and 1 of 29, from the same table.
    assert [round(end, 4) for end in wilson(0, 20)] == [0.0, 0.1611]
    assert [round(end, 4) for end in wilson(1 / 29, 29)] == [0.0061, 0.1718]


@given(st.integers(1, 500), st.data())
def test_wilson_holds_the_share_and_solves_its_own_equation(judged: int, data: st.DataObject) -> None:
    share = data.draw(st.integers(0, judged)) / judged
    low, high = wilson(share, judged)
    assert 0 <= low <= share + 1e-12
    assert share - 1e-12 <= high <= 1
    for end in (low, high):
        if 1e-9 < end < 1 - 1e-9:
            assert abs(share - end) == pytest.approx(1.959963984540054 * math.sqrt(end * (1 - end) / judged))


def test_nothing_judged_says_nothing() -> None:
    assert wilson(0.0, 0) == (0.0, 1.0)


def sample_of(*strata: tuple[int, int, int, int]) -> tuple[Sample, dict[int, Verdict]]:
    """Make a sample by depth: for each depth how many pages the web has, and how many are judged how."""
    numbers = count(1)
    items: list[Item] = []
    said: dict[int, Verdict] = {}
    for depth, (_, relevant, against, unsure) in enumerate(strata):
        times: dict[Verdict, int] = {"relevant": relevant, "not": against, "unsure": unsure}
        for verdict, number in times.items():
            for page in islice(numbers, number):
                items.append(Item(page, depth=depth, order="topic" if page % 2 else "breadth"))
                said[page] = verdict
    made = tuple(Stratum((str(depth),), pages) for depth, (pages, *_) in enumerate(strata))
    return Sample("s", 10, 1, by=("depth",), strata=made, items=tuple(items)), said


def test_strata_are_told_apart_and_doubt_does_not_count() -> None:
    sample, said = sample_of((10, 9, 1, 0), (1000, 2, 6, 2))
    shallow, deep = precisions(sample, said)
    assert (shallow.values, shallow.judged, shallow.relevant, shallow.precision) == (("0",), 10, 9, 0.9)
    assert (deep.values, deep.sampled, deep.judged, deep.unsure, deep.precision) == (("1",), 10, 8, 2, 0.25)
    assert (deep.low, deep.high) == wilson(0.25, 8)


def test_of_the_whole_each_stratum_counts_by_its_pages() -> None:
    sample, said = sample_of((10, 9, 1, 0), (990, 2, 6, 2))
    told = whole(sample, said)
    assert told.precision == pytest.approx((10 * 0.9 + 990 * 0.25) / 1000)
    assert told.values == ()
    # Nearly all weight lies on eight judgements: the interval is about as wide as theirs.
    assert told.high - told.low > 0.9 * (wilson(0.25, 8)[1] - wilson(0.25, 8)[0])


def test_groups_may_cut_across_strata() -> None:
    sample, said = sample_of((100, 4, 4, 0), (100, 0, 8, 0))
    breadth, topic = precisions(sample, said, ("order",))
    assert (breadth.values, topic.values) == (("breadth",), ("topic",))
    assert breadth.judged == topic.judged == 8
    assert breadth.precision == topic.precision == 0.25


def test_unjudged_strata_have_no_precision() -> None:
    sample, said = sample_of((10, 1, 1, 0), (10, 1, 1, 0))
    del said[3], said[4]
    assert [one.precision for one in precisions(sample, said)] == [0.5, None]
    assert precisions(sample, said)[1].high == 1.0
    assert whole(sample, {}).precision is None
