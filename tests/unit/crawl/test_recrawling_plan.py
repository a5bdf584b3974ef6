"""What is due, by all that is known of the pages of a web; days are pretended."""

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from gossamer.config import Politeness
from gossamer.crawl.recrawling_hints import Hint, Hints
from gossamer.crawl.recrawling_pages import held
from gossamer.crawl.recrawling_plan import Schedule
from gossamer.crawl.recrawling_rounds import TASK, give_out, last_round, room, spec_for
from gossamer.order.fresh_asking import gap_place
from gossamer.order.fresh_notes import DAY_S, ROOM, HostLearnt, PageLearnt, host_name, page_name, written
from gossamer.records import HostNote, Page
from gossamer.store.batch import Batch, LinkColumns, TaskNote
from gossamer.store.sqlite import SqliteStore

NOON_S = 1.8e9
MANNERS = Politeness(delay_s=1.0)


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
    learnt = PageLearnt(seen_s=one.fetched_s, tried_s=one.fetched_s, key=one.text_digest)
    return (ROOM, page_name(one.id)), written(msgspec.structs.replace(learnt, **told))


def due(store: SqliteStore, most: int = 100, budget: float = 1e6, **told: object) -> list[int]:
    """Return the pages that are due at noon."""
    schedule = Schedule(held(store, **told), MANNERS)  # type: ignore[arg-type]
    return [one.page for one in schedule.due(NOON_S, most, schedule.share(budget))]


def test_what_changes_often_and_matters_is_visited_before_the_rest(store: SqliteStore) -> None:
    often, seldom, linked = page(1), page(2, "b.example"), page(3, "c.example")
    gaps = {gap_place(1.0): 20}
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
    schedule = Schedule(held(store), MANNERS)
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
    told = written(HostLearnt(silent_s=NOON_S - 3 * DAY_S))
    store.commit(Batch(pages=pages, notes={(ROOM, host_name("a.example")): told}))
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
    class Said(Hints):
        def said(self, lists: object) -> dict[int, Hint]:
            return {
                3: Hint(changed_s=NOON_S - DAY_S),
                2: Hint(changed_s=NOON_S - 90 * DAY_S, every_days=300.0),
            }

    store.commit(Batch(pages=[page(number) for number in range(1, 5)]))
    hints = Said(Path("nowhere"))
    assert due(store, hints=hints)[0] == 3
    schedule = Schedule(held(store, hints), MANNERS)
    assert schedule.pages.told.tolist() == [False, False, True, False]
    assert schedule.rates.mean[1] < schedule.rates.mean[0]


def test_revisit_after_is_a_hint(store: SqliteStore) -> None:
    slow, quick = (
        page(number, marks={"revisit-after": str(days * DAY_S)}) for number, days in ((1, 90), (2, 1))
    )
    store.commit(Batch(pages=[slow, quick]))
    rates = Schedule(held(store), MANNERS).rates.mean
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
    evidence = held(store).evidence
    assert evidence.quiet_days.tolist() == pytest.approx([10.0, 0.0])
    assert evidence.owner.tolist() == [1]


def test_freshness_grows_with_the_budget_and_falls_with_time(store: SqliteStore) -> None:
    store.commit(Batch(pages=[page(number, f"h{number % 7}.example") for number in range(1, 60)]))
    schedule = Schedule(held(store), MANNERS)
    curve = schedule.curve(7.0)
    assert 7.0 in dict(curve)
    fresh = [each for _, each in curve]
    assert fresh == sorted(fresh)
    assert 0 < fresh[0] < fresh[-1] <= 1
    assert schedule.fresh_now(NOON_S) > schedule.fresh_now(NOON_S + 30 * DAY_S)


def test_a_round_is_a_task_with_the_manners_of_the_newest_and_spends_the_budget(store: SqliteStore) -> None:
    spec = msgspec.structs.replace(
        spec_for(store, "http://a.example/"), name=TASK, politeness=Politeness(delay_s=7.0)
    )
    store.commit(Batch(pages=[page(1), page(2)], tasks=[TaskNote(1, TASK, msgspec.json.encode(spec))]))
    schedule = Schedule(held(store), MANNERS)
    found = schedule.due(NOON_S, 9, schedule.share(1e6))
    assert {one.page for one in found} == {1, 2}
    task = give_out(store, found, NOON_S)
    assert (task.number, task.name) == (2, TASK)
    again = spec_for(store, "http://a.example/")
    assert (again.politeness.delay_s, again.limits.depth, again.scope) == (7.0, 0, "any")
    sent = [request for _, request in store.inbox(0, 1)]
    assert {(one.id, one.type, one.task) for one in sent} == {(1, "revisit", 2), (2, "revisit", 2)}
    assert store.left(2) == 2
    assert last_round(store) == task
    assert [room(store, 240.0, NOON_S, evenly) for evenly in (False, True)] == [238, 8]
    assert room(store, 240.0, NOON_S + 2 * DAY_S, evenly=False) == 240
    assert room(store, 1.0, NOON_S, evenly=False) == 0


def test_rank_is_taken_where_it_is_known(store: SqliteStore) -> None:
    rank: Callable[..., object] = lambda ids: ids * 3.0  # noqa: E731
    store.commit(Batch(pages=[page(1), page(5)]))
    assert held(store, rank_of=rank).weight.tolist() == [2.0, 4.0]  # type: ignore[arg-type]
