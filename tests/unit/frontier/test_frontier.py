from gossamer.config import Politeness
from gossamer.frontier.frontier import Frontier
from gossamer.frontier.politeness import Pace
from gossamer.frontier.request_window import WINDOW_SIZE
from gossamer.records import Request


def request(host: str, number: int, task: int = 1, priority: float = 0.0) -> Request:
    return Request(number, f"http://{host}/{number}", host, task, priority=priority, number=number)


def frontier(*tasks: int, weight: float = 1.0, **manners: float) -> Frontier:
    made = Frontier()
    for task in tasks or (1,):
        made.set_task(task, weight, Politeness(**{"delay_s": 1.0, "adaptive": 0.0, **manners}))  # type: ignore[arg-type]
    return made


def taken(made: Frontier, now_s: float) -> int | None:
    request = made.take(now_s)
    return request.number if request else None


def test_a_host_rests_after_each_answer_and_others_do_not_wait_for_it() -> None:
    made = frontier()
    made.add([request("a", 1), request("a", 2), request("b", 3)])
    first, other = made.take(0.0), made.take(0.0)
    assert first
    assert other
    assert (first.number, other.number) == (1, 3)
    assert made.take(0.5) is None, "both hosts are busy"
    made.record_answer(first, 0.5)
    assert made.take(1.4) is None
    assert made.next_ready_s() == 1.5
    assert taken(made, 1.5) == 2


def test_within_a_host_priority_decides_then_order_of_arrival() -> None:
    made = frontier(delay_s=0)
    made.add([request("a", 1), request("a", 2, priority=5), request("a", 3, priority=5)])
    order = []
    for now_s in range(3):
        one = made.take(float(now_s))
        assert one
        order.append(one.number)
        made.record_answer(one, float(now_s))
    assert order == [2, 3, 1]


def test_hosts_at_one_address_share_its_pauses() -> None:
    made = frontier()
    made.add([request("a", 1), request("a", 2), request("b", 3)])
    a, b = made.take(0.0), made.take(0.0)
    assert a
    assert b
    assert made.claim_address(a, "192.0.2.1", 0.0)
    assert not made.claim_address(b, "192.0.2.1", 0.0), "the address is busy with the other host"
    made.put_back(b)
    assert made.take(0.1) is None
    made.record_answer(a, 0.2)
    assert made.take(1.1) is None
    assert taken(made, 1.3) in (2, 3)
    assert made.take(1.3) is None


def test_crawl_delay_is_kept_and_bounded() -> None:
    made = frontier(max_delay_s=30.0)
    made.add([request("a", number) for number in (1, 2, 3)])
    one = made.take(0.0)
    assert one
    made.set_crawl_delay("a", 10.0)
    made.record_answer(one, 0.0)
    assert made.take(9.9) is None
    two = made.take(10.0)
    assert two
    made.set_crawl_delay("a", 99_999.0)
    made.record_answer(two, 10.0)
    assert made.next_ready_s() == 40.0


def test_failures_double_the_pause_and_an_answer_ends_that() -> None:
    made = frontier()
    made.add([request("a", number) for number in range(1, 6)])
    now_s = 0.0
    pauses = []
    for _ in range(3):
        one = made.take(now_s)
        assert one
        made.record_failure(one, now_s)
        ready_s = made.next_ready_s()
        assert ready_s is not None
        pauses.append(ready_s - now_s)
        now_s = ready_s
    assert pauses == [5.0, 10.0, 20.0]
    one = made.take(now_s)
    assert one
    made.record_answer(one, now_s)
    assert made.next_ready_s() == now_s + 1.0


def test_retry_after_is_kept_and_the_request_is_tried_again() -> None:
    made = frontier()
    made.add([request("a", 1)])
    one = made.take(0.0)
    assert one
    made.record_failure(one, 0.0, retry_after_s=120.0, done=False)
    assert made.take(119.0) is None
    assert taken(made, 120.0) == 1


def test_tasks_are_served_by_weight() -> None:
    made = Frontier()
    manners = Politeness(delay_s=0.0)
    made.set_task(1, 3.0, manners)
    made.set_task(2, 1.0, manners)
    made.add(request(f"h{n}", n, task=1 + n % 2) for n in range(400))
    served = [made.take(0.0) for _ in range(100)]
    tasks = [one.task for one in served if one]
    assert 70 <= tasks.count(1) <= 80


def test_a_task_that_comes_late_does_not_starve_the_others() -> None:
    made = frontier(1, 2, delay_s=0)
    made.add(request(f"h{n}", n, task=1) for n in range(200))
    for _ in range(100):
        assert made.take(0.0)
    made.add(request(f"g{n}", 1000 + n, task=2) for n in range(100))
    tasks = [one.task for one in (made.take(0.0) for _ in range(40)) if one]
    assert 18 <= tasks.count(1) <= 22


def test_only_a_window_of_a_host_is_in_memory_and_the_rest_is_asked_for() -> None:
    made = frontier(delay_s=0)
    everything = [request("a", number) for number in range(1, 10 * WINDOW_SIZE)]
    made.add(everything)
    order = []
    now_s = 0.0
    while True:
        for host, task, held in made.needs_requests():
            left = [one for one in everything if one.number not in order]
            best = left[: WINDOW_SIZE + len(held)]
            made.load(host, task, best, is_all=len(best) == len(left))
        one = made.take(now_s)
        if one is None:
            break
        order.append(one.number)
        made.record_answer(one, now_s)
        now_s += 1
    assert order == [one.number for one in everything]


def test_a_better_request_overtakes_what_waits_in_the_store() -> None:
    made = frontier(delay_s=0)
    made.add(request("a", number) for number in range(1, 10 * WINDOW_SIZE))
    made.add([request("a", 9999, priority=1.0)])
    assert taken(made, 0.0) == 9999


def test_after_a_restart_hosts_are_loaded_before_they_are_asked() -> None:
    made = frontier()
    made.add_stored_host("a", 1)
    assert made.take(0.0) is None
    [(host, task, held)] = made.needs_requests()
    assert (host, task, held) == ("a", 1, set())
    made.load("a", 1, [request("a", 7)], is_all=True)
    assert made.needs_requests() == []
    assert taken(made, 0.0) == 7


def test_dismissed_requests_do_not_come_back() -> None:
    made = frontier(delay_s=0)
    made.add([request("a", 1), request("a", 2), request("a", 3)])
    one = made.take(0.0)
    assert one
    assert [left.number for left in made.drop_requests("a", 1)] == [2, 3]
    made.record_answer(one, 0.0)
    assert made.take(5.0) is None


def test_idle_hosts_are_forgotten_only_when_their_pause_is_over() -> None:
    made = frontier()
    made.add([request("a", 1)])
    one = made.take(0.0)
    assert one
    assert made.forget_idle_hosts(0.0) == 0
    made.record_answer(one, 0.0)
    assert made.forget_idle_hosts(0.5) == 0, "its pause would be forgotten with it"
    assert made.forget_idle_hosts(2.0) == 1


def test_a_host_that_moves_leaves_its_old_address_free_for_others() -> None:
    made = frontier()
    made.add([request("a", 1), request("a", 2), request("b", 3)])
    one = made.take(0.0)
    assert one
    assert made.claim_address(one, "192.0.2.1", 0.0)
    made.record_answer(one, 0.0)
    other = made.take(0.5)
    assert other
    assert other.number == 3
    again = made.take(1.0)
    assert again
    assert made.claim_address(again, "192.0.2.9", 1.0), "the name has another address now"
    made.record_answer(again, 1.0)
    assert made.claim_address(other, "192.0.2.1", 1.5)


def test_a_task_waits_as_long_after_another_as_after_itself() -> None:
    made = Frontier()
    made.set_task(1, 1.0, Politeness(delay_s=0.1, adaptive=0.0))
    made.set_task(2, 1.0, Politeness(delay_s=2.0, adaptive=0.0))
    made.add([request("a", 1), request("a", 2)])
    one = made.take(0.0)
    assert one
    made.record_answer(one, 0.0)
    made.add([request("a", 3, task=2)])
    assert made.take(0.5) is None, "whoever wants long pauses gets them"
    two = made.take(2.0)
    assert two
    made.record_answer(two, 2.0)
    assert made.take(3.9) is None
    assert made.take(4.0)


def test_a_host_that_was_met_before_keeps_its_pauses() -> None:
    made = frontier(max_delay_s=60.0)
    made.add_host("a", Pace(ready_s=5.0, failures=2))
    made.add_host("b", Pace(crawl_delay_s=9.0, ended_s=3.0))
    made.add_host("b", Pace())
    made.add([request("a", 1), request("b", 2), request("c", 3)])
    assert taken(made, 4.0) == 3
    assert made.take(4.9) is None
    assert taken(made, 5.0) == 1
    assert made.take(11.9) is None
    assert taken(made, 12.0) == 2


def test_a_request_that_is_put_off_waits_and_holds_up_nobody_else() -> None:
    made = frontier()
    made.add([request("a", 1), request("b", 2)])
    one = made.take(0.0)
    assert one
    assert made.claim_address(one, "192.0.2.1", 0.0)
    made.postpone(one, 0.5)
    two = made.take(0.0)
    assert two
    assert made.claim_address(two, "192.0.2.1", 0.0), "nothing was sent, so the address is free"
    assert made.take(0.4) is None
    made.skip(two)
    assert taken(made, 0.5) == 1


def test_a_borrowed_host_is_busy_and_rests_afterwards() -> None:
    made = frontier()
    made.add([request("a", 1), request("b", 2)])
    one = made.take(0.0)
    assert one
    assert one.host == "a"
    assert made.borrow_host("b", 0.0)
    assert made.take(0.1) is None
    assert not made.borrow_host("b", 0.1)
    assert not made.borrow_host("a", 0.1), "it is busy with its own"
    made.release_host("b", 1, 0.5)
    assert made.take(1.4) is None
    assert taken(made, 1.5) == 2


def test_what_is_hungry_is_told_in_portions_and_in_order() -> None:
    made = frontier()
    for host in ("c", "a", "b"):
        made.add_stored_host(host, 1)
    assert [host for host, _, _ in made.needs_requests(2)] == ["c", "a"]
    made.load("c", 1, [], is_all=True)
    assert [host for host, _, _ in made.needs_requests()] == ["a", "b"]


def test_hosts_of_which_the_store_must_still_learn_are_not_forgotten() -> None:
    made = frontier()
    made.add([request("a", 1)])
    one = made.take(0.0)
    assert one
    made.record_answer(one, 0.0)
    assert made.forget_idle_hosts(9.0, keep={"a"}) == 0
    assert "a" in made
    assert made.forget_idle_hosts(9.0) == 1
    assert len(made) == 0


def test_hosts_without_room_are_left_to_the_store_until_somebody_lets_them_in() -> None:
    made = Frontier(most_hosts=2)
    made.set_task(1, 1.0, Politeness(delay_s=0.0))
    made.add([request("a", 1), request("b", 2), request("c", 3), request("a", 4)])
    assert [made.has_queue(host, 1) for host in "abc"] == [True, True, False]
    assert made.tasks_with_stored_hosts() == {1: 1}
    made.add_stored_host("c", 1)
    assert [host for host, _, _ in made.needs_requests()] == ["c"]
    made.load("c", 1, [request("c", 3)], is_all=True)
    assert sorted(taken(made, 0.0) or 0 for _ in "abc") == [1, 2, 3]


def test_a_host_that_was_left_to_the_store_is_loaded_from_there_when_it_comes_up_again() -> None:
    made = Frontier(most_hosts=1)
    made.set_task(1, 1.0, Politeness(delay_s=0.0))
    made.add([request("a", 1), request("b", 2)])
    first = made.take(0.0)
    assert first
    made.record_answer(first, 0.0)
    assert made.forget_idle_hosts(1.0) == 1
    made.add([request("b", 3)])
    assert made.take(1.0) is None, "the store has an older one"
    assert [host for host, _, _ in made.needs_requests()] == ["b"]
    made.load("b", 1, [request("b", 2), request("b", 3)], is_all=True)
    assert taken(made, 1.0) == 2


def test_a_task_that_leaves_has_no_hosts_to_be_let_in() -> None:
    made = Frontier(most_hosts=0)
    made.set_task(1, 1.0, Politeness())
    made.add([request("a", 1)])
    made.remove_task(1)
    assert made.tasks_with_stored_hosts() == {}
