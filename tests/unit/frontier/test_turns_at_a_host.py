"""Turns of several tasks at one host, with a pretend clock."""

import heapq
from collections import Counter
from collections.abc import Container

import pytest

from gossamer.config import Politeness
from gossamer.frontier.frontier import Frontier
from gossamer.records import Request

SHARED = "shared.example"
ANSWER_S = 0.1


class PretendCrawl:
    """A frontier whose hosts all answer after a tenth of a second, and pause for a second."""

    def __init__(self) -> None:
        self.frontier = Frontier()
        self.now_s = 0.0
        self.turns: Counter[tuple[int, str]] = Counter()
        self._number = 0
        self._under_way: list[tuple[float, int, Request]] = []
        self._stored: dict[tuple[str, int], dict[int, Request]] = {}

    def add_task(self, task: int, hosts: list[str], weight: float = 1.0, best_first: bool = False) -> None:
        self.frontier.set_task(task, weight, Politeness(delay_s=1.0), best_first)
        self.add_requests(task, hosts)

    def add_requests(self, task: int, hosts: list[str], each: int = 200) -> None:
        for at in range(each):
            for host in hosts:
                self._number += 1
                page = Request(self._number, f"http://{host}/{at}", host, task, number=self._number)
                self._stored.setdefault((host, task), {})[page.number] = page
                self.frontier.add([page])

    def run(self, seconds: float, held: Container[int] = ()) -> Counter[tuple[int, str]]:
        """Return how often each task was served at each host in this time."""
        before, until_s = self.turns.copy(), self.now_s + seconds
        while self.now_s < until_s:
            while self._under_way and self._under_way[0][0] <= self.now_s:
                done = heapq.heappop(self._under_way)[2]
                del self._stored[done.host, done.task][done.number]
                self.frontier.record_answer(done, self.now_s)
            self._load()
            while (request := self.frontier.take(self.now_s, held)) is not None:
                self.turns[request.task, request.host] += 1
                heapq.heappush(self._under_way, (self.now_s + ANSWER_S, request.number, request))
            self.now_s = round(self.now_s + 0.05, 2)
        return self.turns - before

    def _load(self) -> None:
        for host, task, held in self.frontier.needs_requests():
            stored = [one for number, one in self._stored[host, task].items() if number not in held]
            self.frontier.load(host, task, stored, is_all=True)


OTHERS = [f"h{at}.example" for at in range(20)]


@pytest.mark.parametrize("first", [[], OTHERS], ids=["first alone", "first everywhere"])
@pytest.mark.parametrize("late", [[], OTHERS], ids=["late alone", "late everywhere"])
def test_a_late_task_has_half_the_turns_of_a_host_that_was_busy_before(
    first: list[str], late: list[str]
) -> None:
    crawl = PretendCrawl()
    crawl.add_task(1, [SHARED, *first])
    crawl.run(30)
    crawl.add_task(2, [SHARED, *late])
    turns = crawl.run(44)
    assert turns[1, SHARED] + turns[2, SHARED] >= 38
    assert abs(turns[1, SHARED] - turns[2, SHARED]) <= 2, dict(turns)


def test_weights_hold_at_one_host() -> None:
    crawl = PretendCrawl()
    crawl.add_task(1, [SHARED])
    crawl.add_task(2, [SHARED, *OTHERS], weight=3.0)
    turns = crawl.run(44)
    assert 8 <= turns[1, SHARED] <= 12, dict(turns)
    assert 28 <= turns[2, SHARED] <= 32


def test_a_task_that_is_held_leaves_its_turns_to_the_others() -> None:
    crawl = PretendCrawl()
    crawl.add_task(1, [SHARED])
    crawl.add_task(2, [SHARED, *OTHERS])
    turns = crawl.run(22, held={2})
    assert turns[1, SHARED] == 20
    assert turns.total() == 20


def test_a_task_that_is_best_first_is_asked_only_when_its_own_turn_comes() -> None:
    crawl = PretendCrawl()
    crawl.add_task(1, [SHARED, *OTHERS])
    crawl.add_task(2, [SHARED], best_first=True)
    turns = crawl.run(44)
    assert turns[1, SHARED] + turns[2, SHARED] >= 38
    assert turns[2, SHARED] >= 10
    assert turns[1, SHARED] >= 10
