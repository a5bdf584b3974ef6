"""The counts of a task, whose sums hold at every moment (Wollenweber 2002, section 6.4.1).

checked = queued + seen + the sum of filtered
queued  = waiting + under way + downloaded + requisites + cache hits + redirected + not modified
          + the sums of refused and failed

Requisites that were fetched are counted apart from pages. `requisites queued` and `requisites finished` say how many are
left: a task whose page limit is reached ends when there are none.
"""

from collections import Counter
from collections.abc import Mapping

REQUISITES = "requisites"
"""The count of requisites that were fetched."""
REQUISITES_QUEUED, REQUISITES_FINISHED = "requisites queued", "requisites finished"
UNCHANGED = "unchanged"
"""The count of pages, and of requisites, whose copy is still good by the word of their server."""
NOTHING_LEFT = "nothing left to fetch"
"""The reason of a task that has fetched everything it could."""


class Tally:
    """The counts of one task."""

    def __init__(self, counts: dict[str, int] | None = None) -> None:
        self._counts: Counter[str] = Counter(counts or {})
        self._taken: Counter[str] = Counter(counts or {})
        self._written = self._taken

    def __getitem__(self, name: str) -> int:
        return self._counts[name]

    def count_links(self, links: int, queued: int, filtered: Counter[str]) -> None:
        """Count checked links: those queued, those refused by each rule, and the rest as seen before."""
        self._counts["checked"] += links
        self._counts["queued"] += queued
        self._counts["seen"] += links - queued - filtered.total()
        for rule, times in filtered.items():
            self._counts[f"filtered:{rule}"] += times

    def count_result(self, result: str, body_bytes: int = 0) -> None:
        """Count the result of a request: `downloaded`, `cache hits`, `redirected`, `refused:…` or `failed:…`."""
        self.count_finished(result, 1)
        self._counts["bytes"] += body_bytes

    def count_finished(self, result: str, times: int) -> None:
        """Count this many finished requests with the same result."""
        self._counts[result] += times
        self._counts["finished"] += times

    def count(self, name: str, times: int = 1) -> None:
        """Count something that no sum depends on."""
        self._counts[name] += times

    @property
    def outstanding(self) -> int:
        """How many requests are waiting or under way."""
        return self._counts["queued"] - self._counts["finished"]

    def take_changes(self) -> dict[str, int]:
        """Return by how much the counts have risen since the last call, to be written."""
        before = self._taken
        self._taken = self._counts.copy()
        return {name: now - before[name] for name, now in self._taken.items() if now != before.get(name)}

    def mark_written(self) -> None:
        """Record that the changes taken last are written."""
        self._written = self._taken

    @property
    def is_written(self) -> bool:
        """Whether all counts are written."""
        return self._counts == self._written

    @property
    def written(self) -> Counter[str]:
        """The counts as far as they are written."""
        return self._written

    def as_dict(self) -> dict[str, int]:
        """Return the counts as a plain dictionary."""
        return dict(self._counts)


RESULTS = ("downloaded", REQUISITES, "cache hits", "redirected", "not modified")
"""The counts of finished requests that were neither refused nor failed."""


def sum_prefix(counts: Mapping[str, int], prefix: str) -> int:
    """Return the sum of the counts whose names begin like this: `failed:`, `refused:` or `filtered:`."""
    return sum(times for name, times in counts.items() if name.startswith(prefix))


def find_gaps(counts: Mapping[str, int], left: int) -> list[str]:
    """Return what does not add up, in sentences; `left` requests are waiting or under way."""
    ended = sum(counts.get(name, 0) for name in RESULTS)
    ended += sum_prefix(counts, "refused:") + sum_prefix(counts, "failed:")
    checked = counts.get("queued", 0) + counts.get("seen", 0) + sum_prefix(counts, "filtered:")
    gaps = []
    if counts.get("checked", 0) != checked:
        gaps.append(
            f"{counts.get('checked', 0)} links were checked, and {checked} were queued, seen or filtered"
        )
    if counts.get("queued", 0) != ended + left:
        gaps.append(f"{counts.get('queued', 0)} requests were queued; {ended} ended and {left} are left")
    return gaps


def format_count(number: int, noun: str) -> str:
    """Say how many there are: 1 page, 2,000 pages."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
