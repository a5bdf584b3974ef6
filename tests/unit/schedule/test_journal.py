"""A journal keeps what was committed, tells a full disk, and stays bounded."""

from pathlib import Path

import pytest

from gossamer.errors import BadInput, StoreFailed
from gossamer.schedule.journal.journal import Journal

DAY_S = 86_400.0


def test_a_journal_that_is_not_there_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no journal"):
        Journal(tmp_path)


def test_what_is_no_journal_gets_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_text(
        "This is text, and long enough to be taken for a page of a database." * 20
    )
    with pytest.raises(StoreFailed, match="cannot be written or read: file is not a database"):
        Journal(tmp_path)


def test_a_block_that_fails_writes_nothing(tmp_path: Path) -> None:
    journal = Journal(tmp_path, create=True)
    with pytest.raises(KeyError):
        _write_and_fail(journal)
    assert journal.list_runs() == []
    with journal.write(), journal.write():
        journal.add_run("one", 1.0)
        journal.add_run("one", 1.0)
    journal.close()
    again = Journal(tmp_path)
    assert [run.due_s for run in again.list_runs()] == [1.0]
    again.close()


def test_a_full_disk_is_told_and_passes(tmp_path: Path) -> None:
    journal = Journal(tmp_path, create=True)
    journal._database.execute("PRAGMA max_page_count = 1")
    with pytest.raises(StoreFailed, match="the disk is full") as failure:
        _write_much(journal)
    assert failure.value.full
    journal._database.execute("PRAGMA max_page_count = 100000")
    assert journal.list_events() == []
    journal.add_event(1.0, "there is room again")
    journal.close()


def test_what_is_old_is_removed_but_not_what_waits(tmp_path: Path) -> None:
    journal = Journal(tmp_path, create=True)
    for number in range(2_500):
        journal.add_event(number, "x")
    journal.add_run("one", 1.0)
    journal.add_missed("one", 2.0, 3.0, 2, "why", 4.0)
    journal.forget_old(500 * DAY_S)
    assert len(journal.list_events(10_000)) == 2_000
    assert journal.list_missed() == []
    assert len(journal.list_open()) == 1
    journal.close()


def _write_and_fail(journal: Journal) -> None:
    with journal.write():
        journal.add_run("one", 1.0)
        raise KeyError


def _write_much(journal: Journal) -> None:
    with journal.write():
        for number in range(1_000):
            journal.add_event(number, "x" * 100)
