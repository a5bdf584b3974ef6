"""Check the WARC files of a web: lengths, records, digests and revisits, and their CDXJ indexes."""

from array import array
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path

import msgspec
from xxhash import xxh3_64_intdigest

from gossamer.net import url as urls
from gossamer.store.archive import cdxj_index, http_message
from gossamer.store.archive.archive import list_newest_files
from gossamer.store.archive.archive_reader import read_reference
from gossamer.store.archive.check_digest import find_payload_digest, matches_digest
from gossamer.store.archive.read_exchange import target_url
from gossamer.store.archive.warc_records import WarcReader, WarcRecord
from gossamer.store.opening.open_archive import CommittedFile
from gossamer.store.verify.findings import Findings
from gossamer.store.verify.record_table import NOWHERE, PageContent, RecordTable

OnBytes = Callable[[int], None]
_PATTERN = "*.warc.gz"
_OK = 200

ROW_COST = 2_000
"""The bytes of an archive that are checked in the time of one row of the database."""


class ArchiveCheck:
    """Checks an archive file by file; afterwards `table` has all page records.

    Cost: reading the archive once; memory for one record, the index of one file, and 28 bytes for each page record.
    """

    def __init__(
        self, folder: Path, committed: Mapping[str, int], findings: Findings, is_ended: bool, is_live: bool
    ) -> None:
        self._folder = folder
        self.committed = committed
        self._findings = findings
        self._is_ended = is_ended
        """Whether all crawls of the web ended as they should: then no index is waiting to be written."""
        self._is_live = is_live
        """Whether a crawl is running: then bytes behind the committed ones may be incomplete."""
        self.table = RecordTable()
        self.ends: dict[str, int] = {}
        """Where the last record of each file ends."""
        self.short: dict[str, int] = {}
        """The lengths of files that are shorter than the state says: some of their records may be lost."""
        self._revisits: dict[str, tuple[array[int], array[int]]] = {}
        """By file: the offsets to which revisits refer, and the numbers of the revisits."""

    def check(self, on_bytes: OnBytes) -> None:
        """Check all files; `on_bytes` receives how many bytes were read since its last call."""
        names = sorted({*self.committed, *(path.name for path in self._folder.glob(_PATTERN))})
        growing = set() if self._is_ended else list_newest_files(names)
        for name in names:
            self._check_file(name, name in growing, on_bytes)
        self._check_revisits()

    def check_segments(self, files: Iterable[CommittedFile], on_bytes: OnBytes) -> None:
        """Check the committed segments of a shared archive, which have no CDXJ indexes and never grow."""
        for name, path, has, committed in files:
            self._findings.check("WARC files")
            if path is None:
                self._findings.add("file missing", name)
                continue
            if has < committed:
                self.short[name] = has
            self._check_records(path, has, committed, on_bytes)
        self._check_revisits()

    def _check_revisits(self) -> None:
        """Find the revisits that refer to responses which are not there."""
        for name, (offsets, revisits) in self._revisits.items():
            for offset, revisit in zip(offsets, revisits, strict=True):
                response = self.table.find(name, offset)
                if response == NOWHERE:
                    self._findings.add("revisit", f"{name}, byte {offset}")
                if response == NOWHERE or not self.table.has_content(response):
                    self.table.mark_hollow(revisit)

    def _check_file(self, name: str, is_growing: bool, on_bytes: OnBytes) -> None:
        path, found = self._folder / name, self._findings
        found.check("WARC files")
        if not path.is_file():
            found.add("file missing", name)
            return
        has, committed = path.stat().st_size, self.committed.get(name, 0)
        if has < committed:
            self.short[name] = has
        elif has > committed:
            found.add("uncommitted", f"{name}: {has - committed:,} bytes")
        upto = min(has, committed) if self._is_live else has
        if upto:
            lines = self._check_records(path, upto, committed, on_bytes)
            if committed:
                self._check_index(path, lines, is_growing)

    def _check_records(self, path: Path, upto: int, committed: int, on_bytes: OnBytes) -> "array[int]":
        """Check the records of a file; return hashes of the lines that its index should have."""
        reader, lines, told = WarcReader(path, upto=upto), array("Q"), 0
        self.table.begin_file(path.name)
        for record in reader:
            is_sound = self._check_record(record, path.name, committed)
            if cdxj_index.is_listed(record) and record.offset < committed:
                lines.append(_hash_line(cdxj_index.format_record(record, path.name)))
            if cdxj_index.is_page(record):
                self._list_record(record, is_sound)
            if record.whole:
                self.ends[path.name] = record.offset + record.length
            on_bytes(record.offset - told)
            told = record.offset
        for at, sentence in zip(reader.damaged_at, reader.damage, strict=True):
            if at < committed and not sentence.endswith("is not whole"):
                self._findings.add("unreadable bytes", sentence)
        on_bytes(upto - told)
        return lines

    def _list_record(self, record: WarcRecord, is_sound: bool) -> None:
        page_id = urls.page_id(target_url(record))
        number = self.table.add(record.offset, page_id, is_sound, _describe_content(record))
        if record.type == "revisit":
            refers_to = read_reference(record)
            offsets, revisits = self._revisits.setdefault(refers_to.warc, (array("q"), array("q")))
            offsets.append(refers_to.offset)
            revisits.append(number)

    def judge_short_files(self, lost: Collection[str]) -> None:
        """Report short files, given those of which pages or visits are lost; of others, the state has a wrong length."""
        for name, has in self.short.items():
            is_whole = name not in lost and self.ends.get(name) == has
            problem = "wrong end" if is_whole else "file short"
            self._findings.add(
                problem, f"{name}: {self.committed[name] - has:,} bytes of {self.committed[name]:,}"
            )

    def _check_record(self, record: WarcRecord, name: str, committed: int) -> bool:
        is_sound = record.whole and matches_digest(record)
        if record.offset >= committed:
            return is_sound
        self._findings.check("records")
        where = f"{name}, byte {record.offset}: {target_url(record) or record.type}"
        if not is_sound:
            self._findings.add("digest" if record.whole else "record cut", where)
        elif record.length and record.offset + record.length > committed:
            self._findings.add("wrong end", f"{name}: {committed:,} is within a record")
        return is_sound

    def _check_index(self, path: Path, lines: "array[int]", is_growing: bool) -> None:
        index = cdxj_index.index_path(path)
        if is_growing and not cdxj_index.is_fresh(path):
            self._findings.add("cdxj late", index.name)
        elif not index.is_file():
            self._findings.add("cdxj missing", index.name)
        elif not _is_index_of(index, lines):
            self._findings.add("cdxj wrong", index.name)


def _describe_content(record: WarcRecord) -> PageContent:
    status = _OK if record.type in ("resource", "conversion") else http_message.parse_status(record.block)
    return PageContent(status, find_payload_digest(record))


class _IndexLine(msgspec.Struct, frozen=True, gc=False):
    """What a line says about the place of a record. Type and status are the client's, whose parser is more lenient."""

    url: str
    length: str
    offset: str
    filename: str
    digest: str = ""


_LINE = msgspec.json.Decoder(_IndexLine)


def _is_index_of(index: Path, lines: "array[int]") -> bool:
    """Return whether an index has the lines with these hashes, in order."""
    has, before = array("Q"), ""
    try:
        with index.open(encoding="utf-8", newline="\n") as file:
            for line in file:
                has.append(_hash_line(line))
                if line < before:
                    return False
                before = line
    except (OSError, ValueError, msgspec.MsgspecError):
        return False
    return sorted(has) == sorted(lines)


def _hash_line(line: str) -> int:
    key, date, said = line.split(" ", 2)
    fields = (key, date, *msgspec.structs.astuple(_LINE.decode(said)))
    return xxh3_64_intdigest("\n".join(fields).encode("utf-8", "replace"))
