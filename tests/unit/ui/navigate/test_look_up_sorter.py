"""A served web is sorted for look-ups, which then find the same."""

import sqlite3
from contextlib import closing
from pathlib import Path

from gossamer.records import PageLink
from gossamer.store.batch import Batch, LinkColumns
from gossamer.store.opening.open_store import STATE
from gossamer.store.sqlite.sqlite_store import SqliteStore
from gossamer.ui.navigate.look_up_sorter import LookUpSorter, sort_look_ups

PAGES = 300


def _make_web(folder: Path) -> None:
    """Write a web whose pages all link to page 1, twice on every third page, and to the page after them."""
    folder.mkdir()
    with closing(SqliteStore(folder / STATE, create=True)) as store:
        for page in range(1, PAGES + 1):
            targets = [1, page + 1, 1] if page % 3 == 0 else [1, page + 1]
            texts = [f"{page} to {target}" for target in targets]
            store.commit(Batch(links=[LinkColumns(page, targets, bytes(len(targets)), texts)]))
        store.commit(Batch(links=[LinkColumns(5, [7], bytes(1), ["read again"])]))


def _read(folder: Path) -> dict[int, tuple[int, list[PageLink]]]:
    with closing(SqliteStore(folder / STATE, read_only=True)) as store:
        return {one: (store.count_links_to(one), store.links_to(one, 10_000)) for one in range(1, 30)}


def test_look_ups_find_the_same_after_sorting(tmp_path: Path) -> None:
    folder = tmp_path / "own.web"
    _make_web(folder)
    before = _read(folder)
    assert before[1][0] == len(before[1][1]) > PAGES
    sort_look_ups(folder)
    with closing(sqlite3.connect(folder / STATE)) as db:
        assert db.execute("select count(*) from sorted where name = 'link'").fetchone()[0] > 0
    assert _read(folder) == before
    with closing(SqliteStore(folder / STATE, read_only=True)) as store:
        assert store.links_to(1, 150) == before[1][1][:150]  # more than are read at once


def test_a_folder_that_cannot_be_sorted_ends_nothing(tmp_path: Path) -> None:
    sorter = LookUpSorter(tmp_path / "none")
    sorter.start()
    sorter.close()
