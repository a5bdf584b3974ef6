from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from gossamer.search.links import disk_buckets
from gossamer.search.links.disk_buckets import Drawers

KIND = np.dtype([("target", "<i8"), ("worth", "<i4")])


def test_drawers_stand_in_order_and_hold_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_buckets, "_MOST_IN_A_DRAWER", 100)
    records = np.empty(1_000, KIND)
    records["target"] = np.random.default_rng(3).integers(-(2**63), 2**63 - 1, 1_000)
    records["worth"] = np.arange(1_000)
    filled = Drawers(tmp_path, "some", KIND, 1_000)
    filled.put(records[:600])
    filled.put(records[600:])
    assert (len(filled), filled.records, len(filled.like("others", KIND))) == (16, 1_000, 16)
    taken = [filled.taken(drawer) for drawer in range(len(filled))]
    assert sorted(worth for one in taken for worth in one["worth"].tolist()) == list(range(1_000))
    ends = [(one["target"].min(), one["target"].max()) for one in taken]
    assert all(before[1] < after[0] for before, after in pairwise(ends))
    assert (len(filled.taken(0)), list(tmp_path.iterdir())) == (0, [])
