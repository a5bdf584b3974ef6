"""One answer on its way in: head lines and body pieces within their limits, and what becomes of them."""

from typing import Literal

from gossamer.fetch.content_decoding import Decoder, Stop, decoder_for
from gossamer.fetch.fetcher import Ask
from gossamer.fetch.response_head import Head, judge, read_head
from gossamer.records import Exchange, Failed, FailureCause, Outcome

Cut = Literal["", "length", "time", "connection"]
# What became of the transfer, for the bodies that are kept although they are not whole.
_CUT_BY_STOP: dict[Stop | Literal["head"], Cut] = {"length": "length", "broken": "connection"}
_CUT_BY_CAUSE: dict[FailureCause, Cut] = {"timeout": "time"}


class Receiving:
    """Collects what a connection yields. It serves one answer after the other, so its methods stay callbacks."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        """Header lines of all heads, as they come: the client appends to it."""
        self.pieces: list[bytes] = []
        self.forget()

    def forget(self) -> None:
        """Let go of the last answer."""
        self.lines.clear()
        self.pieces.clear()
        self.stop: Stop | Literal["head"] = ""
        """Why we do not want more of the body, if we do not."""
        self._received_bytes = 0
        self._decoder: Decoder | None = None
        self._head: Head | None = None

    def expect(self, url: str, ask: Ask, request_head: bytes, now_s: float) -> None:
        """Begin with a new answer."""
        self._url = url
        self._settings = ask.settings
        self._conditional = bool(ask.etag or ask.last_modified)
        self.request_head = request_head
        self.began_s = now_s

    def take(self, piece: bytes) -> int | None:
        """Take a piece of the body; 0 means that no more is wanted."""
        if not self.pieces and not self._begin_body():
            return 0
        self._received_bytes += len(piece)
        over_bytes = self._received_bytes - self._settings.page_bytes
        if over_bytes > 0:
            piece = piece[:-over_bytes]
            self.stop = "length"
        self.pieces.append(piece)
        if self._decoder is not None:
            self._decoder.feed(piece)
            if self._decoder.stop in ("length", "expansion"):
                self.stop = self._decoder.stop
        return 0 if self.stop else None

    def _begin_body(self) -> bool:
        settings = self._settings
        self._head = head = read_head(self.lines)
        if head is None or len(head.raw) > settings.head_bytes:
            self.stop = "head"
            return False
        encoding = head.get("content-encoding")
        if encoding:
            self._decoder = decoder_for(encoding, settings.page_bytes, settings.expansion)
        return True

    def outcome(
        self, cause: FailureCause | None, detail: str, address: str, first_byte_s: float, took_s: float
    ) -> Outcome:
        """Say what became of the request; `cause` tells what broke it off, if anything but ourselves did.

        A body that was broken off, by its length, the time limit or the connection, is a page with a `cut`:
        half a page has links as well. Without any of its body, or before its head was whole, it has failed.
        """
        settings = self._settings
        if sum(map(len, self.lines)) > settings.head_bytes:
            return Failed("too_large", f"the headers are longer than {settings.head_bytes} bytes")
        head = self._head or read_head(self.lines)
        if head is None:
            return Failed(cause or "protocol", detail or "the answer has no head")
        exchange = self._exchange(head, cause, address, first_byte_s, took_s)
        if self.stop == "expansion":
            detail = f"the body unpacks to more than {settings.expansion:g} times its size"
            return Failed("too_large", detail, exchange=exchange)
        if cause is not None and not self.pieces and exchange.status < 300:
            return Failed(cause, detail, exchange=exchange)
        return judge(exchange, head, self._conditional)

    def _exchange(
        self, head: Head, cause: FailureCause | None, address: str, first_byte_s: float, took_s: float
    ) -> Exchange:
        payload = self.pieces[0] if len(self.pieces) == 1 else b"".join(self.pieces)
        body, cut = payload, _CUT_BY_STOP.get(self.stop, "")
        if not cut and cause is not None:
            cut = _CUT_BY_CAUSE.get(cause, "connection")
        if self._decoder is not None:
            plain = self._decoder.finish()
            if plain is not None:
                body = plain
                cut = cut or _CUT_BY_STOP.get(self._decoder.stop, "")
        return Exchange(
            self._url,
            head.status,
            self.request_head,
            head.raw,
            payload,
            body,
            head.headers,
            address,
            self.began_s,
            first_byte_s,
            took_s,
            cut,
        )
