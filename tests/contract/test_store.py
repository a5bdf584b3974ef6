"""What any store must do. Every backend runs through this suite; SQLite is the first."""

import multiprocessing
import os
import random
import signal
import struct
import time
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gossamer.records import Decision, HostNote, Page, PageLink, Request, Visit, VisitResult
from gossamer.store.batch import Batch, LinkRow, Store, TaskNote, Widening
from gossamer.store.sqlite import SqliteStore

Open = Callable[[], Store]

FORK = multiprocessing.get_context("fork")


@pytest.fixture(params=["sqlite"])
def opens(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """Opens the same web as often as it is called, and makes it the first time."""
    return {"sqlite": partial(SqliteStore, tmp_path / "state.sqlite", create=True)}[request.param]


@pytest.fixture
def store(opens: Open) -> Iterator[Store]:
    opened = opens()
    yield opened
    opened.close()


def page(number: int, **told: object) -> Page:
    url = f"http://h{number % 3}.example/{number}"
    return Page(number, url, f"h{number % 3}.example", 1, 0, 1.5, 200, "html", **told)  # type: ignore[arg-type]


def wish(
    number: int, host: str = "a.example", priority: float = 0.0, task: int = 1, attempt: int = 0
) -> Request:
    url = f"http://{host}/{number}"
    return Request(number, url, host, task, 2, priority, 7, "a", attempt, number)


def known(*requests: Request) -> list[tuple[int, str]]:
    return [(request.id, request.url) for request in requests]


def link(source: int, target: int, text: str = "") -> LinkRow:
    return (source, target, "a", text, False, True, False)


# One batch, and what it holds


def test_an_empty_batch_is_false_and_changes_nothing(store: Store) -> None:
    assert not Batch()
    store.commit(Batch())
    assert set(store.counts().values()) == {0}
    assert list(store.seen_keys()) == []


def test_pages_come_back_as_they_were(store: Store) -> None:
    first = page(
        -(2**63),
        title="Größe \0 🕸",
        marks={"topic": "spiders"},
        digest="sha1:A",
        index=False,
        simhash=2**63 - 1,
    )
    second = page(5, cut="length", warc="a.warc.gz", warc_offset=2**40)
    store.commit(Batch(pages=[first, second]))
    assert store.page(first.id) == first
    assert list(store.pages()) == [first, second]
    assert store.page(6) is None


def test_a_page_fetched_again_is_updated_in_its_place(store: Store) -> None:
    store.commit(Batch(pages=[page(1, title="old"), page(2)]))
    store.commit(Batch(pages=[page(1, title="new", cut="time")]))
    assert [(each.id, each.title) for each in store.pages()] == [(1, "new"), (2, "")]
    assert store.counts()["pages"] == 2


def test_the_first_page_of_a_payload_is_found_by_its_digest(store: Store) -> None:
    store.commit(Batch(pages=[page(9, digest="sha1:B"), page(3, digest="sha1:B"), page(4, digest="sha1:C")]))
    found = store.page_by_digest("sha1:B")
    assert found is not None
    assert found.id == 9
    assert store.page_by_digest("sha1:Z") is None


def test_more_pages_than_are_read_at_once_stay_in_order(store: Store) -> None:
    store.commit(Batch(pages=[page(number) for number in range(1201, 0, -1)]))
    assert [each.id for each in store.pages()] == list(range(1201, 0, -1))


# Requests


def test_requests_come_best_first_and_equal_ones_in_order_of_arrival(store: Store) -> None:
    wishes = [wish(1, priority=-2.0), wish(2, priority=0.5), wish(3, priority=-2.0), wish(4, priority=3.25)]
    store.commit(Batch(requests=wishes))
    assert [each.number for each in store.requests("a.example", 1, 10)] == [4, 2, 1, 3]
    assert store.requests("a.example", 1, 2) == [wishes[3], wishes[1]]
    assert store.requests("b.example", 1, 10) == []
    assert store.requests("a.example", 2, 10) == []


def test_the_best_are_found_however_far_apart_requests_arrived(store: Store) -> None:
    early, late = wish(1, priority=1.0), wish(10_000_000, priority=2.0)
    store.commit(Batch(requests=[early, late, wish(5_000_000, priority=-1.0)]))
    assert store.requests("a.example", 1, 2) == [late, early]
    store.commit(Batch(finished=[late], dismissed=[("b.example", 1)]))
    assert [each.number for each in store.requests("a.example", 1, 9)] == [1, 5_000_000]


def test_finished_requests_are_gone_and_their_numbers_are_not_forgotten(store: Store) -> None:
    wishes = [wish(1), wish(2), wish(3, "b.example")]
    store.commit(Batch(requests=wishes))
    store.commit(Batch(finished=wishes[1:]))
    assert store.requests("a.example", 1, 9) == [wishes[0]]
    assert store.waiting_hosts(1) == ["a.example"]
    assert [store.waiting(host, 1) for host in ("a.example", "b.example")] == [1, 0]
    assert store.counts()["waiting"] == 1
    assert store.last_number() == 3


def test_hosts_at_which_something_waits_are_walked_by_name(store: Store) -> None:
    store.commit(Batch(requests=[wish(number, f"{name}.example") for number, name in enumerate("cbad", 1)]))
    assert store.waiting_hosts(1, most=2) == ["a.example", "b.example"]
    assert store.waiting_hosts(1, after="b.example", most=1) == ["c.example"]
    assert store.waiting_hosts(1, after="c.example") == ["d.example"]
    assert store.waiting_hosts(1, after="d.example") == []


def test_requests_are_counted_by_depth(store: Store) -> None:
    deep = Request(9, "http://a.example/9", "a.example", 2, 3, number=9)
    store.commit(Batch(requests=[wish(1), wish(2), wish(3, "b.example"), deep]))
    store.commit(Batch(finished=[wish(2)]))
    assert store.waiting_by_depth() == {2: 2, 3: 1}


def test_a_request_that_comes_and_goes_in_one_batch_leaves_nothing(store: Store) -> None:
    store.commit(Batch(requests=[wish(1)], finished=[wish(1)]))
    assert store.waiting_hosts(1) == []
    assert store.counts()["waiting"] == 0


def test_finishing_what_does_not_wait_changes_nothing(store: Store) -> None:
    store.commit(Batch(requests=[wish(1)]))
    store.commit(Batch(finished=[wish(2), wish(3, "c.example")]))
    assert store.counts()["waiting"] == 1
    assert store.waiting_hosts(1) == ["a.example"]


def test_retried_requests_keep_their_place_and_count_their_tries(store: Store) -> None:
    store.commit(Batch(requests=[wish(1), wish(2)]))
    store.commit(Batch(retried=[wish(1, attempt=2)]))
    assert [each.attempt for each in store.requests("a.example", 1, 9)] == [2, 0]


def test_a_request_remembers_how_many_redirects_led_to_it(store: Store) -> None:
    led = Request(1, "http://a.example/1", "a.example", 1, number=1, hops=5)
    store.commit(Batch(requests=[led, wish(2)]))
    assert [one.hops for one in store.requests("a.example", 1, 9)] == [5, 0]


def test_what_was_spent_at_hosts_is_kept_for_each_task(store: Store, opens: Open) -> None:
    store.commit(Batch(spent=[(1, "a.example", 3), (1, "b.example", 1), (2, "a.example", 7)]))
    store.commit(Batch(spent=[(1, "a.example", 4)]))
    again = opens()
    assert again.spent(1) == {"a.example": 4, "b.example": 1}
    assert again.spent(3) == {}
    again.close()


def test_dismissing_a_host_concerns_one_task(store: Store) -> None:
    wishes = [wish(1), wish(2), wish(3, task=2), wish(4, "b.example")]
    store.commit(Batch(requests=wishes))
    store.commit(Batch(dismissed=[("a.example", 1)]))
    assert store.waiting_hosts(1) == ["b.example"]
    assert store.waiting_hosts(2) == ["a.example"]
    assert store.counts()["waiting"] == 2


def test_a_request_is_found_by_its_page(store: Store) -> None:
    store.commit(Batch(known=known(wish(1), wish(2)), requests=[wish(1), wish(1, task=2)]))
    assert store.request(1, 2) == wish(1, task=2)
    assert store.request(2, 1) is None
    assert store.request(99, 1) is None


def test_requests_for_other_shards_wait_in_their_inbox(store: Store) -> None:
    store.commit(Batch(sent=[(1, wish(1)), (2, wish(2)), (1, wish(3))]))
    (first, one), (second, three) = store.inbox(1, 2)
    assert (one, three) == (wish(1), wish(3))
    assert first < second
    assert store.inbox(1, 2, most=1) == [(first, wish(1))]
    assert store.inbox(1, 2, after=first) == [(second, wish(3))]
    store.commit(Batch(received=[first, second]))
    assert store.inbox(1, 2) == []
    assert [request for _, request in store.inbox(0, 2)] == [wish(2)]
    store.commit(Batch(sent=[(1, wish(4))]))
    assert store.inbox(1, 2)[0][0] > second


@pytest.mark.parametrize("shards", [1, 2, 3, 7])
def test_what_is_in_the_inbox_belongs_to_one_shard_however_many_there_are(store: Store, shards: int) -> None:
    store.commit(Batch(sent=[(share, wish(share)) for share in range(50)]))
    found = [{one.id for _, one in store.inbox(shard, shards)} for shard in range(shards)]
    assert sum(map(len, found)) == 50
    assert found[0] == set(range(0, 50, shards))


def test_a_request_in_the_inbox_is_found_like_one_that_waits(store: Store) -> None:
    store.commit(Batch(sent=[(5, wish(9))], known=known(wish(9))))
    assert store.request(9, 1) == wish(9)
    assert store.request(9, 2) is None


def test_what_a_task_has_left_is_waiting_or_in_an_inbox(store: Store) -> None:
    note = TaskNote(1, "one", b"{}", counts={"queued": 3, "finished": 1})
    store.commit(Batch(tasks=[note], sent=[(1, wish(1)), (1, wish(2, task=2))]))
    assert (store.left(1), store.left(2), store.left(3)) == (3, 1, 0)
    [(number, _), _] = store.inbox(1, 2)
    store.commit(Batch(received=[number], counted=[(1, {"finished": 2})]))
    assert (store.left(1), store.left(2)) == (0, 1)


def test_what_is_to_be_judged_anew_is_left_until_it_is_done(store: Store, opens: Open) -> None:
    note = TaskNote(1, "one", b"{}")
    store.commit(Batch(tasks=[note], widenings=[Widening(1, 3, 0, 2), Widening(2), Widening(1, 3, 1, 2)]))
    first, other, second = store.widenings()
    assert [first.task, first.depth, first.shard, first.shards, first.after] == [1, 3, 0, 2, 0]
    assert 0 < first.number < other.number < second.number
    assert (store.left(1), store.left(2), store.left(3)) == (2, 1, 0)
    further = msgspec.structs.replace(first, after=7)
    store.commit(Batch(widenings=[further], widened=[second.number]))
    again = opens()
    assert again.widenings() == [further, other]
    assert again.left(1) == 1
    again.commit(Batch(widened=[first.number, other.number], widenings=[Widening(4)]))
    again.close()
    [new] = store.widenings()
    assert new.number > second.number, "a number is never used again"


def test_pages_that_led_a_task_to_others_come_by_their_visits(store: Store) -> None:
    assert store.last_visit() == 0
    results: list[tuple[int, int, VisitResult]] = [
        (1, 1, "fetched"),
        (2, 1, "failed"),
        (3, 2, "fetched"),
        (4, 1, "redirected"),
        (5, 1, "robots"),
        (1, 1, "cache hit"),
        (6, 1, "not modified"),
    ]
    store.commit(Batch(visits=[Visit(page_id, task, 1.0, result) for page_id, task, result in results]))
    last = store.last_visit()
    assert store.visited(1, 0, last) == [1, 4, 6]
    assert store.visited(2, 0, last) == [3]
    assert store.visited(1, last - 4, last - 1) == [4, 1]
    store.commit(Batch(visits=[Visit(7, 1, 2.0, "fetched")]))
    assert store.last_visit() > last
    assert store.visited(1, last, store.last_visit()) == [7]


def test_shards_add_to_the_counts_of_a_task(store: Store, opens: Open) -> None:
    other = opens()
    store.commit(Batch(tasks=[TaskNote(1, "one", b"{}", counts={"checked": 1})]))
    store.commit(Batch(counted=[(1, {"checked": 2, "seen": 1, "elapsed_ms": 500})]))
    other.commit(Batch(counted=[(1, {"checked": 3, "elapsed_ms": 400}), (2, {"checked": 9})]))
    other.close()
    [task] = store.tasks()
    assert task.counts == {"checked": 6, "seen": 1, "elapsed_ms": 500}


# What is known


def test_seen_keys_are_complete_and_survive(store: Store, opens: Open) -> None:
    store.commit(Batch(known=[(-1, "http://a/"), (2**63 - 1, "http://b/")], scheduled=[5, -(2**63)]))
    store.commit(Batch(scheduled=[6]))
    again = opens()
    pieces = list(again.seen_keys())
    packed = b"".join(keys for _, keys in pieces)
    assert list(again.seen_keys(after=pieces[0][0])) == pieces[1:]
    again.close()
    assert sorted(struct.unpack(f"<{len(packed) // 8}q", packed)) == sorted([-1, 2**63 - 1, 5, -(2**63), 6])


def test_urls_of_all_that_was_heard_of(store: Store) -> None:
    heard = [(number, f"http://a.example/{number}") for number in range(-700, 700)]
    store.commit(Batch(known=heard[:900], pages=[page(1000)]))
    assert store.url(-700) == "http://a.example/-700"
    store.commit(Batch(known=heard[900:]))
    assert store.url(699) == "http://a.example/699"
    assert store.url(1000) == "http://h1.example/1000"
    assert store.url(12345) is None
    assert store.urls([*range(-700, 700), 12345]) == dict(heard)


def test_tasks_keep_their_counts(store: Store, opens: Open) -> None:
    one = TaskNote(1, "one", b'{"seeds": []}', counts={"checked": 3, "filtered:scope": 2})
    two = TaskNote(2, "two", b"{}", created_s=1.25)
    store.commit(Batch(tasks=[two, one]))
    ended = TaskNote(1, "one", b"{}", "finished", "nothing left", ended_s=9.5)
    store.commit(Batch(tasks=[ended], counted=[(1, {"checked": 1})]))
    again = opens()
    counts = {"checked": 4, "filtered:scope": 2}
    assert again.tasks() == [msgspec.structs.replace(ended, counts=counts), two]
    again.close()


def test_two_tasks_may_have_one_name(store: Store) -> None:
    store.commit(Batch(tasks=[TaskNote(1, "same", b"{}")]))
    store.commit(Batch(tasks=[TaskNote(2, "same", b"{}")]))
    assert [task.number for task in store.tasks()] == [1, 2]


def test_host_notes_are_kept_whole(store: Store) -> None:
    full = HostNote("a.example", 12.5, 3.0, 2, "192.0.2.1", b"User-agent: *\0\xff", 200, 11.0)
    store.commit(Batch(hosts=[full, HostNote("b.example")]))
    assert store.host("a.example") == full
    note = store.host("b.example")
    assert note is not None
    assert note.robots is None
    store.commit(Batch(hosts=[HostNote("a.example", 99.0)]))
    assert store.host("a.example") == HostNote("a.example", 99.0)
    assert store.host("c.example") is None


def test_visits_and_decisions_are_a_history(store: Store) -> None:
    visits = [
        Visit(1, 1, 10.0, "failed", cause="timeout"),
        Visit(1, 1, 20.0, "fetched", 200, warc="w", warc_offset=7),
    ]
    decisions = [Decision(1, 1, 5.0, "trap", "/a/a/a"), Decision(1, 2, 6.0, "per_host")]
    store.commit(
        Batch(visits=[visits[0], Visit(2, 1, 11.0, "refused", cause="robots")], decisions=decisions[:1])
    )
    store.commit(Batch(visits=visits[1:], decisions=decisions[1:]))
    assert store.visits(1) == visits
    assert store.decisions(1) == decisions
    assert not store.visits(3)
    assert not store.decisions(3)
    assert [visit.when_s for visit in store.all_visits()] == [10.0, 11.0, 20.0]


def test_decisions_are_found_by_their_rule(store: Store) -> None:
    traps = [Decision(number, 1, float(number), "trap", f"near copies: /{number}") for number in (5, 3)]
    store.commit(Batch(decisions=[traps[0], Decision(4, 1, 0.0, "no_calendar"), traps[1]]))
    assert store.decided("trap") == traps
    assert store.decided("tra_") == []


def test_archive_ends_move_on(store: Store) -> None:
    store.commit(Batch(archive_ends={"a.warc.gz": 10, "b.warc.gz": 2**41}))
    store.commit(Batch(archive_ends={"a.warc.gz": 30}))
    assert store.archive_ends() == {"a.warc.gz": 30, "b.warc.gz": 2**41}


# Links


def test_links_lead_both_ways(store: Store) -> None:
    rows: list[LinkRow] = [
        (1, 2, "a", "two", False, False, False),
        (1, 3, "frame", "", True, True, True),
        (1, 2, "redirect", "two again", False, True, False),
        (5, 2, "seed", "Größe", False, False, True),
    ]
    store.commit(Batch(links=rows))
    assert store.links_from(1) == [PageLink(*row) for row in rows[:3]]
    assert store.links_to(2) == [PageLink(*row) for row in (rows[0], rows[2], rows[3])]
    assert store.links_to(2, most=1) == [PageLink(*rows[0])]
    assert store.links_to(1) == store.links_from(2) == []
    assert list(store.links()) == [PageLink(*row) for row in rows]


def test_links_of_a_page_read_again_replace_the_old_ones(store: Store) -> None:
    store.commit(Batch(links=[link(1, 2), link(1, 3), link(4, 2)]))
    assert len(store.links_to(2)) == 2
    store.commit(Batch(links=[link(1, 3, "new")]))
    assert store.links_from(1) == [PageLink(*link(1, 3, "new"))]
    assert store.links_to(2) == [PageLink(*link(4, 2))]
    assert store.counts()["links"] == 2
    store.commit(Batch(read=[1, 9]))  # now it has none, and another never had any
    assert (store.links_from(1), store.links_to(3)) == ([], [])
    assert store.counts()["links"] == 1


def test_links_of_start_pages_add_up(store: Store) -> None:
    store.commit(Batch(links=[link(0, 2)]))
    store.commit(Batch(links=[link(0, 3)]))
    assert [each.target for each in store.links_from(0)] == [2, 3]


def test_links_found_while_others_ask_are_not_missed(store: Store) -> None:
    for number in range(1, 451):
        store.commit(
            Batch(links=[link(number, 0), link(number, number % 7)], known=[(number, f"http://x/{number}")])
        )
        if number % 90 == 0:
            assert len(store.links_to(0, most=1000)) == number + number // 7
            assert store.url(number) == f"http://x/{number}"


def test_text_that_no_database_can_hold_does_not_stop_the_crawl(store: Store) -> None:
    store.commit(
        Batch(pages=[page(1, title="a\ud800b", marks={"k": "\udfff"})], links=[link(1, 2, "x\udc00y")])
    )
    kept = store.page(1)
    assert kept is not None
    assert (kept.title, kept.marks["k"]) == ("a\ufffdb", "\ufffd")
    assert store.links_from(1)[0].text == "x\ufffdy"


IDS = st.integers(-(2**63), 2**63 - 1)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(IDS.filter(bool), IDS, TEXTS, st.booleans()), max_size=20))
def test_arbitrary_links_come_back(store: Store, links: list[tuple[int, int, str, bool]]) -> None:
    sources = {source for source, *_ in links}
    rows: list[LinkRow] = [(s, t, "area", text, flag, not flag, False) for s, t, text, flag in links]
    store.commit(Batch(links=rows))
    for source in sources:
        assert store.links_from(source) == [PageLink(*row) for row in rows if row[0] == source]


# Whole or not at all


def counted(number: int) -> Batch:
    """A batch that writes its number everywhere."""
    return Batch(
        pages=[page(number)],
        links=[link(number, target) for target in range(1, 40)],
        known=[(number, f"http://a.example/{number}")],
        scheduled=[-number],
        requests=[wish(number)],
        finished=[wish(number - 1)],
        visits=[Visit(number, 1, 0.0, "fetched")],
        decisions=[Decision(number, 1, 0.0, "trap")],
        tasks=[TaskNote(1, "one", b"")],
        counted=[(1, {"downloaded": 1})],
        archive_ends={"a.warc.gz": number},
    )


def assert_exactly(store: Store, batches: int) -> None:
    """The web holds these batches, all of them, and nothing else."""
    assert [each.id for each in store.pages()] == list(range(1, batches + 1))
    assert store.counts() == {
        "pages": batches,
        "links": 39 * batches,
        "known": batches,
        "waiting": min(batches, 1),
        "visits": batches,
        "hosts": 0,
    }
    assert len(list(store.links())) == 39 * batches
    assert sum(len(keys) for _, keys in store.seen_keys()) == 16 * batches
    assert [each.number for each in store.requests("a.example", 1, 9)] == [batches][:batches]
    assert store.waiting_hosts(1) == ["a.example"][:batches]
    assert store.last_number() == batches
    assert [task.counts for task in store.tasks()] == [{"downloaded": batches}][:batches]
    assert store.archive_ends() == ({"a.warc.gz": batches} if batches else {})
    assert [len(store.decisions(number)) for number in (batches, batches + 1)] == [min(batches, 1), 0]


def test_a_batch_that_cannot_be_written_leaves_no_trace(store: Store) -> None:
    store.commit(counted(1))
    bad = counted(2)
    bad.received = [2**70]  # the last thing that is written
    with pytest.raises(OverflowError):
        store.commit(bad)
    assert_exactly(store, 1)
    store.commit(counted(2))
    assert_exactly(store, 2)


def write_until_killed(opens: Open, begin: int, told: Connection) -> None:
    store = opens()
    for number in range(begin, begin + 100_000):
        store.commit(counted(number))
        told.send(number)


def test_a_kill_at_any_moment_leaves_whole_batches(opens: Open) -> None:
    rnd = random.Random(7)
    batches = 0
    opens().close()
    for _ in range(8):
        hears, tells = FORK.Pipe(duplex=False)
        writer = FORK.Process(target=write_until_killed, args=(opens, batches + 1, tells))
        writer.start()
        tells.close()
        told = hears.recv()
        time.sleep(rnd.uniform(0, 0.03))
        assert writer.pid
        os.kill(writer.pid, signal.SIGKILL)
        writer.join()
        while hears.poll():
            try:
                told = hears.recv()
            except EOFError:
                break
        hears.close()
        store = opens()
        batches = store.counts()["pages"]
        assert told <= batches <= told + 1, "what was committed is there, and at most the one under way"
        assert_exactly(store, batches)
        store.close()


def write_some(opens: Open, batches: int) -> None:
    store = opens()
    for number in range(1, batches + 1):
        store.commit(counted(number))
    store.close()


def test_readers_in_another_process_see_whole_batches(opens: Open) -> None:
    reader = opens()
    writer = FORK.Process(target=write_some, args=(opens, 150))
    writer.start()
    seen = set()
    while writer.is_alive():
        counts = reader.counts()
        seen.add(counts["pages"])
        # Each look is a transaction of its own: what is asked later can only be further.
        pages = counts["pages"]
        assert pages <= len(list(reader.pages())) <= reader.counts()["visits"]
        assert all(len(reader.links_from(number)) == 39 for number in range(max(1, pages - 5), pages + 1))
    writer.join()
    assert writer.exitcode == 0
    assert_exactly(reader, 150)
    reader.close()


def write_own(opens: Open, shard: int) -> None:
    store = opens()
    for number in range(1, 61):
        mine = wish(number, f"s{shard}.example")
        store.commit(Batch(requests=[mine], sent=[(1 - shard, mine)], pages=[page(number * 2 + shard)]))
    store.close()


def test_shards_take_turns_at_writing(opens: Open) -> None:
    opens().close()
    shards = [FORK.Process(target=write_own, args=(opens, shard)) for shard in (0, 1)]
    for each in shards:
        each.start()
    for each in shards:
        each.join()
        assert each.exitcode == 0
    store = opens()
    assert store.counts()["waiting"] == 120
    assert store.counts()["pages"] == 120
    assert store.waiting_hosts(1) == ["s0.example", "s1.example"]
    assert [len(store.inbox(shard, 2)) for shard in (0, 1)] == [60, 60]
    store.close()
