from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from gossamer.assess.judge.judge_session import Session
from gossamer.assess.records import Item, Sample
from gossamer.store.sqlite.sqlite_store import SqliteStore

SAMPLE = Sample("s", 4, 1, items=tuple(Item(page) for page in (40, 30, 20, 10)))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "state.sqlite", create=True)
    yield opened
    opened.close()


def session(store: SqliteStore, judge: str = "anna") -> Session:
    ticks = count(1)
    return Session(store, SAMPLE, judge, lambda: float(next(ticks)))


def test_pages_come_in_the_order_of_the_sample_until_all_are_judged(store: SqliteStore) -> None:
    judge = session(store)
    seen = []
    while judge.page is not None:
        seen.append(judge.page)
        judge.say("not")
    assert seen == [40, 30, 20, 10]
    assert (judge.left, judge.counts()["not"]) == (0, 4)
    assert session(store).page is None
    assert session(store, "bert").page == 40


def test_what_is_skipped_comes_again_at_the_end(store: SqliteStore) -> None:
    judge = session(store)
    judge.skip()
    judge.say("relevant")
    judge.skip()
    assert (judge.page, judge.left) == (10, 3)
    judge.say("not")
    assert judge.page == 40
    assert session(store).page == 40, "a new session begins with it"


def test_steps_back_lead_through_skips_and_earlier_sessions(store: SqliteStore) -> None:
    first = session(store)
    first.say("relevant")
    first.say("not")
    judge = session(store)
    judge.skip()
    assert judge.undo()
    assert judge.page == 20
    assert judge.undo()
    assert (judge.page, judge.counts()["not"]) == (30, 0)
    assert judge.undo()
    assert judge.page == 40
    assert not judge.undo()
    assert session(store).left == 4


def test_uncertain_pages_first(store: SqliteStore) -> None:
    judge = session(store)
    judge.say("relevant")
    judge.uncertain_first({30: 0.9, 20: None, 10: 0.55}.get)
    assert judge.page == 10
    judge.skip()
    assert judge.page == 30


def test_pages_can_be_put_first_or_last_only_while_they_are_to_be_judged(store: SqliteStore) -> None:
    judge = session(store)
    judge.first(10)
    judge.say("unsure")
    judge.first(10)
    judge.last(10)
    judge.first(99)
    assert (judge.page, judge.left) == (40, 3)
