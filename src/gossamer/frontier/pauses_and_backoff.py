"""When a server may be asked again: pauses, back-off and the circuit breaker."""

import msgspec

from gossamer.config import Politeness

MAX_BACK_OFF_S = 3600.0
# After this many failures in a row a host counts as dead, and its requests are given up.
DEAD_AFTER = 5
# A longer Retry-After is cut to a day.
MAX_RETRY_AFTER_S = 86_400.0
CLOCK_SLACK_S = 300.0
"""A time that is later than now by more than this comes from a clock that was wrong, then or now."""


_NO_PAUSE = Politeness(delay_s=0.0, adaptive=0.0)


class Pace(msgspec.Struct):
    """The pauses of one host, or of one address that several hosts share."""

    ready_s: float = 0.0
    """No request may be sent before this time."""
    under_way: int = 0
    """How many requests are under way."""
    at_once: int = 1
    """How many may be under way: more than one only after an answer of a host without pauses."""
    crawl_delay_s: float = 0.0
    failures: int = 0
    """Failures in a row."""
    asked_s: float = 0.0
    """When the last request began."""
    ended_s: float = float("-inf")
    """When the last answer ended; for a request of another process, when it may have ended."""
    held_since_s: float = 0.0
    """When the last back-off or Retry-After began."""

    @property
    def busy(self) -> bool:
        """Whether so many requests are under way that no other may be sent."""
        return self.under_way >= self.at_once

    @property
    def dead(self) -> bool:
        """Whether the circuit breaker is open."""
        return self.failures >= DEAD_AFTER


def for_page(url: str, politeness: Politeness) -> Politeness:
    """Return the politeness for a page: files of this machine need no pause."""
    return _NO_PAUSE if url.startswith("file:") else politeness


def begin_request(pace: Pace, now_s: float) -> None:
    """Record that a request is being sent."""
    pace.under_way += 1
    pace.asked_s = now_s


def end_request(pace: Pace) -> None:
    """Record that a request is no longer under way, or was never sent."""
    pace.under_way = max(0, pace.under_way - 1)


def least_pause_s(crawl_delay_s: float, politeness: Politeness) -> float:
    """Return the pause between any two requests: the task's delay or the bounded crawl-delay, whichever is longer."""
    return max(politeness.delay_s, min(crawl_delay_s, politeness.max_delay_s))


def is_possible(ready_s: float, failures: int, usual_s: float, now_s: float) -> bool:
    """Say whether a stored pause may last until this time; otherwise the clock was set back since.

    Only failures are followed by more than `usual_s`, the longest pause between two answers.
    """
    longest_s = MAX_RETRY_AFTER_S if failures else min(usual_s, MAX_RETRY_AFTER_S)
    return ready_s <= now_s + longest_s + CLOCK_SLACK_S


def record_answer(pace: Pace, politeness: Politeness, now_s: float) -> None:
    """Record an answer, and pause for the longest of the task's delay, the crawl-delay and the time the answer took."""
    record_end(pace, politeness, now_s)
    pace.failures = 0


def record_end(pace: Pace, politeness: Politeness, now_s: float) -> None:
    """Record that a request has ended, and pause as after an answer, whether one came or not."""
    took_s = now_s - pace.asked_s
    pause_s = least_pause_s(pace.crawl_delay_s, politeness)
    if pause_s > 0:  # a delay of 0 turns pauses off, adaptive ones too
        pause_s = max(pause_s, min(politeness.adaptive * took_s, politeness.max_delay_s))
    end_request(pace)
    pace.at_once = politeness.at_once if pause_s == 0 else 1
    pace.ended_s = now_s
    pace.ready_s = max(pace.ready_s, now_s + pause_s)


def record_failure(
    pace: Pace, politeness: Politeness, now_s: float, retry_after_s: float | None = None
) -> None:
    """Record a failure, and back off: twice as long each time, or for as long as Retry-After asks.

    A failure of a request that began before the last back-off does not count again: it says nothing new.
    """
    end_request(pace)
    pace.at_once = 1
    pace.ended_s = now_s
    known = pace.failures > 0 and pace.asked_s <= pace.held_since_s
    if not known:
        pace.failures += 1
        pace.held_since_s = now_s
    wait_s = min(politeness.back_off_s * 2.0 ** (pace.failures - 1), MAX_BACK_OFF_S)
    if retry_after_s is not None:
        wait_s = min(retry_after_s, MAX_RETRY_AFTER_S)
    pace.ready_s = max(pace.ready_s, now_s + max(wait_s, least_pause_s(pace.crawl_delay_s, politeness)))
