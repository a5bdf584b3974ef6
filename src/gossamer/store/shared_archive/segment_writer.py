"""Write the batches of one fetcher into a shared archive: a WARC segment for each, there before the batch is committed.

A segment is written once, under a name that no other writer has. One that was written for a batch that was never committed
stays: its commit may still be on its way to the database. `pack_segments.remove_orphans` deletes it much later.
"""

import time
from collections.abc import Callable, Mapping

from gossamer.errors import StoreAway, StoreFailed
from gossamer.net import fingerprint
from gossamer.records import Exchange, Page
from gossamer.store.archive import write_visit
from gossamer.store.archive.archive_reader import ArchiveReader, WarcPosition
from gossamer.store.archive.read_exchange import Decode
from gossamer.store.archive.recent_originals import RecentOriginals
from gossamer.store.archive.warc_records import pack_record
from gossamer.store.shared_archive.object_store import ObjectStore
from gossamer.store.shared_archive.segment_name import SegmentName, check_fetcher, locate_segment
from gossamer.store.wait_for_store import Patience, Say, ignore, never, wait_for_store

_NO_FACTS: Mapping[str, str] = {}


class SegmentWriter:
    """The segments that one fetcher writes in one epoch. It is used as `Archive` is, by one thread at a time."""

    def __init__(
        self,
        store: ObjectStore,
        reader: ArchiveReader,
        fetcher: str,
        epoch: int,
        about: Mapping[str, str] = _NO_FACTS,
        clock: Callable[[], float] = time.time,
        patience: Patience = Patience(),  # noqa: B008 - it is frozen
        say: Say = ignore,
        must_stop: Callable[[], bool] = never,
    ) -> None:
        self.about = about
        """Facts about the web for the warcinfo record of each segment."""
        self.lost_bytes: dict[str, int] = {}
        """Always empty: a segment is committed after it was written, and never grows."""
        self._store = store
        self._reader = reader
        self._next = SegmentName(check_fetcher(fetcher), epoch, 0)
        self._clock = clock
        self._patience, self._say, self._must_stop = patience, say, must_stop
        self._originals = RecentOriginals(reader)
        self._name = ""
        """The segment that is being filled; "" if there is none."""
        self._waiting: list[bytes] = []
        self._end = 0

    def write(
        self, exchange: Exchange, digest: str, same: Page | None = None, facts: Mapping[str, str] = _NO_FACTS
    ) -> WarcPosition:
        """Add response, request and metadata to the segment of this batch, in memory.

        A revisit is written instead of a response if page `same` has this payload. `digest` is that of the payload; ""
        to have it computed.
        """
        # First of all: if this fails, nothing of the exchange is written yet.
        original = self._originals.find(
            exchange, digest := digest or fingerprint.digest(exchange.payload), same
        )
        if not self._name:
            self._start_segment()
        place = WarcPosition(self._name, self._end)
        date = write_visit.format_date(exchange.began_s)
        records = write_visit.make_records(exchange, date, digest, original, facts)
        parts = (records.response, records.request, records.metadata)
        self._append(*map(pack_record, filter(None, parts)))
        if original is None and exchange.response_head and exchange.payload and not exchange.cut:
            self._originals.remember(
                write_visit.OriginalResponse(exchange.url, date, digest, place.warc, place.offset)
            )
        return place

    def flush(self, sync: bool = False) -> dict[str, int]:  # noqa: ARG002 - what is stored is always synced
        """Store the segment; return its name and length, to be committed; nothing if nothing was written.

        While the store is away, this waits as long as the patience lasts. If it raises, the segment waits for the next
        flush, under the same name.
        """
        if not self._name:
            return {}
        name, data = self._name, b"".join(self._waiting)
        self._waiting = [data]
        wait_for_store(lambda: self._store_segment(name, data), self._patience, self._say, self._must_stop)
        self._drop_segment()
        return {name: len(data)}

    def rewind(self, committed: Mapping[str, int]) -> None:  # noqa: ARG002 - segments never grow
        """Forget the segment of a batch that failed; its name is not used again."""
        self._drop_segment()
        self._originals.forget()

    def close(self) -> None:
        """Forget what was not flushed, as no page refers to it."""
        self._drop_segment()

    def read(self, place: WarcPosition, decode: Decode | None = None) -> Exchange | None:
        """Return the exchange written at a position before the last flush; None if there is none."""
        return self._reader.read(place, decode)

    def _start_segment(self) -> None:
        self._name = str(self._next)
        self._next = SegmentName(self._next.fetcher, self._next.epoch, self._next.number + 1)
        date = write_visit.format_date(self._clock())
        self._append(pack_record(write_visit.make_warcinfo(self._name, date, self.about)))

    def _append(self, *records: bytes) -> None:
        self._waiting += records
        self._end += sum(map(len, records))

    def _drop_segment(self) -> None:
        self._name, self._waiting, self._end = "", [], 0

    def _store_segment(self, name: str, data: bytes) -> None:
        """Create the object; if there is one already, it must be ours, of an attempt whose answer was lost."""
        try:
            if self._store.create(locate_segment(name), data):
                return
            found = self._store.read(locate_segment(name))
        except StoreFailed as failure:
            # It could be written when it was opened: what keeps it from that now passes, or a person mends it.
            raise failure if failure.full else StoreAway(str(failure)) from None
        if found is None:
            raise StoreAway(f"{name} is being written")
        if found != data:
            raise StoreFailed(f"{name} exists with other bytes: two fetchers have one name and epoch")
