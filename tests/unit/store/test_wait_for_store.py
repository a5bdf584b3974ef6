"""Waiting grows, is said once, and ends."""

import pytest

from gossamer.errors import StoreFailed
from gossamer.store.wait_for_store import Patience, wait_for_store


class World:
    """A clock, and a store that is away for some attempts."""

    def __init__(self, away: int, passes: bool = True) -> None:
        self.now_s = 0.0
        self.pauses: list[float] = []
        self.said: list[str] = []
        self._away = away
        self._passes = passes

    def sleep(self, pause_s: float) -> None:
        self.pauses.append(pause_s)
        self.now_s += pause_s

    def attempt(self) -> str:
        if self._away:
            self._away -= 1
            raise StoreFailed("the archive cannot be reached", full=self._passes)
        return "done"

    def run(self, patience: Patience = Patience(), stop_after: int = 1000) -> str:  # noqa: B008 - it is frozen
        return wait_for_store(
            self.attempt,
            patience,
            self.said.append,
            lambda: len(self.pauses) >= stop_after,
            self.sleep,
            lambda: self.now_s,
        )


def test_success_at_once_says_nothing() -> None:
    world = World(0)
    assert world.run() == "done"
    assert not world.said
    assert not world.pauses


def test_pauses_grow_to_a_limit_and_are_said_once() -> None:
    world = World(20)
    assert world.run() == "done"
    assert len(world.pauses) == 20
    assert 0.1 <= world.pauses[0] <= 0.2
    assert all(5 <= pause <= 10 for pause in world.pauses[7:])
    assert world.said[0] == "the archive cannot be reached; trying again until it is back"
    assert world.said[1:] == [f"it is back after {world.now_s:.0f} s"]


def test_what_does_not_pass_is_raised_at_once() -> None:
    world = World(1, passes=False)
    with pytest.raises(StoreFailed):
        world.run()
    assert world.pauses == []


def test_waiting_ends_after_its_time() -> None:
    world = World(10_000)
    with pytest.raises(StoreFailed):
        world.run(Patience(total_s=60))
    assert 60 <= world.now_s < 70


def test_a_stop_ends_waiting() -> None:
    world = World(10_000)
    with pytest.raises(StoreFailed):
        world.run(stop_after=3)
    assert len(world.pauses) == 3
