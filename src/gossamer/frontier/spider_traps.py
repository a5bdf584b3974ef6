"""Endless URL spaces, found by the shape of one URL or by the pages of a family of URLs.

The *shape* of a URL makes it a trap if path segments repeat or the path is very long. A *family* is the URLs of one
host that differ only in numbers, tokens and query values. No more of it is fetched

- when page after page is nearly a copy of an earlier one: session ids that were not removed, sorted and filtered views;
- when it is a calendar that grows: page after page has a date in its URL, was found on another page of the family, and
  links to nothing new outside it.
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
"""Pages of a family that are compared before it can be called a trap."""
FAMILY_COPIES = 0.8
"""The share of them that must be near copies of one of the last few."""
NEAR_BITS = 6
RECENT = 8
FAMILIES_KEPT = 50_000
CALENDAR_PAGES = 24
"""Pages in a row without a new link to the outside that make a growing calendar: two years by month."""
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
    compared: int = 0
    copies: int = 0
    recent: deque[int] = msgspec.field(default_factory=lambda: deque(maxlen=RECENT))
    barren: int = 0
    """Dated pages in a row that were found on another page of the family and led to nothing new outside it."""
    members: deque[int] = msgspec.field(default_factory=lambda: deque(maxlen=MEMBERS_KEPT))
    """Ids of the last pages."""
    trap: Trap | None = None


@lru_cache(maxsize=4_096)
def find_family(url: str) -> str:
    """Return the URL with placeholders for tokens (@), numbers (#) and query values (*)."""
    path, _, query = url.partition("?")
    head, _, rest = path.partition("://")
    host, slash, tail = rest.partition("/")
    if _NUMBER.search(tail):  # most URLs are their own family
        tail = _NUMBER.sub("#", _RUN.sub(_replace_token, tail))
    return f"{head}://{host}{slash}{tail}" + (f"?{_VALUE.sub('=*', query)}" if query else "")


def _replace_token(run: re.Match[str]) -> str:
    """Replace a run of digits and letters: it is a key, neither a word nor a number."""
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
    """Return the trap that a URL shows by itself, by repeated segments or a path without end; None if it is none."""
    origin, _, path = url.split("?", 1)[0].partition("://")[2].partition("/")
    segments = [segment for segment in path.split("/") if segment]
    if len(segments) > LONGEST_PATH:
        return Trap("path without end", f"{origin}/{'/'.join(segments[:4])}/…")
    if len(segments) - len(set(segments)) >= MOST_REPEATS:  # otherwise no segment is there often enough
        segment, times = Counter(segments).most_common(1)[0]
        if times > MOST_REPEATS:
            return Trap("path segment repeats", f"{origin}/…/{segment}/…/{segment}/…")
    return None


class TrapDetector:
    """Remembers families of URLs and their pages. Bounded: the families unused for longest are dropped."""

    def __init__(self) -> None:
        self._families: OrderedDict[str, _Family] = OrderedDict()
        self._shapes: OrderedDict[str, None] = OrderedDict()
        self._new: list[Trap] = []

    def judge(self, url: str) -> Trap | None:
        """Return the trap that a URL leads into; None if it is none."""
        if trap := find_shape_trap(url):
            self._add_trap(trap)
            return trap
        family = self._families.get(find_family(url))
        return family.trap if family else None

    def record_page(
        self, url: str, simhash: int, page_id: int = 0, parent: int = 0, brought: Iterable[str] = ()
    ) -> None:
        """Record a page, the page that it was found on, and the new URLs that it links to.

        A `simhash` of 0 stands for a page without words, which is compared with no other.
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
                self._add_trap(family.trap)
        family.members.append(page_id)

    def needs_text(self, url: str) -> bool:
        """Say whether the text of a page is worth reading for this alone: its family has become large."""
        family = self._families.get(find_family(url))
        return family is not None and len(family.members) >= FAMILY_PROBE

    def take_new_traps(self) -> list[Trap]:
        """Return the traps found since the last call, each once."""
        found, self._new = self._new, []
        return found

    def restore(self, trap: Trap) -> None:
        """Add a trap of an earlier run."""
        self._families.setdefault(trap.pattern, _Family()).trap = trap
        self._shapes[trap.pattern] = None

    def _add_trap(self, trap: Trap) -> None:
        if trap.pattern in self._shapes:
            return
        self._new.append(trap)
        self._shapes[trap.pattern] = None
        if len(self._shapes) > SHAPES_KEPT:
            self._shapes.popitem(last=False)


def _repeats(family: _Family, simhash: int) -> bool:
    """Compare a page with the last ones of its family; say whether most of the family are near copies."""
    family.compared += 1
    family.copies += any(distance(simhash, other) <= NEAR_BITS for other in family.recent)
    family.recent.append(simhash)
    if family.compared < FAMILY_PROBE:
        return False
    if family.copies >= FAMILY_COPIES * (family.compared - 1):
        return True
    # Recent pages count more: an archive with many different pages may still end in a trap.
    if family.compared >= 4 * FAMILY_PROBE:
        family.compared, family.copies = family.compared // 2, family.copies // 2
    return False


def _grows(family: _Family, pattern: str, parent: int, brought: Iterable[str]) -> bool:
    """Count a dated page of a family; say whether only the family itself grows."""
    alone = parent in family.members and all(find_family(url) == pattern for url in brought)
    family.barren = family.barren + 1 if alone else 0
    return family.barren >= CALENDAR_PAGES
