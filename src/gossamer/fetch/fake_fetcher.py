"""A fetcher without a network: pages from a table or a function, for tests and for comparing crawl orders."""

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from http import HTTPStatus

import msgspec
from xxhash import xxh3_64_intdigest

from gossamer.config import Fetching
from gossamer.fetch.address_guard import refusal
from gossamer.fetch.dns_cache import is_address, name_of
from gossamer.fetch.fetcher import Ask, Located
from gossamer.fetch.request_head import Target, head, lines, target_of
from gossamer.fetch.response_head import judge, read_head
from gossamer.records import Exchange, Failed, Outcome, Refused

Pages = Mapping[str, Outcome] | Callable[[str, Ask], Outcome | Awaitable[Outcome | None] | None]
"""What to answer to a URL; nothing means 404."""

_PHRASES = {status.value: status.phrase for status in HTTPStatus}


class Asked(msgspec.Struct, frozen=True, gc=False):
    """One request, as the pretended world saw it."""

    url: str
    when_s: float
    method: str
    address: str


def answer(
    url: str,
    body: bytes | str = b"",
    status: int = 200,
    headers: Iterable[tuple[str, str]] = (("Content-Type", "text/html; charset=utf-8"),),
    ask: Ask | None = None,
    address: str = "",
    now_s: float = 0.0,
    took_s: float = 0.0,
) -> Outcome:
    """Make the outcome of an answer as a server would have sent it; it is judged like a real one."""
    ask = ask or Ask(Fetching(), "Gossamer")
    payload = body.encode() if isinstance(body, str) else body
    payload = b"" if ask.method == "HEAD" else payload
    sent = [("Content-Length", str(len(payload))), *headers]
    received = [
        f"HTTP/1.1 {status} {_PHRASES.get(status, 'Unknown')}\r\n",
        *(f"{name}: {value}\r\n" for name, value in sent),
        "\r\n",
    ]
    read = read_head([line.encode("latin-1", "replace") for line in received])
    if read is None:
        return Failed("protocol", "the answer has no head")
    target = target_of(url) or Target("http", "", "/")
    asked = head(ask.method, target, lines(ask.agent, ask.etag, ask.last_modified, ask.auth))
    exchange = Exchange(
        url, status, asked, read.raw, payload, payload, read.headers, address, now_s, took_s, took_s
    )
    return judge(exchange, read, bool(ask.etag or ask.last_modified))


class FakeFetcher:
    """Answers from a table or a function, at once or after a pretended while, and notes what it was asked."""

    def __init__(
        self,
        pages: Pages,
        addresses: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.time,
        took_s: float = 0.0,
        sleep: Callable[[float], Awaitable[None]] | None = None,
    ) -> None:
        self.asked: list[Asked] = []
        self.located: list[str] = []
        self.under_way = 0
        self.unanswered = 0
        self._pages = pages
        self._addresses = addresses or {}
        self._clock = clock
        self._took_s = took_s
        self._sleep = sleep or (lambda _: asyncio.sleep(0))

    async def locate(self, host: str, settings: Fetching) -> Located | Refused | Failed:
        """Find a host in the table of addresses, else at a public address made from its name; past the guard."""
        name = name_of(host)
        self.located.append(name)
        await asyncio.sleep(0)
        address = name if is_address(name) else self._addresses.get(name, _made_up(name))
        if not address:
            return Failed("dns", "no such name")
        why = refusal(address, settings.allow_private)
        return Refused("private address", f"{address} is {why}") if why else Located((address,))

    async def fetch(self, url: str, where: Located, ask: Ask) -> Outcome:
        """Answer as the table or the function says; what they do not know is 404."""
        address = where.addresses[0] if where.addresses else ""
        now_s = self._clock()
        self.asked.append(Asked(url, now_s, ask.method, address))
        self.under_way += 1
        try:
            await self._sleep(self._took_s)
            if isinstance(self._pages, Mapping):
                found = self._pages.get(url)
            else:
                made = self._pages(url, ask)
                found = await made if inspect.isawaitable(made) else made
        finally:
            self.under_way -= 1
        if found is not None:
            return found
        return answer(url, b"not found", 404, (), ask, address, now_s, self._took_s)

    async def renew(self) -> None:
        """There is nothing to make anew."""

    async def close(self) -> None:
        """There is nothing to let go of."""


def _made_up(name: str) -> str:
    number = xxh3_64_intdigest(name.encode("utf-8", "surrogatepass"))
    return f"93.{number & 255}.{number >> 8 & 255}.{number >> 16 & 255}"
