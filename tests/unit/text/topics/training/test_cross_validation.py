"""Pages are held out in turn, by whole hosts where there are enough of them."""

import numpy as np
import pytest

from gossamer.text.topics.training.cross_validation import assign_folds, measure_held_out


def test_every_fold_has_an_equal_part_of_both_sides() -> None:
    about = np.arange(50) < 10
    folds = assign_folds(about, [""] * 50)
    assert folds.number == 5
    assert np.bincount(folds.by_page[about]).tolist() == [2] * 5
    assert np.bincount(folds.by_page[~about]).tolist() == [8] * 5


def test_whole_hosts_are_held_out_where_there_are_enough() -> None:
    about = np.arange(200) % 2 == 0
    hosts = [f"h{page % 25}.example" for page in range(200)]
    folds = assign_folds(about, hosts)
    of_host: dict[str, set[int]] = {}
    for host, fold in zip(hosts, folds.by_page.tolist(), strict=True):
        of_host.setdefault(host, set()).add(fold)
    assert all(len(assigned) == 1 for assigned in of_host.values())
    assert np.bincount(folds.by_page).tolist() == pytest.approx([40] * 5, abs=8)
    few = assign_folds(about, [f"h{page % 6}" for page in range(200)])
    assert np.bincount(few.by_page).tolist() == [40] * 5


def test_the_only_page_of_a_side_is_never_held_out() -> None:
    folds = assign_folds(np.array([True, False, False, False]), [""] * 4)
    assert folds.number == 3
    assert folds.by_page.tolist() == [-1, 0, 1, 2]
    assert assign_folds(np.array([True, False]), ["", ""]).number == 0


def test_precision_recall_and_bins_of_held_out_pages() -> None:
    chances = np.array([0.95, 0.8, 0.6, 0.3, 0.1, 0.05])
    about = np.array([True, True, False, True, False, False])
    found = measure_held_out(chances, about, 3)
    assert (found.pages, found.folds) == (6, 3)
    assert found.precision == pytest.approx(2 / 3)
    assert found.recall == pytest.approx(2 / 3)
    assert found.accuracy == pytest.approx(4 / 6)
    assert found.average_precision == pytest.approx((1 + 1 + 3 / 4) / 3)
    assert [(one.found, one.pages) for one in found.bins] == [(0, 1), (0, 1), (1, 1), (0, 1), (1, 1), (1, 1)]
    assert found.bins[0].foreseen == pytest.approx(0.05)
