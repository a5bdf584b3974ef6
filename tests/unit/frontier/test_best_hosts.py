"""Tasks that want the best first: whichever host has it, within what politeness lets them."""

from gossamer.config import Politeness
from gossamer.frontier.best_hosts import PATIENCE_S
from gossamer.frontier.frontier import Frontier
from gossamer.frontier.request_window import WINDOW_SIZE
from gossamer.records import Request


def request(host: str, number: int, priority: float) -> Request:
    return Request(number, f"http://{host}/{number}", host, 1, priority=priority, number=number)


def best_first(delay_s: float = 1.0) -> Frontier:
    made = Frontier()
    made.set_task(1, 1.0, Politeness(delay_s=delay_s, adaptive=0.0), best_first=True)
    return made


def taken(made: Frontier, now_s: float) -> Request:
    found = made.take(now_s)
    assert found is not None
    return found


def test_the_host_with_the_best_request_goes_first() -> None:
    made = best_first()
    made.add([request("a", 1, 0.5), request("b", 2, 0.9), request("c", 3, 0.7)])
    assert [taken(made, 0.0).number for _ in range(3)] == [2, 3, 1]


def test_what_is_worth_little_waits_for_a_host_that_will_be_ready_soon() -> None:
    made = best_first()
    made.add([request("a", 1, 0.9), request("a", 2, 0.8), request("b", 3, 0.1)])
    first = taken(made, 0.0)
    assert made.take(0.0) is None, "b has nothing that is worth half of what a has"
    made.record_answer(first, 0.1)
    assert made.take(0.5) is None
    assert made.next_ready_s() == 1.1
    assert taken(made, 1.1).number == 2
    assert taken(made, 1.1).number == 3, "a has nothing left to wait for"


def test_nobody_is_waited_for_longer_than_patience_lasts() -> None:
    made = best_first(delay_s=2 * PATIENCE_S)
    made.add([request("a", 1, 0.9), request("a", 2, 0.8), request("b", 3, 0.1)])
    made.record_answer(taken(made, 0.0), 0.0)
    assert taken(made, 0.0).number == 3


def test_requests_that_are_moved_go_where_they_belong() -> None:
    made = best_first(delay_s=0.0)
    made.add([request("a", 1, 0.5), request("a", 2, 0.4), request("b", 3, 0.6)])
    made.update_priorities("a", 1, {2: request("a", 2, 0.9)})
    made.update_priorities("b", 1, {3: request("b", 3, 0.45)})
    order = []
    for now_s in range(3):
        one = taken(made, float(now_s))
        order.append((one.number, one.priority))
        made.record_answer(one, float(now_s))
    assert order == [(2, 0.9), (1, 0.5), (3, 0.45)]


def test_what_is_under_way_is_not_moved() -> None:
    made = best_first(delay_s=0.0)
    made.add([request("a", 1, 0.5)])
    one = taken(made, 0.0)
    made.update_priorities("a", 1, {1: request("a", 1, 0.9)})
    made.record_answer(one, 0.0)
    assert made.take(1.0) is None


def test_a_request_of_which_only_the_store_knows_comes_to_memory_when_it_is_moved_up() -> None:
    made = best_first(delay_s=0.0)
    made.add([request("a", number, 0.5) for number in range(1, 4 * WINDOW_SIZE)])
    last = 4 * WINDOW_SIZE - 1
    made.update_priorities("a", 1, {last: request("a", last, 0.9)})
    assert taken(made, 0.0).number == last


def test_a_host_that_failed_is_not_waited_for() -> None:
    made = best_first()
    made.add([request("a", 1, 0.9), request("a", 2, 0.8), request("b", 3, 0.1)])
    made.record_failure(taken(made, 0.0), 0.0, retry_after_s=PATIENCE_S / 2)
    assert taken(made, 0.0).number == 3


def test_a_host_that_does_not_answer_is_not_waited_for_longer_than_patience_lasts() -> None:
    made = best_first()
    made.add([request("a", 1, 0.9), request("a", 2, 0.8), request("b", 3, 0.1)])
    made.record_answer(taken(made, 0.0), 0.0)
    assert taken(made, 1.0).number == 2
    made.add([request("a", 4, 0.9)])
    assert made.take(1.0 + PATIENCE_S) is None
    assert taken(made, 1.1 + PATIENCE_S).number == 3
