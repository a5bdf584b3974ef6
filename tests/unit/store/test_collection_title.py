from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.errors import BadInput
from gossamer.store.batch import Batch
from gossamer.store.collection_title import MOST_CHARACTERS, read_title, write_title
from gossamer.store.sqlite.sqlite_store import SqliteStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "state.sqlite", create=True)
    yield store
    store.close()


def test_a_title_is_stored_replaced_and_removed(store: SqliteStore, tmp_path: Path) -> None:
    assert read_title(store) == ""
    assert write_title(store, "  Bücher & <Noten> ") == "Bücher & <Noten>"
    again = SqliteStore(tmp_path / "state.sqlite")
    assert read_title(again) == "Bücher & <Noten>"
    again.close()
    write_title(store, "Other")
    assert read_title(store) == "Other"
    write_title(store, "")
    assert read_title(store) == ""


@pytest.mark.parametrize(
    "title", ["a\nb", "\x1b[31mred", "a\u202eb", "a\u200bb", "x" * (MOST_CHARACTERS + 1), "\ud800"]
)
def test_what_cannot_be_a_title_is_refused(store: SqliteStore, title: str) -> None:
    with pytest.raises(BadInput, match="a title has"):
        write_title(store, title)
    assert read_title(store) == ""


def test_a_damaged_title_is_harmless(store: SqliteStore) -> None:
    store.commit(Batch(notes={("web", "title"): b"\xff\x1b[2J" + "\u202e".encode() + b"x" * 200}))
    shown = read_title(store)
    assert len(shown) <= MOST_CHARACTERS
    assert shown.startswith("\ufffd[2Jx")
