"""The rate at which bytes may arrive, by the hour: `8MB/s` always, and `08:00-18:00 1MB/s` in working hours."""

import math
import time
from collections.abc import Callable, Iterable

from gossamer.errors import BadInput
from gossamer.frontier.byte_rate import format_rate
from gossamer.frontier.timed_rule import TimedRule, parse_rule

_FRESH_S = 5.0


class RateTable:
    """Says which rate holds now: a rule with hours that hold goes before one without; of several, the lowest rate."""

    def __init__(self, rules: Iterable[str], clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._rules: dict[str, list[TimedRule]] = {}
        for text in rules:
            rule = parse_rule(text)
            if rule.rate is None:
                raise BadInput(
                    f"{text!r} has no rate: write it as 2MB/s, 500kB/s or 08:00-18:00 500kB/s (1 kB/s at least)"
                )
            self._rules.setdefault(rule.host, []).append(rule)
        self._known: dict[str, tuple[float, float]] = {}

    def __bool__(self) -> bool:
        return bool(self._rules)

    @property
    def hosts(self) -> set[str]:
        """The hosts that have rules of their own; "" stands for all others."""
        return set(self._rules)

    def find_rate(self, host: str = "") -> float:
        """Return bytes a second that may arrive now, from a host or from all; infinity if there is no limit."""
        name = host if host in self._rules else ""
        now_s = self._clock()
        read_s, rate = self._known.get(name, (-math.inf, 0.0))
        if not 0.0 <= now_s - read_s < _FRESH_S:
            rate = self._reckon(self._rules.get(name, []), now_s)
            self._known[name] = now_s, rate
        return rate

    def describe(self) -> str:
        """Say which rate holds now for all hosts; "" if there is no limit."""
        rate = self.find_rate()
        return format_rate(rate) if rate < math.inf else ""

    def _reckon(self, rules: list[TimedRule], now_s: float) -> float:
        timed = [
            rule.rate for rule in rules if rule.hours is not None and rule.hours.find_end(now_s) is not None
        ]
        usual = [rule.rate for rule in rules if rule.hours is None]
        return min((rate for rate in timed or usual if rate is not None), default=math.inf)
