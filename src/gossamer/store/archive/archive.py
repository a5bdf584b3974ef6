"""The bytes of a web: WARC 1.1 files, a gzip member for each record, with a CDXJ index beside them.

The store promises how much of each file belongs to the web. What lies behind the promise was written for pages that
were never committed: it is cut off when the archive is opened again, so that records and pages always agree.
"""

import errno
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from gossamer.errors import BadInput, StoreFailed
from gossamer.net import fingerprint
from gossamer.records import Exchange, Page
from gossamer.store.archive import cdxj_index, write_visit
from gossamer.store.archive.archive_reader import ArchiveReader, WarcPosition
from gossamer.store.archive.read_exchange import Decode, target_url
from gossamer.store.archive.warc_records import WarcReader, WarcRecord, pack_record

ROTATE_BYTES = 1_000_000_000
# An index is made anew at once for files up to this size, a second's work; for longer ones when the archive is closed.
_INDEXED_AT_ONCE_BYTES = 1 << 26
_NAME = re.compile(r"gossamer-\d{14}-(\d{3})-(\d{5,})\.warc\.gz\Z")
# Answers of the same bytes come in families: error pages, mirrors.
_MOST_ORIGINALS = 4000
# Records wait for each other up to this size, or until the batch ends: a write for each visit took twice the time.
_WRITTEN_AT_ONCE_BYTES = 1 << 20
_FULL = {errno.ENOSPC, errno.EDQUOT}
_NOT_MODIFIED = 304
_NO_FACTS: Mapping[str, str] = {}


class Archive:
    """The WARC files of one shard: written by nobody else, and cut back to what was promised when it opens."""

    def __init__(
        self,
        folder: Path,
        promised: Mapping[str, int],
        shard: int = 0,
        rotate_bytes: int = ROTATE_BYTES,
        about: Mapping[str, str] = _NO_FACTS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.folder = folder
        self._reader = ArchiveReader(folder)
        self.lost_bytes: dict[str, int] = {}
        """Promised and not there: after a power failure, or by somebody's hand. Such files are left alone."""
        self._shard = shard
        self._rotate_bytes = rotate_bytes
        self.about = about
        """What the first record of each file that is begun from now on tells of the web."""
        self._clock = clock
        self._originals: dict[str, write_visit.OriginalResponse] = {}
        """Responses of late, by the digests of their payloads: what revisits can refer to without a look-up."""
        self._file = -1
        self._path = folder
        self._waiting: list[bytes] = []
        """Records that are not in the file yet."""
        self._written = 0
        """How much of the current file is written."""
        self._end = 0
        """How long it will be with all that waits."""
        self._lines: list[str] | None = None
        """The index of the current file; None if its beginning was not written by this process and not read."""
        self._changed: dict[str, int] = {}
        try:
            folder.mkdir(exist_ok=True)
            self._serial = self._recover(promised)
        except OSError as error:
            if error.errno in _FULL:
                raise _make_failure(folder, error) from None
            raise BadInput(f"the archive at {folder} cannot be used: {error.strerror}") from None

    # Writing

    def write(
        self, exchange: Exchange, digest: str, same: Page | None = None, facts: Mapping[str, str] = _NO_FACTS
    ) -> WarcPosition:
        """Append response, request and metadata; only that it is the `same` as before if that page had this payload.

        `digest` is that of the payload, "" if it is still to be computed.
        """
        # Before, not after: whatever goes wrong here, this exchange is not written yet and can be tried again.
        if self._file >= 0 and self._end >= self._rotate_bytes:
            self._finish_file()
        if self._file < 0:
            self._start_file()
        if self._end - self._written >= _WRITTEN_AT_ONCE_BYTES:
            self._write_waiting()
        place = WarcPosition(self._path.name, self._end)
        digest = digest or fingerprint.digest(exchange.payload)
        date = write_visit.format_date(exchange.began_s)
        original = self._find_original(exchange, digest, same)
        told = write_visit.make_records(exchange, date, digest, original, facts)
        first = pack_record(told.response)
        self._append(first, pack_record(told.request), pack_record(told.metadata))
        if self._lines is not None:
            mime = "warc/revisit" if original else cdxj_index.find_mime(exchange.headers)
            digest = original.digest if original else digest
            index = (exchange.url, date, mime, exchange.status, digest, place.offset, len(first), place.warc)
            self._lines.append(cdxj_index.format_line(*index))
        if original is None and exchange.payload and not exchange.cut:
            self._remember(write_visit.OriginalResponse(exchange.url, date, digest, place.warc, place.offset))
        return place

    def flush(self, sync: bool = False) -> dict[str, int]:
        """Return the files that changed since the last time, and how long they are now: what the store is to promise.

        All bytes are with the system, so that no end of this process can lose them; with `sync`, on the disk. If it
        raises, what could not be written waits for the next time.
        """
        self._write_waiting()
        if sync and self._file >= 0:
            os.fsync(self._file)
        changed, self._changed = self._changed, {}
        return changed

    def rewind(self, promised: Mapping[str, int]) -> None:
        """Go back to what the store promises, after a commit that failed: what was written for it is cut off."""
        if self._file >= 0:
            self._close_file()
        self._changed = {}
        self._originals.clear()
        try:
            self._serial = max(self._serial, self._recover(promised))
        except OSError as error:
            raise _make_failure(self.folder, error) from error

    def close(self) -> None:
        """Finish the current file, and index what has no index."""
        if self._file >= 0:
            self._finish_file()
        self.reindex()

    # Reading

    def read(self, place: WarcPosition, decode: Decode | None = None) -> Exchange | None:
        """Return what was kept at a place before the last flush; None if nothing is there.

        A revisit comes with the payload it refers to.
        """
        return self._reader.read(place, decode)

    def read_records(self, name: str) -> Iterator[WarcRecord]:
        """Return all records of a file."""
        return iter(WarcReader(self.folder / name))

    def reindex(self) -> None:
        """Make the indexes that are missing or older than their files."""
        for path, _ in self._own_files():
            if path != self._path and not cdxj_index.is_fresh(path):
                with suppress(OSError):  # an index can always be made again
                    cdxj_index.write_index(path, cdxj_index.index_warc(path))

    # How it is done

    def _find_original(
        self, exchange: Exchange, digest: str, same: Page | None
    ) -> write_visit.OriginalResponse | None:
        """Return the response that has this payload, or that the server says is still true; None if none is here."""
        if exchange.status == _NOT_MODIFIED:
            return self._load_original(same) if same is not None else None
        if not exchange.payload or exchange.cut:
            return None
        if digest not in self._originals and same is not None and same.digest == digest and not same.cut:
            self._remember(self._load_original(same))
        return self._originals.get(digest)

    def _remember(self, original: write_visit.OriginalResponse | None) -> None:
        if original is not None:
            self._originals[original.digest] = original
            if len(self._originals) > _MOST_ORIGINALS:
                del self._originals[next(iter(self._originals))]

    def _load_original(self, same: Page) -> write_visit.OriginalResponse | None:
        """Return the response that has a page's payload: a revisit of a revisit would help no reader."""
        place = WarcPosition(same.warc, same.warc_offset)
        found = self._reader.read_record(place)
        response = self._reader.follow_revisits(found, place) if found is not None else None
        if response is None:
            return None
        record, there = response
        date, digest = (record.headers.get(name, "") for name in ("warc-date", "warc-payload-digest"))
        return write_visit.OriginalResponse(target_url(record), date, digest, there.warc, there.offset)

    def _own_files(self) -> list[tuple[Path, int]]:
        """List the files of this shard with their serial numbers, the oldest first."""
        named = ((path, _NAME.match(path.name)) for path in self.folder.iterdir())
        own = [(path, int(name[2])) for path, name in named if name and int(name[1]) == self._shard]
        return sorted(own, key=lambda each: each[1])

    def _recover(self, promised: Mapping[str, int]) -> int:
        """Cut everything back to what was promised; go on with the last file if there is room. Return the next serial."""
        own = self._own_files()
        for path, _ in own:
            keep, has = promised.get(path.name, 0), path.stat().st_size
            if not keep:
                path.unlink()
                cdxj_index.index_path(path).unlink(missing_ok=True)
            elif has > keep:
                os.truncate(path, keep)
        for name, keep in promised.items():
            mine = _NAME.match(name)
            path = self.folder / name
            if (
                mine
                and int(mine[1]) == self._shard
                and keep > (has := path.stat().st_size if path.exists() else 0)
            ):
                self.lost_bytes[name] = keep - has
        kept = [path for path, _ in own if path.exists()]
        if kept and kept[-1].name not in self.lost_bytes and promised[kept[-1].name] < self._rotate_bytes:
            self._continue_file(kept[-1])
        if sum(path.stat().st_size for path in kept) <= _INDEXED_AT_ONCE_BYTES:
            self.reindex()
        return 1 + max((serial for _, serial in own), default=-1)

    def _continue_file(self, path: Path) -> None:
        self._end = self._written = path.stat().st_size
        if cdxj_index.is_fresh(path):
            self._lines = cdxj_index.index_path(path).read_text("utf-8").splitlines()
        elif self._end <= _INDEXED_AT_ONCE_BYTES:
            self._lines = list(cdxj_index.index_warc(path))
        else:
            self._lines = None
        self._file = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
        self._path = path

    def _start_file(self) -> None:
        now_s = self._clock()
        name = f"gossamer-{time.strftime('%Y%m%d%H%M%S', time.gmtime(now_s))}-{self._shard:03}-{self._serial:05}.warc.gz"
        path = self.folder / name
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise _make_failure(path, error) from error
        self._path, self._written, self._end, self._lines = path, 0, 0, []
        self._serial += 1
        self._append(pack_record(write_visit.make_warcinfo(name, write_visit.format_date(now_s), self.about)))

    def _append(self, *records: bytes) -> None:
        self._waiting += records
        self._end += sum(map(len, records))
        self._changed[self._path.name] = self._end

    def _write_waiting(self) -> None:
        """Write all that waits, or cut the file back to where it was."""
        data, written = b"".join(self._waiting), 0
        try:
            while written < len(data):
                written += os.pwrite(self._file, data[written:] if written else data, self._written + written)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._file, self._written)
            raise _make_failure(self._path, error) from error
        self._waiting.clear()
        self._written = self._end

    def _finish_file(self) -> None:
        path, lines = self._path, self._lines
        self._write_waiting()
        try:
            os.fsync(self._file)
        except OSError as error:
            raise _make_failure(path, error) from error
        self._close_file()
        with suppress(OSError):  # an index can always be made again
            cdxj_index.write_index(path, cdxj_index.index_warc(path) if lines is None else lines)

    def _close_file(self) -> None:
        os.close(self._file)
        self._waiting.clear()
        self._file, self._path, self._lines = -1, self.folder, None


def find_shards(folder: Path) -> set[int]:
    """Return the numbers of the shards that have written files into an archive."""
    named = (_NAME.match(path.name) for path in folder.iterdir()) if folder.is_dir() else ()
    return {int(name[1]) for name in named if name}


def _make_failure(path: Path, error: OSError) -> StoreFailed:
    full = error.errno in _FULL
    why = "the disk is full" if full else error.strerror
    return StoreFailed(f"{path} could not be written: {why}", full)
