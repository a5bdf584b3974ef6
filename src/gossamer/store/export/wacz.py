"""Write WACZ 1.1.1: WARC files, their index, a list of pages and a description with hashes, in one ZIP file.

Nothing is compressed twice: WARC files and the index are stored as they are, so that replay programs can read parts of
them over the network.
"""

import gzip
import hashlib
import heapq
import time
import zipfile
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO

import msgspec

from gossamer import __version__
from gossamer.atomic_file import make_temporary_folder
from gossamer.store.archive import cdxj_index
from gossamer.store.archive.warc_records import add_damage
from gossamer.store.batch import Store
from gossamer.store.export.redact_records import keeps_cookies
from gossamer.store.export.table_columns import Keep
from gossamer.store.export.warc_files import copy_records, list_warcs

_LINES_A_BLOCK = 3000
_MOST_OPEN = 200
_JSON = msgspec.json.Encoder()


def write_wacz(store: Store, archive: Path, out: Path, keep: Keep, left_out: list[str]) -> dict[str, int]:
    """Write a WACZ file; return the number of WARC files and pages in it, and list in `left_out` what is damaged."""
    with (
        make_temporary_folder(out.parent) as scratch,
        zipfile.ZipFile(out, "w") as packed,
    ):
        wacz, cookies = _Wacz(packed), keeps_cookies(store)
        # Pages first: what a crawl commits meanwhile then adds records without a page, and no page without its record.
        listed = _spool_pages(store, keep, scratch / "pages")
        added = {
            path.name: _add_warc(wacz, path, upto, keep, cookies, scratch, left_out)
            for path, upto in list_warcs(store, archive, left_out)
        }
        _add_index(wacz, _merge_indexes([index for index, _ in added.values()], scratch))
        places = {name: offsets for name, (_, offsets) in added.items()}
        pages = _add_pages(wacz, listed, places, left_out)
        wacz.finish()
    return {"files": len(added), "pages": pages}


class _Wacz:
    """A ZIP file that lists its entries with their hashes."""

    def __init__(self, packed: zipfile.ZipFile) -> None:
        self._zip = packed
        self._now = time.gmtime()
        self._resources: list[dict[str, str | int]] = []

    @contextmanager
    def entry(self, path: str, packed: bool = False) -> Iterator["_Hashing"]:
        """Add an entry; what is written to it is hashed and counted."""
        info = zipfile.ZipInfo(path, self._now[:6])
        info.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
        with self._zip.open(info, "w", force_zip64=True) as file:
            hashing = _Hashing(file)
            yield hashing
        name = path.rpartition("/")[2].lower()
        self._resources.append(
            {"name": name, "path": path, "hash": hashing.digest(), "bytes": hashing.written}
        )

    def finish(self) -> None:
        """Add the description of all entries, and its own hash."""
        package = {
            "profile": "data-package",
            "wacz_version": "1.1.1",
            "software": f"Gossamer {__version__}",
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", self._now),
            "resources": self._resources.copy(),
        }
        with self.entry("datapackage.json", packed=True) as file:
            file.write(msgspec.json.format(_JSON.encode(package), indent=2))
        seal = {"path": "datapackage.json", "hash": file.digest()}
        with self.entry("datapackage-digest.json", packed=True) as file:
            file.write(_JSON.encode(seal))


class _Hashing:
    """A file that is hashed while it is written."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._hash = hashlib.sha256()
        self.written = 0

    def write(self, data: bytes, /) -> int:
        """Write and hash some bytes."""
        self._hash.update(data)
        self.written += len(data)
        return self._file.write(data)

    def digest(self) -> str:
        """Return the hash of all bytes so far."""
        return f"sha256:{self._hash.hexdigest()}"


def _add_warc(
    wacz: _Wacz, path: Path, upto: int, keep: Keep, cookies: bool, scratch: Path, left_out: list[str]
) -> "tuple[Path, array[int]]":
    """Add the wanted records of a WARC file; return the path of their index, and where they are in the archive."""
    lines: list[str] = []
    offsets = array("q")
    with wacz.entry(f"archive/{path.name}") as entry:
        for record in copy_records(path, upto, entry, keep, cookies, left_out):
            if cdxj_index.is_listed(record):
                placed = msgspec.structs.replace(record, offset=entry.written)
                lines.append(cdxj_index.format_record(placed, path.name))
            if cdxj_index.is_page(record):
                offsets.append(record.offset)
    index = scratch / f"{path.name}.cdxj"
    index.write_text("".join(f"{line}\n" for line in sorted(lines)), "utf-8")
    return index, offsets


def _merge_indexes(indexes: list[Path], scratch: Path) -> Iterator[str]:
    """Yield the lines of sorted files in order; of many files, some are merged into one first, to have few open."""
    merged = 0
    while len(indexes) > _MOST_OPEN:
        some, indexes = indexes[:_MOST_OPEN], indexes[_MOST_OPEN:]
        whole = scratch / f"merged-{merged}.cdxj"
        with whole.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in heapq.merge(*map(_read_lines, some)))
        for index in some:
            index.unlink()
        indexes.append(whole)
        merged += 1
    return heapq.merge(*map(_read_lines, indexes))


def _read_lines(index: Path) -> Iterator[str]:
    with index.open(encoding="utf-8") as file:
        for line in file:
            yield line.rstrip("\n")


def _add_index(wacz: _Wacz, lines: Iterable[str]) -> None:
    """Add the index in compressed blocks, and an index of the blocks (ZipNum)."""
    blocks = ['!meta 0 {"format":"cdxj-gzip-1.0","filename":"index.cdx.gz"}']
    rest = iter(lines)
    with wacz.entry("indexes/index.cdx.gz") as file:
        while some := list(islice(rest, _LINES_A_BLOCK)):
            block = gzip.compress("".join(f"{line}\n" for line in some).encode(), mtime=0)
            place: dict[str, int | str] = {
                "offset": file.written,
                "length": len(block),
                "filename": "index.cdx.gz",
            }
            key = " ".join(some[0].split(" ", 2)[:2])
            blocks.append(f"{key} {_JSON.encode(place).decode()}")
            file.write(block)
    with wacz.entry("indexes/index.idx", packed=True) as file:
        file.write("".join(f"{line}\n" for line in blocks).encode())


class _ListedPage(msgspec.Struct, frozen=True, gc=False):
    """A page as a WACZ file lists it, and where its record is in the archive."""

    id: str
    url: str
    ts: str
    title: str
    warc: str
    offset: int


_LISTED = msgspec.json.Decoder(_ListedPage)


def _spool_pages(store: Store, keep: Keep, spool: Path) -> Path:
    """Write the wanted pages that have a record to a temporary file."""
    with spool.open("wb") as file:
        for page in store.pages():
            if page.kind == "html" and page.warc and keep(page.url):
                date = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(page.fetched_s))
                number = f"{page.id & (1 << 64) - 1:016x}"
                one = _ListedPage(number, page.url, date, page.title, page.warc, page.warc_offset)
                file.write(_JSON.encode(one) + b"\n")
    return spool


def _add_pages(wacz: _Wacz, listed: Path, places: "dict[str, array[int]]", left_out: list[str]) -> int:
    """Add the list of the pages whose records were added; return their number."""
    count = 0
    with listed.open("rb") as lines, wacz.entry("pages/pages.jsonl", packed=True) as file:
        file.write(b'{"format":"json-pages-1.0","id":"pages","title":"All Pages"}\n')
        for page in map(_LISTED.decode, lines):
            if not _contains(places.get(page.warc, ()), page.offset):
                add_damage(left_out, f"the page {page.url}")
                continue
            entry = {"id": page.id, "url": page.url, "ts": page.ts, "title": page.title}
            file.write(_JSON.encode(entry) + b"\n")
            count += 1
    return count


def _contains(ascending: Sequence[int], wanted: int) -> bool:
    at = bisect_left(ascending, wanted)
    return at < len(ascending) and ascending[at] == wanted
