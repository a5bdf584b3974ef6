"""Insert one tag at the beginning of the head of a page, while the page streams through: nothing of it is kept back for long."""

import re
import zlib
from collections.abc import Iterator

from gossamer.reading_proxy.addon.page_rewriters import StreamRewriter

_MOST_PROLOG = 16_384
"""Of a page whose head has not begun by then, nothing is changed."""
_MOST_PIECE = 262_144
"""A compressed piece may become a thousand times as large: it is passed on in parts of this size."""
_CHARSET_WITHIN = 1_024
"""Browsers look for <meta charset> in this many bytes."""
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
_TAG = re.compile(rb"<(html|head)(?=[\s/>])(?:[^>\"']|\"[^\"]*\"|'[^']*')*>", re.IGNORECASE)
_TAG_BEGINNING = re.compile(rb"<(?:html|head)(?=[\s/>]|$)", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--(?:-?>|.*?--!?>)", re.DOTALL)
_DECLARATION = re.compile(rb"<[!?][^>]*>")
_SPACE = b" \t\r\n\f"
_GZIP = 31  # zlib's number for a stream with a gzip head


def find_place(page: bytes, is_whole: bool = False) -> int | None:
    """Return where the head of a page begins, after doctype, comments, <html> and <head>; None if more bytes are needed."""
    at = 3 if page.startswith(b"\xef\xbb\xbf") else 0
    while True:
        while at < len(page) and page[at] in _SPACE:
            at += 1
        rest = page[at : at + 6]
        if not is_whole and (not rest or (len(rest) < len(b"<html>") and rest.startswith(b"<"))):
            return None
        pattern = (
            _COMMENT if rest.startswith(b"<!--") else _DECLARATION if rest[:2] in (b"<!", b"<?") else _TAG
        )
        found = pattern.match(page, at)
        if found is None:
            unfinished = pattern is not _TAG or _TAG_BEGINNING.match(page, at) is not None
            return None if unfinished else at
        at = found.end()
        if pattern is _TAG and found[1].lower() == b"head":
            return at


class ScriptInserter:
    """Called with each piece of a body, and with no bytes at its end; returns what goes to the browser instead."""

    def __init__(
        self, tag: bytes, is_compressed: bool, has_charset: bool, rewriter: StreamRewriter | None = None
    ) -> None:
        """Insert a tag, if it is not empty, into what `rewriter` makes of the page."""
        self._tag = tag
        self._rewriter = rewriter
        self._has_charset = has_charset
        self._unpack = _Unpacker() if is_compressed else None
        self._beginning = b""
        self._is_decided = False

    def __call__(self, data: bytes) -> Iterator[bytes]:
        """Yield the pieces to send on; none of them is empty."""
        for one in self._unpack(data) if self._unpack is not None else (data,):
            piece = self._rewriter.rewrite(one) if self._rewriter is not None else one
            yield from filter(None, self._pass_on(piece))
        if not data and self._rewriter is not None:
            yield from filter(None, self._pass_on(self._rewriter.end()))
        if not data and not self._is_decided:
            yield from filter(None, self._decide(is_whole=True))

    def _pass_on(self, piece: bytes) -> list[bytes]:
        if self._is_decided:
            return [piece]
        self._beginning += piece
        if not self._tag:
            return self._decide(is_whole=False)
        if find_place(self._beginning) is None and len(self._beginning) < _MOST_PROLOG:
            return []
        return self._decide(is_whole=False)

    def _decide(self, is_whole: bool) -> list[bytes]:
        self._is_decided = True
        page, self._beginning = self._beginning, b""
        place = find_place(page, is_whole) if self._tag else None
        if place is None or not page or not self._may_change(page):
            return [page]
        return [page[:place], self._tag, page[place:]]

    def _may_change(self, page: bytes) -> bool:
        if page.startswith(_WIDE_MARKS):
            return False
        start = page[:_MOST_PROLOG].lower()
        if (
            b"content-security-policy" in start
        ):  # a policy in the page itself may forbid the frame of the cards
            return False
        # The tag must not push a declaration of the character set to where browsers no longer look for it.
        near = start[_CHARSET_WITHIN - len(self._tag) - len(b"charset=") : _CHARSET_WITHIN]
        return self._has_charset or b"charset" not in near


class _Unpacker:
    """Unpacks a gzip stream in pieces; what is damaged ends the page, as it would in the browser."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(_GZIP)

    def __call__(self, data: bytes) -> Iterator[bytes]:
        while data:
            try:
                piece = self._stream.decompress(data, _MOST_PIECE)
            except zlib.error:
                return
            if piece:
                yield piece
            data = self._stream.unconsumed_tail
            if self._stream.eof:
                data = self._stream.unused_data.lstrip(b"\0")
                self._stream = zlib.decompressobj(_GZIP)
