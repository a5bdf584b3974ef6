"""What shards share: turns that survive whoever dies, and claims. Real processes, since locks are theirs."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator

import pytest

from gossamer.crawl.shared_turns import SharedTurns, create_file

FORK = multiprocessing.get_context("fork")


class Clock:
    """Shows the time that it is told."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def file() -> Iterator[int]:
    file = create_file()
    yield file
    os.close(file)


@pytest.fixture
def mine(file: int, clock: Clock) -> Iterator[SharedTurns]:
    shared_turns = SharedTurns(os.dup(file), 0, clock)
    yield shared_turns
    shared_turns.close()


def elsewhere(file: int, do: Callable[[SharedTurns], object], clock: Clock, dies: bool = False) -> None:
    """Do something in another process, which ends as it should, or is killed."""

    def work() -> None:
        do(SharedTurns(file, 1, clock))
        if dies:
            os.kill(os.getpid(), signal.SIGKILL)
        os._exit(0)

    child = FORK.Process(target=work)
    child.start()
    child.join()
    assert child.exitcode == (-signal.SIGKILL if dies else 0)


def in_other(file: int, names: list[str], clock: Clock) -> float:
    """Return how long another process would have to wait for its turn."""
    told, tell = FORK.Pipe(duplex=False)
    elsewhere(file, lambda other: tell.send(other.begin(names, 1.0)), clock)
    waits: float = told.recv()
    return waits


def test_one_process_at_a_time_asks_a_host(file: int, mine: SharedTurns, clock: Clock) -> None:
    assert mine.begin(["a.example", "192.0.2.1"], 1.0) == 0.0
    assert in_other(file, ["a.example"], clock) > 0
    assert in_other(file, ["b.example", "192.0.2.1"], clock) > 0
    assert in_other(file, ["b.example", "192.0.2.2"], clock) == 0.0


def test_after_it_the_others_wait_out_the_pause(file: int, mine: SharedTurns, clock: Clock) -> None:
    mine.begin(["a.example", "192.0.2.1"], 1.0)
    mine.end({"a.example": 5.0, "192.0.2.1": 2.0})
    assert in_other(file, ["a.example"], clock) == 5.0
    assert in_other(file, ["192.0.2.1"], clock) == 2.0
    clock.now_s += 2.0
    assert in_other(file, ["192.0.2.1"], clock) == 0.0


def test_two_turns_of_one_process_end_with_the_later(file: int, mine: SharedTurns, clock: Clock) -> None:
    mine.begin(["192.0.2.1"], 1.0)
    assert mine.begin(["192.0.2.1"], 1.0) == 0.0
    mine.end({"192.0.2.1": 4.0})
    assert in_other(file, ["192.0.2.1"], clock) == pytest.approx(0.05)
    mine.end({"192.0.2.1": 1.0})
    assert in_other(file, ["192.0.2.1"], clock) == 4.0


def test_nothing_is_taken_where_not_all_is_free(file: int, mine: SharedTurns, clock: Clock) -> None:
    def ask(other: SharedTurns) -> None:
        other.begin(["b.example"], 1.0)
        other.end({"b.example": 9.0})

    elsewhere(file, ask, clock)
    assert mine.begin(["a.example", "b.example"], 1.0) == 9.0
    assert in_other(file, ["a.example"], clock) == 0.0


def test_a_turn_of_one_that_died_is_free_after_a_pause(file: int, mine: SharedTurns, clock: Clock) -> None:
    elsewhere(file, lambda other: other.begin(["a.example"], 1.0), clock, dies=True)
    assert mine.begin(["a.example"], 3.0) == 3.0
    clock.now_s += 1.0
    assert mine.begin(["a.example"], 3.0) == 2.0
    clock.now_s += 2.0
    assert mine.begin(["a.example"], 3.0) == 0.0


def test_claims_of_others_are_added_up(file: int, mine: SharedTurns, clock: Clock) -> None:
    mine.claim(1, 7)
    elsewhere(file, lambda other: other.claim(1, 3), clock)
    elsewhere(file, lambda other: other.claim(2, 5), clock)
    assert (mine.sum_claims(1), mine.sum_claims(2), mine.sum_claims(3)) == (3, 5, 0)
    elsewhere(file, lambda other: other.claim(1, 0), clock)
    assert mine.sum_claims(1) == 0


def test_one_process_claims_at_a_time(file: int, mine: SharedTurns, clock: Clock) -> None:
    heard, tell = FORK.Pipe(duplex=False)

    def work() -> None:
        with SharedTurns(file, 1, clock).lock_claims():
            tell.send("claimed")
        os._exit(0)

    with mine.lock_claims():
        child = FORK.Process(target=work)
        child.start()
        assert not heard.poll(0.1)
    assert heard.poll(10)
    child.join()
