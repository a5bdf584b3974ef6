"""The queue of one host in the frontier: its pace, its address and the requests of each task, which take turns."""

from collections.abc import Collection

from gossamer.frontier.fair_share import FairShare
from gossamer.frontier.pauses_and_backoff import Pace
from gossamer.frontier.request_window import RequestWindow


class HostQueue:
    """One host: its pace, the address it answers at, and a window of requests for each task."""

    __slots__ = ("_turns", "address", "name", "pace", "ready_for", "waits", "windows")

    def __init__(self, name: str, pace: Pace) -> None:
        self.name = name
        self.pace = pace
        self.address = ""
        self.windows: dict[int, RequestWindow] = {}
        self.waits = False
        """Whether it is in the frontier's heap of waiting hosts."""
        self.ready_for: set[int] = set()
        """The tasks whose ready hosts it is among."""
        self._turns: FairShare | None = None
        """The turns of its tasks, as soon as several have requests here."""

    def choose_task(self, tasks: Collection[int], shares: FairShare) -> int:
        """Return which of some tasks is next here, by the weights of `shares`, and record its turn."""
        if len(tasks) == 1 and self._turns is None:
            return next(iter(tasks))
        if self._turns is None:
            self._turns = FairShare(shares)
        chosen = self._turns.sort_by_turn(list(tasks))[0]
        self._turns.record_turn(chosen)
        return chosen

    def is_idle(self, now_s: float) -> bool:
        """Say whether it has no requests and no pause to keep."""
        resting = self.pace.under_way or self.pace.ready_s > now_s
        return not resting and all(window.is_finished for window in self.windows.values())

    def get_state(self, now_s: float) -> str:
        """Return its state: busy, ready, waiting or dead; "" if it has no requests."""
        if self.pace.dead or self.pace.under_way:
            return "dead" if self.pace.dead else "busy"
        if not any(self.windows.values()):
            return ""
        return "ready" if self.pace.ready_s <= now_s else "waiting"
