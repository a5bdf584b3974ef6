"""Read exchanges from WARC files of any program, to import them as if they had been crawled.

Supported: `.warc`, `.warc.gz` and the other compressions of fastwarc; responses, resources and revisits of http and
https, chunked or not, as wget, Heritrix, warcio, browser recorders and Gossamer write them. Damaged records, and revisits
whose response is missing, are left out and listed in `damage`.
"""

import heapq
from array import array
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from pathlib import Path

from xxhash import xxh3_64_intdigest

from gossamer.atomic_file import is_temporary
from gossamer.errors import BadInput
from gossamer.records import Exchange
from gossamer.store.archive.read_exchange import Decode, parse_warc_date, read_exchange, target_url
from gossamer.store.archive.warc_records import WarcReader, WarcRecord, add_damage, read_record_at

_SUFFIXES = (".warc", ".warc.gz", ".warc.zst", ".warc.lz4")
_PAGE_RECORDS = ("response", "resource", "revisit")
# A request comes right before or after its response; some programs put a few records in between.
_REMEMBERED_REQUESTS = 64


class ForeignWarcs:
    """Iterates over the exchanges of some WARC files, in file order; afterwards `damage` is complete.

    Cost: memory for one record, and 32 bytes for each response, to resolve revisits.
    """

    def __init__(self, paths: Iterable[Path], decode: Decode | None = None) -> None:
        self._paths = [file for path in paths for file in _list_files(path)]
        self._decode = decode
        self._originals = _OriginalPositions()
        self.damage: list[str] = []

    def __iter__(self) -> Iterator[Exchange]:
        for number, path in enumerate(self._paths):
            records = WarcReader(path)
            before = len(self.damage)
            for record, sent in _pair_requests(records):
                exchange = self._make_exchange(record, sent, number)
                if exchange is not None:
                    yield exchange
            self.damage[before:before] = records.damage

    def _make_exchange(self, record: WarcRecord, sent: bytes, file: int) -> Exchange | None:
        if not target_url(record).startswith(("http://", "https://")):
            return None
        original = None
        if record.type == "revisit":
            original = self._find_original(record)
            if original is None:
                name = self._paths[file].name
                add_damage(
                    self.damage, f"{name}: the revisit at byte {record.offset} refers to a missing response"
                )
                return None
        elif record.whole:
            self._originals.add(_make_keys(record), file, record.offset)
        return read_exchange(record, sent, original, self._decode)

    def _find_original(self, record: WarcRecord) -> WarcRecord | None:
        for key in _make_keys(record):
            if (place := self._originals.find(key)) is not None:
                file, offset = place
                return read_record_at(self._paths[file], offset)
        return None


def _list_files(path: Path) -> list[Path]:
    if path.is_dir():
        files = (each for each in path.rglob("*") if each.name.endswith(_SUFFIXES) and each.is_file())
        found = sorted(each for each in files if not is_temporary(each.relative_to(path)))
        if not found:
            raise BadInput(f"there are no WARC files in {path}")
        return found
    try:
        with path.open("rb"):
            return [path]
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from None


def _pair_requests(records: Iterable[WarcRecord]) -> Iterator[tuple[WarcRecord, bytes]]:
    """Yield each page record with the block of its request, which may come before or after it."""
    requests: OrderedDict[str, bytes] = OrderedDict()
    held: WarcRecord | None = None
    for record in records:
        if record.type == "request":
            own, other = (
                record.headers.get("warc-record-id", ""),
                record.headers.get("warc-concurrent-to", ""),
            )
            if held is not None and other and other == held.headers.get("warc-record-id"):
                yield held, record.block
                held = None
            else:
                requests[own] = requests[target_url(record)] = record.block
        elif record.type in _PAGE_RECORDS:
            if held is not None:
                yield held, b""
            sent = requests.pop(record.headers.get("warc-concurrent-to", ""), b"")
            held = None if sent else record
            if sent:
                yield record, sent
        while len(requests) > _REMEMBERED_REQUESTS:
            requests.popitem(last=False)
    if held is not None:
        yield held, b""


def _make_keys(record: WarcRecord) -> list[int]:
    """Return the keys of a response: by its payload digest, and by its URL and date."""
    fields = record.headers
    url = fields.get("warc-refers-to-target-uri", "").strip("<> ") or target_url(record)
    date = fields.get("warc-refers-to-date") or fields.get("warc-date", "")
    names = [f"{url} {parse_warc_date(date)}"]
    if digest := fields.get("warc-payload-digest", ""):
        names.insert(0, digest.lower())
    return [xxh3_64_intdigest(name.encode("utf-8", "replace")) >> 1 for name in names]


class _OriginalPositions:
    """Positions of responses by 63-bit keys, in sorted arrays: 16 bytes a key, where a dictionary takes 150."""

    def __init__(self) -> None:
        self._runs: list[tuple[array[int], array[int]]] = []
        self._new: dict[int, int] = {}

    def add(self, keys: Iterable[int], file: int, offset: int) -> None:
        """Store a position for each key that has none yet."""
        for key in keys:
            self._new.setdefault(key, file << 44 | offset)
        if len(self._new) >= 1 << 16:
            self._merge_new()

    def find(self, key: int) -> tuple[int, int] | None:
        """Return the file and offset of a key; None if it is unknown."""
        for keys, places in self._runs:
            at = bisect_left(keys, key)
            if at < len(keys) and keys[at] == key:
                return _split_position(places[at])
        return _split_position(self._new[key]) if key in self._new else None

    def _merge_new(self) -> None:
        """Sort new keys into a run, and merge runs that are not longer into it, so that there are few."""
        keys, places = (
            array("q", sorted(self._new)),
            array("q", [self._new[key] for key in sorted(self._new)]),
        )
        while self._runs and len(self._runs[-1][0]) <= len(keys):
            merged = heapq.merge(zip(*self._runs.pop(), strict=True), zip(keys, places, strict=True))
            keys, places = array("q"), array("q")
            for key, place in merged:
                keys.append(key)
                places.append(place)
        self._runs.append((keys, places))
        self._new = {}


def _split_position(place: int) -> tuple[int, int]:
    return place >> 44, place & (1 << 44) - 1
