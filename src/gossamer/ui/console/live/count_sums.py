"""The counts of a task as the two sums that hold at every moment (Wollenweber 2002, section 6.4.1)."""

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from gossamer.crawl.describe_cause import describe_cause
from gossamer.crawl.status.status_records import TaskStatus
from gossamer.crawl.task_counts import RESULTS, sum_prefix

_LABELS = {"cache hits": "from the cache", "not modified": "not modified", "requisites": "requisites"}


class CountPart(msgspec.Struct, frozen=True):
    """A count, with the name under which its documents are listed."""

    label: str
    number: int
    count: str
    """The name of the count."""
    parts: "tuple[CountPart, ...]" = ()
    """What it consists of: the causes of failures, the rules of filters."""


class CountSum(msgspec.Struct, frozen=True):
    """A count, and the counts that add up to it."""

    total: CountPart
    parts: tuple[CountPart, ...]

    @property
    def gap(self) -> int:
        """By how much the parts miss the total: 0 unless something is wrong."""
        return self.total.number - sum(part.number for part in self.parts)


class CountSums(msgspec.Struct, frozen=True):
    """Both sums, and the short form of the second one at the end of a task."""

    checked: CountSum
    queued: CountSum
    short: CountSum | None = None


def make_sums(tasks: Iterable[TaskStatus]) -> CountSums:
    """Return the sums of one task, or of several together."""
    chosen = list(tasks)
    counts: Counter[str] = Counter()
    for task in chosen:
        counts.update(task.note.counts)
    waiting, under_way = sum(task.waiting for task in chosen), sum(task.under_way for task in chosen)
    queued = CountPart("queued", counts["queued"], "queued")
    filtered = _make_group("filtered", counts)
    checked = CountSum(
        CountPart("checked", counts["checked"], "checked"),
        (queued, filtered, CountPart("seen before", counts["seen"], "seen")),
    )
    fetched = [
        CountPart(_LABELS.get(name, name), counts[name], name)
        for name in RESULTS
        if counts[name] or name in ("downloaded", "cache hits", "redirected")
    ]
    left = [CountPart("waiting", waiting, "waiting"), CountPart("under way", under_way, "under way")]
    ended = [*fetched, _make_group("failed", counts), _make_group("refused", counts)]
    all_parts = CountSum(queued, (*ended, *left))
    return CountSums(checked, all_parts, _shorten(queued, counts) if not waiting + under_way else None)


def _make_group(kind: str, counts: Mapping[str, int]) -> CountPart:
    """Return the sum of all counts of a kind, with its causes, the most frequent first."""
    causes = [(name, times) for name, times in counts.items() if name.startswith(f"{kind}:") and times]
    causes.sort(key=lambda each: (-each[1], each[0]))
    parts = tuple(CountPart(describe_cause(name.partition(":")[2]), times, name) for name, times in causes)
    return CountPart(kind, sum_prefix(counts, f"{kind}:"), kind, parts)


def _shorten(queued: CountPart, counts: Mapping[str, int]) -> CountSum:
    """Return the sum as the document has it: queued = downloaded + cache hits; what was not loaded is the third part."""
    loaded = counts.get("downloaded", 0) + counts.get("requisites", 0) + counts.get("not modified", 0)
    others = counts.get("redirected", 0) + sum_prefix(counts, "failed:") + sum_prefix(counts, "refused:")
    cached = CountPart("from the cache", counts.get("cache hits", 0), "cache hits")
    parts = [CountPart("downloaded", loaded, "loaded"), cached]
    if others:
        parts.append(CountPart("not loaded", others, "not loaded"))
    return CountSum(queued, tuple(parts))
