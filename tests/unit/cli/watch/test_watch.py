"""The options of `gossamer watch`, and the watch list."""

from pathlib import Path

import pytest

from gossamer.cli.watch.watch import parse_interval
from gossamer.errors import BadInput, StoreFailed
from gossamer.store.batch import Batch
from gossamer.store.sqlite.sqlite_store import SqliteStore
from gossamer.watch.difference.part_text import WatchedPart
from gossamer.watch.watch_list import ROOM, WatchedPage, add_page, list_watched, make_note


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("1m", 60.0), ("30m", 1800.0), (" 1.5 H ", 5400.0), ("2d", 172_800.0), ("1w", 604_800.0)],
)
def test_times_between_checks(text: str, seconds: float) -> None:
    assert parse_interval(text) == seconds


@pytest.mark.parametrize("text", ["", "h", "10", "0h", "10s", "0.5m", "-1h", "1y", "1h30m"])
def test_what_is_no_time_gets_a_sentence(text: str) -> None:
    with pytest.raises(BadInput, match="write 30m, 1h, 2d or 1w"):
        parse_interval(text)


def test_a_page_and_a_part_are_one_entry() -> None:
    page = WatchedPage("http://a.example/", checked_s=5.0, version=3)
    again = WatchedPage("http://a.example/", every_s=60.0)
    assert add_page([page], again) == WatchedPage("http://a.example/", every_s=60.0, checked_s=5.0, version=3)
    part = WatchedPage("http://a.example/", WatchedPart(heading="News"))
    assert add_page([page], part) is part
    names = {one.name for one in (page, part, WatchedPage("http://a.example/", WatchedPart(select="News")))}
    assert len(names) == 3


def test_the_list_survives_and_damage_is_told(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "state.sqlite", create=True)
    page = WatchedPage("http://a.example/", WatchedPart("p"), added_s=2.0)
    first = WatchedPage("http://b.example/", added_s=1.0)
    store.commit(Batch(notes=dict([make_note(page), make_note(first)])))
    assert list_watched(store) == [first, page]
    store.commit(Batch(notes={(ROOM, page.name): b"\xff"}))
    with pytest.raises((BadInput, StoreFailed), match="watch list"):
        list_watched(store)
    store.close()
