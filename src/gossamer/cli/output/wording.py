"""What the names of counts, rules and causes mean, in words for people; one table for display, summary and `explain`."""

from collections.abc import Iterator

from gossamer.crawl.seen_keys import format_count as format_count

RULES = {
    "scope": "outside the task's scope",
    "depth": "too many links away from a start page",
    "include": "none of the include patterns is found in it",
    "exclude": "an exclude pattern is found in it",
    "include_hosts": "none of the include-hosts patterns is found in its host",
    "exclude_hosts": "an exclude-hosts pattern is found in its host",
    "nofollow": "the link says rel=nofollow",
    "nofollow page": "the page it stands on asks robots not to follow its links",
    "content seen": "the page it stands on has the same text as another one",
    "trap": "part of an endless URL space",
    "per_host": "the budget of its host is spent",
    "dead host": "its host does not answer",
    "redirects": "too many redirects in a row",
    "bad redirect": "the redirect leads nowhere",
    "language": "not in the languages that the task wants",
    "kinds": "not of the kinds that the task keeps",
}
"""Why a link is not followed."""

CAUSES = {
    "robots": "robots.txt forbids it",
    "robots unreachable": "robots.txt cannot be had, so nothing may be asked for",
    "private address": "its address is not public (--allow-private opens networks by name)",
    "bad url": "no page can have this URL",
    "dns": "its host has no address",
    "connect": "no connection to its host",
    "tls": "its host's certificate or encryption is not sound",
    "timeout": "no answer in time",
    "reset": "the connection broke off",
    "too_large": "more than the limits allow",
    "protocol": "the answer is not HTTP",
    "internal": "a mistake of this program",
    "status": "the server says no",
}
"""Why a page was refused or could not be had."""

_COUNTS = {
    "downloaded": "pages fetched",
    "changed": "  of these changed since the last visit",
    "not modified": "pages unchanged, as their servers say",
    "cache hits": "pages young enough in the web",
    "redirected": "redirects",
    "bytes": "bytes of pages",
    "checked": "links checked",
    "queued": "  of these to be fetched",
    "seen": "  of these seen before",
}
_KINDS = {"filtered": "  not followed", "refused": "refused", "failed": "failed"}
_UNSAID = {"finished", "elapsed_ms"}


def list_counts(counts: dict[str, int]) -> Iterator[tuple[str, int]]:
    """Name the counts of a task, in an order that reads well; what nobody needs to know is left out."""
    told = [name for name in _COUNTS if counts.get(name)]
    for name in told:
        yield _COUNTS[name], counts[name]
    for kind, said in _KINDS.items():
        for cause, times in count_causes(counts, kind):
            yield f"{said}: {describe_cause(cause)}", times
    if waiting := count_waiting(counts):
        yield "still waiting", waiting
    for name in sorted(counts.keys() - _COUNTS.keys() - _UNSAID):
        if ":" not in name and counts[name]:
            yield name, counts[name]


def count_causes(counts: dict[str, int], kind: str) -> list[tuple[str, int]]:
    """List what was filtered, refused or failed, by its cause, the most frequent first."""
    found = [(name.partition(":")[2], times) for name, times in counts.items() if name.startswith(f"{kind}:")]
    return sorted(((cause, times) for cause, times in found if times), key=lambda each: (-each[1], each[0]))


def describe_cause(cause: str) -> str:
    """Say in words what a rule or a cause means; a filter's or a status's own name stays as it is."""
    if cause.isdecimal():
        return f"the server says {cause}"
    return RULES.get(cause) or CAUSES.get(cause) or f"by {cause!r}"


def count_waiting(counts: dict[str, int]) -> int:
    """Count what waits or is under way."""
    return counts.get("queued", 0) - counts.get("finished", 0)


def format_bytes(number: float) -> str:
    """Say how many bytes these are, in units that people read."""
    for unit in ("B", "kB", "MB", "GB"):
        if abs(number) < 1000:
            return f"{number:.0f} {unit}" if unit == "B" or number >= 100 else f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:.1f} TB"


def format_duration(seconds: float) -> str:
    """Say how long this is: 0:42, 1:02:03."""
    minutes, left = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"
