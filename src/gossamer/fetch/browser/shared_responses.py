"""What the pages of a crawl load in common: kept as their servers allow, and fetched once at a time.

Kept is only what anyone gets who asks in the same way: nothing that was asked for with a password or a cookie, and nothing for
pages that are fetched by other settings. Source: RFC 9111, sections 3, 4.1 and 4.2.
"""

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Hashable, Mapping
from contextlib import asynccontextmanager

import msgspec

from gossamer.fetch.browser.rendered_page import LoadedResponse
from gossamer.records import Exchange

Name = tuple[Hashable, str]
"""How it is asked for, and the URL."""

MOST_AT_A_HOST = 6
"""As many requests as a browser has under way at a host."""
_MOST_BYTES = 64 << 20
_MOST_VARIANTS = 4
_OK = 200
_AGE = re.compile(r"max-age=\"?(\d{1,9})")
# Without a word of the server about its age, what belongs to a page is taken to last for this long.
_USUAL_AGE_S = 300.0
_LONGEST_AGE_S = 3_600.0
_ALLOWED_ORIGIN = "access-control-allow-origin"


class _Kept(msgspec.Struct, frozen=True):
    loaded: LoadedResponse
    until_s: float
    asked_with: dict[str, str]
    """The headers of the request that the response depends on."""

    def answers(self, asked: Mapping[str, str]) -> bool:
        """Say whether it answers a request with these headers."""
        return all(asked.get(name, "") == value for name, value in self.asked_with.items())


class _Turns:
    """Limits how many tasks use a named resource at once; drops the name after its last user."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._known: dict[Hashable, tuple[asyncio.Semaphore, list[None]]] = {}

    @asynccontextmanager
    async def wait_for(self, name: Hashable) -> AsyncIterator[None]:
        """Wait for a turn, and have it while the block runs."""
        free, users = self._known.setdefault(name, (asyncio.Semaphore(self._at_once), []))
        users.append(None)
        try:
            async with free:
                yield
        finally:
            users.pop()
            if not users:
                del self._known[name]

    def __len__(self) -> int:
        return len(self._known)


class SharedResponses:
    """Keeps what several pages load, up to a number of bytes; and bounds what all of them ask of a host at once."""

    def __init__(
        self,
        most_bytes: int = _MOST_BYTES,
        clock: Callable[[], float] = time.monotonic,
        most_at_a_host: int = MOST_AT_A_HOST,
    ) -> None:
        self._most_bytes = most_bytes
        self._clock = clock
        self._kept: OrderedDict[Name, list[_Kept]] = OrderedDict()
        self._bytes = 0
        self.urls = _Turns(1)
        """Each is fetched once at a time; those that want it meanwhile wait."""
        self.hosts = _Turns(most_at_a_host)
        """Each is asked by some pages at a time."""

    def find(self, name: Name, asked: Mapping[str, str]) -> LoadedResponse | None:
        """Return a response that is still good for a request with these headers."""
        variants = self._kept.get(name)
        if variants is None:
            return None
        for kept in [one for one in variants if one.until_s <= self._clock()]:
            self._drop(name, kept)
        found = next((one for one in variants if one.answers(asked)), None)
        if found is None:
            return None
        self._kept.move_to_end(name)
        return found.loaded

    def keep(self, name: Name, asked: Mapping[str, str], loaded: LoadedResponse) -> None:
        """Keep the response to a request with these headers, if its server lets others have it."""
        exchange = loaded.exchange
        age_s = find_age_s(exchange)
        if not age_s or exchange.cut or exchange.status != _OK:
            return
        for old in [one for one in self._kept.get(name, ()) if one.answers(asked)]:
            self._drop(name, old)
        asked_with = {header: asked.get(header, "") for header in find_varying(exchange)}
        variants = self._kept.setdefault(name, [])
        variants.append(_Kept(loaded, self._clock() + age_s, asked_with))
        self._kept.move_to_end(name)
        self._bytes += _count_bytes(exchange)
        if len(variants) > _MOST_VARIANTS:
            self._drop(name, variants[0])
        while self._bytes > self._most_bytes:
            oldest = next(iter(self._kept))
            self._drop(oldest, self._kept[oldest][0])

    def _drop(self, name: Name, kept: _Kept) -> None:
        variants = self._kept[name]
        variants[:] = [one for one in variants if one is not kept]
        self._bytes -= _count_bytes(kept.loaded.exchange)
        if not variants:
            del self._kept[name]


def _count_bytes(exchange: Exchange) -> int:
    return len(exchange.body) + (len(exchange.payload) if exchange.payload is not exchange.body else 0)


def find_age_s(exchange: Exchange) -> float:
    """Return for how long a response may be kept for other pages; 0 if not at all."""
    control = _join(exchange, "cache-control").lower()
    if "no-store" in control or "private" in control or "no-cache" in control or _has(exchange, "set-cookie"):
        return 0.0
    if {"*", "cookie", "authorization"} & find_varying(exchange):
        return 0.0
    found = _AGE.search(control)
    return min(float(found[1]), _LONGEST_AGE_S) if found else _USUAL_AGE_S


def find_varying(exchange: Exchange) -> set[str]:
    """Return the names of the request headers that a response depends on."""
    names = {name.strip().lower() for name in _join(exchange, "vary").split(",")} - {""}
    # A server that names one origin would name another to another, and many forget to say so.
    if _join(exchange, _ALLOWED_ORIGIN).strip() not in ("", "*"):
        names.add("origin")
    return names


def _join(exchange: Exchange, header: str) -> str:
    return ", ".join(value for name, value in exchange.headers if name == header)


def _has(exchange: Exchange, header: str) -> bool:
    return any(name == header for name, _ in exchange.headers)
