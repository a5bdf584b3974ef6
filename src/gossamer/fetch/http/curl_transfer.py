"""Runs HTTP transfers by libcurl on the asyncio event loop.

All transfers share one multi handle with its cache of connections. Easy handles are reused, and an option is set only
if it differs from the last request's. libcurl never looks up a name: each transfer is pinned to one address
(CONNECT_TO), and the address of each new connection is checked again when its socket is opened. HTTP/1.1 only, so that
an archive can store the bytes of the connection.
"""

import asyncio
import errno
import fcntl
import os
import socket
import time
from collections.abc import Callable
from typing import Any

import msgspec
import pycurl  # type: ignore[import-untyped]

from gossamer.config import Fetching
from gossamer.fetch.address_guard import check_address
from gossamer.fetch.body_budget import BodyBudget
from gossamer.fetch.fetcher import FetchOptions
from gossamer.fetch.http.kept_connections import KeptConnections
from gossamer.fetch.http.receive_response import ResponseReceiver
from gossamer.fetch.http.request_head import HeaderLines, Target, format_head, make_header_lines
from gossamer.fetch.http.socket_watch import SocketWatch, make_watch
from gossamer.fetch.http.transfer_failure import CLOSED, STALLED, find_transfer_shortage, name_cause
from gossamer.fetch.proxy import ProxyRoute
from gossamer.fetch.socket_shortage import SPENT_BUDGET, TURN_LOST, Shortage, find_shortage
from gossamer.net.secret_headers import redact_request
from gossamer.records import Failed, FailureCause, Outcome, Refused

# CURLOPT_SUPPRESS_CONNECT_HEADERS, which pycurl does not name: the proxy's response to CONNECT is not part of the page.
_SUPPRESS_CONNECT_HEADERS = 265
_FIXED_OPTIONS: dict[int, Any] = {
    pycurl.NOSIGNAL: 1,
    pycurl.FOLLOWLOCATION: 0,
    pycurl.HTTP_VERSION: pycurl.CURL_HTTP_VERSION_1_1,
    pycurl.HTTP_CONTENT_DECODING: 0,
    pycurl.HTTP09_ALLOWED: 0,
    pycurl.PATH_AS_IS: 1,
    pycurl.PROTOCOLS: pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS,
    pycurl.SSL_VERIFYPEER: 1,
    pycurl.SSL_VERIFYHOST: 2,
    pycurl.NOPROXY: "",  # otherwise no_proxy of the environment lets requests bypass the proxy
    pycurl.BUFFERSIZE: 65_536,
    _SUPPRESS_CONNECT_HEADERS: 1,
}
_GO_ON = int(pycurl.PREREQFUNC_OK)
# An epoll, and what libcurl wakes itself with.
_FILES_OF_POOL = 4


class Transfer(msgspec.Struct, frozen=True, gc=False):
    """One transfer to run."""

    target: Target
    address: str
    """The address to connect to; "" if the proxy looks up the host."""
    options: FetchOptions
    via: ProxyRoute | None = None
    time_s: float | None = None
    """The time left, if part of the page's time was used already; None for the time of the settings."""


class _EasyHandle:
    """An easy handle of libcurl, and the response that it receives."""

    def __init__(
        self,
        certificates: str,
        cookies: Any,
        on_new_socket: Callable[[int, str], None],
        budget: BodyBudget,
        may_send: Callable[[], bool],
    ) -> None:
        self.receiver = ResponseReceiver(
            budget, pycurl.WRITEFUNC_PAUSE, self._resume_soon, self._hold_soon, self._resume_held
        )
        self.server = ""
        """The host or the proxy that the next transfer connects to."""
        self.finished: asyncio.Future[tuple[int, str]]
        self.first_byte_by_s = 0.0
        self._refused, self._opened = "", False
        self._sent = self._repeats = self._was_late = False
        self._may_send = may_send
        self._socket_error, self._peer = 0, ""
        self._wants_new = False
        self._keeps = True
        self._on_new_socket = on_new_socket
        self._socket: socket.socket | None = None
        self._settings: Fetching | None = None
        self._allowed: tuple[str, ...] | None = ()
        self._address = ""
        self._lines: HeaderLines | None = None
        self._method = "GET"
        self._deadline: asyncio.TimerHandle | None = None
        self._time_suspended = False
        self._page_time_s = 0.0
        self.curl = pycurl.Curl()
        options = {
            **_FIXED_OPTIONS,
            pycurl.CAINFO: certificates,
            pycurl.HEADERFUNCTION: self.receiver.lines.append,
            pycurl.WRITEFUNCTION: self.receiver.add_piece,
            pycurl.OPENSOCKETFUNCTION: self._open_socket,
            pycurl.SOCKOPTFUNCTION: self._configure_socket,
            pycurl.PREREQFUNCTION: self._allow_request,
            pycurl.DEBUGFUNCTION: self._record_sent,
        }
        if cookies is not None:
            options |= {pycurl.SHARE: cookies, pycurl.COOKIEFILE: ""}
        for option, value in options.items():
            self.curl.setopt(option, value)

    def prepare(self, transfer: Transfer) -> None:
        """Set the options of a transfer, as far as they differ from the last one's."""
        options, target = transfer.options, transfer.target
        if options.settings is not self._settings:
            self._apply_settings(options.settings, transfer.via)
        self._page_time_s = options.settings.page_time_s if transfer.time_s is None else transfer.time_s
        if transfer.time_s is not None:
            self.curl.setopt(pycurl.TIMEOUT_MS, _to_milliseconds(transfer.time_s))
            self._settings = None
        self.curl.setopt(pycurl.URL, target.url)
        # Without this, libcurl would write %7e as %7E, and some servers treat the two differently.
        via = transfer.via
        whole_url = via is not None and via.proxy.wants_whole_urls and target.scheme == "http"
        self.curl.setopt(pycurl.REQUEST_TARGET, target.url if whole_url else target.path)
        address = transfer.address
        if address != self._address:
            # For any host and any port of the request: this address, and the same port.
            self.curl.setopt(pycurl.CONNECT_TO, [f"::{bracket_address(address)}:"] if address else [])
            self._address = address
        lines = make_header_lines(
            options.agent, options.etag, options.last_modified, options.auth, options.sender, options.more
        )
        if lines is not self._lines:
            self.curl.setopt(pycurl.HTTPHEADER, lines.each)
            self._lines = lines
        if options.method != self._method:
            self.curl.setopt(pycurl.NOBODY if options.method == "HEAD" else pycurl.HTTPGET, 1)
            self._method = options.method
        self._refused, self._opened = "", False
        self._sent = self._repeats = self._was_late = False
        self._socket_error = 0
        self.receiver.start(target.url, options, format_head(options.method, target, lines), time.time())

    def _apply_settings(self, settings: Fetching, via: ProxyRoute | None) -> None:
        """Set the options of a task's settings."""
        self._settings = settings
        self._allowed = None if via else settings.allow_private
        self.curl.setopt(pycurl.CONNECTTIMEOUT_MS, _to_milliseconds(settings.connect_time_s))
        self.curl.setopt(pycurl.TIMEOUT_MS, _to_milliseconds(settings.page_time_s))
        # An empty name is set as well: otherwise http_proxy of the environment is used.
        self.curl.setopt(pycurl.PROXY, via.proxy.url if via else "")
        if via is not None:
            entry = f"{via.proxy.host}:{via.proxy.port}:{bracket_address(via.address)}"
            self.curl.setopt(pycurl.RESOLVE, [entry])
        for option in (pycurl.PROXYUSERNAME, pycurl.PROXYPASSWORD):
            self.curl.unsetopt(option)
        if via is not None and (via.proxy.user or via.proxy.password):
            self.curl.setopt(pycurl.PROXYUSERNAME, via.proxy.user or "")
            self.curl.setopt(pycurl.PROXYPASSWORD, via.proxy.password or "")
        # A proxy changes the head of the request, and only libcurl knows which cookies it sends.
        self.curl.setopt(pycurl.VERBOSE, int(settings.cookies or via is not None))

    @property
    def was_cut_off(self) -> bool:
        """Whether the server closed a kept connection instead of answering."""
        return self._repeats

    def choose_connection(self, new: bool, keep: bool) -> None:
        """Say whether the next transfer needs a new connection, and whether that may serve later ones."""
        if new != self._wants_new:
            self.curl.setopt(pycurl.FRESH_CONNECT, int(new))
            self._wants_new = new
        if keep != self._keeps:
            self.curl.setopt(pycurl.FORBID_REUSE, int(not keep))
            self._keeps = keep

    def make_outcome(self, code: int, detail: str) -> tuple[Outcome | Shortage, bool]:
        """Return the outcome of the transfer, and whether the server was reached at all."""
        if self._refused:
            return Refused("private address", self._refused), True
        if self._was_late:
            return TURN_LOST, True
        if self._repeats:
            return Failed("reset", "the server closed the kept connection instead of answering"), True
        if code == pycurl.E_URL_MALFORMAT:
            return Refused("bad url", detail), True
        getinfo = self.curl.getinfo
        cause: FailureCause | None = None
        reached = True
        if code != pycurl.E_OK and not self.receiver.stop:
            if lack := self._find_shortage(code):
                return lack, True
            cause = name_cause(code)
            reached = not self._opened or getinfo(pycurl.CONNECT_TIME) > 0
            if cause == "connect" and (number := getinfo(pycurl.OS_ERRNO)):
                detail = f"{os.strerror(number)}: {detail}"  # libcurl does not say why
            if getinfo(pycurl.HTTP_CONNECTCODE) >= 300:
                cause, detail = "connect", f"the proxy answered {getinfo(pycurl.HTTP_CONNECTCODE)}"
        first_byte_s, took_s = getinfo(pycurl.STARTTRANSFER_TIME), getinfo(pycurl.TOTAL_TIME)
        address = getinfo(pycurl.PRIMARY_IP)
        return self.receiver.make_outcome(cause, detail, address, first_byte_s, took_s), reached

    # The bandwidth limits pause a response: that time does not count for the time of a page.

    def _hold_soon(self) -> None:
        """Have libcurl's time limit, which goes on during a pause, replaced by ours; not from within its callbacks."""
        if self._deadline is not None:
            self._deadline.cancel()
        self.finished.get_loop().call_soon(self._suspend_time_limit, self.finished)

    def _suspend_time_limit(self, finished: "asyncio.Future[tuple[int, str]]") -> None:
        if not finished.done():
            self.curl.setopt(pycurl.TIMEOUT_MS, 0)
            self._time_suspended = True

    def _resume_held(self) -> None:
        finished = self.finished
        if finished.done():
            return
        used_s = time.time() - self.receiver.began_s - self.receiver.held_s
        left_s = max(1.0, self._page_time_s - used_s)
        self._deadline = finished.get_loop().call_later(left_s, self._end_overdue, finished)
        self._resume(finished)

    def _end_overdue(self, finished: "asyncio.Future[tuple[int, str]]") -> None:
        if not finished.done():
            finished.set_result((pycurl.E_OPERATION_TIMEDOUT, "the response did not end in time"))

    def forget_hold(self) -> None:
        """Set back what a pause has changed, when the transfer has ended."""
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        if self._time_suspended:
            self._time_suspended, self._settings = False, None  # the next transfer sets it again

    def _resume_soon(self) -> None:
        """Let libcurl send the piece again that there was no room for; not from within its callbacks."""
        self.finished.get_loop().call_soon(self._resume, self.finished)

    def _resume(self, finished: "asyncio.Future[tuple[int, str]]") -> None:
        if finished.done():
            return
        try:
            self.curl.pause(pycurl.PAUSE_CONT)
        except pycurl.error as error:  # the receiver did not want the piece: it was too much, for example
            finished.set_result((error.args[0], error.args[1]))

    def _open_socket(self, _purpose: int, address: Any) -> Any:
        """Open a socket to an address, if it is allowed; the user's own proxy is always allowed."""
        if self._sent:  # for a repetition, see `_allow_request`
            self._repeats = True
            return pycurl.SOCKET_BAD
        found = address.addr[0]
        found = found if isinstance(found, str) else found.decode("latin-1")
        why = None if self._allowed is None else check_address(found, self._allowed)
        if why is not None:
            self._refused = f"{found} is {why}"
            return pycurl.SOCKET_BAD
        self._opened, self._peer = True, found
        try:
            self._socket = socket.socket(address.family, address.socktype, address.protocol)
            if (
                self.receiver.is_limited
            ):  # what the system receives ahead of us counts as well, for the network
                self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self.receiver.limit_buffer())
        except OSError as error:
            self._socket_error = error.errno or 0
            return pycurl.SOCKET_BAD
        return self._socket

    def _find_shortage(self, code: int) -> Shortage | None:
        """Return what this machine lacked for the transfer that ended with this code; None if it lacked nothing."""
        if self._socket is not None:  # pycurl could not duplicate it
            self._socket.close()
            self._socket, self._socket_error = None, errno.EMFILE
        if self._sent:
            waited = code in STALLED and self.receiver.waited_for_room(self.curl.getinfo(pycurl.TOTAL_TIME))
            return SPENT_BUDGET if waited else None
        return find_transfer_shortage(
            code, self._socket_error, self.curl.getinfo(pycurl.OS_ERRNO), self._peer
        )

    def _configure_socket(self, descriptor: int, _purpose: int) -> int:
        """Close our descriptor, which libcurl has duplicated, and keep the duplicate from child processes."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        fcntl.fcntl(descriptor, fcntl.F_SETFD, fcntl.FD_CLOEXEC)
        self._on_new_socket(descriptor, self.server)
        return int(pycurl.SOCKOPT_OK)

    def _allow_request(self, *_: Any) -> int:
        """Let the first request of a transfer out while the turn at its host lasts, and no second one.

        When a kept connection is closed before any byte of the answer, libcurl sends the request once more by itself: at
        once, whatever the pause of the host, and unrecorded. It has no option against that (`Curl_retry_request`).
        """
        if self._sent:
            self._repeats = True
            return int(pycurl.PREREQFUNC_ABORT)
        if not self._may_send():
            self._was_late = True
            return int(pycurl.PREREQFUNC_ABORT)
        self._sent = True
        return _GO_ON

    def _record_sent(self, kind: int, data: bytes) -> None:
        if kind == pycurl.INFOTYPE_HEADER_OUT:
            self.receiver.request_head = redact_request(data)


class TransferPool:
    """Runs transfers and keeps their connections for later ones. Belongs to one event loop."""

    def __init__(
        self,
        certificates: str,
        idle_connections: int,
        most_connections: int = 0,
        budget: BodyBudget | None = None,
        may_send: Callable[[], bool] = lambda: True,
    ) -> None:
        self._budget = budget or BodyBudget()
        self._may_send = may_send
        self._certificates = certificates
        self._loop = asyncio.get_running_loop()
        self._multi = pycurl.CurlMulti()
        self._kept = KeptConnections()
        self._watch: SocketWatch = make_watch(self._loop, self._on_ready, self._kept.record_ended)
        self._cookies: Any = None
        self._free: dict[bool, list[_EasyHandle]] = {False: [], True: []}
        self._active: dict[Any, _EasyHandle] = {}
        self._soon: asyncio.Handle | None = None
        self._adds = False
        """Whether a transfer is being added: libcurl wants to be woken then, and is."""
        self._timer: asyncio.TimerHandle | None = None
        self._first_byte_timer: asyncio.TimerHandle | None = None
        self._closed = False
        self._multi.setopt(pycurl.M_SOCKETFUNCTION, self._on_socket)
        self._multi.setopt(pycurl.M_TIMERFUNCTION, self._on_timer)
        self._multi.setopt(pycurl.M_MAXCONNECTS, idle_connections)
        # Idle ones included: before one more is opened, the oldest idle one is closed. 0: no limit.
        self._multi.setopt(pycurl.M_MAX_TOTAL_CONNECTIONS, most_connections)

    async def run(self, transfer: Transfer) -> tuple[Outcome | Shortage, bool]:
        """Run one transfer; return its outcome, and whether the server was reached at all."""
        settings = transfer.options.settings
        server = transfer.via.proxy.url if transfer.via is not None else transfer.target.authority
        free = self._free[settings.cookies]
        handle = free.pop() if free else self._make_handle(settings.cookies)
        curl = handle.curl
        try:
            handle.prepare(transfer)
            handle.server = server
            if self._kept.has_any:
                handle.choose_connection(self._kept.take_ended(server), self._kept.may_keep(server))
            handle.finished = self._loop.create_future()
            self._add(curl)
            self._active[curl] = handle
            self._expect_first_byte(handle, settings.first_byte_time_s)
            self._on_soon()  # send the request now, not in the next round of the event loop
            code, detail = await handle.finished
            if code != pycurl.E_OK and handle.was_cut_off:
                self._kept.record_cut_off(server)
            return handle.make_outcome(code, detail)
        finally:
            if curl in self._active:
                del self._active[curl]
                self._multi.remove_handle(curl)
            handle.receiver.clear()
            handle.forget_hold()
            if self._closed:
                curl.close()
            else:
                free.append(handle)

    def _add(self, curl: Any) -> None:
        self._adds = True
        try:
            self._multi.add_handle(curl)
        finally:
            self._adds = False

    @property
    def is_idle(self) -> bool:
        """Whether no transfer is under way."""
        return not self._active

    def close(self, code: int = CLOSED) -> None:
        """End all transfers with this code, and close all connections."""
        if self._closed:
            return
        self._closed = True
        for timer in (self._soon, self._timer, self._first_byte_timer):
            if timer is not None:
                timer.cancel()
        for curl in list(self._active):
            self._end(curl, code, "the fetcher was closed" if code == CLOSED else "the fetcher was renewed")
        self._multi.close()
        self._watch.close()
        for handle in (*self._free[False], *self._free[True]):
            handle.curl.close()

    def _make_handle(self, cookies: bool) -> _EasyHandle:
        if cookies and self._cookies is None:
            self._cookies = pycurl.CurlShare()
            self._cookies.setopt(pycurl.SH_SHARE, pycurl.LOCK_DATA_COOKIE)
        shared = self._cookies if cookies else None
        return _EasyHandle(self._certificates, shared, self._on_new_socket, self._budget, self._may_send)

    def _on_new_socket(self, descriptor: int, server: str) -> None:
        self._kept.record_opened(descriptor, server)
        self._watch.add_new(descriptor)

    # Callbacks from libcurl: what it needs from the event loop.

    def _on_socket(self, interest: int, descriptor: int, _multi: Any, _data: Any) -> None:
        if interest == pycurl.POLL_REMOVE:
            self._watch.unwatch(descriptor)
        else:
            self._watch.watch_for(descriptor, interest)

    def _on_timer(self, wait_ms: int) -> None:
        """Wake libcurl in time. Waking it too early does no harm, so a timer is only replaced by an earlier one."""
        if wait_ms == 0:
            if self._soon is None and not self._adds:
                self._soon = self._loop.call_soon(self._on_soon)
        elif wait_ms > 0:
            when_s = self._loop.time() + wait_ms / 1000
            if self._timer is not None:
                if self._timer.when() <= when_s:
                    return
                self._timer.cancel()
            self._timer = self._loop.call_at(when_s, self._on_time)

    # Callbacks from the event loop, passed on to libcurl.

    def _on_soon(self) -> None:
        if self._soon is not None:
            self._soon.cancel()
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
        handle = self._active.pop(curl)
        self._multi.remove_handle(curl)
        if not handle.finished.done():
            handle.finished.set_result((code, detail))

    # The time to the first byte: the one limit that libcurl does not have.

    def _expect_first_byte(self, handle: _EasyHandle, time_s: float) -> None:
        handle.first_byte_by_s = self._loop.time() + time_s
        timer = self._first_byte_timer
        if timer is None or handle.first_byte_by_s < timer.when():
            if timer is not None:
                timer.cancel()
            self._first_byte_timer = self._loop.call_at(handle.first_byte_by_s, self._end_silent_transfers)

    def _end_silent_transfers(self) -> None:
        """End the transfers whose first byte is overdue, and set the timer for the next one."""
        self._first_byte_timer = None
        silent = [handle for handle in self._active.values() if not handle.receiver.lines]
        now_s = self._loop.time()
        for handle in silent:
            if handle.first_byte_by_s <= now_s:
                self._end(handle.curl, pycurl.E_OPERATION_TIMEDOUT, "the response did not begin in time")
        waiting = [handle.first_byte_by_s for handle in silent if handle.first_byte_by_s > now_s]
        if waiting:
            self._first_byte_timer = self._loop.call_at(min(waiting), self._end_silent_transfers)


def open_pool(
    certificates: str,
    idle_connections: int,
    most_connections: int,
    budget: BodyBudget,
    may_send: Callable[[], bool],
) -> TransferPool | Shortage:
    """Open a pool of transfers; return what this machine lacks if it cannot be opened."""
    try:
        return TransferPool(certificates, idle_connections, most_connections, budget, may_send)
    except (OSError, pycurl.error):
        if lack := find_shortage(_FILES_OF_POOL):
            return lack
        raise


def bracket_address(address: str) -> str:
    """Write an address as in a URL: IPv6 in brackets."""
    return f"[{address}]" if ":" in address else address


def _to_milliseconds(time_s: float) -> int:
    """Convert to at least 1 ms, since 0 means "no limit" to libcurl."""
    return max(1, min(int(time_s * 1000), 2**31 - 1))
