from pathlib import Path

from gossamer.store.click_counts import Openings, all_openings, count_opening, openings
from gossamer.store.sqlite.sqlite_store import SqliteStore


def test_openings_are_counted_by_page_and_stored(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "state.sqlite", create=True)
    assert openings(store, 7) == Openings(0, 0.0)
    for page, now_s in ((7, 10.0), (-3, 11.0), (7, 12.5)):
        count_opening(store, page, now_s)
    store.close()
    again = SqliteStore(tmp_path / "state.sqlite")
    assert dict(all_openings(again)) == {7: Openings(2, 12.5), -3: Openings(1, 11.0)}
    assert openings(again, 7).times == 2
    again.close()
