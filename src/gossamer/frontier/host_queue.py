"""One host in the frontier."""

from gossamer.frontier.politeness import Pace
from gossamer.frontier.request_window import RequestWindow


class HostQueue:
    """One host: its pace, the address it answers at, and a window for each task."""

    __slots__ = ("address", "name", "pace", "ready_for", "waits", "windows")

    def __init__(self, name: str, pace: Pace) -> None:
        self.name = name
        self.pace = pace
        self.address = ""
        self.windows: dict[int, RequestWindow] = {}
        self.waits = False
        """Whether it stands in the waiting heap."""
        self.ready_for: set[int] = set()
        """The tasks in whose ready lines it stands."""

    def idle(self, now_s: float) -> bool:
        """Say whether it has nothing to do, and no pause to keep."""
        resting = self.pace.busy or self.pace.ready_s > now_s
        return not resting and all(window.spent for window in self.windows.values())

    def doing(self, now_s: float) -> str:
        """Say what it does: busy, ready, waiting, dead; "" if there is nothing to do."""
        if self.pace.dead or self.pace.busy:
            return "dead" if self.pace.dead else "busy"
        if not any(self.windows.values()):
            return ""
        return "ready" if self.pace.ready_s <= now_s else "waiting"
