"""What a task has done so far, in numbers whose sums hold at every moment (seed 004, section 6.4.1).

checked = queued + seen + the sum of filtered
queued  = waiting + under way + downloaded + cache hits + redirected + the sums of refused and failed
"""

from collections import Counter


class Tally:
    """The counts of one task."""

    def __init__(self, counts: dict[str, int] | None = None) -> None:
        self._counts: Counter[str] = Counter(counts or {})
        self._taken: Counter[str] = Counter(counts or {})
        self._written = self._taken

    def __getitem__(self, name: str) -> int:
        return self._counts[name]

    def count_links(self, links: int, queued: int, filtered: Counter[str]) -> None:
        """Links were checked: so many were queued, so many refused by each rule, the rest was seen before."""
        self._counts["checked"] += links
        self._counts["queued"] += queued
        self._counts["seen"] += links - queued - filtered.total()
        for rule, times in filtered.items():
            self._counts[f"filtered:{rule}"] += times

    def count_result(self, result: str, body_bytes: int = 0) -> None:
        """A queued request came to its end: `downloaded`, `cache hits`, `redirected`, `refused:…` or `failed:…`."""
        self.count_finished(result, 1)
        self._counts["bytes"] += body_bytes

    def count_finished(self, result: str, times: int) -> None:
        """So many queued requests came to the same end."""
        self._counts[result] += times
        self._counts["finished"] += times

    def count(self, name: str) -> None:
        """Something is to be counted that no sum depends on."""
        self._counts[name] += 1

    @property
    def outstanding(self) -> int:
        """How many requests are waiting or under way."""
        return self._counts["queued"] - self._counts["finished"]

    def take_changes(self) -> dict[str, int]:
        """Return by how much the counts are higher than the last time, for whoever writes them down."""
        before = self._taken
        self._taken = self._counts.copy()
        return {name: now - before[name] for name, now in self._taken.items() if now != before.get(name)}

    def mark_written(self) -> None:
        """What was taken is written down."""
        self._written = self._taken

    @property
    def is_written(self) -> bool:
        """Whether all counts are written down."""
        return self._counts == self._written

    @property
    def written(self) -> Counter[str]:
        """The counts as far as they are written down."""
        return self._written

    def as_dict(self) -> dict[str, int]:
        """Return the counts for keeping and showing."""
        return dict(self._counts)
