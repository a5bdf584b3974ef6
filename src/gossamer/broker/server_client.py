"""Ask other servers for JSON: with limits of time and size, through the address guard, without following redirects."""

import asyncio
import math
import threading
import time
from collections.abc import Callable
from typing import Any

import gossamer
from gossamer.broker.web_source import Unavailable
from gossamer.config import Fetching
from gossamer.errors import BadInput
from gossamer.fetch.fetcher import Fetcher, FetchOptions, HostAddresses
from gossamer.fetch.http.http_client import CurlFetcher
from gossamer.net import url as urls
from gossamer.records import Failed, Fetched, Redirected, Refused

WAIT_S = 5.0
"""How long an answer of another server is waited for."""
REST_S = 30.0
"""How long a server that was too slow is not asked again."""
_MOST_BYTES = 8_000_000
# A person named these servers: they may be in a private network. The metadata services of clouds stay closed.
_NAMED = ("0.0.0.0/0", "::/0")
_OK, _ERROR, _NOT_FOUND = 200, 400, 404
_LOCKED = (401, 403)


class ServerClient:
    """Asks servers, from any thread. Fetches in a thread of its own, which starts with the first question."""

    def __init__(
        self,
        wait_s: float = WAIT_S,
        fetcher: Callable[[], Fetcher] = CurlFetcher,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if not 0 < wait_s < math.inf:
            raise BadInput(f"webs at other servers cannot be waited for during {wait_s} seconds")
        self.wait_s = wait_s
        self._make_fetcher = fetcher
        self._clock = clock
        self._settings = Fetching(
            page_bytes=_MOST_BYTES,
            page_time_s=wait_s,
            connect_time_s=wait_s,
            first_byte_time_s=wait_s,
            allow_private=_NAMED,
        )
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._fetcher: Fetcher | None = None
        self._resting: dict[str, float] = {}
        """By host: until when it is not asked again."""

    def get_json(self, url: str, auth: str = "") -> bytes | Unavailable:
        """Return the body of an answer with status 200, or why there is none."""
        host = urls.host(url)
        left_s = self._resting.get(host, 0.0) - self._clock()
        if left_s > 0:
            return Unavailable(f"it was too slow; it will be asked again in {math.ceil(left_s)} seconds")
        began_s = self._clock()
        asked = asyncio.run_coroutine_threadsafe(self._fetch(url, host, auth), self._start())
        found = asked.result()
        # A server that is down says so at once. One that is slow would make every query slow.
        if isinstance(found, Unavailable) and self._clock() - began_s >= self.wait_s * 0.9:
            self._resting[host] = self._clock() + REST_S
        return found

    def close(self) -> None:
        """End the thread and close all connections."""
        with self._lock:
            if self._loop is None:
                return
            loop, self._loop = self._loop, None
        if self._fetcher is not None:
            asyncio.run_coroutine_threadsafe(self._fetcher.close(), loop).result()
        loop.call_soon_threadsafe(loop.stop)

    def _start(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=_run_loop, args=(self._loop,), daemon=True).start()
            return self._loop

    async def _fetch(self, url: str, host: str, auth: str) -> bytes | Unavailable:
        if self._fetcher is None:
            self._fetcher = self._make_fetcher()
        try:
            async with asyncio.timeout(self.wait_s):
                where = await self._fetcher.locate(host, self._settings)
                if not isinstance(where, HostAddresses):
                    return _explain(where)
                options = FetchOptions(self._settings, f"Gossamer/{gossamer.__version__}", auth=auth)
                return _read_outcome(await self._fetcher.fetch(url, where, options))
        except TimeoutError:
            return Unavailable(f"it did not answer within {self.wait_s:g} seconds")


def _run_loop(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_forever()
    loop.close()


def _read_outcome(outcome: Any) -> bytes | Unavailable:
    match outcome:
        case Fetched(exchange) if exchange.cut:
            return Unavailable("its answer is too large, or was cut off")
        case Fetched(exchange) if exchange.status == _OK:
            return exchange.body
        case Fetched(exchange):
            return _explain_status(exchange.status)
        case Redirected():
            return Unavailable("it sends queries on to another address; give that address instead")
    return _explain(outcome)


def _explain(outcome: Any) -> Unavailable:
    match outcome:
        case Failed(exchange=exchange) if exchange is not None and exchange.status >= _ERROR:
            return _explain_status(exchange.status)
        case Failed(cause="timeout"):
            return Unavailable("it did not answer in time")
        case Failed(cause) | Refused(cause):
            return Unavailable(f"it cannot be reached ({cause})")
    return Unavailable("this machine has no sockets left to ask it")


def _explain_status(status: int) -> Unavailable:
    if status in _LOCKED:
        return Unavailable("it wants a token: write its address as https://:TOKEN@HOST/")
    return Unavailable(f"its server answered with status {status}", is_missing=status == _NOT_FOUND)
