"""An import leaves out what a server knew the other crawler by."""

import gzip
from pathlib import Path

import pytest

from gossamer.crawl.from_archive.import_warc import import_warcs
from gossamer.web import Web

BODY = b"<title>a</title><p>words"
URL = b"http://a.example/"
ID = b"<urn:uuid:21561ea9-6cb8-4a07-a176-06e2deffaa30>"


def make_record(kind: bytes, block: bytes) -> bytes:
    lines = [
        b"WARC/1.1",
        b"WARC-Type: " + kind,
        b"WARC-Concurrent-To: " + ID if kind == b"request" else b"WARC-Record-ID: " + ID,
        b"WARC-Date: 2024-01-01T00:00:00Z",
        b"WARC-Target-URI: " + URL,
        b"Content-Type: application/http; msgtype=" + kind,
        b"Content-Length: %d" % len(block),
    ]
    return gzip.compress(b"\r\n".join([*lines, b"", block, b"", b""]))


@pytest.mark.parametrize(
    ("sent", "kept"),
    [(b"Cookie: sid=S3cret\r\n", False), (b"cookie : (redacted)\r\n", False), (b"X-Cookie: 1\r\n", True)],
)
def test_cookies_of_a_crawler_that_sends_them_back_are_left_out(
    sent: bytes, kept: bool, tmp_path: Path
) -> None:
    head = (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nSet-Cookie: sid=S3cret\r\nContent-Length: %d\r\n\r\n"
    )
    response = make_record(b"response", head % len(BODY) + BODY)
    request = make_record(b"request", b"GET / HTTP/1.1\r\nHost: a.example\r\n" + sent + b"\r\n")
    (tmp_path / "in.warc.gz").write_bytes(response + request)
    with Web(tmp_path / "a.web") as web:
        assert import_warcs(web.store, web.folder, [tmp_path / "in.warc.gz"], 1.79e9).damage == []
    [file] = (tmp_path / "a.web" / "archive").glob("*.warc.gz")
    archived = gzip.decompress(file.read_bytes())
    assert BODY in archived
    assert (b"Set-Cookie: (redacted)\r\n" in archived) != kept
    assert (b"S3cret" in archived) == kept
