"""A fetcher without a network: it takes pages from a table or a function, for tests and comparisons of orders."""

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from http import HTTPStatus

import msgspec
from xxhash import xxh3_64_intdigest

from gossamer.config import Fetching
from gossamer.fetch.address_guard import check_address
from gossamer.fetch.dns.dns_cache import is_ip_address, to_host_name
from gossamer.fetch.fetcher import FetchOptions, HostAddresses
from gossamer.fetch.http.request_head import Target, format_head, make_header_lines, parse_target
from gossamer.fetch.http.response_head import classify_response, read_head
from gossamer.fetch.socket_shortage import Shortage
from gossamer.records import Exchange, Failed, Outcome, Refused

Made = Outcome | Shortage
Pages = Mapping[str, Made] | Callable[[str, FetchOptions], Made | Awaitable[Made | None] | None]
"""The outcome for each URL; a missing one, or None, means status 404."""

_PHRASES = {status.value: status.phrase for status in HTTPStatus}


class FakeRequest(msgspec.Struct, frozen=True, gc=False):
    """One request that a FakeFetcher received."""

    url: str
    when_s: float
    method: str
    address: str


def make_response(
    url: str,
    body: bytes | str = b"",
    status: int = 200,
    headers: Iterable[tuple[str, str]] = (("Content-Type", "text/html; charset=utf-8"),),
    options: FetchOptions | None = None,
    address: str = "",
    now_s: float = 0.0,
    took_s: float = 0.0,
) -> Outcome:
    """Make the outcome that this response of a server would have had."""
    options = options or FetchOptions(Fetching(), "Gossamer")
    payload = body.encode() if isinstance(body, str) else body
    payload = b"" if options.method == "HEAD" else payload
    sent = [("Content-Length", str(len(payload))), *headers]
    received = [
        f"HTTP/1.1 {status} {_PHRASES.get(status, 'Unknown')}\r\n",
        *(f"{name}: {value}\r\n" for name, value in sent),
        "\r\n",
    ]
    head = read_head([line.encode("latin-1", "replace") for line in received])
    if head is None:
        return Failed("protocol", "the response has no head")
    target = parse_target(url) or Target("http", "", "/")
    lines = make_header_lines(
        options.agent, options.etag, options.last_modified, options.auth, options.sender, options.more
    )
    exchange = Exchange(
        url=url,
        status=status,
        request_head=format_head(options.method, target, lines),
        response_head=head.raw,
        payload=payload,
        body=payload,
        headers=head.headers,
        address=address,
        began_s=now_s,
        first_byte_s=took_s,
        took_s=took_s,
    )
    return classify_response(exchange, head, bool(options.etag or options.last_modified))


class FakeFetcher:
    """Answers from a table or a function, at once or after a simulated delay, and records its requests."""

    def __init__(
        self,
        pages: Pages,
        addresses: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.time,
        took_s: float = 0.0,
        sleep: Callable[[float], Awaitable[None]] | None = None,
    ) -> None:
        self.requests: list[FakeRequest] = []
        self.lookups: list[str] = []
        self.under_way = 0
        self.unanswered = 0
        self._pages = pages
        self._addresses = addresses or {}
        self._clock = clock
        self._took_s = took_s
        self._sleep = sleep or (lambda _: asyncio.sleep(0))

    async def locate(self, host: str, settings: Fetching) -> HostAddresses | Refused | Failed:
        """Find a host in the table of addresses, else make a public address from its name; check it as always."""
        name = to_host_name(host)
        self.lookups.append(name)
        await asyncio.sleep(0)
        address = name if is_ip_address(name) else self._addresses.get(name, _make_address(name))
        if not address:
            return Failed("dns", "no such name")
        why = check_address(address, settings.allow_private)
        return Refused("private address", f"{address} is {why}") if why else HostAddresses((address,))

    async def fetch(self, url: str, where: HostAddresses, options: FetchOptions) -> Outcome | Shortage:
        """Answer from the table or the function; a URL that they do not know has status 404."""
        address = where.addresses[0] if where.addresses else ""
        now_s = self._clock()
        self.requests.append(FakeRequest(url, now_s, options.method, address))
        self.under_way += 1
        try:
            await self._sleep(self._took_s)
            if isinstance(self._pages, Mapping):
                found = self._pages.get(url)
            else:
                made = self._pages(url, options)
                found = await made if inspect.isawaitable(made) else made
        finally:
            self.under_way -= 1
        if found is not None:
            return found
        return make_response(url, b"not found", 404, (), options, address, now_s, self._took_s)

    async def renew(self) -> None:
        """Do nothing: there is no network machinery to replace."""

    async def close(self) -> None:
        """Do nothing: there are no connections to close."""


def _make_address(name: str) -> str:
    number = xxh3_64_intdigest(name.encode("utf-8", "surrogatepass"))
    return f"93.{number & 255}.{number >> 8 & 255}.{number >> 16 & 255}"
