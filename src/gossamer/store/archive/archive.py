"""Write the archive of a web: WARC 1.1 files with a gzip member for each record, and a CDXJ index beside each.

The store records the committed length of each file. Bytes after it were written for pages that were never
committed: they are cut off when the archive is opened again, so that records and pages always agree.
"""

import errno
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from gossamer.errors import BadInput, StoreFailed
from gossamer.full_disk import is_full_disk
from gossamer.net import fingerprint
from gossamer.records import Exchange, Page
from gossamer.store.archive import cdxj_index, write_visit
from gossamer.store.archive.archive_reader import ArchiveReader, WarcPosition
from gossamer.store.archive.read_exchange import Decode
from gossamer.store.archive.recent_originals import RecentOriginals
from gossamer.store.archive.warc_records import WarcReader, WarcRecord, pack_record

ROTATE_BYTES = 1_000_000_000
# Files up to this size are indexed again at once, which takes a second; longer ones when the archive is closed.
_INDEXED_AT_ONCE_BYTES = 1 << 26
_NAME = re.compile(r"gossamer-\d{14}-(\d{3})-(\d{5,})\.warc\.gz\Z")
# Records are buffered up to this size, or until the batch ends: one write for each visit took twice the time.
_WRITTEN_AT_ONCE_BYTES = 1 << 20
# This process or this machine has too many files open: like a full disk, that passes.
_TOO_MANY_FILES = {errno.EMFILE, errno.ENFILE}
_NO_FACTS: Mapping[str, str] = {}


class Archive:
    """The WARC files of one shard, which only it writes; they are cut back to their committed length when opened."""

    def __init__(
        self,
        folder: Path,
        committed: Mapping[str, int],
        shard: int = 0,
        rotate_bytes: int = ROTATE_BYTES,
        about: Mapping[str, str] = _NO_FACTS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.folder = folder
        self._reader = ArchiveReader(folder)
        self.lost_bytes: dict[str, int] = {}
        """Committed bytes that are missing, after a power failure or a change by hand. Such files are not written to."""
        self._shard = shard
        self._rotate_bytes = rotate_bytes
        self.about = about
        """Facts about the web for the warcinfo record of each new file."""
        self._clock = clock
        self._originals = RecentOriginals(self._reader)
        self._file = -1
        self._path = folder
        self._waiting: list[bytes] = []
        """Records that are not in the file yet."""
        self._written = 0
        """The length of the current file."""
        self._end = 0
        """Its length including the waiting records."""
        self._lines: list[str] | None = None
        """The index of the current file; None if its first records were neither written nor read by this process."""
        self._changed: dict[str, int] = {}
        try:
            folder.mkdir(exist_ok=True)
            self._serial = self._recover(committed)
        except OSError as error:
            if is_full_disk(error):
                raise _make_failure(folder, error) from None
            raise BadInput(f"the archive at {folder} cannot be used: {error.strerror}") from None

    # Writing

    def write(
        self, exchange: Exchange, digest: str, same: Page | None = None, facts: Mapping[str, str] = _NO_FACTS
    ) -> WarcPosition:
        """Append response, request and metadata; write a revisit instead of a response if page `same` has this payload.

        `digest` is that of the payload; "" to have it computed.
        """
        # First of all: if this fails, the exchange is not written yet and can be tried again.
        if self._file >= 0 and self._end >= self._rotate_bytes:
            self._finish_file()
        if self._file < 0:
            self._start_file()
        if self._end - self._written >= _WRITTEN_AT_ONCE_BYTES:
            self._write_waiting()
        place = WarcPosition(self._path.name, self._end)
        digest = digest or fingerprint.digest(exchange.payload)
        date = write_visit.format_date(exchange.began_s)
        original = self._originals.find(exchange, digest, same)
        records = write_visit.make_records(exchange, date, digest, original, facts)
        first = pack_record(records.response)
        self._append(first, *map(pack_record, filter(None, (records.request, records.metadata))))
        if self._lines is not None and not exchange.rendered_by:
            mime = "warc/revisit" if original else cdxj_index.find_mime(exchange.headers)
            digest = original.digest if original else digest
            line = cdxj_index.format_line(
                exchange.url,
                date,
                mime=mime,
                status=exchange.status,
                digest=digest,
                offset=place.offset,
                length=len(first),
                filename=place.warc,
            )
            self._lines.append(line)
        if original is None and exchange.response_head and exchange.payload and not exchange.cut:
            self._originals.remember(
                write_visit.OriginalResponse(exchange.url, date, digest, place.warc, place.offset)
            )
        return place

    def flush(self, sync: bool = False) -> dict[str, int]:
        """Write all waiting records; return the files changed since the last flush with their lengths, to be committed.

        All bytes are then with the system, and survive the end of this process; with `sync`, they are on the disk. If
        this raises, unwritten records wait for the next flush.
        """
        self._write_waiting()
        if sync and self._file >= 0:
            os.fsync(self._file)
        changed, self._changed = self._changed, {}
        return changed

    def rewind(self, committed: Mapping[str, int]) -> None:
        """Cut the files back to their committed lengths after a failed commit."""
        if self._file >= 0:
            self._close_file()
        self._changed = {}
        self._originals.forget()
        try:
            self._serial = max(self._serial, self._recover(committed))
        except OSError as error:
            raise _make_failure(self.folder, error) from error

    def close(self) -> None:
        """Finish the current file, and index files that have no index."""
        if self._file >= 0:
            self._finish_file()
        self.reindex()

    # Reading

    def read(self, place: WarcPosition, decode: Decode | None = None) -> Exchange | None:
        """Return the exchange written at a position before the last flush; None if there is none.

        A revisit gets the payload it refers to.
        """
        return self._reader.read(place, decode)

    def read_records(self, name: str) -> Iterator[WarcRecord]:
        """Yield all records of a file."""
        return iter(WarcReader(self.folder / name))

    def reindex(self) -> None:
        """Write the indexes that are missing or older than their files."""
        for path, _ in self._own_files():
            if path != self._path and not cdxj_index.is_fresh(path):
                with suppress(OSError):  # an index can always be written again
                    cdxj_index.write_index(path, cdxj_index.index_warc(path))

    # Implementation

    def _own_files(self) -> list[tuple[Path, int]]:
        """List the files of this shard with their serial numbers, oldest first."""
        named = ((path, _NAME.match(path.name)) for path in self.folder.iterdir())
        own = [(path, int(name[2])) for path, name in named if name and int(name[1]) == self._shard]
        return sorted(own, key=lambda each: each[1])

    def _recover(self, committed: Mapping[str, int]) -> int:
        """Cut all files to their committed lengths, continue the last one if it has room, return the next serial number."""
        own = self._own_files()
        for path, _ in own:
            keep, has = committed.get(path.name, 0), path.stat().st_size
            if not keep:
                path.unlink()
                cdxj_index.index_path(path).unlink(missing_ok=True)
            elif has > keep:
                os.truncate(path, keep)
        for name, keep in committed.items():
            mine = _NAME.match(name)
            path = self.folder / name
            if (
                mine
                and int(mine[1]) == self._shard
                and keep > (has := path.stat().st_size if path.exists() else 0)
            ):
                self.lost_bytes[name] = keep - has
        kept = [path for path, _ in own if path.exists()]
        if kept and kept[-1].name not in self.lost_bytes and committed[kept[-1].name] < self._rotate_bytes:
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
        name = make_file_name(self._shard, self._serial, now_s)
        path = self.folder / name
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
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
        """Write all waiting records; after an error, cut the file back to its previous length."""
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
        with suppress(OSError):  # an index can always be written again
            cdxj_index.write_index(path, cdxj_index.index_warc(path) if lines is None else lines)

    def _close_file(self) -> None:
        os.close(self._file)
        self._waiting.clear()
        self._file, self._path, self._lines = -1, self.folder, None


def make_file_name(shard: int, serial: int, now_s: float) -> str:
    """Return the name of a WARC file of a shard."""
    return f"gossamer-{time.strftime('%Y%m%d%H%M%S', time.gmtime(now_s))}-{shard:03}-{serial:05}.warc.gz"


def find_file_before(name: str, names: Iterable[str]) -> str | None:
    """Return the file in which a shard wrote before it began this one; None if it is the first."""
    own = parse_file_name(name)
    if own is None:
        return None
    earlier = [
        (found[1], one)
        for one in names
        if (found := parse_file_name(one)) and found[0] == own[0] and found[1] < own[1]
    ]
    return max(earlier)[1] if earlier else None


def parse_file_name(name: str) -> tuple[int, int] | None:
    """Return the shard and the serial number in the name of a WARC file; None for names that no shard gives."""
    found = _NAME.match(name)
    return (int(found[1]), int(found[2])) if found else None


def find_shards(folder: Path) -> set[int]:
    """Return the numbers of the shards that have files in an archive."""
    named = (_NAME.match(path.name) for path in folder.iterdir()) if folder.is_dir() else ()
    return {int(name[1]) for name in named if name}


def list_newest_files(names: Iterable[str]) -> set[str]:
    """Return the newest file of each shard among these, which a crawl may still be writing."""
    newest: dict[int, tuple[int, str]] = {}
    for name in names:
        if found := _NAME.match(name):
            shard, serial = int(found[1]), int(found[2])
            newest[shard] = max(newest.get(shard, (-1, "")), (serial, name))
    return {name for _, name in newest.values()}


def _make_failure(path: Path, error: OSError) -> StoreFailed:
    full = is_full_disk(error)
    why = "the disk is full" if full else error.strerror
    return StoreFailed(f"{path} could not be written: {why}", full or error.errno in _TOO_MANY_FILES)
