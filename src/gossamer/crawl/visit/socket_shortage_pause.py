"""How a crawl goes on after this machine ran out of something: it waits, then has fewer visits under way at once."""

SHORTEST_S, LONGEST_S = 0.25, 8.0
"""The wait after a shortage; it doubles while nothing is under way that could end and leave room."""
FORGOTTEN_S = 60.0
"""A shortage after this time is a new one."""
REPEAT_S = 600.0
"""How long the same shortage is not reported again."""
_VISITS_PER_S = 1.0
"""How quickly the number of visits at once grows again."""


class ShortagePause:
    """When a shard may take requests again after a shortage, and how many. Pure: the time is an argument."""

    def __init__(self) -> None:
        self.until_s = 0.0
        """Until this time no request is taken; 0 if there was no shortage yet."""
        self.what = ""
        """What this machine ran out of last, in a sentence."""
        self._wait_s = SHORTEST_S
        self._most_visits = 1
        self._reported: dict[str, float] = {}

    def record(self, what: str, now_s: float, under_way: int) -> bool:
        """Record a shortage that occurred with this many visits under way; return whether to report it."""
        self.what = what
        if now_s >= self.until_s:  # otherwise it is one of several at the same time
            again = now_s < self.until_s + FORGOTTEN_S and under_way <= 1
            self._wait_s = min(2.0 * self._wait_s, LONGEST_S) if again else SHORTEST_S
            self.until_s = now_s + self._wait_s
            self._most_visits = max(1, under_way // 2)
        if now_s < self._reported.get(what, -REPEAT_S) + REPEAT_S:
            return False
        self._reported[what] = now_s
        return True

    def limit_visits(self, usual: int, now_s: float) -> int:
        """Return how many visits may be under way now, given how many there usually are."""
        if now_s < self.until_s:
            return 0
        return min(usual, self._most_visits + int(_VISITS_PER_S * (now_s - self.until_s)))
