"""The set of seen keys: which keys are new and which are in the set, for every form of input."""

from array import array
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.frontier.seen_set import SeenSet


def keys(*values: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(values, np.int64)


def test_a_key_is_new_once() -> None:
    seen = SeenSet()
    assert seen.add(keys(5, -7, 5, 2**63 - 1)).tolist() == [True, True, False, True]
    assert seen.add(keys(-7, 6)).tolist() == [False, True]
    assert seen.has(keys(5, 6, 7)).tolist() == [True, True, False]
    assert len(seen) == 4


def test_zero_is_a_key_like_any_other() -> None:
    seen = SeenSet()
    assert seen.has(keys(0)).tolist() == [False]
    assert seen.add(keys(0, 3, 0)).tolist() == [True, True, False]
    assert seen.add(keys(0)).tolist() == [False]
    assert seen.has(keys(0, 3)).tolist() == [True, True]
    assert len(seen) == 2


def test_it_grows_and_keeps_all_keys() -> None:
    many = np.random.default_rng(3).integers(-(2**63), 2**63 - 1, 50_000)
    seen = SeenSet()
    for start in range(0, many.size, 777):
        assert seen.add(many[start : start + 777]).all()
    assert len(seen) == many.size
    assert seen.has(many).all()
    assert not seen.add(many).any()


def test_keys_with_the_same_low_bits_are_distinguished() -> None:
    close = np.arange(1, 200_000, dtype=np.int64) << 40
    seen = SeenSet(close)
    assert len(seen) == close.size
    assert not seen.has(close + 1).any()


def test_it_agrees_with_a_set() -> None:
    dice = np.random.default_rng(11)
    seen, twin = SeenSet(), set[int]()
    for _ in range(200):
        batch = dice.integers(-300, 300, 20)
        expected = []
        for key in batch.tolist():
            expected.append(key not in twin)
            twin.add(key)
        assert seen.add(batch).tolist() == expected
    assert len(seen) == len(twin)


def test_lists_of_keys_are_tested_and_added_under_marks() -> None:
    seen = SeenSet()
    assert seen.add_many([5, -7, 5]) == bytes([1, 1, 0])
    assert seen.add_many([5, 5 ^ 9], 9) == bytes([1, 0])
    assert seen.add_many([9, 9], 9) == bytes([1, 0]), "9 XOR 9 is the key 0"
    assert seen.has_many([5, -7, 6, 0]) == bytes([1, 1, 0, 1])
    assert seen.has_many([5, 6, 9, -7], (9,)) == bytes([1, 0, 1, 0])
    assert seen.has_many([5, 6, 9, -7], (0, 9)) == bytes([1, 0, 1, 1])
    assert seen.has_many([5], ()) == bytes(1)
    assert seen.add_many([]) == seen.has_many([]) == b""
    assert len(seen) == 4


def test_any_array_of_64_bit_integers_is_accepted() -> None:
    packed = np.arange(-50, 50, dtype=np.int64)
    for keys_of_it in (packed, array("q", packed.tolist()), memoryview(packed.tobytes()).cast("q")):
        seen = SeenSet(keys_of_it)
        assert len(seen) == 100
        assert not seen.add(keys_of_it).any()
        assert seen.has(packed).all()
    assert len(SeenSet(keys())) == 0


@pytest.mark.parametrize(
    ("wrong", "error"),
    [([2**63], OverflowError), ([1, "2"], TypeError), (None, TypeError), ((1, 2), TypeError)],
)
def test_other_values_than_lists_of_keys_are_refused_and_change_nothing(
    wrong: Any, error: type[Exception]
) -> None:
    seen = SeenSet(keys(4))
    for call in (seen.add_many, seen.has_many):
        with pytest.raises(error):
            call(wrong)
    assert len(seen) == 1


@pytest.mark.parametrize(
    "wrong", [np.zeros(3), np.zeros(3, np.int32), np.zeros((2, 2), np.int64), b"12345678"]
)
def test_arrays_of_other_types_are_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match="Buffer"):
        SeenSet().add(wrong)


@given(st.lists(st.lists(st.integers(-20, 20) | st.integers(-(2**63), 2**63 - 1), max_size=40), max_size=12))
def test_lists_agree_with_a_set(batches: list[list[int]]) -> None:
    seen, twin = SeenSet(), set[int]()
    for batch in batches:
        assert seen.has_many(batch) == bytes(key in twin for key in batch)
        expected = bytes(key not in twin and key not in batch[:at] for at, key in enumerate(batch))
        assert seen.add_many(batch) == expected
        twin.update(batch)
    assert len(seen) == len(twin)
