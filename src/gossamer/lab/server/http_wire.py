"""HTTP/1 on the wire: parse the head of a request, build the head of an answer, correct or faulty."""

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

# Lines that are not HTTP, one for each fault that is known to break clients.
_BAD_LINES = {"header": b"X Bad\x01Name : value\r\n", "no-colon": b"a line without any colon\r\n"}
_BAD_LINES["nul"] = b"X-Nul: before\x00after\r\n"
_BAD_STATUS = b"HTTP/one.one two hundred\r\n"
_NO_FAULT = Fault()


class RequestHead(msgspec.Struct, frozen=True, gc=False):
    """The parsed head of a request."""

    method: str
    host: str
    """From an absolute target or the Host header, in lower case; "" if there is neither."""
    target: str
    headers: dict[str, str]
    keep_alive: bool
    minor: int
    """1 for HTTP/1.1, 0 for HTTP/1.0."""
    absolute: bool
    """The target is a whole URL, as clients send it to a proxy."""
    body_bytes: int
    """Length of the body that follows; -1 if unknown."""


def find_head_end(received: bytes, start: int) -> tuple[int, int] | None:
    """Find the end of a request's head and the start of what follows; bare line feeds are accepted."""
    end = received.find(b"\r\n\r\n", start)
    if end >= 0:
        return end, end + 4
    found = _HEAD_END.search(received, start)
    return found.span() if found else None


def read_head(raw: bytes) -> RequestHead | None:
    """Parse a request's head, given without its blank line; return None if it is not HTTP/1."""
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
        method=method,
        host=host.lower(),
        target=target,
        headers=headers,
        keep_alive=keep_alive,
        minor=minor,
        absolute=absolute,
        body_bytes=_read_body_length(headers),
    )


def _read_body_length(headers: dict[str, str]) -> int:
    if "transfer-encoding" in headers:
        return -1
    length = headers.get("content-length", "0")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 19 else -1


def _encode_header(text: str) -> bytes:
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def _build_length_header(answer: LabAnswer, fault: Fault) -> bytes:
    """Build the header that frames the body, with a wrong length if the fault says so."""
    if answer.status in _BODILESS:
        return b""
    if fault.malformed == "chunk" or fault.endless == "body":
        return b"Transfer-Encoding: chunked\r\n"
    return b"Content-Length: %d\r\n" % max(0, len(answer.body) + fault.length_added)


def build_head(answer: LabAnswer, keep_alive: bool, minor: int) -> tuple[bytes, bytes]:
    """Return an answer's status line, and the rest of its head from after the Date to the blank line."""
    fault = answer.fault or _NO_FAULT
    status = f"HTTP/1.1 {answer.status} {_REASONS.get(answer.status, 'Unknown')}\r\n".encode()
    headers = [
        b"%b: %b\r\n" % (_encode_header(name), _encode_header(value))
        for name, value in answer.headers
        if name.lower() not in _OWN_HEADERS
    ]
    headers.append(_BAD_LINES.get(fault.malformed, b""))
    headers.append(_build_length_header(answer, fault))
    if not keep_alive:
        headers.append(b"Connection: close\r\n")
    elif minor == 0:
        headers.append(b"Connection: keep-alive\r\n")
    # Endless headers have no blank line.
    headers.append(b"" if fault.endless == "headers" else b"\r\n")
    return _BAD_STATUS if fault.malformed == "status" else status, b"".join(headers)


def build_body(answer: LabAnswer, method: str) -> bytes:
    """Return an answer's body as it goes over the wire: none for HEAD, invalid chunks if the fault says so."""
    if method == "HEAD" or answer.status in _BODILESS:
        return b""
    if answer.fault is not None and answer.fault.malformed == "chunk":
        half = len(answer.body) // 2
        return b"%x\r\n%b\r\nnot-hex\r\n%b\r\n" % (half, answer.body[:half], answer.body[half:])
    return answer.body


def ends_connection(answer: LabAnswer) -> bool:
    """Tell whether the connection must close because a client cannot find the end of this answer."""
    fault = answer.fault
    return fault is not None and bool(fault.malformed or fault.endless or fault.length_added)
