"""Sets of numbers as sorted columns."""

import numpy as np
import pytest

from gossamer.link_check import id_columns
from gossamer.link_check.id_columns import DistinctKeys, FlaggedIds, contains, pair_keys


@pytest.fixture(autouse=True)
def merge_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(id_columns, "_PENDING", 3)


def test_a_number_has_the_flags_of_all_times_that_it_was_added() -> None:
    found, wanted = FlaggedIds(), dict[int, int]()
    draw = np.random.default_rng(1)
    for _ in range(20):
        ids, flags = draw.integers(-9, 9, 5), draw.integers(0, 255, 5).astype(np.uint8)
        found.add(ids, flags)
        for one, flag in zip(ids.tolist(), flags.tolist(), strict=True):
            wanted[one] = wanted.get(one, 0) | flag
    ids, flags = found.merge()
    assert ids.tolist() == sorted(wanted)
    assert dict(zip(ids.tolist(), flags.tolist(), strict=True)) == wanted


def test_a_key_is_kept_once() -> None:
    keys = DistinctKeys()
    for start in (5, 0, 3):
        keys.add(np.arange(start, start + 4, dtype=np.uint64))
    assert keys.merge().tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 8]


def test_empty_columns_hold_nothing() -> None:
    none = np.empty(0, np.int64)
    assert contains(none, np.array([1, 2])).tolist() == [False, False]
    assert contains(np.array([1, 3]), np.array([0, 1, 3, 4])).tolist() == [False, True, True, False]
    assert FlaggedIds().merge()[0].tolist() == []


def test_a_pair_has_a_key_of_its_own() -> None:
    pages, fragments = np.meshgrid(np.arange(-50, 50), np.arange(100))
    keys = pair_keys(pages.ravel(), fragments.ravel())
    assert len(np.unique(keys)) == 10_000
