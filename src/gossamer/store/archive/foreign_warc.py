"""Read exchanges from WARC and WACZ files of any program, to import them as if they had been crawled.

Supported: `.wacz`, which is unpacked first; `.warc`, `.warc.gz` and the other compressions of fastwarc; responses, resources and revisits of http and
https, chunked or not, as wget, Heritrix, warcio, browser recorders and Gossamer write them. Damaged records, and revisits
whose response is missing, are left out and listed in `damage`.
"""

import heapq
from array import array
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, suppress
from itertools import islice
from pathlib import Path

from xxhash import xxh3_64_intdigest

from gossamer.atomic_file import is_temporary, make_temporary_folder
from gossamer.errors import BadInput, BadUrl
from gossamer.net import url as urls
from gossamer.records import Exchange
from gossamer.store.archive.read_exchange import Decode, parse_warc_date, read_exchange, target_url
from gossamer.store.archive.read_wacz import WARC_SUFFIXES, WaczFile, is_zip
from gossamer.store.archive.single_member import is_single_member, unpack_whole
from gossamer.store.archive.warc_records import WarcReader, WarcRecord, add_damage, read_record_at

_SUFFIXES = (*WARC_SUFFIXES, ".wacz")
_PAGE_RECORDS = ("response", "resource", "revisit")
# A request comes right before or after its response; some programs put a few records in between.
_REMEMBERED_REQUESTS = 64
_MOST_LISTED_PAGES = 2_000_000
"""How many pages of a WACZ file's list are compared with its records: 32 bytes of memory each."""


class ForeignWarcs:
    """Iterates over the exchanges of some WARC or WACZ files, in file order; afterwards `damage` is complete.

    WACZ files, and WARC files that were compressed as a whole, are unpacked into a temporary folder in `scratch`, or beside them, while they are read.
    Cost: memory for one record, and 32 bytes for each response, to resolve revisits.
    """

    def __init__(
        self, paths: Iterable[Path], decode: Decode | None = None, scratch: Path | None = None
    ) -> None:
        self._files = [file for path in paths for file in _list_files(path)]
        self._paths: list[Path] = []
        """The WARC files read so far, unpacked ones included: places of records refer to them by number."""
        self._scratch = scratch
        self._decode = decode
        self._originals = _OriginalPositions()
        self.damage: list[str] = []

    def __iter__(self) -> Iterator[Exchange]:
        with ExitStack() as until_all_are_read:  # a revisit may refer to a response in any file before it
            for path in self._files:
                if is_zip(path):
                    folder = make_temporary_folder(self._scratch or path.parent)
                    yield from self._read_wacz(path, until_all_are_read.enter_context(folder))
                elif is_single_member(path):
                    folder = make_temporary_folder(self._scratch or path.parent)
                    whole = unpack_whole(path, until_all_are_read.enter_context(folder), self.damage)
                    yield from self._read_warc(whole)
                else:
                    yield from self._read_warc(path)

    def _read_wacz(self, path: Path, folder: Path) -> Iterator[Exchange]:
        """Read the WARC files in a WACZ file, then report the pages that it lists and has no record of."""
        with closing(WaczFile(path, self.damage)) as wacz:
            listed = set(_identify_pages(wacz))
            for warc in wacz.unpack(folder):
                for exchange in self._read_warc(warc):
                    with suppress(BadUrl):
                        listed.discard(urls.page_id(urls.canonical(exchange.url)))
                    yield exchange
            if listed:
                self._report_missing(path, wacz, listed)

    def _report_missing(self, path: Path, wacz: WaczFile, missing: set[int]) -> None:
        for url in wacz.pages():
            with suppress(BadUrl):
                if (page := urls.page_id(urls.canonical(url))) in missing:
                    missing.discard(page)
                    add_damage(self.damage, f"{path.name} lists the page {url[:500]} and has no record of it")

    def _read_warc(self, path: Path) -> Iterator[Exchange]:
        number = len(self._paths)
        self._paths.append(path)
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
            raise BadInput(f"there are no WARC or WACZ files in {path}")
        return found
    try:
        if is_zip(path):
            WaczFile(path, []).close()
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from None
    return [path]


def _identify_pages(wacz: WaczFile) -> Iterator[int]:
    """Yield the ids of the pages that a WACZ file lists, up to a limit."""
    for url in islice(wacz.pages(), _MOST_LISTED_PAGES):
        with suppress(BadUrl):
            yield urls.page_id(urls.canonical(url))


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
