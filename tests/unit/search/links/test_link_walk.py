from pathlib import Path

import numpy as np
from tests.contract.rows import to_columns

from gossamer.search.links.disk_buckets import DiskBuckets
from gossamer.search.links.link_walk import NAMED, OWN, PLACE_BITS, PageSites, walk_links
from gossamer.store.batch import Batch
from gossamer.store.sqlite.sqlite_store import SqliteStore


def test_links_are_returned_by_number_and_names_by_place(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "state.sqlite", create=True)
    rows = [
        (10, 20, "a", "", False, False, False),
        (10, 30, "a", "thirty", False, True, True),
        (10, 77, "a", "moved", False, False, False),
        (20, 10, "a", "spam", True, True, True),
        (20, 99, "a", "never fetched", False, True, True),
        (30, 20, "iframe", "frame", False, False, False),
        (55, 10, "a", "from no page", False, True, True),
        (77, 20, "redirect", "", False, False, False),
    ]
    store.commit(Batch(links=to_columns(rows)))  # type: ignore[arg-type]
    named = DiskBuckets(tmp_path, "named", NAMED, 1)
    pages = PageSites(np.array([10, 20, 30], np.int64), np.array([7, 8, 9], np.int32))
    sources, targets = walk_links(store, pages, named)
    assert list(zip(sources.tolist(), targets.tolist(), strict=True)) == [(0, 1), (0, 2), (0, 1), (2, 1)]
    found = {
        (int(one["target"]), int(one["site"]), int(one["place"]) & ((1 << PLACE_BITS) - 1))
        for one in named.take(0)
    }
    assert found == {(30, 7, 1), (20, OWN, 2), (99, 8, 1), (10, OWN, 0)}


def test_a_web_without_links_is_walked(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "state.sqlite", create=True)
    no_pages = PageSites(np.empty(0, np.int64), np.empty(0, np.int32))
    sources, targets = walk_links(store, no_pages, DiskBuckets(tmp_path, "named", NAMED, 0))
    assert len(sources) == len(targets) == 0
