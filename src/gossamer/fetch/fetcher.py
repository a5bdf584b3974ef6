"""What any fetcher can do, and what it is asked."""

from typing import Literal, Protocol

import msgspec

from gossamer.config import Fetching
from gossamer.records import Failed, Outcome, Refused


class Ask(msgspec.Struct, frozen=True):
    """How a page is to be asked for."""

    settings: Fetching
    agent: str
    """The whole User-Agent line."""
    method: Literal["GET", "HEAD"] = "GET"
    etag: str = ""
    last_modified: str = ""
    """What we have already: the server may answer 304."""
    auth: str = ""
    """user:password, if this host is to be given it."""


class Located(msgspec.Struct, frozen=True):
    """Where a host is: addresses that the guard let through, the first one to be tried first."""

    addresses: tuple[str, ...]


class Fetcher(Protocol):
    """Gets one page. Never raises for what servers and networks do."""

    async def locate(self, host: str, settings: Fetching) -> Located | Refused | Failed:
        """Find the addresses of a host (name or address, with or without port), past the guard."""
        ...

    async def fetch(self, url: str, where: Located, ask: Ask) -> Outcome:
        """Ask for one page at one of these addresses, and at no other."""
        ...

    unanswered: int
    """How many fetches in a row were not answered at all: with many, the network is down, or we are."""

    async def renew(self) -> None:
        """Make anew what fetching rests on; fetches under way are told, and can be tried again."""
        ...

    async def close(self) -> None:
        """Let go of all connections."""
        ...
