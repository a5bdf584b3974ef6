"""Quiet hours: when nothing is fetched, from all hosts or from one."""

import math

from gossamer.errors import BadInput
from gossamer.frontier.timed_rule import TimedRule, format_time, parse_rule

_WEEK_S = 7 * 86_400.0
_MINUTE_S = 60.0


class QuietHours:
    """The quiet hours of a task. Asking costs a look into a dictionary; hours are reckoned once a minute."""

    def __init__(self, rules: tuple[str, ...]) -> None:
        self._rules: dict[str, list[TimedRule]] = {}
        for text in rules:
            rule = parse_rule(text)
            if rule.hours is None or rule.rate is not None:
                raise BadInput(
                    f"{text!r} are no quiet hours: write them as 08:00-18:00 or mon-fri 08:00-18:00"
                )
            self._rules.setdefault(rule.host, []).append(rule)
        self._known: dict[str, tuple[float, float]] = {}
        """By host: until when an answer holds, and the answer."""

    def __bool__(self) -> bool:
        return bool(self._rules)

    @property
    def has_hosts(self) -> bool:
        """Whether some hosts have hours of their own."""
        return any(self._rules)

    def find_end(self, now_s: float, host: str = "") -> float:
        """Return until when nothing may be fetched from all hosts, or from this one, as Unix time; 0.0 if it may be."""
        if host not in self._rules:
            return 0.0
        fresh_s, end_s = self._known.get(host, (0.0, 0.0))
        if not fresh_s - _MINUTE_S <= now_s < fresh_s:
            end_s = self._reckon(self._rules[host], now_s)
            self._known[host] = math.floor(now_s / _MINUTE_S) * _MINUTE_S + _MINUTE_S, end_s
        return end_s if end_s > now_s else 0.0

    def describe(self, now_s: float) -> str:
        """Say until when nothing is fetched, in a sentence; "" if something may be."""
        end_s = self.find_end(now_s)
        if not end_s:
            return ""
        zone = next((rule.hours.zone for rule in self._rules[""] if rule.hours and rule.hours.zone), "")
        return f"quiet hours: nothing is fetched until {format_time(end_s, zone)}, then it goes on by itself"

    def _reckon(self, rules: list[TimedRule], now_s: float) -> float:
        """Return when the hours end that hold now, with those that follow without a gap."""
        end_s = now_s
        while end_s < now_s + _WEEK_S:
            ends = [
                found for rule in rules if rule.hours and (found := rule.hours.find_end(end_s)) is not None
            ]
            if not ends:
                return end_s if end_s > now_s else 0.0
            end_s = max(ends)
        raise BadInput(
            f"quiet hours {', '.join(rule.text for rule in rules)} cover the whole week: nothing would be fetched"
        )

    def check(self, now_s: float) -> None:
        """Raise BadInput if they never end."""
        for rules in self._rules.values():
            self._reckon(rules, now_s)
