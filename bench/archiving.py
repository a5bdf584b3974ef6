"""Measure the cost of archiving a visit, and of compressors and digests for comparison.

The pages are the real ones of `pages.py`, each with the heads of a request and a response. Compressors that are not
installed are left out; time and size are compared with zlib at level 1. Rounds alternate, and the best of each counts.

    python bench/archiving.py [--json]
"""

import hashlib
import importlib
import sys
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path

from command_line import run_benchmark
from gossamer.net.fingerprint import digest
from gossamer.records import Exchange
from gossamer.store.archive.archive import Archive
from gossamer.store.archive.warc_records import pack_record
from pages import SamplePage, describe, read_documentation_pages
from timing import find_best_times

ROUNDS = 9
VISITS_EACH = 10
"""How often each page is archived in a round: opening and closing the file is not part of a visit."""
HEAD = (
    "HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nDate: Mon, 21 Sep 2026 14:13:21 GMT\r\nContent-Type: text/html\r\n"
    'Content-Length: {}\r\nConnection: keep-alive\r\nETag: "65a1-9f2c"\r\nAccept-Ranges: bytes\r\n\r\n'
)
ASKED = "GET {} HTTP/1.1\r\nHost: www.example.org\r\nAccept: */*\r\nUser-Agent: Gossamer\r\n\r\n"

Pack = Callable[[bytes], bytes]


def make_exchanges(pages: list[SamplePage]) -> list[tuple[Exchange, str]]:
    """Return the pages as exchanges, with the digests that a crawl computes before archiving."""
    found = []
    for page in pages:
        head, asked = HEAD.format(len(page.body)).encode(), ASKED.format(page.url).encode()
        headers = (("content-type", "text/html"),)
        one = Exchange(
            page.url, 200, asked, head, page.body, page.body, headers, "127.0.0.1", 1.79e9, 0.1, 0.2
        )
        found.append((one, digest(page.body)))
    return found


def load_compressors() -> dict[str, Pack]:
    """Return the installed functions that make gzip members, by name and level."""
    found: dict[str, Pack] = {"ours": pack_record, "zlib 1": lambda data: zlib.compress(data, 1, 31)}
    for level in (0, 1, 2, 3):
        found |= _load_compressor(
            "isal.isal_zlib", "isal", level, lambda module, n: lambda data: module.compress(data, n, 31)
        )
    for level in (1, 2, 3):
        found |= _load_compressor(
            "zlib_ng.zlib_ng", "zlib-ng", level, lambda module, n: lambda data: module.compress(data, n, 31)
        )
    for level in (1, 2, 4, 6):
        found |= _load_compressor(
            "deflate", "libdeflate", level, lambda module, n: lambda data: module.gzip_compress(data, n)
        )
    return found | _load_fastwarc()


def _load_compressor(module: str, name: str, level: int, bound: Callable[..., Pack]) -> dict[str, Pack]:
    try:
        return {f"{name} {level}": bound(importlib.import_module(module), level)}
    except ImportError:
        return {}


def _load_fastwarc() -> dict[str, Pack]:
    import io

    from fastwarc.stream_io import GzipWriter

    out = io.BytesIO()
    writer = GzipWriter(out, compression_level=1)

    def pack(data: bytes) -> bytes:
        writer.write(data)
        writer.finish()
        member = out.getvalue()
        out.seek(0)
        out.truncate()
        return member

    return {"fastwarc 1": pack}


def archive_all(exchanges: list[tuple[Exchange, str]]) -> None:
    """Write all pages into a new archive."""
    with tempfile.TemporaryDirectory() as folder:
        archive = Archive(Path(folder) / "archive", {})
        for number, (one, payload_digest) in enumerate(exchanges):
            # A different digest for each: a repeated one would be archived as a reference.
            archive.write(
                one,
                f"{payload_digest}{number}",
                facts={"via": "http://www.example.org/", "hopsFromSeed": "LL"},
            )
        archive.flush()
        archive.close()


def measure() -> dict[str, float]:
    """Print all costs; return the figures that have floors."""
    pages = read_documentation_pages()
    if not pages:
        return {}
    print(describe(pages), file=sys.stderr)
    exchanges = make_exchanges(pages)
    blocks = [one.response_head + one.payload for one, _ in exchanges]
    packers = load_compressors()
    work: dict[str, Callable[[], object]] = {
        name: lambda pack=pack: [pack(block) for block in blocks]  # type: ignore[misc]
        for name, pack in packers.items()
    }
    work["SHA-1"] = lambda: [hashlib.sha1(block, usedforsecurity=False).digest() for block in blocks]
    work["a whole visit"] = lambda: archive_all(exchanges * VISITS_EACH)
    best_s = find_best_times(work, ROUNDS)
    took_ms = {name: 1000 * took_s / len(pages) for name, took_s in best_s.items()}
    took_ms["a whole visit"] /= VISITS_EACH
    for name, ms in sorted(took_ms.items(), key=lambda item: item[1]):
        size = sum(len(packers[name](block)) for block in blocks) / len(blocks) if name in packers else 0
        print(f"{name:16} {ms:.3f} ms a page" + (f", {size / 1000:.1f} kB" if size else ""), file=sys.stderr)
    return {
        "archiving.visit_vs_zlib": took_ms["a whole visit"] / took_ms["zlib 1"],
        "archiving.size_vs_zlib": sum(map(len, map(pack_record, blocks)))
        / sum(len(zlib.compress(block, 1, 31)) for block in blocks),
    }


if __name__ == "__main__":
    sys.exit(run_benchmark("archiving", measure, "--json" in sys.argv[1:]))
