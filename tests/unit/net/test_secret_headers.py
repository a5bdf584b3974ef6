"""No secret survives in a recorded head, however it is written."""

import pytest

from gossamer.net.secret_headers import redact_request, redact_response


@pytest.mark.parametrize(
    "line",
    [
        b"Authorization: Basic S3cret",
        b"authorization:S3cret",
        b"AUTHORIZATION \t: Bearer S3cret",
        b"Proxy-Authorization: Basic S3cret",
        b"Cookie: a=b; id=S3cret",
        b"Cookie: a=b;\r\n id=S3cret",
        b"Cookie: a=b;\n\tid=S3cret\n more=S3cret",
        b"Cookie2: $S3cret",
    ],
)
@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
def test_a_secret_of_a_request_is_replaced_and_nothing_else(line: bytes, end: bytes) -> None:
    before, after = b"GET /cookie: HTTP/1.1" + end + b"Host: a.example" + end, end + b"Accept: */*" + end * 2
    name = line.partition(b":")[0].strip()
    assert redact_request(before + line + after) == before + name + b": (redacted)" + after


def test_other_lines_stay_as_they_are() -> None:
    head = b"GET /?Authorization: HTTP/1.1\r\nX-Cookie: a\r\nX-Authorization: b\r\nSet-Cookie: c\r\n\r\n"
    assert redact_request(head) == head
    head = b"HTTP/1.1 200 Set-Cookie: x\r\nX-Set-Cookie: a\r\nCookie: b\r\n\r\n"
    assert redact_response(head) == head


def test_cookies_of_a_response_are_replaced() -> None:
    head = b"HTTP/1.1 200 OK\r\nset-cookie: a=S3cret; Path=/\r\nDate: now\r\nSet-Cookie: b=S3cret\r\n\r\n"
    shown = b"HTTP/1.1 200 OK\r\nset-cookie: (redacted)\r\nDate: now\r\nSet-Cookie: (redacted)\r\n\r\n"
    assert redact_response(head) == shown
    assert redact_response(shown) == shown
