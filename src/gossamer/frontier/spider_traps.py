"""Endless URL spaces: spotted by their shape, or by pages that keep being the same under ever new names.

Two kinds of evidence. The *shape* of one URL: path segments that repeat, a path without end. And the *family* it
belongs to: URLs of one host that differ only in numbers, tokens and query values. A family is a trap, and no more of it
is fetched, when page after page of it is nearly a copy of an earlier one (session ids that got through, sorted and
filtered views), or when it is a calendar that grows: page after page with a date in its name is found on another of
the family, and brings nothing that is not of the family.
"""

import re
from collections import Counter, OrderedDict, deque
from collections.abc import Iterable
from functools import lru_cache

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
CALENDAR_PAGES = 24
"""So many pages in a row without anything new outside make a growing calendar: two years by month."""
MEMBERS_KEPT = 64
SHAPES_KEPT = 10_000
_YEARS = range(1900, 3000)
_DAYS = range(1, 32)

_NUMBER = re.compile(r"\d+")
_DIGIT = re.compile(r"[0-9]")
_LETTER = re.compile(r"[a-zA-Z]")
_RUN = re.compile(r"[0-9a-zA-Z_-]{12,}")
_VALUE = re.compile(r"=[^&]*")
_YEAR = re.compile(r"19\d\d|2\d\d\d")
_COMPACT_DATE = re.compile(r"(?<!\d)(?:19|2\d)\d\d(?:0[1-9]|1[0-2])(?:[0-3]\d)?(?!\d)")


class Trap(msgspec.Struct, frozen=True):
    """A family of URLs that is not worth following, and why."""

    reason: str
    pattern: str


class _Family(msgspec.Struct):
    looked_at: int = 0
    copies: int = 0
    recent: deque[int] = msgspec.field(default_factory=lambda: deque(maxlen=RECENT))
    barren: int = 0
    """Dated pages in a row that were found on another of the family and brought nothing new outside."""
    members: deque[int] = msgspec.field(default_factory=lambda: deque(maxlen=MEMBERS_KEPT))
    """Ids of the pages met last."""
    trap: Trap | None = None


@lru_cache(maxsize=4_096)
def find_family(url: str) -> str:
    """Return the URL with tokens, numbers and query values left open: what a script would fill in."""
    path, _, query = url.partition("?")
    head, _, rest = path.partition("://")
    host, slash, tail = rest.partition("/")
    if _NUMBER.search(tail):  # most URLs are their own family
        tail = _NUMBER.sub("#", _RUN.sub(_token_left_open, tail))
    return f"{head}://{host}{slash}{tail}" + (f"?{_VALUE.sub('=*', query)}" if query else "")


def _token_left_open(run: re.Match[str]) -> str:
    """Leave open what has both digits and letters: a key, not a word and not a number."""
    return "@" if _DIGIT.search(run[0]) and _LETTER.search(run[0]) else run[0]


def is_dated(url: str) -> bool:
    """Say whether a URL names a month or a day: a year with a month or a day beside it, or 202405, 20240517."""
    _, _, tail = url.partition("://")[2].partition("/")
    if not _YEAR.search(tail):
        return False
    numbers = [int(number) for number in _NUMBER.findall(tail) if len(number) <= 4]
    years = [number for number in numbers if number in _YEARS]
    beside = [number for number in numbers if number in _DAYS]
    return bool((years and beside) or _COMPACT_DATE.search(tail))


def find_shape_trap(url: str) -> Trap | None:
    """Judge a URL by itself: segments that repeat, or a path without end."""
    origin, _, path = url.split("?", 1)[0].partition("://")[2].partition("/")
    segments = [segment for segment in path.split("/") if segment]
    if len(segments) > LONGEST_PATH:
        return Trap("path without end", f"{origin}/{'/'.join(segments[:4])}/…")
    if len(segments) - len(set(segments)) >= MOST_REPEATS:  # else none can stand there so often
        segment, times = Counter(segments).most_common(1)[0]
        if times > MOST_REPEATS:
            return Trap("path segment repeats", f"{origin}/…/{segment}/…/{segment}/…")
    return None


class TrapDetector:
    """Remembers families and what their pages were like. Bounded: the families least lately met are forgotten."""

    def __init__(self) -> None:
        self._families: OrderedDict[str, _Family] = OrderedDict()
        self._shapes: OrderedDict[str, None] = OrderedDict()
        self._met: list[Trap] = []

    def judge(self, url: str) -> Trap | None:
        """Say whether a URL leads into a trap."""
        if trap := find_shape_trap(url):
            self._meet(trap)
            return trap
        family = self._families.get(find_family(url))
        return family.trap if family else None

    def record_page(
        self, url: str, simhash: int, page_id: int = 0, parent: int = 0, brought: Iterable[str] = ()
    ) -> None:
        """Remember what a page was like, where it was found, and which URLs it was the first to bring.

        A `simhash` of 0 stands for a page without words: it tells nothing about copies.
        """
        pattern = find_family(url)
        if pattern == url:
            return
        family = self._families.get(pattern)
        if family is None:
            family = self._families[pattern] = _Family()
            if len(self._families) > FAMILIES_KEPT:
                self._families.popitem(last=False)
        else:
            self._families.move_to_end(pattern)
        if family.trap is None:
            copies = bool(simhash) and _repeats(family, simhash)
            grows = is_dated(url) and _grows(family, pattern, parent, brought)
            if copies or grows:
                reason = "near copies under one pattern" if copies else "calendar that grows"
                family.trap = Trap(reason, pattern)
                self._meet(family.trap)
        family.members.append(page_id)

    def take_new_traps(self) -> list[Trap]:
        """Return the traps that were met since the last time, each once."""
        met, self._met = self._met, []
        return met

    def restore(self, trap: Trap) -> None:
        """Know a trap from an earlier run."""
        self._families.setdefault(trap.pattern, _Family()).trap = trap
        self._shapes[trap.pattern] = None

    def _meet(self, trap: Trap) -> None:
        if trap.pattern in self._shapes:
            return
        self._met.append(trap)
        self._shapes[trap.pattern] = None
        if len(self._shapes) > SHAPES_KEPT:
            self._shapes.popitem(last=False)


def _repeats(family: _Family, simhash: int) -> bool:
    """Count a page of a family; say whether most of those looked at were copies of one another."""
    family.looked_at += 1
    family.copies += any(distance(simhash, other) <= NEAR_BITS for other in family.recent)
    family.recent.append(simhash)
    if family.looked_at < FAMILY_PROBE:
        return False
    if family.copies >= FAMILY_COPIES * (family.looked_at - 1):
        return True
    # Judge by what came lately: an archive that was rich for long may still end in a trap.
    if family.looked_at >= 4 * FAMILY_PROBE:
        family.looked_at, family.copies = family.looked_at // 2, family.copies // 2
    return False


def _grows(family: _Family, pattern: str, parent: int, brought: Iterable[str]) -> bool:
    """Count a dated page of a family; say whether only the family itself has grown for long."""
    alone = parent in family.members and all(find_family(url) == pattern for url in brought)
    family.barren = family.barren + 1 if alone else 0
    return family.barren >= CALENDAR_PAGES
