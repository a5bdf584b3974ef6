"""libcurl, driven by asyncio: transfers that share connections.

All transfers share one multi handle with its cache of connections. Easy handles are kept and used again, and an
option is set only where it differs from the last request's. libcurl never looks a name up: each transfer is pinned
to one address (CONNECT_TO), and the guard looks at each new connection once more when its socket is opened.
HTTP/1.1 only, so that an archive can keep what went over the wire.
"""

import asyncio
import fcntl
import socket
import time
from collections.abc import Callable
from typing import Any

import msgspec
import pycurl  # type: ignore[import-untyped]

from gossamer.config import Fetching
from gossamer.fetch.address_guard import refusal
from gossamer.fetch.fetcher import Ask
from gossamer.fetch.proxy import Via
from gossamer.fetch.receive_response import Receiving
from gossamer.fetch.request_head import Lines, Target, head, lines
from gossamer.fetch.socket_watch import Watch, watch
from gossamer.records import FailureCause, Outcome, Refused

_CAUSES: dict[int, FailureCause] = {
    pycurl.E_UNSUPPORTED_PROTOCOL: "protocol",  # HTTP/0.9, or no HTTP at all
    pycurl.E_COULDNT_RESOLVE_PROXY: "dns",
    pycurl.E_COULDNT_RESOLVE_HOST: "dns",
    pycurl.E_COULDNT_CONNECT: "connect",
    pycurl.E_FTP_WEIRD_SERVER_REPLY: "protocol",  # of HTTP as well: a malformed head
    pycurl.E_PARTIAL_FILE: "reset",
    pycurl.E_OPERATION_TIMEDOUT: "timeout",
    pycurl.E_SSL_CONNECT_ERROR: "tls",
    pycurl.E_INTERFACE_FAILED: "connect",
    pycurl.E_GOT_NOTHING: "reset",
    pycurl.E_SEND_ERROR: "reset",
    pycurl.E_RECV_ERROR: "reset",
    pycurl.E_SSL_CERTPROBLEM: "tls",
    pycurl.E_SSL_CIPHER: "tls",
    pycurl.E_PEER_FAILED_VERIFICATION: "tls",
    pycurl.E_SSL_CACERT_BADFILE: "tls",
    pycurl.E_SSL_ISSUER_ERROR: "tls",
    pycurl.E_SSL_INVALIDCERTSTATUS: "tls",
    97: "connect",  # CURLE_PROXY: the SOCKS proxy could not, or would not
    100: "too_large",  # CURLE_TOO_LARGE
    -2: "reset",  # RENEWED
}
# Named in libcurl, not in pycurl: the answer of a proxy to CONNECT is no part of the page's.
_SUPPRESS_CONNECT_HEADERS = 265
_LASTING_OPTIONS: dict[int, Any] = {
    pycurl.NOSIGNAL: 1,
    pycurl.FOLLOWLOCATION: 0,
    pycurl.HTTP_VERSION: pycurl.CURL_HTTP_VERSION_1_1,
    pycurl.HTTP_CONTENT_DECODING: 0,
    pycurl.HTTP09_ALLOWED: 0,
    pycurl.PATH_AS_IS: 1,
    pycurl.PROTOCOLS: pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS,
    pycurl.SSL_VERIFYPEER: 1,
    pycurl.SSL_VERIFYHOST: 2,
    pycurl.NOPROXY: "",  # else the environment's no_proxy lets requests past the proxy
    pycurl.BUFFERSIZE: 65_536,
    _SUPPRESS_CONNECT_HEADERS: 1,
}
# Codes that libcurl does not use: we ended the transfer ourselves, for good or to try it again.
CLOSED, RENEWED = -1, -2


class Order(msgspec.Struct, frozen=True, gc=False):
    """One transfer to be made."""

    target: Target
    address: str
    """Where to connect to; "" if the proxy finds the way."""
    ask: Ask
    via: Via | None = None
    time_s: float | None = None
    """Less time than the settings grant, if some was used already."""


class _Line:
    """An easy handle, and the answer that it receives."""

    def __init__(self, certificates: str, cookies: Any, socket_opened: Callable[[int], None]) -> None:
        self.receiving = Receiving()
        self.finished: asyncio.Future[tuple[int, str]]
        self.first_byte_by_s = 0.0
        self._refused, self._opened = "", False
        self._socket_opened = socket_opened
        self._socket: socket.socket | None = None
        self._settings: Fetching | None = None
        self._allowed: tuple[str, ...] | None = ()
        self._address = ""
        self._lines: Lines | None = None
        self._method = "GET"
        self.curl = pycurl.Curl()
        options = {
            **_LASTING_OPTIONS,
            pycurl.CAINFO: certificates,
            pycurl.HEADERFUNCTION: self.receiving.lines.append,
            pycurl.WRITEFUNCTION: self.receiving.take,
            pycurl.OPENSOCKETFUNCTION: self._open,
            pycurl.SOCKOPTFUNCTION: self._set_up,
            pycurl.DEBUGFUNCTION: self._note_sent,
        }
        if cookies is not None:
            options |= {pycurl.SHARE: cookies, pycurl.COOKIEFILE: ""}
        for option, value in options.items():
            self.curl.setopt(option, value)

    def prepare(self, order: Order) -> None:
        """Say what is wanted; what is the same as last time stays as it is."""
        ask, target = order.ask, order.target
        if ask.settings is not self._settings:
            self._adopt(ask.settings, order.via)
        if order.time_s is not None:
            self.curl.setopt(pycurl.TIMEOUT_MS, _milliseconds(order.time_s))
            self._settings = None
        self.curl.setopt(pycurl.URL, target.url)
        # libcurl would write %7e as %7E, which some servers tell apart.
        whole_url = order.via is not None and order.via.proxy.wants_whole_urls and target.scheme == "http"
        self.curl.setopt(pycurl.REQUEST_TARGET, target.url if whole_url else target.path)
        if order.address != self._address:
            # For any host and any port of the request: this address, and the same port.
            self.curl.setopt(pycurl.CONNECT_TO, [f"::{bracketed(order.address)}:"] if order.address else [])
            self._address = order.address
        said = lines(ask.agent, ask.etag, ask.last_modified, ask.auth)
        if said is not self._lines:
            self.curl.setopt(pycurl.HTTPHEADER, said.each)
            self._lines = said
        if ask.method != self._method:
            self.curl.setopt(pycurl.NOBODY if ask.method == "HEAD" else pycurl.HTTPGET, 1)
            self._method = ask.method
        self._refused, self._opened = "", False
        self.receiving.expect(target.url, ask, head(ask.method, target, said), time.time())

    def _adopt(self, settings: Fetching, via: Via | None) -> None:
        """Take on a task's settings."""
        self._settings = settings
        self._allowed = None if via else settings.allow_private
        self.curl.setopt(pycurl.CONNECTTIMEOUT_MS, _milliseconds(settings.connect_time_s))
        self.curl.setopt(pycurl.TIMEOUT_MS, _milliseconds(settings.page_time_s))
        # An empty name is said as well: else the environment's http_proxy is used.
        self.curl.setopt(pycurl.PROXY, via.proxy.url if via else "")
        if via is not None:
            known = f"{via.proxy.host}:{via.proxy.port}:{bracketed(via.address)}"
            self.curl.setopt(pycurl.RESOLVE, [known])
        # A proxy changes the request's head, and only libcurl knows which cookies it sends.
        self.curl.setopt(pycurl.VERBOSE, int(settings.cookies or via is not None))

    def outcome(self, code: int, detail: str) -> tuple[Outcome, bool]:
        """Say what became of the transfer, and whether the server was reached at all."""
        if self._refused:
            return Refused("private address", self._refused), True
        if code == pycurl.E_URL_MALFORMAT:
            return Refused("bad url", detail), True
        getinfo = self.curl.getinfo
        cause: FailureCause | None = None
        reached = True
        if code != pycurl.E_OK and not self.receiving.stop:
            cause = _CAUSES.get(code, "internal")
            reached = not self._opened or getinfo(pycurl.CONNECT_TIME) > 0
            if getinfo(pycurl.HTTP_CONNECTCODE) >= 300:
                cause, detail = "connect", f"the proxy answered {getinfo(pycurl.HTTP_CONNECTCODE)}"
        first_byte_s, took_s = getinfo(pycurl.STARTTRANSFER_TIME), getinfo(pycurl.TOTAL_TIME)
        address = getinfo(pycurl.PRIMARY_IP)
        return self.receiving.outcome(cause, detail, address, first_byte_s, took_s), reached

    def _open(self, _purpose: int, address: Any) -> Any:
        """Open a socket to an address, if the guard lets it through; a proxy is the user's own choice."""
        found = address.addr[0]
        found = found if isinstance(found, str) else found.decode("latin-1")
        why = None if self._allowed is None else refusal(found, self._allowed)
        if why is not None:
            self._refused = f"{found} is {why}"
            return pycurl.SOCKET_BAD
        self._opened = True
        try:
            self._socket = socket.socket(address.family, address.socktype, address.protocol)
        except OSError:  # no more descriptors: libcurl makes a failed connection of it
            return pycurl.SOCKET_BAD
        return self._socket

    def _set_up(self, descriptor: int, _purpose: int) -> int:
        """Let go of our end, of which libcurl has a copy by now, and keep the copy from child processes."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        fcntl.fcntl(descriptor, fcntl.F_SETFD, fcntl.FD_CLOEXEC)
        self._socket_opened(descriptor)
        return int(pycurl.SOCKOPT_OK)

    def _note_sent(self, kind: int, data: bytes) -> None:
        if kind == pycurl.INFOTYPE_HEADER_OUT:
            self.receiving.request_head = data


class Transfers:
    """Transfers under way, and the connections that they leave for the next. Belongs to one event loop."""

    def __init__(self, certificates: str, idle_connections: int) -> None:
        self._certificates = certificates
        self._loop = asyncio.get_running_loop()
        self._watch: Watch = watch(self._loop, self._on_ready)
        self._cookies: Any = None
        self._free: dict[bool, list[_Line]] = {False: [], True: []}
        self._active: dict[Any, _Line] = {}
        self._soon: asyncio.Handle | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._first_byte_timer: asyncio.TimerHandle | None = None
        self._closed = False
        self._multi = pycurl.CurlMulti()
        self._multi.setopt(pycurl.M_SOCKETFUNCTION, self._on_socket)
        self._multi.setopt(pycurl.M_TIMERFUNCTION, self._on_timer)
        self._multi.setopt(pycurl.M_MAXCONNECTS, idle_connections)

    async def run(self, order: Order) -> tuple[Outcome, bool]:
        """Make one transfer; return what became of it, and whether the server was reached at all."""
        settings = order.ask.settings
        free = self._free[settings.cookies]
        line = free.pop() if free else self._new_line(settings.cookies)
        curl = line.curl
        try:
            line.prepare(order)
            line.finished = self._loop.create_future()
            self._multi.add_handle(curl)
            self._active[curl] = line
            self._expect_first_byte(line, settings.first_byte_time_s)
            code, detail = await line.finished
            return line.outcome(code, detail)
        finally:
            if curl in self._active:
                del self._active[curl]
                self._multi.remove_handle(curl)
            line.receiving.forget()
            if self._closed:
                curl.close()
            else:
                free.append(line)

    def close(self, code: int = CLOSED) -> None:
        """End all transfers, which are told, and all connections."""
        if self._closed:
            return
        self._closed = True
        for timer in (self._soon, self._timer, self._first_byte_timer):
            if timer is not None:
                timer.cancel()
        for curl in list(self._active):
            self._end(curl, code, "the fetcher was closed" if code == CLOSED else "the fetcher was made anew")
        self._multi.close()
        self._watch.close()
        for line in (*self._free[False], *self._free[True]):
            line.curl.close()

    def _new_line(self, cookies: bool) -> _Line:
        if cookies and self._cookies is None:
            self._cookies = pycurl.CurlShare()
            self._cookies.setopt(pycurl.SH_SHARE, pycurl.LOCK_DATA_COOKIE)
        return _Line(self._certificates, self._cookies if cookies else None, self._watch.opened)

    # What libcurl wants from the event loop.

    def _on_socket(self, interest: int, descriptor: int, _multi: Any, _data: Any) -> None:
        if interest == pycurl.POLL_REMOVE:
            self._watch.leave(descriptor)
        else:
            self._watch.want(descriptor, interest)

    def _on_timer(self, wait_ms: int) -> None:
        """Wake libcurl in time; too early does no harm, so a timer is only ever moved forward."""
        if wait_ms == 0:
            if self._soon is None:
                self._soon = self._loop.call_soon(self._on_soon)
        elif wait_ms > 0:
            when_s = self._loop.time() + wait_ms / 1000
            if self._timer is not None:
                if self._timer.when() <= when_s:
                    return
                self._timer.cancel()
            self._timer = self._loop.call_at(when_s, self._on_time)

    # What the event loop tells libcurl.

    def _on_soon(self) -> None:
        self._soon = None
        self._on_ready([(pycurl.SOCKET_TIMEOUT, 0)])

    def _on_time(self) -> None:
        self._timer = None
        self._on_ready([(pycurl.SOCKET_TIMEOUT, 0)])

    def _on_ready(self, ready: list[tuple[int, int]]) -> None:
        for descriptor, readiness in ready:
            self._multi.socket_action(descriptor, readiness)
        _, succeeded, failed = self._multi.info_read()
        for curl in succeeded:
            self._end(curl, pycurl.E_OK, "")
        for curl, code, detail in failed:
            self._end(curl, code, detail)

    def _end(self, curl: Any, code: int, detail: str) -> None:
        line = self._active.pop(curl)
        self._multi.remove_handle(curl)
        if not line.finished.done():
            line.finished.set_result((code, detail))

    # The one limit that libcurl does not have.

    def _expect_first_byte(self, line: _Line, time_s: float) -> None:
        line.first_byte_by_s = self._loop.time() + time_s
        timer = self._first_byte_timer
        if timer is None or line.first_byte_by_s < timer.when():
            if timer is not None:
                timer.cancel()
            self._first_byte_timer = self._loop.call_at(line.first_byte_by_s, self._end_the_silent)

    def _end_the_silent(self) -> None:
        """End the transfers that should have begun by now, and wait for the next that may have to be."""
        self._first_byte_timer = None
        silent = [line for line in self._active.values() if not line.receiving.lines]
        now_s = self._loop.time()
        for line in silent:
            if line.first_byte_by_s <= now_s:
                self._end(line.curl, pycurl.E_OPERATION_TIMEDOUT, "the answer did not begin in time")
        waiting = [line.first_byte_by_s for line in silent if line.first_byte_by_s > now_s]
        if waiting:
            self._first_byte_timer = self._loop.call_at(min(waiting), self._end_the_silent)


def bracketed(address: str) -> str:
    """Write an address as URLs do."""
    return f"[{address}]" if ":" in address else address


def _milliseconds(time_s: float) -> int:
    """Round up, since libcurl takes 0 for "no limit"."""
    return max(1, min(int(time_s * 1000), 2**31 - 1))
