from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from gossamer.search.links import disk_buckets
from gossamer.search.links.disk_buckets import DiskBuckets

KIND = np.dtype([("target", "<i8"), ("worth", "<i4")])


def test_buckets_are_in_order_and_hold_all_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_buckets, "_MOST_IN_A_BUCKET", 100)
    records = np.empty(1_000, KIND)
    records["target"] = np.random.default_rng(3).integers(-(2**63), 2**63 - 1, 1_000)
    records["worth"] = np.arange(1_000)
    filled = DiskBuckets(tmp_path, "some", KIND, 1_000)
    filled.distribute(records[:600])
    filled.distribute(records[600:])
    assert (len(filled), filled.records, len(filled.make_like("others", KIND))) == (16, 1_000, 16)
    taken = [filled.take(bucket) for bucket in range(len(filled))]
    assert sorted(worth for one in taken for worth in one["worth"].tolist()) == list(range(1_000))
    ends = [(one["target"].min(), one["target"].max()) for one in taken]
    assert all(before[1] < after[0] for before, after in pairwise(ends))
    assert (len(filled.take(0)), list(tmp_path.iterdir())) == (0, [])
