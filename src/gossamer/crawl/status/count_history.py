"""Counts over time, written with the batches that they count: so they add up, however a process ends.

Each shard has notes of its own for each task, at four widths of buckets. Every batch adds to a bucket of five seconds. When
five minutes of them are full, they are added to the wider buckets, and the narrow ones are deleted when they have aged. A
year of crawling takes some 200 kB for each task and shard.
"""

from collections.abc import Iterable, Mapping

import msgspec

from gossamer.crawl.task_counts import sum_prefix
from gossamer.store.batch import Store

ROOM = "history"
WIDTHS_S = (5, 60, 600, 3600)
KEPT_S = (3600.0, 86_400.0, 30 * 86_400.0, float("inf"))
"""How long buckets of each width are kept."""
CHUNK = 60
"""Buckets in one note."""
_NOTES_AT_ONCE = 200

Counts = list[int]
"""Pages, bytes, failures, queued requests and finished requests."""
Notes = dict[tuple[str, str], bytes | None]


class HistoryNote(msgspec.Struct, array_like=True):
    """The buckets of one note, by their place in it."""

    folded: bool
    """Whether they were added to the wider buckets."""
    buckets: dict[int, tuple[int, int, int, int, int]]


_DECODER = msgspec.msgpack.Decoder(HistoryNote)
_UNDECODABLE = (msgspec.MsgspecError, ValueError, RecursionError)


class NotePlace(msgspec.Struct, frozen=True):
    """Where a note belongs: its task, its shard, the width of its buckets, and when it begins."""

    task: int
    shard: int
    level: int
    began_s: int

    @property
    def name(self) -> str:
        """The name of the note."""
        return f"{self.task}.{self.shard}.{self.level}.{self.began_s:012}"

    @property
    def ends_s(self) -> int:
        """When its last bucket ends."""
        return self.began_s + CHUNK * WIDTHS_S[self.level]


def parse_place(name: str) -> NotePlace | None:
    """Return the place of a note; None if its name is none of ours."""
    parts = name.split(".")
    if len(parts) != 4 or not all(part.isascii() and part.isdecimal() and len(part) <= 15 for part in parts):
        return None
    place = NotePlace(*map(int, parts))
    return place if place.level < len(WIDTHS_S) else None


def decode_note(packed: bytes) -> HistoryNote | None:
    """Return the buckets of a note; None if it is damaged."""
    try:
        return _DECODER.decode(packed)
    except _UNDECODABLE:
        return None


def read_notes(store: Store, prefix: str) -> Iterable[tuple[NotePlace, HistoryNote]]:
    """Yield the notes whose names begin like this."""
    after = prefix
    while found := store.notes(ROOM, after, _NOTES_AT_ONCE):
        for name, packed in found:
            if not name.startswith(prefix):
                return
            place, note = parse_place(name), decode_note(packed)
            if place is not None and note is not None:
                yield place, note
        if len(found) < _NOTES_AT_ONCE:
            return
        after = found[-1][0]


def select_counts(more: Mapping[str, int]) -> Counts:
    """Return what the history keeps of the counts of a batch."""
    return [
        more.get("downloaded", 0),
        more.get("bytes", 0),
        sum_prefix(more, "failed:"),
        more.get("queued", 0),
        more.get("finished", 0),
    ]


class HistoryWriter:
    """Adds what one shard has counted to its notes."""

    def __init__(self, store: Store, shard: int) -> None:
        self._store = store
        self._shard = shard
        self._tasks: dict[int, _TaskHistory] = {}

    def make_notes(self, counted: Iterable[tuple[int, Mapping[str, int]]], now_s: float) -> Notes:
        """Return the notes to write with a batch that counted this."""
        notes: Notes = {}
        for task, more in counted:
            counts = select_counts(more)
            if any(counts):
                if task not in self._tasks:
                    self._tasks[task] = _TaskHistory(self._store, task, self._shard)
                notes |= self._tasks[task].add(counts, now_s)
        return notes


class _TaskHistory:
    """The notes of one task and shard."""

    def __init__(self, store: Store, task: int, shard: int) -> None:
        self._store = store
        self._task = task
        self._shard = shard
        self._open: dict[NotePlace, HistoryNote] = {}
        """Narrow buckets that were not added to the wider ones."""
        self._known: set[NotePlace] = set()
        """Notes that may be deleted when they have aged."""
        self._least_s = 0
        """Earlier buckets were added to the wider ones already."""
        for place, note in read_notes(store, f"{task}.{shard}."):
            if place.level == 0 and not note.folded:
                self._open[place] = note
            elif place.level == 0:
                self._least_s = max(self._least_s, place.ends_s)
            self._known.add(place)

    def add(self, counts: Counts, now_s: float) -> Notes:
        """Add counts to the present bucket; return the notes that change."""
        when_s = max(now_s, self._least_s)  # a clock that was set back
        place, at = self._locate(0, when_s)
        notes: Notes = {}
        if place not in self._open:
            for done in sorted(self._open, key=lambda one: one.began_s):
                notes |= self._fold(done)
            notes |= self._forget_old(now_s)
            self._open[place] = HistoryNote(False, {})
            self._known.add(place)
        note = self._open[place]
        _add_to(note, at, counts)
        return notes | {(ROOM, place.name): msgspec.msgpack.encode(note)}

    def _locate(self, level: int, when_s: float) -> tuple[NotePlace, int]:
        width_s = WIDTHS_S[level]
        began_s = int(when_s) // (CHUNK * width_s) * CHUNK * width_s
        return NotePlace(self._task, self._shard, level, began_s), (int(when_s) - began_s) // width_s

    def _fold(self, done: NotePlace) -> Notes:
        """Add the buckets of a narrow note to the wider ones."""
        narrow = self._open.pop(done)
        wider: dict[NotePlace, HistoryNote] = {}
        for at, counts in narrow.buckets.items():
            for level in range(1, len(WIDTHS_S)):
                place, into = self._locate(level, done.began_s + at * WIDTHS_S[0])
                if place not in wider:
                    packed = self._store.note(ROOM, place.name)
                    known = decode_note(packed) if packed is not None else None
                    wider[place] = known or HistoryNote(True, {})
                _add_to(wider[place], into, counts)
        narrow.folded = True
        self._least_s = max(self._least_s, done.ends_s)
        self._known.update(wider)
        return {
            (ROOM, place.name): msgspec.msgpack.encode(note)
            for place, note in (*wider.items(), (done, narrow))
        }

    def _forget_old(self, now_s: float) -> Notes:
        """Delete narrow buckets that have aged."""
        old = {
            place for place in self._known - self._open.keys() if place.ends_s + KEPT_S[place.level] < now_s
        }
        self._known -= old
        return {(ROOM, place.name): None for place in old}


def _add_to(note: HistoryNote, at: int, counts: Iterable[int]) -> None:
    before = note.buckets.get(at, (0, 0, 0, 0, 0))
    pages, body_bytes, failed, queued, finished = (a + b for a, b in zip(before, counts, strict=True))
    note.buckets[at] = (pages, body_bytes, failed, queued, finished)
