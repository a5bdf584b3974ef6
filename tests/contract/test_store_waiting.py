"""Waiting requests come best first, once, and for the shard that owns their host."""

import msgspec
import pytest
from tests.contract.rows import Open, make_request

from gossamer.records import Request, Visit, VisitResult
from gossamer.store.batch import Batch, Store, TaskNote, Widening


def list_known(*requests: Request) -> list[tuple[int, str]]:
    return [(request.id, request.url) for request in requests]


def test_requests_come_best_first_and_equal_ones_in_order_of_arrival(store: Store) -> None:
    wishes = [
        make_request(1, priority=-2.0),
        make_request(2, priority=0.5),
        make_request(3, priority=-2.0),
        make_request(4, priority=3.25),
    ]
    store.commit(Batch(requests=wishes))
    assert [each.number for each in store.requests("a.example", 1, 10)] == [4, 2, 1, 3]
    assert store.requests("a.example", 1, 2) == [wishes[3], wishes[1]]
    assert store.requests("b.example", 1, 10) == []
    assert store.requests("a.example", 2, 10) == []


def test_the_best_requests_are_found_regardless_of_arrival(store: Store) -> None:
    early, late = make_request(1, priority=1.0), make_request(10_000_000, priority=2.0)
    store.commit(Batch(requests=[early, late, make_request(5_000_000, priority=-1.0)]))
    assert store.requests("a.example", 1, 2) == [late, early]
    store.commit(Batch(finished=[late], dismissed=[("b.example", 1)]))
    assert [each.number for each in store.requests("a.example", 1, 9)] == [1, 5_000_000]


def test_finished_requests_are_deleted_and_their_numbers_not_reused(store: Store) -> None:
    wishes = [make_request(1), make_request(2), make_request(3, "b.example")]
    store.commit(Batch(requests=wishes))
    store.commit(Batch(finished=wishes[1:]))
    assert store.requests("a.example", 1, 9) == [wishes[0]]
    assert store.waiting_hosts(1) == ["a.example"]
    assert [store.count_waiting(host, 1) for host in ("a.example", "b.example")] == [1, 0]
    assert store.counts()["waiting"] == 1
    assert store.last_number() == 3


def test_hosts_with_waiting_requests_are_listed_by_name(store: Store) -> None:
    store.commit(
        Batch(requests=[make_request(number, f"{name}.example") for number, name in enumerate("cbad", 1)])
    )
    assert store.waiting_hosts(1, most=2) == ["a.example", "b.example"]
    assert store.waiting_hosts(1, after="b.example", most=1) == ["c.example"]
    assert store.waiting_hosts(1, after="c.example") == ["d.example"]
    assert store.waiting_hosts(1, after="d.example") == []


def test_requests_are_counted_by_depth(store: Store) -> None:
    deep = Request(9, "http://a.example/9", "a.example", 2, 3, number=9)
    store.commit(Batch(requests=[make_request(1), make_request(2), make_request(3, "b.example"), deep]))
    store.commit(Batch(finished=[make_request(2)]))
    assert store.count_waiting_by_depth() == {2: 2, 3: 1}


def test_a_request_added_and_finished_in_one_batch_leaves_nothing(store: Store) -> None:
    store.commit(Batch(requests=[make_request(1)], finished=[make_request(1)]))
    assert store.waiting_hosts(1) == []
    assert store.counts()["waiting"] == 0


def test_finishing_an_unknown_request_changes_nothing(store: Store) -> None:
    store.commit(Batch(requests=[make_request(1)]))
    store.commit(Batch(finished=[make_request(2), make_request(3, "c.example")]))
    assert store.counts()["waiting"] == 1
    assert store.waiting_hosts(1) == ["a.example"]


def test_retried_requests_keep_their_rank_and_count_attempts(store: Store) -> None:
    store.commit(Batch(requests=[make_request(1), make_request(2)]))
    store.commit(Batch(retried=[make_request(1, attempt=2)]))
    assert [each.attempt for each in store.requests("a.example", 1, 9)] == [2, 0]


def test_a_request_remembers_how_many_redirects_led_to_it(store: Store) -> None:
    led = Request(1, "http://a.example/1", "a.example", 1, number=1, hops=5)
    store.commit(Batch(requests=[led, make_request(2)]))
    assert [one.hops for one in store.requests("a.example", 1, 9)] == [5, 0]


def test_budgets_spent_at_hosts_are_stored_for_each_task(store: Store, opens: Open) -> None:
    store.commit(Batch(spent=[(1, "a.example", 3), (1, "b.example", 1), (2, "a.example", 7)]))
    store.commit(Batch(spent=[(1, "a.example", 4)]))
    again = opens()
    assert again.pages_by_host(1) == {"a.example": 4, "b.example": 1}
    assert again.pages_by_host(3) == {}
    again.close()


def test_dismissing_a_host_concerns_one_task(store: Store) -> None:
    wishes = [make_request(1), make_request(2), make_request(3, task=2), make_request(4, "b.example")]
    store.commit(Batch(requests=wishes))
    store.commit(Batch(dismissed=[("a.example", 1)]))
    assert store.waiting_hosts(1) == ["b.example"]
    assert store.waiting_hosts(2) == ["a.example"]
    assert store.counts()["waiting"] == 2


def test_a_request_is_found_by_its_page(store: Store) -> None:
    store.commit(
        Batch(
            known=list_known(make_request(1), make_request(2)),
            requests=[make_request(1), make_request(1, task=2)],
        )
    )
    assert store.request(1, 2) == make_request(1, task=2)
    assert store.request(1, 2, "a.example") == make_request(1, task=2)
    assert store.request(1, 2, "b.example") is None
    assert store.request(2, 1) is None
    assert store.request(99, 1) is None


def test_requests_for_other_shards_wait_in_their_inbox(store: Store) -> None:
    store.commit(Batch(sent=[(1, make_request(1)), (2, make_request(2)), (1, make_request(3))]))
    (first, one), (second, three) = store.inbox(1, 2)
    assert (one, three) == (make_request(1), make_request(3))
    assert first < second
    assert store.inbox(1, 2, most=1) == [(first, make_request(1))]
    assert store.inbox(1, 2, after=first) == [(second, make_request(3))]
    store.commit(Batch(received=[first, second]))
    assert store.inbox(1, 2) == []
    assert [request for _, request in store.inbox(0, 2)] == [make_request(2)]
    store.commit(Batch(sent=[(1, make_request(4))]))
    assert store.inbox(1, 2)[0][0] > second


@pytest.mark.parametrize("shards", [1, 2, 3, 7])
def test_an_inbox_entry_belongs_to_one_shard_for_any_number_of_shards(store: Store, shards: int) -> None:
    store.commit(Batch(sent=[(share, make_request(share)) for share in range(50)]))
    found = [{one.id for _, one in store.inbox(shard, shards)} for shard in range(shards)]
    assert sum(map(len, found)) == 50
    assert found[0] == set(range(0, 50, shards))


def test_a_request_in_the_inbox_is_found_like_a_waiting_one(store: Store) -> None:
    store.commit(Batch(sent=[(5, make_request(9))], known=list_known(make_request(9))))
    assert store.request(9, 1) == make_request(9)
    assert store.request(9, 2) is None


def test_remaining_work_is_waiting_or_in_an_inbox(store: Store) -> None:
    note = TaskNote(1, "one", b"{}", counts={"queued": 3, "finished": 1})
    store.commit(Batch(tasks=[note], sent=[(1, make_request(1)), (1, make_request(2, task=2))]))
    assert (store.count_remaining(1), store.count_remaining(2), store.count_remaining(3)) == (3, 1, 0)
    [(number, _), _] = store.inbox(1, 2)
    store.commit(Batch(received=[number], counted=[(1, {"finished": 2})]))
    assert (store.count_remaining(1), store.count_remaining(2)) == (0, 1)


def test_widenings_count_as_remaining_work_until_done(store: Store, opens: Open) -> None:
    note = TaskNote(1, "one", b"{}")
    store.commit(Batch(tasks=[note], widenings=[Widening(1, 3, 0, 2), Widening(2), Widening(1, 3, 1, 2)]))
    first, other, second = store.widenings()
    assert [first.task, first.depth, first.shard, first.shards, first.after] == [1, 3, 0, 2, 0]
    assert 0 < first.number < other.number < second.number
    assert (store.count_remaining(1), store.count_remaining(2), store.count_remaining(3)) == (2, 1, 0)
    further = msgspec.structs.replace(first, after=7)
    store.commit(Batch(widenings=[further], widened=[second.number]))
    again = opens()
    assert again.widenings() == [further, other]
    assert again.count_remaining(1) == 1
    again.commit(Batch(widened=[first.number, other.number], widenings=[Widening(4)]))
    again.close()
    [new] = store.widenings()
    assert new.number > second.number, "a number is never used again"


def test_visited_pages_with_links_come_in_order_of_visits(store: Store) -> None:
    assert (store.last_visit(), store.last_visit_s()) == (0, 0.0)
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
    assert store.visited_pages(1, 0, last, 100) == ([1, 4, 6], last)
    assert store.visited_pages(2, 0, last, 100) == ([3], last)
    assert store.visited_pages(1, last - 4, last - 1, 3) == ([4, 1], last - 1)
    assert store.visited_pages(1, 0, last, 4) == ([1, 4], last - 3)
    store.commit(Batch(visits=[Visit(7, 1, 2.0, "fetched")]))
    assert store.last_visit() > last
    assert store.last_visit_s() == 2.0
    assert store.visited_pages(1, last, store.last_visit(), 1) == ([7], store.last_visit())


def test_shards_add_to_the_counts_of_a_task(store: Store, opens: Open) -> None:
    other = opens()
    store.commit(Batch(tasks=[TaskNote(1, "one", b"{}", counts={"checked": 1})]))
    store.commit(Batch(counted=[(1, {"checked": 2, "seen": 1, "elapsed_ms": 500})]))
    other.commit(Batch(counted=[(1, {"checked": 3, "elapsed_ms": 400}), (2, {"checked": 9})]))
    other.close()
    [task] = store.tasks()
    assert task.counts == {"checked": 6, "seen": 1, "elapsed_ms": 500}


def test_the_longest_queue_is_found(store: Store) -> None:
    assert store.longest_queue() == ("", 0)
    requests = [make_request(1), make_request(2, task=2), make_request(3, host="b.example")]
    store.commit(Batch(requests=requests))
    assert store.longest_queue() == ("a.example", 2)
