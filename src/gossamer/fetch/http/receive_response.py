"""Collects the head and the body of a response within their limits, and makes the outcome."""

import time
from collections.abc import Callable
from typing import Literal

from gossamer.fetch.bandwidth.reception_limits import Gate
from gossamer.fetch.body_budget import BodyBudget
from gossamer.fetch.fetcher import FetchOptions
from gossamer.fetch.http.content_decoding import Decoder, Stop, make_decoder
from gossamer.fetch.http.response_head import ResponseHead, classify_response, hide_cookies, read_head
from gossamer.records import Exchange, Failed, FailureCause, Outcome

Cut = Literal["", "length", "time", "connection"]
# The `cut` of bodies that are kept although they are incomplete.
_CUT_BY_STOP: dict[Stop | Literal["head"], Cut] = {"length": "length", "broken": "connection"}
_CUT_BY_CAUSE: dict[FailureCause, Cut] = {"timeout": "time"}


_BUFFER_S = 1 / 32
_LEAST_BUFFER_BYTES, _MOST_BUFFER_BYTES = 32_768, 262_144


class ResponseReceiver:
    """Collects one response after the other from a connection; its methods are libcurl's callbacks throughout."""

    def __init__(
        self,
        budget: BodyBudget,
        pause: int,
        resume: Callable[[], None],
        hold: Callable[[], None] = lambda: None,
        resume_now: Callable[[], None] = lambda: None,
    ) -> None:
        self._budget = budget
        self._pause = pause
        """What tells libcurl to send a piece again after `resume`."""
        self._resume = resume
        self._hold = hold
        """Called when the bandwidth limits stop the response; `resume_now` when it goes on."""
        self._resume_now = resume_now
        self._gates: tuple[Gate, ...] = ()
        self._held_since_s: float | None = None
        self.lines: list[bytes] = []
        """The header lines of all heads, in order of arrival: the client appends to it."""
        self.pieces: list[bytes] = []
        self.clear()

    def clear(self) -> None:
        """Discard the last response."""
        self._budget.release(self)
        for gate in self._gates:
            gate.forget(self)
        self._gates = ()
        self._held_since_s = None
        self.held_s = 0.0
        """How long the bandwidth limits have stopped the response."""
        self.lines.clear()
        self.pieces.clear()
        self.stop: Stop | Literal["head"] = ""
        """Why we stopped reading the body; "" if we did not."""
        self._received_bytes = 0
        self._paused_s = 0.0
        self._paused_since_s: float | None = None
        self._decoder: Decoder | None = None
        self._head: ResponseHead | None = None

    def start(self, url: str, options: FetchOptions, request_head: bytes, now_s: float) -> None:
        """Start a new response."""
        self._url = url
        self._settings = options.settings
        self._conditional = bool(options.etag or options.last_modified)
        self.request_head = request_head
        self.began_s = now_s
        if options.reception is not None:
            self._gates = options.reception.find_gates(url.split("/", 3)[2])

    @property
    def is_limited(self) -> bool:
        """Whether the bandwidth of the response is limited."""
        return bool(self._gates)

    def limit_buffer(self) -> int:
        """Return how many bytes the system may receive ahead of us: little for a low rate, since it counts as received."""
        rate = min(gate.bucket.find_rate() for gate in self._gates)
        return int(min(max(_LEAST_BUFFER_BYTES, _BUFFER_S * rate), _MOST_BUFFER_BYTES))

    def add_piece(self, piece: bytes) -> int | None:
        """Add a piece of the body; 0 tells libcurl to stop."""
        if not self._budget.has_room(self):
            self._budget.wait(self, self._go_on)
            self._paused_since_s = time.monotonic()
            return self._pause
        if self._gates and not self._may_receive(len(piece)):
            return self._pause
        if not self.pieces and not self._start_body():
            return 0
        self._received_bytes += len(piece)
        over_bytes = self._received_bytes - self._settings.page_bytes
        if over_bytes > 0:
            piece = piece[:-over_bytes]
            self.stop = "length"
        self.pieces.append(piece)
        held_bytes = len(piece)
        if self._decoder is not None:
            held_bytes -= self._decoder.plain_bytes
            self._decoder.feed(piece)
            held_bytes += self._decoder.plain_bytes
            if self._decoder.stop in ("length", "expansion"):
                self.stop = self._decoder.stop
        self._budget.add(self, held_bytes)
        return 0 if self.stop else None

    def _may_receive(self, piece_bytes: int) -> bool:
        """Charge a piece to the bandwidth limits; if one of them has no room, stand in its queue and take it later."""
        for gate in self._gates:
            if not gate.admits(self):
                gate.wait(self, self._take_turn)
                if self._held_since_s is None:
                    self._held_since_s = time.monotonic()
                self._hold()
                return False
        self._charge(piece_bytes)
        return True

    def _charge(self, received_bytes: int) -> None:
        for gate in self._gates:
            gate.bucket.charge(received_bytes)

    def _take_turn(self) -> None:
        if self._held_since_s is not None:
            self.held_s += time.monotonic() - self._held_since_s
            self._held_since_s = None
        self._resume_now()

    def waited_for_room(self, took_s: float) -> bool:
        """Say whether the response waits for room in the budget, or did so for half of the time that it took."""
        return self._paused_since_s is not None or 2.0 * self._paused_s >= took_s > 0.0

    def _go_on(self) -> None:
        if self._paused_since_s is not None:
            self._paused_s += time.monotonic() - self._paused_since_s
            self._paused_since_s = None
        self._resume()

    def _start_body(self) -> bool:
        settings = self._settings
        self._head = head = read_head(self.lines)
        if head is None or len(head.raw) > settings.head_bytes:
            self.stop = "head"
            return False
        encoding = head.get("content-encoding")
        if encoding:
            self._decoder = make_decoder(encoding, settings.page_bytes, settings.expansion)
        return True

    def make_outcome(
        self, cause: FailureCause | None, detail: str, address: str, first_byte_s: float, took_s: float
    ) -> Outcome:
        """Make the outcome of the request; `cause` is why libcurl ended it early, None if it did not.

        A body that was cut short by its length, the time limit or the connection is a page with a `cut`: half a page
        has links as well. Without any of its body, or with an incomplete head, the request has failed.
        """
        settings = self._settings
        if self._gates:
            self._charge(sum(map(len, self.lines)))
        if sum(map(len, self.lines)) > settings.head_bytes:
            return Failed("too_large", f"the headers are longer than {settings.head_bytes} bytes")
        head = self._head or read_head(self.lines)
        if head is None:
            return Failed(cause or "protocol", detail or "the response has no head")
        exchange = self._make_exchange(head, cause, address, first_byte_s, took_s)
        if self.stop == "expansion":
            detail = f"the body unpacks to more than {settings.expansion:g} times its size"
            return Failed("too_large", detail, exchange=exchange)
        if cause is not None and not self.pieces and exchange.status < 300:
            return Failed(cause, detail, exchange=exchange)
        return classify_response(exchange, head, self._conditional)

    def _make_exchange(
        self, head: ResponseHead, cause: FailureCause | None, address: str, first_byte_s: float, took_s: float
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
        if self._settings.cookies:
            head = hide_cookies(head)
        return Exchange(
            url=self._url,
            status=head.status,
            request_head=self.request_head,
            response_head=head.raw,
            payload=payload,
            body=body,
            headers=head.headers,
            address=address,
            began_s=self.began_s,
            first_byte_s=first_byte_s,
            took_s=max(0.0, took_s - self.held_s),
            cut=cut,
            held_s=self.held_s,
        )
