"""Pages are kept back in turn, hosts as a whole where there are enough."""

import numpy as np
import pytest

from gossamer.text.topics.cross_validation import folds_of, tried


def test_every_fold_has_its_part_of_both_sides() -> None:
    about = np.arange(50) < 10
    folds = folds_of(about, [""] * 50)
    assert folds.number == 5
    assert np.bincount(folds.of[about]).tolist() == [2] * 5
    assert np.bincount(folds.of[~about]).tolist() == [8] * 5


def test_a_host_is_kept_back_as_a_whole_where_there_are_enough() -> None:
    about = np.arange(200) % 2 == 0
    hosts = [f"h{page % 25}.example" for page in range(200)]
    folds = folds_of(about, hosts)
    of_host: dict[str, set[int]] = {}
    for host, fold in zip(hosts, folds.of.tolist(), strict=True):
        of_host.setdefault(host, set()).add(fold)
    assert all(len(dealt) == 1 for dealt in of_host.values())
    assert np.bincount(folds.of).tolist() == pytest.approx([40] * 5, abs=8)
    few = folds_of(about, [f"h{page % 6}" for page in range(200)])
    assert np.bincount(few.of).tolist() == [40] * 5


def test_the_only_page_of_a_side_is_never_kept_back() -> None:
    folds = folds_of(np.array([True, False, False, False]), [""] * 4)
    assert folds.number == 3
    assert folds.of.tolist() == [-1, 0, 1, 2]
    assert folds_of(np.array([True, False]), ["", ""]).number == 0


def test_what_was_told_is_counted() -> None:
    chances = np.array([0.95, 0.8, 0.6, 0.3, 0.1, 0.05])
    about = np.array([True, True, False, True, False, False])
    found = tried(chances, about, 3)
    assert (found.pages, found.folds) == (6, 3)
    assert found.precision == pytest.approx(2 / 3)
    assert found.recall == pytest.approx(2 / 3)
    assert found.accuracy == pytest.approx(4 / 6)
    assert found.average_precision == pytest.approx((1 + 1 + 3 / 4) / 3)
    assert [(one.found, one.pages) for one in found.bins] == [(0, 1), (0, 1), (1, 1), (0, 1), (1, 1), (1, 1)]
    assert found.bins[0].foreseen == pytest.approx(0.05)
