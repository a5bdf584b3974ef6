"""HTTP/1 as bytes: reading the head of a request and writing the head of an answer, right or wrong."""

import re
from http import HTTPStatus

import msgspec

from gossamer.lab.server.answer import Fault, LabAnswer

_HEAD_END = re.compile(rb"\r?\n\r?\n")
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_ABSOLUTE = re.compile(r"https?://([^/?#]*)([^#]*)", re.IGNORECASE)
_REASONS = {status.value: status.phrase for status in HTTPStatus}
_BODILESS = {204, 304, *range(100, 200)}
_OWN_HEADERS = {"content-length", "connection", "keep-alive", "transfer-encoding"}

# Lines that are no HTTP, one for each way in which clients are known to stumble.
_BAD_LINES = {"header": b"X Bad\x01Name : value\r\n", "no-colon": b"a line without any colon\r\n"}
_BAD_LINES["nul"] = b"X-Nul: before\x00after\r\n"
_BAD_STATUS = b"HTTP/one.one two hundred\r\n"
_NO_FAULT = Fault()


class RequestHead(msgspec.Struct, frozen=True, gc=False):
    """The head of a request, as read."""

    method: str
    host: str
    """From an absolute target or the Host header, in lower case; "" if neither names one."""
    target: str
    headers: dict[str, str]
    keep_alive: bool
    minor: int
    """1 for HTTP/1.1, 0 for HTTP/1.0."""
    absolute: bool
    """Asked as a proxy is asked, with the whole URL."""
    body_bytes: int
    """How many bytes of body follow; -1 if that cannot be told."""


def head_end(received: bytes, start: int) -> tuple[int, int] | None:
    """Find where a request's head ends and where what follows begins; bare line feeds are accepted."""
    end = received.find(b"\r\n\r\n", start)
    if end >= 0:
        return end, end + 4
    found = _HEAD_END.search(received, start)
    return found.span() if found else None


def read_head(raw: bytes) -> RequestHead | None:
    """Read a request's head without its blank line; None if it is not HTTP/1."""
    lines = [line.rstrip("\r") for line in raw.decode("latin-1").strip("\r\n").split("\n")]
    words = lines[0].split(" ")
    if len(words) != 3 or words[2] not in ("HTTP/1.1", "HTTP/1.0") or not _TOKEN.fullmatch(words[0]):
        return None
    method, target, version = words
    headers: dict[str, str] = {}
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        if not colon:
            return None
        headers[name.lower()] = value.strip()
    host, absolute = headers.get("host", ""), False
    if target[:1] not in ("/", "*") and (found := _ABSOLUTE.fullmatch(target)):
        (host, target), absolute = found.groups(), True
        if not target.startswith("/"):
            target = "/" + target
    if not target:
        return None
    minor = int(version[-1])
    connection = headers.get("connection", "").lower()
    keep_alive = "close" not in connection if minor else "keep-alive" in connection
    return RequestHead(
        method, host.lower(), target, headers, keep_alive, minor, absolute, _body_bytes(headers)
    )


def _body_bytes(headers: dict[str, str]) -> int:
    if "transfer-encoding" in headers:
        return -1
    length = headers.get("content-length", "0")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 19 else -1


def _encoded(text: str) -> bytes:
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def _framing(answer: LabAnswer, fault: Fault) -> bytes:
    """Say how long the body is, or say it wrongly."""
    if answer.status in _BODILESS:
        return b""
    if fault.malformed == "chunk" or fault.endless == "body":
        return b"Transfer-Encoding: chunked\r\n"
    return b"Content-Length: %d\r\n" % max(0, len(answer.body) + fault.length_added)


def head_of(answer: LabAnswer, keep_alive: bool, minor: int) -> tuple[bytes, bytes]:
    """Write an answer's status line, and the rest of its head from after the Date to the blank line."""
    fault = answer.fault or _NO_FAULT
    status = f"HTTP/1.1 {answer.status} {_REASONS.get(answer.status, 'Unknown')}\r\n".encode()
    headers = [
        b"%b: %b\r\n" % (_encoded(name), _encoded(value))
        for name, value in answer.headers
        if name.lower() not in _OWN_HEADERS
    ]
    headers.append(_BAD_LINES.get(fault.malformed, b""))
    headers.append(_framing(answer, fault))
    if not keep_alive:
        headers.append(b"Connection: close\r\n")
    elif minor == 0:
        headers.append(b"Connection: keep-alive\r\n")
    # Headers without end have no blank line either.
    headers.append(b"" if fault.endless == "headers" else b"\r\n")
    return _BAD_STATUS if fault.malformed == "status" else status, b"".join(headers)


def body_of(answer: LabAnswer, method: str) -> bytes:
    """Write an answer's body as it goes over the wire: none for HEAD, and bad chunks if so told."""
    if method == "HEAD" or answer.status in _BODILESS:
        return b""
    if answer.fault is not None and answer.fault.malformed == "chunk":
        half = len(answer.body) // 2
        return b"%x\r\n%b\r\nnot-hex\r\n%b\r\n" % (half, answer.body[:half], answer.body[half:])
    return answer.body


def ends_connection(answer: LabAnswer) -> bool:
    """Tell whether nobody could know where the next answer begins, so that the connection has to end."""
    fault = answer.fault
    return fault is not None and bool(fault.malformed or fault.endless or fault.length_added)
