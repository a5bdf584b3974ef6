"""Best-first tasks: the host with the best request goes first, as far as politeness allows."""

from gossamer.config import Politeness
from gossamer.frontier.best_hosts import PATIENCE_S
from gossamer.frontier.frontier import Frontier
from gossamer.frontier.request_window import WINDOW_SIZE
from gossamer.records import Request


def request(host: str, number: int, priority: float) -> Request:
    return Request(number, f"http://{host}/{number}", host, 1, priority=priority, number=number)


def make_frontier(delay_s: float = 1.0) -> Frontier:
    frontier = Frontier()
    frontier.set_task(1, 1.0, Politeness(delay_s=delay_s, adaptive=0.0), best_first=True)
    return frontier


def take(frontier: Frontier, now_s: float) -> Request:
    found = frontier.take(now_s)
    assert found is not None
    return found


def test_the_host_with_the_best_request_goes_first() -> None:
    frontier = make_frontier()
    frontier.add([request("a", 1, 0.5), request("b", 2, 0.9), request("c", 3, 0.7)])
    assert [take(frontier, 0.0).number for _ in range(3)] == [2, 3, 1]


def test_a_poor_request_waits_for_a_better_host_that_will_be_ready_soon() -> None:
    frontier = make_frontier()
    frontier.add([request("a", 1, 0.9), request("a", 2, 0.8), request("b", 3, 0.1)])
    first = take(frontier, 0.0)
    assert frontier.take(0.0) is None, "the request of b is worth less than WORTH times that of a"
    frontier.record_answer(first, 0.1)
    assert frontier.take(0.5) is None
    assert frontier.next_ready_s() == 1.1
    assert take(frontier, 1.1).number == 2
    assert take(frontier, 1.1).number == 3, "a has no requests left"


def test_no_host_is_waited_for_longer_than_the_patience() -> None:
    frontier = make_frontier(delay_s=2 * PATIENCE_S)
    frontier.add([request("a", 1, 0.9), request("a", 2, 0.8), request("b", 3, 0.1)])
    frontier.record_answer(take(frontier, 0.0), 0.0)
    assert take(frontier, 0.0).number == 3


def test_requests_are_reordered_when_their_priorities_change() -> None:
    frontier = make_frontier(delay_s=0.0)
    frontier.add([request("a", 1, 0.5), request("a", 2, 0.4), request("b", 3, 0.6)])
    frontier.update_priorities("a", 1, {2: request("a", 2, 0.9)})
    frontier.update_priorities("b", 1, {3: request("b", 3, 0.45)})
    order = []
    for now_s in range(3):
        one = take(frontier, float(now_s))
        order.append((one.number, one.priority))
        frontier.record_answer(one, float(now_s))
    assert order == [(2, 0.9), (1, 0.5), (3, 0.45)]


def test_a_request_under_way_is_not_queued_again() -> None:
    frontier = make_frontier(delay_s=0.0)
    frontier.add([request("a", 1, 0.5)])
    one = take(frontier, 0.0)
    frontier.update_priorities("a", 1, {1: request("a", 1, 0.9)})
    frontier.record_answer(one, 0.0)
    assert frontier.take(1.0) is None


def test_a_request_in_the_store_is_added_to_memory_when_its_priority_rises() -> None:
    frontier = make_frontier(delay_s=0.0)
    frontier.add([request("a", number, 0.5) for number in range(1, 4 * WINDOW_SIZE)])
    last = 4 * WINDOW_SIZE - 1
    frontier.update_priorities("a", 1, {last: request("a", last, 0.9)})
    assert take(frontier, 0.0).number == last


def test_a_failed_host_is_not_waited_for() -> None:
    frontier = make_frontier()
    frontier.add([request("a", 1, 0.9), request("a", 2, 0.8), request("b", 3, 0.1)])
    frontier.record_failure(take(frontier, 0.0), 0.0, retry_after_s=PATIENCE_S / 2)
    assert take(frontier, 0.0).number == 3


def test_a_host_that_does_not_answer_is_not_waited_for_longer_than_the_patience() -> None:
    frontier = make_frontier()
    frontier.add([request("a", 1, 0.9), request("a", 2, 0.8), request("b", 3, 0.1)])
    frontier.record_answer(take(frontier, 0.0), 0.0)
    assert take(frontier, 1.0).number == 2
    frontier.add([request("a", 4, 0.9)])
    assert frontier.take(1.0 + PATIENCE_S) is None
    assert take(frontier, 1.1 + PATIENCE_S).number == 3
