import gzip
from pathlib import Path

import pytest

from gossamer.store.archive import warc_records
from gossamer.store.archive.warc_records import pack_record, read_record_at

HEAD = b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: %d\r\n\r\n"


def make_record(block: bytes, head: bytes = HEAD, length: int | None = None) -> bytes:
    return head % (len(block) if length is None else length) + block + b"\r\n\r\n"


PAGE = b"HTTP/1.1 200 OK\r\n\r\n" + b"<p>page</p>" * 200
PACKED = pack_record(make_record(PAGE))
FILES = {
    "packed": PACKED,
    "short": pack_record(make_record(b"x")),
    "empty block": pack_record(make_record(b"")),
    "followed by another": PACKED + pack_record(make_record(b"other")),
    "not packed": make_record(PAGE),
    "two in one member": gzip.compress(make_record(PAGE) + make_record(b"other")),
    "larger than usual": gzip.compress(make_record(bytes(range(256)) * 8_000)),
    "length too small": pack_record(make_record(PAGE, length=1_000)),
    "length too large": pack_record(make_record(PAGE, length=9_000)),
    "breaks off": PACKED[:-20],
    "wrong sum": PACKED[:-8] + b"\0\0\0\0" + PACKED[-4:],
    "continued header": pack_record(
        make_record(PAGE, HEAD.replace(b"Content", b"X-Note: one\r\n two\r\nContent"))
    ),
    "header twice": pack_record(
        make_record(PAGE, HEAD.replace(b"Content", b"WARC-Type:\trequest \r\nContent"))
    ),
    "header of other letters": pack_record(
        make_record(PAGE, HEAD.replace(b"a.example", "ä.example".encode()))
    ),
    "older version": pack_record(make_record(PAGE, HEAD.replace(b"WARC/1.1", b"WARC/0.18"))),
    "no record": gzip.compress(b"something else"),
    "nothing": b"",
}


@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
def test_packed_records_are_read_as_by_fastwarc(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"before" + content)
    found = read_record_at(path, 6), read_record_at(path, 6, most_bytes=100)
    monkeypatch.setattr(warc_records, "_read_packed_record", lambda *_: None)
    assert found == (read_record_at(path, 6), read_record_at(path, 6, most_bytes=100))


def test_a_packed_record_has_its_headers_and_its_block(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(PACKED)
    found = read_record_at(path, 0)
    assert found is not None
    assert (found.type, found.block, found.whole) == ("response", PAGE, True)
    assert found.headers["warc-target-uri"] == "http://a.example/"
