"""Decodes pages: by byte-order mark, header, declaration in the page or a guess, in the order of WHATWG."""

import re
from functools import lru_cache

from gossamer.net.encoding.declared_encoding import find_declared_encoding, find_late_encoding
from gossamer.net.encoding.encoding_labels import find_encoding
from gossamer.net.encoding.guess_encoding import guess_encoding
from gossamer.net.encoding.utf8 import is_utf8
from gossamer.net.encoding.whatwg_codecs import decode_as

_BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", "UTF-8"), (b"\xff\xfe", "UTF-16LE"), (b"\xfe\xff", "UTF-16BE"))

# Tolerant of sloppy servers: spaces around =, either quote, a comma or nothing instead of ;.
_HEADER_CHARSET = re.compile(r"(?:^|[;,\s])charset\s*+=\s*+[\"']?\s*+([^\s\"';,]+)", re.IGNORECASE)


def decode(body: bytes, content_type: str | None = None) -> tuple[str, str]:
    """Return the text of a page and the WHATWG name of its encoding.

    A byte-order mark wins, then a known charset in the header, then a declaration at the beginning of the page.
    Otherwise valid UTF-8 is UTF-8, even against a declaration further down, which must be a mistake then; else that
    declaration counts, or the encoding is guessed. Bytes that cannot be decoded become U+FFFD; nothing raises.
    Cost: for valid UTF-8 little more than `bytes.decode`. Source: Encoding Standard; HTML 13.2.3.
    """
    mark, name = encoding_of(body, content_type)
    return decode_as(body[mark:], name), name


def as_utf8(body: bytes, content_type: str | None = None) -> tuple[bytes, str]:
    """Return the same as `decode`, but the text as valid UTF-8: the body itself, if it is valid UTF-8 already."""
    mark, name = encoding_of(body, content_type)
    body = body[mark:]
    if name == "UTF-8" and is_utf8(body):
        return body, name
    return decode_as(body, name).encode("utf-8", "replace"), name


def encoding_of(body: bytes, content_type: str | None) -> tuple[int, str]:
    """Return the length of the byte-order mark and the WHATWG name of the encoding; see `decode`."""
    for mark, name in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return len(mark), name
    declared = (content_type and header_encoding(content_type)) or find_declared_encoding(body)
    if declared:
        return 0, declared
    # UTF-16 without a mark and ISO-2022-JP are valid UTF-8 as well, recognisable by their NULs and escapes.
    if b"\0" not in body and b"\x1b" not in body and is_utf8(body):
        return 0, "UTF-8"
    return 0, find_late_encoding(body) or guess_encoding(body)


@lru_cache(maxsize=1_000)  # few different headers occur
def header_encoding(content_type: str) -> str | None:
    """Return the encoding of the first known charset in a Content-Type header, or None."""
    for charset in _HEADER_CHARSET.finditer(content_type):
        name = find_encoding(charset[1])
        if name:
            return name
    return None
