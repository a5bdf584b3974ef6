"""Write WACZ 1.1.1: WARC files, their index, a list of pages and a description with hashes, in one ZIP file.

Nothing is compressed twice: WARC files and the index are stored as they are, so that replay programs can read parts of
them over the network.
"""

import gzip
import hashlib
import heapq
import tempfile
import time
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO

import msgspec

from gossamer import __version__
from gossamer.store.archive import cdxj_index
from gossamer.store.batch import Store
from gossamer.store.export.table_columns import Keep, keep_all
from gossamer.store.export.warc_files import copy_records, list_warcs

_LINES_A_BLOCK = 3000
_JSON = msgspec.json.Encoder()


def write_wacz(store: Store, archive: Path, out: Path, keep: Keep) -> dict[str, int]:
    """Write a WACZ file; return the number of WARC files and pages in it."""
    with (
        tempfile.TemporaryDirectory(dir=out.parent, prefix=".wacz-") as scratch,
        zipfile.ZipFile(out, "w") as packed,
    ):
        wacz = _Wacz(packed)
        indexes = [
            _add_warc(wacz, path, upto, keep, Path(scratch)) for path, upto in list_warcs(store, archive)
        ]
        _add_index(wacz, heapq.merge(*map(_read_lines, indexes)))
        pages = _add_pages(wacz, store, keep)
        wacz.finish()
    return {"files": len(indexes), "pages": pages}


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


def _add_warc(wacz: _Wacz, path: Path, upto: int, keep: Keep, scratch: Path) -> Path:
    """Add a WARC file, or its wanted records; return the path of its index."""
    index = scratch / f"{path.name}.cdxj"
    if keep is keep_all and cdxj_index.is_fresh(path) and path.stat().st_size == upto:
        index = cdxj_index.index_path(path)
    else:
        wanted = path
        if keep is not keep_all:
            wanted = scratch / path.name
            with wanted.open("wb") as file:
                copy_records(path, upto, file, keep)
            upto = wanted.stat().st_size
        index.write_text(
            "".join(f"{line}\n" for line in sorted(cdxj_index.index_warc(wanted, upto))), "utf-8"
        )
        path = wanted
    with wacz.entry(f"archive/{path.name}") as entry:
        copy_records(path, upto, entry, keep_all)
    if path.parent == scratch:
        path.unlink()
    return index


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


def _add_pages(wacz: _Wacz, store: Store, keep: Keep) -> int:
    """Add the list of pages; return their number."""
    count = 0
    with wacz.entry("pages/pages.jsonl", packed=True) as file:
        file.write(b'{"format":"json-pages-1.0","id":"pages","title":"All Pages"}\n')
        for page in store.pages():
            if page.kind == "html" and page.warc and keep(page.url):
                date = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(page.fetched_s))
                entry = {
                    "id": f"{page.id & (1 << 64) - 1:016x}",
                    "url": page.url,
                    "ts": date,
                    "title": page.title,
                }
                file.write(_JSON.encode(entry) + b"\n")
                count += 1
    return count
