"""What a look at a crawl asks a store: the work that is left, hosts, and the documents behind a count."""

import pytest
from tests.contract.rows import make_request

from gossamer.records import Decision, HostNote, Visit
from gossamer.store.batch import Batch, HostOrder, Store, TaskNote


def test_the_work_left_counts_queues_and_inboxes_of_each_task(store: Store) -> None:
    assert store.work_left() == []
    notes = [TaskNote(1, "one", b"{}", counts={"queued": 3, "elapsed_ms": 5}), TaskNote(2, "two", b"{}")]
    requests = [make_request(1), make_request(2, "b.example"), make_request(3, task=2)]
    store.commit(Batch(tasks=notes, requests=requests, sent=[(7, make_request(9, task=2))]))
    found = [(one.note.number, one.note.counts, one.waiting, one.sent) for one in store.work_left()]
    assert found == [(1, {"queued": 3, "elapsed_ms": 5}, 2, 0), (2, {}, 1, 1)]
    store.commit(Batch(finished=requests[:1], counted=[(1, {"finished": 1, "elapsed_ms": 4})]))
    first = store.work_left()[0]
    assert (first.waiting, first.note.counts) == (1, {"queued": 3, "finished": 1, "elapsed_ms": 5})


@pytest.mark.parametrize(
    ("order", "names"),
    [("waiting", "bacd"), ("failures", "dbac"), ("next turn", "cab"), ("name", "abcd")],
)
def test_hosts_are_listed_in_an_order(store: Store, order: HostOrder, names: str) -> None:
    requests = [make_request(1), make_request(2, "b.example"), make_request(3, "b.example", task=2)]
    requests.append(make_request(4, "c.example"))
    hosts = [
        HostNote("a.example", ready_s=5.0),
        HostNote("b.example", 9.0, 2.5, 1, "192.0.2.1", robots=b"x" * 9000),
        HostNote("d.example", failures=3),
    ]
    store.commit(Batch(requests=requests, hosts=hosts))
    found = store.hosts_by(order, 10)
    assert [host.name[0] for host in found] == list(names)
    assert store.hosts_by(order, 2) == found[:2]
    second = next(host for host in found if host.name == "b.example")
    assert (second.waiting, second.ready_s, second.crawl_delay_s, second.failures, second.address) == (
        2,
        9.0,
        2.5,
        1,
        "192.0.2.1",
    )
    assert [(host.name, host.waiting) for host in store.hosts_by(order, 10, task=2)] == [("b.example", 1)]


def test_the_deepest_waiting_request_of_each_task_is_found(store: Store) -> None:
    assert store.deepest_waiting() == {}
    store.commit(Batch(requests=[make_request(1), make_request(2, task=3)]))
    assert store.deepest_waiting() == {1: 2, 3: 2}


def test_visits_of_a_task_are_read_back_in_pieces(store: Store) -> None:
    assert store.task_visits(1, "failed", 0, 10) == ([], 0)
    visits = [
        Visit(number, 1 + number % 2, float(number), "failed" if number % 3 else "fetched", cause="dns")
        for number in range(20)
    ]
    for at in range(0, 20, 5):  # several commits: numbers need not follow each other
        store.commit(Batch(visits=visits[at : at + 5]))
    expected = [one for one in reversed(visits) if one.task == 1 and one.result == "failed"]
    found: list[Visit] = []
    before, looks = 0, 0
    while True:
        some, before = store.task_visits(1, "failed", before, 3)
        found += [visit for _, visit in some]
        looks += 1
        if not before:
            break
    assert found == expected
    assert looks >= 7
    numbered, end = store.task_visits(1, "failed", 0, 100)
    assert ([visit for _, visit in numbered], end) == (expected, 0)
    number = numbered[3][0]
    assert store.task_visits(1, "failed", number, 100) == (numbered[4:], 0)
    assert store.task_visits(3, "failed", 0, 100) == ([], 0)


def test_decisions_of_a_task_by_a_rule_are_read_back_in_pieces(store: Store) -> None:
    decisions = [Decision(number, 1, float(number), "trap" if number % 2 else "own") for number in range(6)]
    store.commit(Batch(decisions=decisions))
    some, before = store.task_decisions(1, "trap", 0, 4)
    assert before
    rest, end = store.task_decisions(1, "trap", before, 4)
    assert [one.page for _, one in some + rest] == [5, 3, 1]
    assert end == 0


def test_known_urls_are_read_in_pieces(store: Store) -> None:
    known = [(number, f"http://a.example/{number}") for number in (-(1 << 63), -5, 0, 7, (1 << 63) - 1)]
    store.commit(Batch(known=known))
    found: list[tuple[int, str]] = []
    after = 0
    while some := store.some_known_urls(after, 2):
        assert len(some) <= 2
        found += [(page_id, url) for _, page_id, url in some]
        after = some[-1][0]
    assert sorted(found) == known


def test_visits_of_many_pages_are_found_together(store: Store) -> None:
    visits = [Visit(page, 1, float(at), "fetched") for at, page in enumerate((3, -4, 3, 5))]
    store.commit(Batch(visits=visits))
    assert store.visits_of_pages([3, -4, 9]) == {3: [visits[0], visits[2]], -4: [visits[1]]}
    assert store.visits_of_pages([]) == {}
