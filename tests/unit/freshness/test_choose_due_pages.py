"""The most valuable pages are chosen within limits."""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gossamer.freshness.choose_due_pages import choose_due_pages, number_within_groups

PAGES = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 2)), max_size=7)


@given(PAGES, st.integers(0, 7), st.lists(st.integers(0, 3), min_size=3, max_size=3))
def test_no_other_choice_within_the_limits_is_worth_more(
    pages: list[tuple[int, int]], most: int, host_most: list[int]
) -> None:
    value = np.array([float(worth) for worth, _ in pages])
    host = np.array([host for _, host in pages], np.int64)
    taken = choose_due_pages(value, host, most, np.array(host_most))
    assert len(set(taken.tolist())) == len(taken) <= most
    assert all((host[taken] == one).sum() <= host_most[one] for one in range(3))
    best = 0.0
    for size in range(min(most, len(pages)) + 1):
        for some in itertools.combinations(range(len(pages)), size):
            if all(sum(host[page] == one for page in some) <= host_most[one] for one in range(3)):
                best = max(best, sum(value[page] for page in some))
    assert value[taken].sum() == best
    assert (np.diff(value[taken]) <= 0).all()


def test_many_pages_of_one_full_host_do_not_exclude_those_of_others() -> None:
    value = np.concatenate([np.full(5000, 9.0), np.full(10, 1.0)])
    host = np.concatenate([np.zeros(5000, np.int64), np.ones(10, np.int64)])
    taken = choose_due_pages(value, host, 6, np.array([2, 3]))
    assert host[taken].tolist() == [0, 0, 1, 1, 1]


def test_members_are_numbered_within_their_groups() -> None:
    assert number_within_groups(np.array([4, 2, 4, 4, 2])).tolist() == [0, 0, 1, 2, 1]
