"""Learn which parts of pages change at every visit (dates, counters, quotes of the day) and ignore them.

Two versions of a page are compared block by block. A new block has a place, identified by the block's words without
numbers and names of days and months, or else by the last unchanged block before it. A place that was new in nearly every
comparison, while most of the page stayed, is noise on every page of its host, since such places come from templates.

Numbers and dates that are new at every visit are noise regardless of the time between visits. Other words may be content:
after ten days, a page that changes every third day is new each time as well. They are noise only if they were
new within an hour of the previous visit.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec
import xxhash

# A page that changes once in three visits is new three times in a row in one case of 27, twice in one of nine.
LEAST_TIMES = 3
MOST_KEPT = 0.1
"""The largest share of comparisons in which a noisy place may have stayed the same."""
MOST_OF_PAGE = 0.3
"""If a larger share of a page's blocks is new, the page has changed, however often that happens."""
SOON_DAYS = 1 / 24
"""Text that changes within this time is generated, not edited by hand."""
MOST_PLACES = 2_000
"""The most places remembered for a host; the least seen are dropped first."""

_NAMES = (
    "monday tuesday wednesday thursday friday saturday sunday "
    "january february march april may june july august september october november december "
    "montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag "
    "januar jänner februar märz mai juni juli oktober dezember "
    "lundi mardi mercredi jeudi vendredi samedi dimanche "
    "janvier février mars avril juin juillet août septembre octobre novembre décembre "
    "lunes martes miércoles jueves viernes sábado domingo "
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre "
    "mon tue wed thu fri sat sun jan feb mar apr jun jul aug sep oct nov dec"
)
_CHANGING_WORD = re.compile(
    rf"\b(?:{'|'.join(sorted(_NAMES.split(), key=len, reverse=True))})\b|\d[\d.,:/-]*"
)

Block = tuple[int, int]
"""The digests of a block: of its words, and of its shape: its words without numbers and names of days and months."""
Places = dict[int, tuple[int, int]]
"""For each place, how often it was new and how often it had stayed."""


class Difference(msgspec.Struct, frozen=True):
    """How two versions of a page differ."""

    new: frozenset[int]
    """The places of blocks that were added or removed."""
    stayed: frozenset[int]
    """The places of blocks that are in both versions."""
    share: float
    """The share of blocks that were added or removed."""


_NEIGHBOUR = 1
"""The lowest bit of a place that is identified by the block before it."""


def digest_lines(text: str) -> list[Block]:
    """Return the blocks of a text: digests of its non-empty lines."""
    return [_digest_line(line) for line in text.splitlines() if line.strip()]


def _digest_line(line: str) -> Block:
    return _digest(line), _digest(_CHANGING_WORD.sub("#", line.lower()))


def _digest(text: str) -> int:
    return xxhash.xxh32_intdigest(text.encode("utf-8", "surrogatepass"))


def pack_blocks(blocks: Iterable[Block]) -> bytes:
    """Pack blocks into bytes, eight for each."""
    return b"".join(words.to_bytes(4, "little") + shape.to_bytes(4, "little") for words, shape in blocks)


def unpack_blocks(data: bytes) -> list[Block]:
    """Unpack blocks that `pack_blocks` packed."""
    numbers = memoryview(data).cast("I")
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def compare_versions(old: Sequence[Block], new: Sequence[Block]) -> Difference:
    """Compare two versions of a page."""
    before, after = Counter(words for words, _ in old), Counter(words for words, _ in new)
    gone, come = before - after, after - before
    moved = {shape for words, shape in old if gone[words]} & {shape for words, shape in new if come[words]}
    places = [_find_places(version, changed, moved) for version, changed in ((old, gone), (new, come))]
    fresh = frozenset(places[0][0] | places[1][0])
    share = max(gone.total() / max(len(old), 1), come.total() / max(len(new), 1))
    return Difference(fresh, frozenset((places[0][1] | places[1][1]) - fresh), share)


def _find_places(
    version: Sequence[Block], changed: Counter[int], moved: set[int]
) -> tuple[set[int], set[int]]:
    """Return the places of blocks only in this version, and of blocks in both."""
    fresh: set[int] = set()
    stayed: set[int] = set()
    before = 0
    for words, shape in version:
        if changed[words]:
            fresh.add(_place_by_shape(shape) if shape in moved else _place_by_neighbour(before))
        else:
            stayed.update((_place_by_shape(shape), _place_by_neighbour(before)))
            before = words
    return fresh, stayed


def _place_by_shape(shape: int) -> int:
    return shape << 1


def _place_by_neighbour(words: int) -> int:
    return (words << 1) | _NEIGHBOUR


def is_shape_place(place: int) -> bool:
    """Return whether a place is identified by its words without numbers and dates, not by its neighbour."""
    return not place & _NEIGHBOUR


def is_noise(found: Difference, known: Places) -> bool:
    """Return whether the only differences are in places that change at every visit."""
    return found.share <= MOST_OF_PAGE and all(is_volatile(known.get(place, (0, 0))) for place in found.new)


def is_volatile(times: tuple[int, int]) -> bool:
    """Return whether a place that was new and had stayed so many times changes at every visit."""
    new, stayed = times
    return new >= LEAST_TIMES and stayed <= MOST_KEPT * (new + stayed)


def update_places(found: Difference, known: Places, gap_days: float) -> Places:
    """Return the counts of places after comparing two versions of a page that are `gap_days` apart."""
    learnt = dict(known)
    for place in found.new:
        if gap_days <= SOON_DAYS or not place & _NEIGHBOUR:
            new, stayed = learnt.get(place, (0, 0))
            learnt[place] = (new + 1, stayed)
    for place in found.stayed & learnt.keys():
        new, stayed = learnt[place]
        learnt[place] = (new, stayed + 1)
    if len(learnt) > MOST_PLACES:
        best = sorted(learnt.items(), key=lambda each: -sum(each[1]))
        learnt = dict(best[: MOST_PLACES // 2])
    return learnt
