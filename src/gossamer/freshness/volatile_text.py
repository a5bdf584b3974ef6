"""What on a page changes at every visit whatever happens: dates, counters, the saying of the day. Learnt, and left out.

A page is compared block by block. A block that is new stands in a place, which is known again by the block's own words
without their numbers and names of days, or else by the block before it that stayed. A place that was new nearly always when
somebody looked, while most of the page stayed, is noise: on every page of its host, since such places come from templates.

Numbers and dates that are new at every visit are noise however far visits are apart. Other words may be what the page is
about: if they are new each time after ten days, so is a page that changes every third day. They are noise only if they were
new although somebody had looked within the hour.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec
import xxhash

# A page that changes once in three visits is new three times in a row in one case of 27; twice in one of nine.
LEAST_TIMES = 3
MOST_KEPT = 0.1
"""Of the times that somebody looked: noise may have stayed in so many."""
MOST_OF_PAGE = 0.3
"""Of the blocks of a page: if more are new, the page has changed, however often it does so."""
SOON_DAYS = 1 / 24
"""What nobody changes by hand is new again after so long."""
MOST_PLACES = 2_000
"""Places that are remembered of a host; those that were seen least go first."""

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
_MOVING = re.compile(rf"\b(?:{'|'.join(sorted(_NAMES.split(), key=len, reverse=True))})\b|\d[\d.,:/-]*")

Block = tuple[int, int]
"""The digests of a block: of its words, and of its words without numbers and names of days."""
Places = dict[int, tuple[int, int]]
"""Of each place how often it was new, and how often it had stayed."""


class Difference(msgspec.Struct, frozen=True):
    """How two versions of a page differ."""

    new: frozenset[int]
    """The places of blocks that came or went."""
    stayed: frozenset[int]
    """The places of blocks that are in both."""
    share: float
    """How much of the page came or went."""


_NEIGHBOUR = 1
"""The lowest bit of a place that is known by the block before it."""


def blocks_of(text: str) -> list[Block]:
    """Return the blocks of a text: its lines."""
    return [_block(line) for line in text.splitlines() if line.strip()]


def _block(line: str) -> Block:
    return _digest(line), _digest(_MOVING.sub("#", line.lower()))


def _digest(text: str) -> int:
    return xxhash.xxh32_intdigest(text.encode("utf-8", "surrogatepass"))


def packed(blocks: Iterable[Block]) -> bytes:
    """Write blocks down, eight bytes each."""
    return b"".join(words.to_bytes(4, "little") + shape.to_bytes(4, "little") for words, shape in blocks)


def unpacked(data: bytes) -> list[Block]:
    """Read blocks that were written down."""
    numbers = memoryview(data).cast("I")
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def difference(old: Sequence[Block], new: Sequence[Block]) -> Difference:
    """Compare two versions of a page."""
    before, after = Counter(words for words, _ in old), Counter(words for words, _ in new)
    gone, come = before - after, after - before
    moved = {shape for words, shape in old if gone[words]} & {shape for words, shape in new if come[words]}
    places = [_places(version, changed, moved) for version, changed in ((old, gone), (new, come))]
    fresh = frozenset(places[0][0] | places[1][0])
    share = max(gone.total() / max(len(old), 1), come.total() / max(len(new), 1))
    return Difference(fresh, frozenset((places[0][1] | places[1][1]) - fresh), share)


def _places(version: Sequence[Block], changed: Counter[int], moved: set[int]) -> tuple[set[int], set[int]]:
    """Return the places of blocks that are only in this version, and of those that are in both."""
    fresh: set[int] = set()
    stayed: set[int] = set()
    before = 0
    for words, shape in version:
        if changed[words]:
            fresh.add(_by_shape(shape) if shape in moved else _by_neighbour(before))
        else:
            stayed.update((_by_shape(shape), _by_neighbour(before)))
            before = words
    return fresh, stayed


def _by_shape(shape: int) -> int:
    return shape << 1


def _by_neighbour(words: int) -> int:
    return (words << 1) | _NEIGHBOUR


def is_noise(found: Difference, known: Places) -> bool:
    """Say whether nothing on a page is new but what is new at every visit."""
    return found.share <= MOST_OF_PAGE and all(_is_moving(known.get(place, (0, 0))) for place in found.new)


def _is_moving(times: tuple[int, int]) -> bool:
    new, stayed = times
    return new >= LEAST_TIMES and stayed <= MOST_KEPT * (new + stayed)


def learn(found: Difference, known: Places, gap_days: float) -> Places:
    """Return what is known of places after one more comparison of two versions of a page, so many days apart."""
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
