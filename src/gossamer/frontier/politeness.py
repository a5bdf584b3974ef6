"""When a server may be asked again: pauses, back-off and the circuit breaker. Pure; the clock is an argument."""

import msgspec

from gossamer.config import Politeness

MAX_BACK_OFF_S = 3600.0
# After so many failures in a row a host counts as dead, and what was wanted of it is given up.
DEAD_AFTER = 5
# No server is waited for longer than a day, whatever its Retry-After says.
MAX_RETRY_AFTER_S = 86_400.0


class Pace(msgspec.Struct):
    """The pauses of one host, or of one address that several hosts share."""

    ready_s: float = 0.0
    """Not to be asked before this time."""
    busy: bool = False
    """A request is under way: nobody else asks."""
    crawl_delay_s: float = 0.0
    failures: int = 0
    """Failures in a row."""
    asked_s: float = 0.0
    """When the last request began."""
    ended_s: float = float("-inf")
    """When the last answer ended, or when it may have, if somebody else asked."""
    held_since_s: float = 0.0
    """When the last back-off or Retry-After was imposed."""

    @property
    def dead(self) -> bool:
        """Whether the circuit breaker is open."""
        return self.failures >= DEAD_AFTER


def begin_request(pace: Pace, now_s: float) -> None:
    """A request is sent."""
    pace.busy = True
    pace.asked_s = now_s


def least_pause_s(pace: Pace, manners: Politeness) -> float:
    """Return the pause that is due after any request: the longer of own delay and crawl-delay."""
    return max(manners.delay_s, min(pace.crawl_delay_s, manners.max_delay_s))


def record_answer(pace: Pace, manners: Politeness, now_s: float) -> None:
    """An answer came: pause by the longest of own delay, crawl-delay and the time that the answer took."""
    took_s = now_s - pace.asked_s
    pause_s = least_pause_s(pace, manners)
    if pause_s > 0:  # else somebody turned pauses off by name
        pause_s = max(pause_s, min(manners.adaptive * took_s, manners.max_delay_s))
    pace.busy = False
    pace.ended_s = now_s
    pace.failures = 0
    pace.ready_s = max(pace.ready_s, now_s + pause_s)


def record_failure(pace: Pace, manners: Politeness, now_s: float, retry_after_s: float | None = None) -> None:
    """A request failed or was turned away: back off, each time twice as long, or as long as the server says.

    Failures of requests that were already under way when the last back-off began count once: they tell
    nothing new.
    """
    pace.busy = False
    pace.ended_s = now_s
    known = pace.failures > 0 and pace.asked_s <= pace.held_since_s
    if not known:
        pace.failures += 1
        pace.held_since_s = now_s
    wait_s = min(manners.back_off_s * 2.0 ** (pace.failures - 1), MAX_BACK_OFF_S)
    if retry_after_s is not None:
        wait_s = min(retry_after_s, MAX_RETRY_AFTER_S)
    pace.ready_s = max(pace.ready_s, now_s + max(wait_s, least_pause_s(pace, manners)))
