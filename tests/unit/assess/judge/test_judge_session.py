from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from gossamer.assess.judge.judge_session import JudgeSession
from gossamer.assess.records import Item, Sample
from gossamer.store.sqlite.sqlite_store import SqliteStore

SAMPLE = Sample("s", 4, 1, items=tuple(Item(page) for page in (40, 30, 20, 10)))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "state.sqlite", create=True)
    yield opened
    opened.close()


def open_session(store: SqliteStore, judge: str = "anna") -> JudgeSession:
    ticks = count(1)
    return JudgeSession(store, SAMPLE, judge, lambda: float(next(ticks)))


def test_pages_are_shown_in_the_order_of_the_sample_until_all_are_judged(store: SqliteStore) -> None:
    judge = open_session(store)
    seen = []
    while judge.page is not None:
        seen.append(judge.page)
        judge.record_verdict("not")
    assert seen == [40, 30, 20, 10]
    assert (judge.left, judge.count_verdicts()["not"]) == (0, 4)
    assert open_session(store).page is None
    assert open_session(store, "bert").page == 40


def test_skipped_pages_are_shown_again_at_the_end(store: SqliteStore) -> None:
    judge = open_session(store)
    judge.skip()
    judge.record_verdict("relevant")
    judge.skip()
    assert (judge.page, judge.left) == (10, 3)
    judge.record_verdict("not")
    assert judge.page == 40
    assert open_session(store).page == 40, "a new session begins with the skipped page"


def test_undo_goes_back_through_skips_and_earlier_sessions(store: SqliteStore) -> None:
    first = open_session(store)
    first.record_verdict("relevant")
    first.record_verdict("not")
    judge = open_session(store)
    judge.skip()
    assert judge.undo()
    assert judge.page == 20
    assert judge.undo()
    assert (judge.page, judge.count_verdicts()["not"]) == (30, 0)
    assert judge.undo()
    assert judge.page == 40
    assert not judge.undo()
    assert open_session(store).left == 4


def test_uncertain_pages_are_shown_first(store: SqliteStore) -> None:
    judge = open_session(store)
    judge.record_verdict("relevant")
    judge.sort_by_uncertainty({30: 0.9, 20: None, 10: 0.55}.get)
    assert judge.page == 10
    judge.skip()
    assert judge.page == 30


def test_only_pages_still_to_be_judged_can_be_moved(store: SqliteStore) -> None:
    judge = open_session(store)
    judge.move_to_front(10)
    judge.record_verdict("unsure")
    judge.move_to_front(10)
    judge.move_to_end(10)
    judge.move_to_front(99)
    assert (judge.page, judge.left) == (40, 3)
