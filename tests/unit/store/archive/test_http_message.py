"""HTTP messages in WARC records of any program, and their framing."""

import pytest

from gossamer.store.archive import http_message

OK = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    ("head", "body_bytes", "stored"),
    [
        (OK + b"Server: x\r\n\r\n", 3, OK + b"Server: x\r\n\r\n"),
        (OK + b"Content-Length: 3\r\n\r\n", 3, OK + b"Content-Length: 3\r\n\r\n"),
        (
            OK + b"content-length : 9 \r\nA: b\r\n\r\n",
            3,
            OK + b"X-Archive-Orig-content-length : 9 \r\nA: b\r\nContent-Length: 3\r\n\r\n",
        ),
        (
            OK + b"TRANSFER-Encoding: chunked\r\n\r\n",
            3,
            OK + b"X-Archive-Orig-TRANSFER-Encoding: chunked\r\n\r\n",
        ),
        (
            OK + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\n",
            3,
            OK
            + b"X-Archive-Orig-Content-Length: 3\r\nX-Archive-Orig-Content-Length: 4\r\nContent-Length: 3\r\n\r\n",
        ),
        (OK + b"X-Transfer-Encoding: a\r\n\r\n", 0, OK + b"X-Transfer-Encoding: a\r\n\r\n"),
        (b"HTTP/1.0 200 OK\nContent-Length: 3\n\n", 3, b"HTTP/1.0 200 OK\nContent-Length: 3\n\n"),
        (OK + b"A: b", 3, OK + b"A: b\r\n\r\n"),
        (b"", 3, b"HTTP/1.0 200 \r\n\r\n"),
    ],
)
def test_a_stored_head_describes_the_stored_body(head: bytes, body_bytes: int, stored: bytes) -> None:
    assert http_message.correct_framing(head, body_bytes) == stored


@pytest.mark.parametrize(
    ("block", "head", "body"),
    [
        (OK + b"A: b\r\n\r\nbody\r\n\r\nmore", OK + b"A: b\r\n\r\n", b"body\r\n\r\nmore"),
        (b"HTTP/1.0 200\nA: b\n\nbody", b"HTTP/1.0 200\nA: b\n\n", b"body"),
        (b"no end", b"no end", b""),
        (b"", b"", b""),
    ],
)
def test_head_and_body_are_split_at_the_first_empty_line(block: bytes, head: bytes, body: bytes) -> None:
    assert http_message.split_message(block) == (head, body)


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (OK, 200),
        (b"HTTP/2 404\r\n", 404),
        (b"http/1.0 301 x", 301),
        (b"GET / HTTP/1.1", 0),
        (b"HTTP/1.1 2000", 0),
        (b"", 0),
    ],
)
def test_status(head: bytes, status: int) -> None:
    assert http_message.parse_status(head) == status


def test_headers_are_read_leniently() -> None:
    head = (
        OK
        + b"Content-Type: text/html\r\nno colon\r\nFolded: a\r\n  b\r\n: empty\r\nName : caf\xc3\xa9\r\nLatin: \xe9\r\n\r\n"
    )
    assert http_message.parse_headers(head) == (
        ("content-type", "text/html"),
        ("folded", "a b"),
        ("name", "café"),
        ("latin", "\ufffd"),
    )


CHUNKED = (("transfer-encoding", "Chunked"),)


@pytest.mark.parametrize(
    ("body", "payload"),
    [
        (b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n", b"abcde"),
        (b"3\nabc\n0\n\n", b"abc"),
        (b"0\r\n\r\n", b""),
        (b"3\r\nabc\r\n5\r\nde", b"abcde"),  # cut off within a chunk
        (b"<p>never chunked", b"<p>never chunked"),  # decoded by the program that kept the header
        (b"abc\r\nwords, not a size", b"abc\r\nwords, not a size"),
        (b"3\r\nabcdef\r\n0\r\n\r\n", b"3\r\nabcdef\r\n0\r\n\r\n"),
        (b"", b""),
    ],
)
def test_only_valid_chunks_are_decoded(body: bytes, payload: bytes) -> None:
    assert http_message.decode_transfer(CHUNKED, body) == payload
    assert http_message.decode_transfer((), body) == body
