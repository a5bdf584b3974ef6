"""Notice when the clock jumps: compare it with a clock that only goes forward."""

from datetime import UTC, datetime

import msgspec

from gossamer.printable_text import format_duration

JUMP_S = 5.0
"""A difference below this is the work of a time server, or of a busy machine."""
PAUSE_S = 60.0
"""A longer silence between two looks means that the machine slept, or that the runner was held up."""


class ClockChange(msgspec.Struct, frozen=True):
    """What happened to the clock since the last look."""

    went_back: bool = False
    why: str = ""
    """Why due times may have passed without a look; "" if nothing happened."""


class ClockWatch:
    """Compares two clocks at every look."""

    def __init__(self) -> None:
        self._last: tuple[float, float] | None = None

    def look(self, now_s: float, steady_s: float) -> ClockChange:
        """Return what happened since the last look."""
        last, self._last = self._last, (now_s, steady_s)
        if last is None:
            return ClockChange()
        passed_s, truly_s = now_s - last[0], steady_s - last[1]
        if passed_s < truly_s - JUMP_S:
            back = format_duration(truly_s - passed_s)
            return ClockChange(True, f"the clock was set back by {back}, to {format_moment(now_s)}")
        if passed_s > truly_s + JUMP_S:
            # A machine that sleeps looks the same: the steady clock stands still meanwhile.
            return ClockChange(
                False,
                f"the clock jumped, or the machine slept, from {format_moment(last[0])} to {format_moment(now_s)}",
            )
        if truly_s > PAUSE_S:
            return ClockChange(
                False, f"the runner was held up from {format_moment(last[0])} to {format_moment(now_s)}"
            )
        return ClockChange()


def format_moment(when_s: float) -> str:
    """Return a moment in UTC, to the second."""
    try:
        return datetime.fromtimestamp(when_s, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    except (OverflowError, ValueError, OSError):
        return f"{when_s:.0f} s"
