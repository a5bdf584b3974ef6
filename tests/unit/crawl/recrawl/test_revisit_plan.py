"""What is due, by all that is known of the pages of a web; days are pretended."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from gossamer import config
from gossamer.config import Politeness
from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.recrawl.page_table import read_pages
from gossamer.crawl.recrawl.revisit_plan import DuePage, Schedule
from gossamer.crawl.recrawl.revisit_rounds import (
    TASK,
    count_visits_left,
    list_recrawl_tasks,
    read_politeness,
    schedule_visits,
)
from gossamer.crawl.recrawl.sitemap_hints import SitemapHint, SitemapHints
from gossamer.freshness.change_history import (
    DAY_S,
    ROOM,
    HostHistory,
    PageHistory,
    encode_note,
    host_note_name,
    page_note_name,
)
from gossamer.freshness.conditional_request import gap_to_bucket
from gossamer.records import HostNote, Page
from gossamer.store.batch import Batch, LinkColumns, TaskNote
from gossamer.store.sqlite.sqlite_store import SqliteStore

NOON_S = 1.8e9
MANNERS = {1: Politeness(delay_s=1.0)}


def page(number: int, host: str = "a.example", days: float = 10.0, **told: object) -> Page:
    """Return a page that was fetched so many days ago."""
    known = Page(number, f"http://{host}/{number}", host, 1, 0, NOON_S - days * DAY_S, 200, "html")
    return msgspec.structs.replace(known, text_digest=number, **told)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "state.sqlite", create=True)
    yield opened
    opened.close()


def note(one: Page, **told: object) -> tuple[tuple[str, str], bytes | None]:
    """Return a note of a page that was seen as it was last fetched."""
    learnt = PageHistory(seen_s=one.fetched_s, tried_s=one.fetched_s, key=one.text_digest)
    return (ROOM, page_note_name(one.id)), encode_note(msgspec.structs.replace(learnt, **told))


def due_now(page_id: int) -> DuePage:
    return DuePage(page_id, 1.0, 0.1, 1.0, 0.5, 1.0, False, 0)


def due(store: SqliteStore, most: int = 100, budget: float = 1e6, **told: object) -> list[int]:
    """Return the pages that are due at noon."""
    schedule = Schedule(read_pages(store, **told), MANNERS)  # type: ignore[arg-type]
    return [one.page for one in schedule.find_due(NOON_S, most, schedule.share_budget(budget))]


class TestWrongClock:
    """Times of a clock that was a year ahead."""

    def test_pages_seen_in_the_future_are_due(self, store: SqliteStore) -> None:
        ahead, fresh = page(1, days=-365.0), page(2, "b.example", days=0.01)
        store.commit(Batch(pages=[ahead, fresh], notes=dict([note(ahead), note(fresh)])))
        assert due(store) == [1]

    def test_pages_missed_in_the_future_are_tried_again(self, store: SqliteStore) -> None:
        one = page(1)
        gone = note(one, tried_s=NOON_S + 365 * DAY_S, gone_s=NOON_S + 365 * DAY_S, gone_times=2)
        silent = HostHistory(silent_s=NOON_S + 365 * DAY_S)
        store.commit(
            Batch(pages=[one], notes=dict([gone, ((ROOM, host_note_name("a.example")), encode_note(silent))]))
        )
        assert due(store) == [1]

    def test_visits_spent_in_the_future_do_not_count(self, store: SqliteStore) -> None:
        store.commit(
            Batch(pages=[page(1)], tasks=[TaskNote(1, "a", msgspec.json.encode(config.from_options()))])
        )
        schedule_visits(store, [due_now(1)], NOON_S + 365 * DAY_S)
        assert count_visits_left(store, 240.0, NOON_S, evenly=False) == 240


def test_what_a_person_reads_is_visited_before_the_rest(store: SqliteStore) -> None:
    store.commit(Batch(pages=[page(1), page(2, "b.example"), page(3, "c.example")]))

    def count_readings(ids: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.where(ids == 2, 7.0, 0.0)

    assert due(store, most=1, readings_of=count_readings) == [2]
    weights = read_pages(store, readings_of=count_readings).weight
    assert weights[1] == 4 * weights[0]


def test_what_changes_often_and_matters_is_visited_before_the_rest(store: SqliteStore) -> None:
    often, seldom, linked = page(1), page(2, "b.example"), page(3, "c.example")
    gaps = {gap_to_bucket(1.0): 20}
    store.commit(
        Batch(
            pages=[often, seldom, linked],
            notes=dict(
                [note(often, gaps=gaps), note(seldom, quiet_days=200.0), note(linked, quiet_days=200.0)]
            ),
            links=[LinkColumns(9, [3] * 30, bytes(30), [""] * 30)],
        )
    )
    assert due(store)[-1] == 2
    assert due(store, most=2)[-1] != 2
    schedule = Schedule(read_pages(store), MANNERS)
    rates = dict(zip([1, 2, 3], schedule.rates.per_day, strict=True))
    assert rates[1] > 0.5 > 0.05 > rates[2]
    assert schedule.pages.weight.tolist() == pytest.approx([1.0, 1.0, 31**0.5])


def test_nothing_is_due_within_an_hour_after_a_visit_nor_of_what_is_given_up(store: SqliteStore) -> None:
    just, out, absent = page(1, days=0.5 / 24), page(2), page(3)
    store.commit(
        Batch(
            pages=[just, out, absent],
            notes=dict(
                [note(out, out=True), note(absent, gone_times=2, gone_s=NOON_S, tried_s=NOON_S - 1.5 * DAY_S)]
            ),
        )
    )
    assert due(store) == []
    store.commit(Batch(notes=dict([note(absent, gone_times=2, gone_s=NOON_S, tried_s=NOON_S - 2.5 * DAY_S)])))
    assert due(store) == [3]


def test_a_small_budget_leaves_what_is_not_worth_its_price(store: SqliteStore) -> None:
    store.commit(Batch(pages=[page(number, f"h{number}.example", days=0.2) for number in range(1, 101)]))
    assert len(due(store, budget=1e6)) == 100
    assert due(store, budget=10.0) == []  # a tenth of the pages a day: ten days must have passed


def test_a_host_that_does_not_answer_is_asked_for_one_page_a_day(store: SqliteStore) -> None:
    pages = [page(number) for number in range(1, 6)]
    told = encode_note(HostHistory(silent_s=NOON_S - 3 * DAY_S))
    store.commit(Batch(pages=pages, notes={(ROOM, host_note_name("a.example")): told}))
    assert len(due(store)) == 1
    tried = dict([note(pages[0], gone_times=1, gone_s=NOON_S, tried_s=NOON_S - 0.5 * DAY_S)])
    store.commit(Batch(notes=tried))
    assert due(store) == []


def test_no_host_gets_more_than_its_pauses_let_through(store: SqliteStore) -> None:
    pages = [page(number, days=100.0) for number in range(1, 1001)]
    slow = HostNote("a.example", crawl_delay_s=60.0)
    store.commit(Batch(pages=pages, hosts=[slow]))
    assert len(due(store, most=1000)) == 720  # half of the minutes of a day


def test_what_a_sitemap_says_has_changed_comes_first(store: SqliteStore) -> None:
    class Said(SitemapHints):
        def read(self, lists: object) -> dict[int, SitemapHint]:
            return {
                3: SitemapHint(changed_s=NOON_S - DAY_S),
                2: SitemapHint(changed_s=NOON_S - 90 * DAY_S, every_days=300.0),
                4: SitemapHint(changed_s=NOON_S - 14 * DAY_S),
            }

    store.commit(Batch(pages=[page(number) for number in range(1, 5)]))
    hints = Said(Path("nowhere"))
    assert due(store, hints=hints)[0] == 3
    schedule = Schedule(read_pages(store, hints), MANNERS)
    assert schedule.pages.announced.tolist() == [False, False, True, False]
    assert schedule.rates.mean[1] < schedule.rates.mean[0]
    # Fetched ten days ago, four days after it had changed: that counts a quarter, as a date of its own would.
    assert (schedule.pages.evidence.quiet_days[3], schedule.pages.evidence.dated[3]) == (1.0, 0.25)


def test_revisit_after_is_a_hint(store: SqliteStore) -> None:
    slow, quick = (
        page(number, marks={"revisit-after": str(days * DAY_S)}) for number, days in ((1, 90), (2, 1))
    )
    store.commit(Batch(pages=[slow, quick]))
    rates = Schedule(read_pages(store), MANNERS).rates.mean
    assert rates[1] > 1.5 * rates[0]


def test_what_an_ordinary_crawl_saw_since_counts_as_well(store: SqliteStore) -> None:
    same, other = page(1, days=1.0), page(2, days=1.0)
    store.commit(
        Batch(
            pages=[same, other],
            notes=dict(
                [note(same, seen_s=NOON_S - 11 * DAY_S), note(other, seen_s=NOON_S - 11 * DAY_S, key=99)]
            ),
        )
    )
    evidence = read_pages(store).evidence
    assert evidence.quiet_days.tolist() == pytest.approx([10.0, 0.0])
    assert evidence.owner.tolist() == [1]


def test_freshness_grows_with_the_budget_and_falls_with_time(store: SqliteStore) -> None:
    store.commit(Batch(pages=[page(number, f"h{number % 7}.example") for number in range(1, 60)]))
    schedule = Schedule(read_pages(store), MANNERS)
    curve = schedule.compute_curve(7.0)
    assert 7.0 in dict(curve)
    fresh = [each for _, each in curve]
    assert fresh == sorted(fresh)
    assert 0 < fresh[0] < fresh[-1] <= 1
    assert schedule.estimate_freshness(NOON_S) > schedule.estimate_freshness(NOON_S + 30 * DAY_S)


def crawling(number: int, **told: Any) -> TaskNote:
    """Return a task that crawls by itself."""
    spec = config.from_options(seeds=["http://a.example/"], **told)
    return TaskNote(number, f"task-{number}", msgspec.json.encode(spec))


def test_a_round_is_a_task_with_the_manners_of_the_pages_own_and_spends_the_budget(
    store: SqliteStore,
) -> None:
    store.commit(Batch(pages=[page(1), page(2)], tasks=[crawling(1, delay_s=7.0)]))
    schedule = Schedule(read_pages(store), read_politeness(store))
    found = schedule.find_due(NOON_S, 9, schedule.share_budget(1e6))
    assert {one.page for one in found} == {1, 2}
    [task] = schedule_visits(store, found, NOON_S)
    assert (task.number, task.name) == (2, TASK)
    spec = read_spec(task)
    assert (spec.politeness.delay_s, spec.limits.depth, spec.scope) == (7.0, 0, "any")
    sent = [request for _, request in store.inbox(0, 1)]
    assert {(one.id, one.type, one.task) for one in sent} == {(1, "revisit", 2), (2, "revisit", 2)}
    assert store.count_remaining(2) == 2
    assert list_recrawl_tasks(store) == [task]
    assert [count_visits_left(store, 240.0, NOON_S, evenly) for evenly in (False, True)] == [238, 8]
    assert count_visits_left(store, 240.0, NOON_S + 2 * DAY_S, evenly=False) == 240
    assert count_visits_left(store, 1.0, NOON_S, evenly=False) == 0


def test_each_page_is_visited_again_as_the_task_does_that_it_belongs_to(store: SqliteStore) -> None:
    """A task that turns manners off for hosts of its own, and comes last, does not turn them off for others."""
    pages = [page(1), page(2, "b.example", task=2), page(3, "c.example", task=3), page(4, task=4)]
    rude = crawling(2, robots=False, delay_s=0.0, allow_private=["10.0.0.0/8"])
    imported = TaskNote(4, "imported", msgspec.json.encode(config.TaskSpec()))
    store.commit(Batch(pages=pages, tasks=[crawling(1, delay_s=7.0), rude, imported]))
    store.commit(Batch(notes={(ROOM, "~task"): b"3"}, tasks=[crawling(3, scope="any", depth=0)]))
    assert {task: own.delay_s for task, own in read_politeness(store).items()} == {
        1: 7.0,
        2: 0.0,
        3: 0.0,
        4: 0.0,
    }
    notes = schedule_visits(store, [due_now(one.id) for one in pages], NOON_S)
    told = {note.number: (note.name, read_spec(note).politeness.robots) for note in notes}
    assert told == {3: ("task-3", False), 5: ("recrawl-task-1", True)}
    sent = {request.id: request.task for _, request in store.inbox(0, 1)}
    assert sent == {1: 5, 2: 3, 3: 3, 4: 3}
    assert {note.number for note in list_recrawl_tasks(store)} == {3, 5}
    # And the next round finds both again.
    assert {note.number for note in schedule_visits(store, [due_now(1), due_now(2)], NOON_S)} == {3, 5}


def test_the_pause_of_a_host_is_the_longest_of_its_tasks(store: SqliteStore) -> None:
    tasks = [crawling(1, delay_s=100.0), crawling(2, delay_s=0.0)]
    many = [page(number, task=1 + number % 2) for number in range(1, 500)]
    store.commit(Batch(pages=[*many, *(page(n, "b.example", task=2) for n in range(500, 1000))], tasks=tasks))
    schedule = Schedule(read_pages(store), read_politeness(store))
    found = [one.page for one in schedule.find_due(NOON_S, 10_000, schedule.share_budget(1e6))]
    assert sum(number < 500 for number in found) == 432  # half of a day, one in 100 seconds
    assert sum(number >= 500 for number in found) == 500


def test_what_a_round_finds_beyond_what_it_was_given_counts_against_the_budget(store: SqliteStore) -> None:
    store.commit(Batch(pages=[page(1, depth=3)], tasks=[crawling(1, depth=4, scope="site", pages=10)]))
    [task] = schedule_visits(store, [due_now(1)], NOON_S, follow=True)
    spec = read_spec(task)
    assert (spec.scope, spec.limits.depth, spec.limits.pages) == ("site", 4, 0)
    assert [request.depth for _, request in store.inbox(0, 1)] == [3]
    store.commit(Batch(counted=[(task.number, {"queued": 6})]))
    assert count_visits_left(store, 100.0, NOON_S, evenly=False) == 94
    schedule_visits(store, [due_now(1)], NOON_S)
    assert count_visits_left(store, 100.0, NOON_S, evenly=False) == 93


def test_the_outlook_of_a_page_tells_when_it_is_due(store: SqliteStore) -> None:
    pages = [page(number, days=1.0) for number in range(1, 9)]
    steady = note(pages[0], gaps={gap_to_bucket(2.0): 6.0}, quiet_days=6.0)
    gone = note(pages[1], gone_times=2, gone_s=NOON_S)
    notes = dict([steady, gone, note(pages[2], out=True, gone_times=3)])
    store.commit(Batch(pages=pages, notes=notes, tasks=[crawling(1)]))
    schedule = Schedule(read_pages(store), read_politeness(store))
    price = schedule.share_budget(1.0)
    told = schedule.describe_page(1, NOON_S, price)
    assert told is not None
    assert told.due_s is not None
    assert told.changes == 6.0
    assert told.days == pytest.approx(18.0, rel=0.05)
    assert NOON_S < told.due_s < NOON_S + 100 * DAY_S
    for hours, is_due in ((-1, False), (1, True)):
        when_s = told.due_s + hours * 3600 * (1 + 0.01 * (told.due_s - NOON_S) / 3600)
        assert (1 in [one.page for one in schedule.find_due(when_s, 99, price)]) == is_due
    absent, out = (schedule.describe_page(number, NOON_S, price) for number in (2, 3))
    assert absent is not None
    assert out is not None
    assert (absent.due_s, out.due_s) == (pages[1].fetched_s + 2 * DAY_S, None)
    assert schedule.describe_page(99, NOON_S, price) is None


def test_rank_is_taken_where_it_is_known(store: SqliteStore) -> None:
    rank: Callable[..., object] = lambda ids: ids * 3.0  # noqa: E731
    store.commit(Batch(pages=[page(1), page(5)]))
    assert read_pages(store, rank_of=rank).weight.tolist() == [2.0, 4.0]  # type: ignore[arg-type]
