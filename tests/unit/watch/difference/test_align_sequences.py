"""Sequences are aligned: right, in order, and at a bounded cost."""

import itertools
from random import Random

import pytest

from gossamer.watch.difference import align_sequences
from gossamer.watch.difference.align_sequences import align


def longest_common(old: str, new: str) -> int:
    """Return the length of the longest common subsequence, by the textbook's recursion in a table."""
    table = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for row, one in enumerate(old, 1):
        for column, other in enumerate(new, 1):
            diagonal = table[row - 1][column - 1] + 1 if one == other else 0
            table[row][column] = max(diagonal, table[row - 1][column], table[row][column - 1])
    return table[-1][-1]


@pytest.mark.parametrize("seed", range(40))
def test_pairs_are_equal_and_in_order(seed: int) -> None:
    dice = Random(seed)
    old = dice.choices("abcdef", k=dice.randrange(30))
    new = dice.choices("abcdef", k=dice.randrange(30))
    pairs = align(old, new)
    assert all(old[one] == new[other] for one, other in pairs)
    assert all(one < after[0] and other < after[1] for (one, other), after in itertools.pairwise(pairs))


@pytest.mark.parametrize("seed", range(20))
def test_without_unique_elements_the_subsequence_is_the_longest(seed: int) -> None:
    dice = Random(seed)
    old, new = "xyyx" + "".join(dice.choices("xy", k=40)), "yxxy" + "".join(dice.choices("xy", k=40))
    assert len(align(old, new)) == longest_common(old, new)


def test_an_insertion_leaves_all_else_matched() -> None:
    old = [str(number) for number in range(5_000)]
    new = [*old[:2_000], "new", *old[2_000:]]
    assert align(old, new) == [(at, at + (at >= 2_000)) for at in range(5_000)]


def test_the_limits_end_the_search_and_not_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = ["a", "b"] * 500, ["b", "a", "a"] * 400
    assert len(align(old, new)) <= 2  # too large a table: only equal ends are matched
    monkeypatch.setattr(align_sequences, "MOST_STEPS", 10)
    assert align(["x", *old], ["x", *new])[:1] == [(0, 0)]


def test_empty_sequences_have_nothing_in_common() -> None:
    assert align([], []) == align(["a"], []) == align([], ["a"]) == []
