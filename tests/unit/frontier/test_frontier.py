import pytest

from gossamer.config import Politeness
from gossamer.frontier.frontier import Frontier
from gossamer.frontier.pauses_and_backoff import Pace
from gossamer.frontier.request_window import REQUISITES_FIRST, WINDOW_SIZE, RequestWindow
from gossamer.records import Request


def request(host: str, number: int, task: int = 1, priority: float = 0.0) -> Request:
    return Request(number, f"http://{host}/{number}", host, task, priority=priority, number=number)


def make_frontier(*tasks: int, weight: float = 1.0, **politeness: float) -> Frontier:
    frontier = Frontier()
    for task in tasks or (1,):
        frontier.set_task(task, weight, Politeness(**{"delay_s": 1.0, "adaptive": 0.0, **politeness}))  # type: ignore[arg-type]
    return frontier


def take_number(frontier: Frontier, now_s: float) -> int | None:
    request = frontier.take(now_s)
    return request.number if request else None


def test_a_host_pauses_after_each_answer_and_others_do_not_wait_for_it() -> None:
    frontier = make_frontier()
    frontier.add([request("a", 1), request("a", 2), request("b", 3)])
    first, other = frontier.take(0.0), frontier.take(0.0)
    assert first
    assert other
    assert (first.number, other.number) == (1, 3)
    assert frontier.take(0.5) is None, "both hosts are busy"
    frontier.record_answer(first, 0.5)
    assert frontier.take(1.4) is None
    assert frontier.next_ready_s() == 1.5
    assert take_number(frontier, 1.5) == 2


def test_within_a_host_priority_decides_then_order_of_arrival() -> None:
    frontier = make_frontier(delay_s=0)
    frontier.add([request("a", 1), request("a", 2, priority=5), request("a", 3, priority=5)])
    order = []
    for now_s in range(3):
        one = frontier.take(float(now_s))
        assert one
        order.append(one.number)
        frontier.record_answer(one, float(now_s))
    assert order == [2, 3, 1]


def test_hosts_at_one_address_share_its_pauses() -> None:
    frontier = make_frontier()
    frontier.add([request("a", 1), request("a", 2), request("b", 3)])
    a, b = frontier.take(0.0), frontier.take(0.0)
    assert a
    assert b
    assert frontier.claim_address(a, "192.0.2.1", 0.0)
    assert not frontier.claim_address(b, "192.0.2.1", 0.0), "the address is busy with the other host"
    frontier.put_back(b)
    assert frontier.take(0.1) is None
    frontier.record_answer(a, 0.2)
    assert frontier.take(1.1) is None
    assert take_number(frontier, 1.3) in (2, 3)
    assert frontier.take(1.3) is None


def test_crawl_delay_is_kept_and_bounded() -> None:
    frontier = make_frontier(max_delay_s=30.0)
    frontier.add([request("a", number) for number in (1, 2, 3)])
    one = frontier.take(0.0)
    assert one
    frontier.set_crawl_delay("a", 10.0)
    frontier.record_answer(one, 0.0)
    assert frontier.take(9.9) is None
    two = frontier.take(10.0)
    assert two
    frontier.set_crawl_delay("a", 99_999.0)
    frontier.record_answer(two, 10.0)
    assert frontier.next_ready_s() == 40.0


def test_each_failure_doubles_the_pause_and_an_answer_resets_it() -> None:
    frontier = make_frontier()
    frontier.add([request("a", number) for number in range(1, 6)])
    now_s = 0.0
    pauses = []
    for _ in range(3):
        one = frontier.take(now_s)
        assert one
        frontier.record_failure(one, now_s)
        ready_s = frontier.next_ready_s()
        assert ready_s is not None
        pauses.append(ready_s - now_s)
        now_s = ready_s
    assert pauses == [5.0, 10.0, 20.0]
    one = frontier.take(now_s)
    assert one
    frontier.record_answer(one, now_s)
    assert frontier.next_ready_s() == now_s + 1.0


def test_retry_after_is_kept_and_the_request_is_tried_again() -> None:
    frontier = make_frontier()
    frontier.add([request("a", 1)])
    one = frontier.take(0.0)
    assert one
    frontier.record_failure(one, 0.0, retry_after_s=120.0, done=False)
    assert frontier.take(119.0) is None
    assert take_number(frontier, 120.0) == 1


def test_tasks_are_served_by_weight() -> None:
    frontier = Frontier()
    politeness = Politeness(delay_s=0.0)
    frontier.set_task(1, 3.0, politeness)
    frontier.set_task(2, 1.0, politeness)
    frontier.add(request(f"h{n}", n, task=1 + n % 2) for n in range(400))
    served = [frontier.take(0.0) for _ in range(100)]
    tasks = [one.task for one in served if one]
    assert 70 <= tasks.count(1) <= 80


def test_a_task_that_starts_late_does_not_starve_the_others() -> None:
    frontier = make_frontier(1, 2, delay_s=0)
    frontier.add(request(f"h{n}", n, task=1) for n in range(200))
    for _ in range(100):
        assert frontier.take(0.0)
    frontier.add(request(f"g{n}", 1000 + n, task=2) for n in range(100))
    tasks = [one.task for one in (frontier.take(0.0) for _ in range(40)) if one]
    assert 18 <= tasks.count(1) <= 22


def test_a_window_of_requests_is_in_memory_and_the_rest_is_loaded_on_demand() -> None:
    frontier = make_frontier(delay_s=0)
    everything = [request("a", number) for number in range(1, 10 * WINDOW_SIZE)]
    frontier.add(everything)
    order = []
    now_s = 0.0
    while True:
        for host, task, held in frontier.needs_requests():
            left = [one for one in everything if one.number not in order]
            best = left[: WINDOW_SIZE + len(held)]
            frontier.load(host, task, best, is_all=len(best) == len(left))
        one = frontier.take(now_s)
        if one is None:
            break
        order.append(one.number)
        frontier.record_answer(one, now_s)
        now_s += 1
    assert order == [one.number for one in everything]


def test_a_better_request_goes_before_those_in_the_store() -> None:
    frontier = make_frontier(delay_s=0)
    frontier.add(request("a", number) for number in range(1, 10 * WINDOW_SIZE))
    frontier.add([request("a", 9999, priority=1.0)])
    assert take_number(frontier, 0.0) == 9999


def test_after_a_restart_requests_are_loaded_before_a_host_is_asked() -> None:
    frontier = make_frontier()
    frontier.add_stored_host("a", 1)
    assert frontier.take(0.0) is None
    [(host, task, held)] = frontier.needs_requests()
    assert (host, task, held) == ("a", 1, set())
    frontier.load("a", 1, [request("a", 7)], is_all=True)
    assert frontier.needs_requests() == []
    assert take_number(frontier, 0.0) == 7


def test_dropped_requests_are_not_taken() -> None:
    frontier = make_frontier(delay_s=0)
    frontier.add([request("a", 1), request("a", 2), request("a", 3)])
    one = frontier.take(0.0)
    assert one
    assert [left.number for left in frontier.drop_requests("a", 1)] == [2, 3]
    frontier.record_answer(one, 0.0)
    assert frontier.take(5.0) is None


def test_idle_hosts_are_forgotten_only_when_their_pause_is_over() -> None:
    frontier = make_frontier()
    frontier.add([request("a", 1)])
    one = frontier.take(0.0)
    assert one
    assert frontier.forget_idle_hosts(0.0) == 0
    frontier.record_answer(one, 0.0)
    assert frontier.forget_idle_hosts(0.5) == 0, "its pause would be forgotten with it"
    assert frontier.forget_idle_hosts(2.0) == 1


def test_a_host_that_moves_leaves_its_old_address_free_for_others() -> None:
    frontier = make_frontier()
    frontier.add([request("a", 1), request("a", 2), request("b", 3)])
    one = frontier.take(0.0)
    assert one
    assert frontier.claim_address(one, "192.0.2.1", 0.0)
    frontier.record_answer(one, 0.0)
    other = frontier.take(0.5)
    assert other
    assert other.number == 3
    again = frontier.take(1.0)
    assert again
    assert frontier.claim_address(again, "192.0.2.9", 1.0), "the host has moved"
    frontier.record_answer(again, 1.0)
    assert frontier.claim_address(other, "192.0.2.1", 1.5)


def test_a_task_waits_as_long_after_another_as_after_itself() -> None:
    frontier = Frontier()
    frontier.set_task(1, 1.0, Politeness(delay_s=0.1, adaptive=0.0))
    frontier.set_task(2, 1.0, Politeness(delay_s=2.0, adaptive=0.0))
    frontier.add([request("a", 1), request("a", 2)])
    one = frontier.take(0.0)
    assert one
    frontier.record_answer(one, 0.0)
    frontier.add([request("a", 3, task=2)])
    assert frontier.take(0.5) is None, "the longer delay also applies after the other task"
    two = frontier.take(2.0)
    assert two
    frontier.record_answer(two, 2.0)
    assert frontier.take(3.9) is None
    assert frontier.take(4.0)


def test_a_host_with_a_remembered_pace_keeps_its_pauses() -> None:
    frontier = make_frontier(max_delay_s=60.0)
    frontier.add_host("a", Pace(ready_s=5.0, failures=2))
    frontier.add_host("b", Pace(crawl_delay_s=9.0, ended_s=3.0))
    frontier.add_host("b", Pace())
    frontier.add([request("a", 1), request("b", 2), request("c", 3)])
    assert take_number(frontier, 4.0) == 3
    assert frontier.take(4.9) is None
    assert take_number(frontier, 5.0) == 1
    assert frontier.take(11.9) is None
    assert take_number(frontier, 12.0) == 2


def test_a_postponed_request_waits_and_does_not_block_its_address() -> None:
    frontier = make_frontier()
    frontier.add([request("a", 1), request("b", 2)])
    one = frontier.take(0.0)
    assert one
    assert frontier.claim_address(one, "192.0.2.1", 0.0)
    frontier.postpone(one, 0.5)
    two = frontier.take(0.0)
    assert two
    assert frontier.claim_address(two, "192.0.2.1", 0.0), "nothing was sent, so the address is free"
    assert frontier.take(0.4) is None
    frontier.skip(two)
    assert take_number(frontier, 0.5) == 1


def test_a_borrowed_host_is_busy_and_pauses_afterwards() -> None:
    frontier = make_frontier()
    frontier.add([request("a", 1), request("b", 2)])
    one = frontier.take(0.0)
    assert one
    assert one.host == "a"
    assert frontier.borrow_host("b", 0.0)
    assert frontier.take(0.1) is None
    assert not frontier.borrow_host("b", 0.1)
    assert not frontier.borrow_host("a", 0.1), "it is busy with its own request"
    frontier.release_host("b", 1, 0.5)
    assert frontier.take(1.4) is None
    assert take_number(frontier, 1.5) == 2


def test_hosts_that_need_requests_are_listed_in_order_up_to_a_limit() -> None:
    frontier = make_frontier()
    for host in ("c", "a", "b"):
        frontier.add_stored_host(host, 1)
    assert [host for host, _, _ in frontier.needs_requests(2)] == ["c", "a"]
    frontier.load("c", 1, [], is_all=True)
    assert [host for host, _, _ in frontier.needs_requests()] == ["a", "b"]


def test_hosts_to_be_kept_are_not_forgotten() -> None:
    frontier = make_frontier()
    frontier.add([request("a", 1)])
    one = frontier.take(0.0)
    assert one
    frontier.record_answer(one, 0.0)
    assert frontier.forget_idle_hosts(9.0, keep={"a"}) == 0
    assert "a" in frontier
    assert frontier.forget_idle_hosts(9.0) == 1
    assert len(frontier) == 0


def test_hosts_without_room_stay_in_the_store_until_they_are_added() -> None:
    frontier = Frontier(most_hosts=2)
    frontier.set_task(1, 1.0, Politeness(delay_s=0.0))
    frontier.add([request("a", 1), request("b", 2), request("c", 3), request("a", 4)])
    assert [frontier.has_queue(host, 1) for host in "abc"] == [True, True, False]
    assert frontier.tasks_with_stored_hosts() == {1: 1}
    frontier.add_stored_host("c", 1)
    assert [host for host, _, _ in frontier.needs_requests()] == ["c"]
    frontier.load("c", 1, [request("c", 3)], is_all=True)
    assert sorted(take_number(frontier, 0.0) or 0 for _ in "abc") == [1, 2, 3]


def test_older_requests_of_a_host_are_loaded_from_the_store_when_it_is_added_again() -> None:
    frontier = Frontier(most_hosts=1)
    frontier.set_task(1, 1.0, Politeness(delay_s=0.0))
    frontier.add([request("a", 1), request("b", 2)])
    first = frontier.take(0.0)
    assert first
    frontier.record_answer(first, 0.0)
    assert frontier.forget_idle_hosts(1.0) == 1
    frontier.add([request("b", 3)])
    assert frontier.take(1.0) is None, "the store has an older request"
    assert [host for host, _, _ in frontier.needs_requests()] == ["b"]
    frontier.load("b", 1, [request("b", 2), request("b", 3)], is_all=True)
    assert take_number(frontier, 1.0) == 2


def test_a_removed_task_has_no_stored_hosts() -> None:
    frontier = Frontier(most_hosts=0)
    frontier.set_task(1, 1.0, Politeness())
    frontier.add([request("a", 1)])
    frontier.remove_task(1)
    assert frontier.tasks_with_stored_hosts() == {}


def requisite(host: str, number: int, page_priority: float = 0.0) -> Request:
    priority = page_priority + REQUISITES_FIRST
    return Request(
        number, f"http://{host}/{number}", host, 1, priority=priority, type="requisite", number=number
    )


def test_requisites_go_before_pages_and_alone_when_a_task_is_full() -> None:
    frontier = make_frontier(delay_s=0)
    frontier.add([request("a", 1, priority=9), requisite("a", 2), request("b", 3), requisite("c", 4)])
    taken = [frontier.take(0.0, (), {1}) for _ in range(3)]
    assert [one.number if one else None for one in taken] == [2, 4, None]
    for one in taken[:2]:
        assert one
        frontier.record_answer(one, 0.0)
    assert frontier.take(1.0, (), {1}) is None, "only pages are left"
    assert {take_number(frontier, 1.0), take_number(frontier, 1.0)} == {1, 3}, "which were not lost"


def test_among_hosts_a_requisite_counts_as_much_as_its_page() -> None:
    window = RequestWindow()
    window.add(requisite("a", 1, page_priority=0.3))
    assert window.best_priority == pytest.approx(0.3)
    assert window.starts_with_requisite


def test_several_requests_are_under_way_at_a_host_without_pauses_once_it_has_answered() -> None:
    frontier = make_frontier(delay_s=0, at_once=3)
    frontier.add([request("a", number) for number in range(1, 8)])
    first = frontier.take(0.0)
    assert first
    assert frontier.take(0.0) is None, "nothing is known of the host yet, nor of its robots.txt"
    frontier.record_answer(first, 0.1)
    under_way = [frontier.take(0.1) for _ in range(4)]
    assert [one.number if one else None for one in under_way] == [2, 3, 4, None]
    assert under_way[0]
    assert under_way[1]
    frontier.record_answer(under_way[0], 0.2)
    assert take_number(frontier, 0.2) == 5
    frontier.record_failure(under_way[1], 0.3)
    assert frontier.take(0.3) is None
    assert frontier.count_hosts(0.3)["busy"] == 1


def test_a_host_with_a_pause_gets_one_request_at_a_time() -> None:
    frontier = make_frontier(delay_s=0, at_once=3)
    frontier.add([request("a", number) for number in range(1, 4)])
    first = frontier.take(0.0)
    assert first
    frontier.set_crawl_delay("a", 2.0)
    frontier.record_answer(first, 0.0)
    assert frontier.take(1.0) is None
    assert take_number(frontier, 2.0) == 2
    assert frontier.take(2.0) is None
