"""Words for counts, and numbers with their units; display, summary and `explain` share them."""

from collections.abc import Iterator

from gossamer.crawl.describe_cause import describe_cause as describe_cause
from gossamer.crawl.task_counts import format_count as format_count
from gossamer.printable_text import format_bytes as format_bytes
from gossamer.printable_text import format_duration as format_duration

_COUNTS = {
    "downloaded": "pages fetched",
    "requisites": "images, styles and other requisites fetched",
    "changed": "  of these, changed since the last visit",
    "not modified": "pages not modified, according to their servers",
    "cache hits": "pages still fresh in the web, not fetched again",
    "redirected": "redirects",
    "bytes": "bytes of pages",
    "checked": "links checked",
    "queued": "  of these, queued",
    "seen": "  of these, seen before",
}
_KINDS = {
    "filtered": "  not followed",
    "refused": "refused",
    "failed": "failed",
    "plugin-failed": "a plug-in raised an error",
}
_HIDDEN = {"finished", "elapsed_ms", "requisites queued", "requisites finished"}


def list_counts(counts: dict[str, int]) -> Iterator[tuple[str, int]]:
    """Yield the counts of a task that are not 0, each with its description, the most general first."""
    for name in filter(counts.get, _COUNTS):
        yield _COUNTS[name], counts[name]
    for kind, label in _KINDS.items():
        for cause, times in count_causes(counts, kind):
            yield f"{label}: {describe_cause(cause)}", times
    if waiting := count_waiting(counts):
        yield "still waiting", waiting
    for name in sorted(counts.keys() - _COUNTS.keys() - _HIDDEN):
        if ":" not in name and counts[name]:
            yield name, counts[name]


def count_causes(counts: dict[str, int], kind: str) -> list[tuple[str, int]]:
    """Return the causes of one kind (filtered, refused, failed) with their counts, the most frequent first."""
    found = [(name.partition(":")[2], times) for name, times in counts.items() if name.startswith(f"{kind}:")]
    return sorted(((cause, times) for cause, times in found if times), key=lambda each: (-each[1], each[0]))


def count_waiting(counts: dict[str, int]) -> int:
    """Return how many links are queued or being fetched."""
    return counts.get("queued", 0) - counts.get("finished", 0)
