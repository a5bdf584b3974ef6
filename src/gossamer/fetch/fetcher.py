"""The interface of fetchers, with the options of a fetch and the addresses of a host."""

from typing import TYPE_CHECKING, Literal, Protocol

import msgspec

from gossamer.config import Fetching
from gossamer.fetch.socket_shortage import Shortage
from gossamer.records import Failed, Outcome, Refused

if TYPE_CHECKING:  # loaded by tasks that limit the bandwidth
    from gossamer.fetch.bandwidth.reception_limits import ReceptionLimits


class FetchOptions(msgspec.Struct, frozen=True):
    """How to request a page."""

    settings: Fetching
    agent: str
    """The value of the User-Agent header."""
    method: Literal["GET", "HEAD"] = "GET"
    etag: str = ""
    last_modified: str = ""
    """The validators of the stored copy; with one of them, the server may answer 304."""
    auth: str = ""
    """user:password for this host; "" sends none."""
    sender: str = ""
    """The e-mail address for the From header; "" sends none."""
    reception: "ReceptionLimits | None" = None
    """How fast bytes may arrive; None if there is no limit."""
    more: tuple[tuple[str, str], ...] = ()
    """Further headers, which a page that a browser shows sends with what it loads."""


class HostAddresses(msgspec.Struct, frozen=True):
    """The addresses of a host that the address guard allows, in the order in which to try them."""

    addresses: tuple[str, ...]


class Fetcher(Protocol):
    """Fetches single pages. Never raises for what servers and networks do."""

    async def locate(self, host: str, settings: Fetching) -> HostAddresses | Refused | Failed | Shortage:
        """Find the allowed addresses of a host, given as a name or an address, with or without port."""
        ...

    async def fetch(self, url: str, where: HostAddresses, options: FetchOptions) -> Outcome | Shortage:
        """Request one page from one of these addresses and from no other."""
        ...

    @property
    def unanswered(self) -> int:
        """The number of fetches in a row without any answer; if it is large, the network or this fetcher is down."""
        ...

    async def renew(self) -> None:
        """Replace the network machinery; running fetches fail in a way that can be retried."""
        ...

    async def close(self) -> None:
        """Close all connections."""
        ...
