"""Copy the state of a web from one store to another, table by table, in batches of bounded size."""

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np

from gossamer.records import Page, Visit
from gossamer.store import record_rows
from gossamer.store.batch import Batch, LinkColumns, Store, TaskNote
from gossamer.store.copy.moved_positions import MovedPositions

OnRows = Callable[[int], None]
Item = TypeVar("Item")
_AT_ONCE = 1000
_NOTES_AT_ONCE = 200
_BATCH_BYTES = 4 << 20
_KEY_BYTES = 8


class StateCopy:
    """Copies everything from one store to an empty one. No crawl may be running."""

    def __init__(
        self,
        source: Store,
        target: Store,
        positions: MovedPositions,
        scratch: Path,
        skipped_rooms: Collection[str],
        on_rows: OnRows,
    ) -> None:
        self._source = source
        self._target = target
        self._positions = positions
        self._scratch = scratch
        """A folder for files that are needed meanwhile."""
        self._skipped_rooms = skipped_rooms
        self._on_rows = on_rows

    def copy(self) -> None:
        """Copy all tables; that of the archive's files is written with them."""
        source = self._source
        self._copy_urls()
        self._copy(source.pages(), lambda pages: Batch(pages=list(map(self._move_page, pages))))
        self._copy_links()
        self._copy_visits()
        self._copy(source.all_decisions(), lambda some: Batch(decisions=some), is_counted=False)
        self._copy(source.all_hosts(), lambda some: Batch(hosts=some))
        self._copy(source.all_budgets(), lambda some: Batch(spent=some), is_counted=False)
        self._copy_notes()
        self._copy(source.all_requests(), lambda some: Batch(requests=some))
        self._copy(source.all_sent(), lambda some: Batch(sent=some), is_counted=False)
        # Last: a web without tasks is not crawled.
        tasks: list[TaskNote] = source.tasks()
        self._target.commit(Batch(tasks=tasks, last_number=source.last_number()))

    def _copy(
        self, items: Iterable[Item], make_batch: Callable[[list[Item]], Batch], is_counted: bool = True
    ) -> None:
        """Copy some table; rows of tables that `Store.counts` leaves out are not reported."""
        for some in _take_several(items):
            self._target.commit(make_batch(some))
            if is_counted:
                self._on_rows(len(some))

    def _copy_urls(self) -> None:
        """Copy known URLs, and the keys of the seen set that are not theirs: stores add those by themselves."""
        path = self._scratch / "known"
        with path.open("wb") as ids:
            for some in _take_several(self._source.known_urls()):
                self._target.commit(Batch(known=some))
                ids.write(record_rows.pack_keys(page_id for page_id, _ in some))
                self._on_rows(len(some))
        known = np.empty(0, "<i8")
        if path.stat().st_size:
            known = np.memmap(path, "<i8", "r+")  # sorted on disk: there may be more than fit into memory
            known.sort()
        for keys in _take_keys(packed for _, packed in self._source.seen_keys()):
            at = np.minimum(np.searchsorted(known, keys), max(0, len(known) - 1))
            left = keys[known[at] != keys] if len(known) else keys
            if len(left):
                self._target.commit(Batch(scheduled=left.tolist()))
        del known
        path.unlink()

    def _copy_links(self) -> None:
        batch, size = Batch(), 0
        for _, source, targets, kinds, texts in self._source.link_rows():
            told = record_rows.unpack_link_texts(texts)
            batch.links.append(LinkColumns(source, record_rows.unpack_keys(targets).tolist(), kinds, told))
            size += len(targets) + len(texts)
            if size >= _BATCH_BYTES or len(batch.links) >= _AT_ONCE:
                self._target.commit(batch)
                self._on_rows(len(batch.links))
                batch, size = Batch(), 0
        self._target.commit(batch)
        self._on_rows(len(batch.links))

    def _copy_visits(self) -> None:
        """Copy visits and widenings, which say by number up to which visit they are done."""
        widenings = self._source.widenings()
        ends = {one.number: self._source.count_visits(one.after) for one in widenings}
        numbers = {0: 0}
        visits, done = self._source.all_visits(), 0
        for end in (*sorted(set(ends.values())), None):
            some = islice(visits, None if end is None else end - done)
            self._copy(some, lambda several: Batch(visits=list(map(self._move_visit, several))))
            if end is not None:
                done, numbers[end] = end, self._target.last_visit()
        replace = msgspec.structs.replace
        moved = [replace(one, number=0, after=numbers[ends[one.number]]) for one in widenings]
        self._target.commit(Batch(widenings=moved))

    def _copy_notes(self) -> None:
        for room in self._source.rooms():
            last = ""
            while room not in self._skipped_rooms and (
                some := self._source.notes(room, last, _NOTES_AT_ONCE)
            ):
                last = some[-1][0]
                self._target.commit(Batch(notes={(room, name): value for name, value in some}))

    def _move_page(self, page: Page) -> Page:
        place = self._positions.find(page.warc, page.warc_offset)
        if not page.warc or place.warc == page.warc:
            return page
        return msgspec.structs.replace(page, warc=place.warc, warc_offset=place.offset)

    def _move_visit(self, visit: Visit) -> Visit:
        place = self._positions.find(visit.warc, visit.warc_offset)
        if not visit.warc or place.warc == visit.warc:
            return visit
        return msgspec.structs.replace(visit, warc=place.warc, warc_offset=place.offset)


def _take_several(items: Iterable[Item]) -> Iterator[list[Item]]:
    remaining = iter(items)
    while some := list(islice(remaining, _AT_ONCE)):
        yield some


def _take_keys(pieces: Iterable[bytes]) -> Iterator["np.ndarray[tuple[int], np.dtype[np.int64]]"]:
    """Yield packed keys as arrays of at most a few megabytes, made of small and of large pieces."""
    held: list[bytes] = []
    size = 0
    for packed in pieces:
        for at in range(0, len(packed), _BATCH_BYTES):
            held.append(packed[at : at + _BATCH_BYTES])
            size += len(held[-1])
            if size >= _BATCH_BYTES // _KEY_BYTES:
                yield np.frombuffer(b"".join(held), "<i8")
                held, size = [], 0
    if held:
        yield np.frombuffer(b"".join(held), "<i8")
