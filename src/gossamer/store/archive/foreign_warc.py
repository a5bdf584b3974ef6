"""WARC files that others wrote, as exchanges: so that a web can be made of them as if it had been crawled.

Read: `.warc`, `.warc.gz` and what else fastwarc knows; responses, resources and revisits of http and https, chunked or
not, as wget, Heritrix, warcio, browsers' recorders and we ourselves write them. Total: what is damaged or refers to
nothing is left out and named.
"""

import heapq
from array import array
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from pathlib import Path

from xxhash import xxh3_64_intdigest

from gossamer.errors import BadInput
from gossamer.records import Exchange
from gossamer.store.archive.read_exchange import Decode, parse_warc_date, read_exchange, target_url
from gossamer.store.archive.warc_records import WarcReader, WarcRecord, add_damage, read_record_at

_SUFFIXES = (".warc", ".warc.gz", ".warc.zst", ".warc.lz4")
_TOLD_OF = ("response", "resource", "revisit")
# A request stands right before or right behind its response; some writers put a few records between.
_REMEMBERED_REQUESTS = 64


class ForeignWarcs:
    """The exchanges of some WARC files, in file order. Read `damage` after the last.

    Cost: memory for one record, and 32 bytes for each response, by which revisits find what they refer to.
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
                    self.damage, f"{name}: the revisit at byte {record.offset} refers to nothing that is here"
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
        found = sorted(each for each in path.rglob("*") if each.name.endswith(_SUFFIXES) and each.is_file())
        if not found:
            raise BadInput(f"there are no WARC files in {path}")
        return found
    try:
        with path.open("rb"):
            return [path]
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from None


def _pair_requests(records: Iterable[WarcRecord]) -> Iterator[tuple[WarcRecord, bytes]]:
    """Yield what tells of a page together with the request for it, which may stand before or behind."""
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
        elif record.type in _TOLD_OF:
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
    """Return by what a response is found: its payload's digest, and its URL with the date."""
    told = record.headers
    url = told.get("warc-refers-to-target-uri", "").strip("<> ") or target_url(record)
    date = told.get("warc-refers-to-date") or told.get("warc-date", "")
    names = [f"{url} {parse_warc_date(date)}"]
    if digest := told.get("warc-payload-digest", ""):
        names.insert(0, digest.lower())
    return [xxh3_64_intdigest(name.encode("utf-8", "replace")) >> 1 for name in names]


class _OriginalPositions:
    """Where responses stand, by 63-bit keys, in sorted arrays: 16 bytes a key where a dictionary takes 150."""

    def __init__(self) -> None:
        self._runs: list[tuple[array[int], array[int]]] = []
        self._new: dict[int, int] = {}

    def add(self, keys: Iterable[int], file: int, offset: int) -> None:
        """Remember the first place of each key."""
        for key in keys:
            self._new.setdefault(key, file << 44 | offset)
        if len(self._new) >= 1 << 16:
            self._merge_new()

    def find(self, key: int) -> tuple[int, int] | None:
        """Return file and offset of a key."""
        for keys, places in self._runs:
            at = bisect_left(keys, key)
            if at < len(keys) and keys[at] == key:
                return _split_position(places[at])
        return _split_position(self._new[key]) if key in self._new else None

    def _merge_new(self) -> None:
        """Sort what is new into a run; runs that are not longer go into it, so that they stay few."""
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
