"""Endless URL spaces: spotted by their shape, or by pages that keep being the same under ever new names.

Two kinds of evidence. The *shape* of one URL: path segments that repeat, a path without end. And the *family* it
belongs to: URLs of one host that differ only in numbers, tokens and query values. When page after page of a family
is nearly a copy of an earlier one (calendars that turn for ever, session ids that got through, sorted and filtered
views), the family is a trap, and no more of it is fetched.
"""

import re
from collections import Counter, OrderedDict, deque

import msgspec

from gossamer.net.fingerprint import distance

LONGEST_PATH = 24
"""Segments. Of 5,001 documentation pages and 8,223 pages of 1997 none has more than 13."""
MOST_REPEATS = 3
FAMILY_PROBE = 24
"""So many pages of a family are looked at before it can be called a trap."""
FAMILY_COPIES = 0.8
"""Share of them that must be near copies of one of the last few."""
NEAR_BITS = 6
RECENT = 8
FAMILIES_KEPT = 50_000

_NUMBER = re.compile(r"\d+")
_TOKEN = re.compile(r"(?=[0-9a-zA-Z_-]*\d)(?=[0-9a-zA-Z_-]*[a-zA-Z])[0-9a-zA-Z_-]{12,}")
_VALUE = re.compile(r"=[^&]*")


class Trap(msgspec.Struct, frozen=True):
    """A family of URLs that is not worth following, and why."""

    reason: str
    pattern: str


class _Family(msgspec.Struct):
    looked_at: int = 0
    copies: int = 0
    recent: deque[int] = msgspec.field(default_factory=lambda: deque(maxlen=RECENT))
    trap: Trap | None = None


def family_of(url: str) -> str:
    """Return the URL with tokens, numbers and query values left open: what a script would fill in."""
    path, _, query = url.partition("?")
    head, _, rest = path.partition("://")
    host, slash, tail = rest.partition("/")
    tail = _NUMBER.sub("#", _TOKEN.sub("@", tail))
    return f"{head}://{host}{slash}{tail}" + (f"?{_VALUE.sub('=*', query)}" if query else "")


def shape_trap(url: str) -> Trap | None:
    """Judge a URL by itself: segments that repeat, or a path without end."""
    segments = [segment for segment in url.split("?", 1)[0].split("/")[3:] if segment]
    if len(segments) > LONGEST_PATH:
        return Trap("path without end", "/".join(segments[:4]) + "/…")
    if len(segments) > MOST_REPEATS:
        segment, times = Counter(segments).most_common(1)[0]
        if times > MOST_REPEATS:
            return Trap("path segment repeats", f"…/{segment}/…/{segment}/…")
    return None


class TrapWatch:
    """Remembers families and what their pages were like. Bounded: the families least lately met are forgotten."""

    def __init__(self) -> None:
        self._families: OrderedDict[str, _Family] = OrderedDict()

    def judge(self, url: str) -> Trap | None:
        """Say whether a URL leads into a trap."""
        family = self._families.get(family_of(url))
        return shape_trap(url) or (family.trap if family else None)

    def note(self, url: str, simhash: int) -> Trap | None:
        """Remember what a page was like; return the trap if this page closes it."""
        pattern = family_of(url)
        if pattern == url:
            return None
        family = self._families.setdefault(pattern, _Family())
        self._families.move_to_end(pattern)
        if len(self._families) > FAMILIES_KEPT:
            self._families.popitem(last=False)
        family.looked_at += 1
        family.copies += any(distance(simhash, other) <= NEAR_BITS for other in family.recent)
        family.recent.append(simhash)
        if family.trap or family.looked_at < FAMILY_PROBE:
            return None
        if family.copies < FAMILY_COPIES * (family.looked_at - 1):
            # Judge by what came lately: an archive that was rich for long may still end in a trap.
            if family.looked_at >= 4 * FAMILY_PROBE:
                family.looked_at, family.copies = family.looked_at // 2, family.copies // 2
            return None
        family.trap = Trap("near copies under one pattern", pattern)
        return family.trap

    def close(self, trap: Trap) -> None:
        """Know a trap from an earlier run."""
        self._families.setdefault(trap.pattern, _Family()).trap = trap
