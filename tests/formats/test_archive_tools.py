"""Other programs read our archives: warcio, fastwarc, cdxj-indexer and pywb.

pywb needs brotlipy, which takes the place of the brotli package that the program itself needs. So the tools live in an
environment of their own, `archive-tools` within this one; without it these tests skip.
"""

import gzip
import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.formats.replay import TOOLS, fetch_replayed, needs_tools, run_wayback
from warcio.archiveiterator import ArchiveIterator

from gossamer.net.fingerprint import digest
from gossamer.records import Exchange, Page
from gossamer.store.archive.archive import Archive
from gossamer.store.archive.cdxj_index import surt

BIN = Path(sys.executable).parent
NOW_S = 1_790_000_000.0


def exchange(number: int, head: str, payload: bytes, **told: object) -> Exchange:
    known = {
        "url": f"http://site{number % 3}.example.org/dir/{number}?q={number}",
        "status": int(head.split()[1]),
        "request_head": f"GET /dir/{number}?q={number} HTTP/1.1\r\nHost: site.example.org\r\n\r\n".encode(),
        "response_head": head.replace("\n", "\r\n").encode() + b"\r\n\r\n",
        "payload": payload,
        "body": payload,
        "headers": tuple(
            (name.lower(), value)
            for name, _, value in (line.partition(": ") for line in head.splitlines()[1:])
        ),
        "address": "192.0.2.7",
        "began_s": NOW_S + number,
        "first_byte_s": 0.1,
        "took_s": 0.25,
    }
    return Exchange(**{**known, **told})  # type: ignore[arg-type]


PAGE = b"<html><title>A page</title><p>Some words, and a <a href='/x'>link</a>." + bytes(range(256)) * 9
PACKED = gzip.compress(PAGE, mtime=0)
EXCHANGES = [
    exchange(1, f"HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: {len(PAGE)}", PAGE),
    exchange(
        2,
        f"HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Encoding: gzip\nContent-Length: {len(PACKED)}",
        PACKED,
    ),
    exchange(3, "HTTP/1.1 200 OK\nContent-Type: text/html\nTransfer-Encoding: chunked", PAGE[::-1]),
    exchange(
        4,
        "HTTP/1.1 200 OK\nContent-Type: text/html\nTransfer-Encoding: chunked\nContent-Encoding: gzip",
        gzip.compress(PAGE + b"!", mtime=0),
    ),
    exchange(
        5, "HTTP/1.1 404 Not Found\nContent-Type: text/plain; charset=utf-8\nContent-Length: 4", b"gone"
    ),
    exchange(
        6, "HTTP/1.1 200 OK\nContent-Type: image/png\nContent-Length: 3000", random.Random(1).randbytes(3000)
    ),
    exchange(7, "HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: 9000", PAGE[:1234], cut="length"),
    exchange(8, "HTTP/1.1 301 Moved\nLocation: http://site1.example.org/dir/1\nContent-Length: 0", b""),
    exchange(
        9,
        "HTTP/1.1 200 OK\nContent-Type: text/html; charset=x\nX-Odd: \t caf\u00e9",
        b"3\r\nabc\r\nnot chunks",
    ),
    exchange(10, "HTTP/1.1 200 OK\nContent-Length: 5\nTransfer-Encoding: chunked", b"odd"),
]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of two files with all kinds of responses, and a revisit."""
    folder = tmp_path_factory.mktemp("web") / "archive"
    kept = Archive(folder, {}, rotate_bytes=9000, about={"robots": "classic"}, clock=lambda: NOW_S)
    places = [
        kept.write(each, digest(each.payload), facts={"via": "http://site1.example.org/"})
        for each in EXCHANGES
    ]
    first, where = EXCHANGES[0], {"warc": places[0].warc, "warc_offset": places[0].offset}
    same = Page(1, first.url, "", 1, 0, first.began_s, 200, "html", digest=digest(first.payload), **where)  # type: ignore[arg-type]
    again = exchange(11, first.response_head.decode().strip().replace("\r\n", "\n"), first.payload)
    kept.write(again, digest(first.payload), same=same)
    kept.close()
    assert len(list(folder.glob("*.warc.gz"))) == 2
    return folder


def warcs(archive: Path) -> list[str]:
    return sorted(map(str, archive.glob("*.warc.gz")))


def run(*command: object) -> str:
    ran = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=600)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_warcio_check_passes(archive: Path) -> None:
    said = run(BIN / "warcio", "check", "-v", *warcs(archive))
    assert "digest pass" in said
    assert "fail" not in said


def test_fastwarc_check_passes(archive: Path) -> None:
    without, with_revisit = warcs(archive)
    # A revisit's digest is that of a payload elsewhere, but fastwarc compares it with the revisit.
    for options in ([without], ["--verify-payloads", without], [with_revisit]):
        run(BIN / "fastwarc", "check", *options)


def test_warcio_reads_all_records_and_payloads(archive: Path) -> None:
    payloads: dict[str, bytes] = {}
    kinds: list[str] = []
    for path in warcs(archive):
        with open(path, "rb") as file:
            for record in ArchiveIterator(file, check_digests=True):
                kinds.append(record.rec_type)
                if record.rec_type == "response":
                    payloads[record.rec_headers["WARC-Target-URI"]] = record.raw_stream.read()
                assert record.digest_checker.passed is not False, record.digest_checker.problems
    assert payloads == {each.url: each.payload for each in EXCHANGES}
    assert Counter(kinds) == {"warcinfo": 2, "response": 10, "revisit": 1, "request": 11, "metadata": 11}


@needs_tools
def test_our_index_equals_that_of_cdxj_indexer(archive: Path) -> None:
    for path in map(Path, warcs(archive)):
        theirs = sorted(run(TOOLS / "cdxj-indexer", path).splitlines())
        ours = path.with_name(path.name.replace(".warc.gz", ".cdxj")).read_text("utf-8").splitlines()
        assert [each.split(" ", 2)[:2] for each in ours] == [each.split(" ", 2)[:2] for each in theirs]
        for our, their in zip(ours, theirs, strict=True):
            assert json.loads(our.split(" ", 2)[2]) == json.loads(their.split(" ", 2)[2])


@needs_tools
def test_keys_are_those_of_the_internet_archive() -> None:
    rnd = random.Random(3)
    letters = "aB/.%2?&=#;~+-_:@!$'()*,[]|"
    urls = [
        f"http://www{n % 3}.h{n % 7}.example/" + "".join(rnd.choices(letters, k=rnd.randrange(14)))
        for n in range(3000)
    ]
    program = "import sys, json, surt\nprint(json.dumps([surt.surt(url) for url in json.load(sys.stdin)]))"
    ran = subprocess.run(
        [TOOLS / "python", "-W", "ignore", "-c", program],
        input=json.dumps(urls),
        capture_output=True,
        text=True,
        check=True,
    )
    assert [surt(url) for url in urls] == json.loads(ran.stdout)


@pytest.fixture
def wayback(archive: Path, tmp_path: Path) -> Iterator[str]:
    """A running pywb with our files and our index."""
    collection = tmp_path / "collections" / "web"
    (collection / "archive").mkdir(parents=True)
    (collection / "indexes").mkdir()
    lines: list[str] = []
    for path in map(Path, warcs(archive)):
        (collection / "archive" / path.name).symlink_to(path)
        lines += path.with_name(path.name.replace(".warc.gz", ".cdxj")).read_text("utf-8").splitlines()
    (collection / "indexes" / "index.cdxj").write_text(
        "".join(f"{line}\n" for line in sorted(lines)), "utf-8"
    )
    with run_wayback(tmp_path) as address:
        yield f"{address}web/"


@needs_tools
@pytest.mark.slow
def test_pywb_replays_byte_identical_bodies(wayback: str) -> None:
    asked = [*EXCHANGES, exchange(11, "HTTP/1.1 200 OK", PAGE)]
    for each in asked:
        assert fetch_replayed(wayback, each.url, each.began_s) == (each.status, each.payload), each.url
