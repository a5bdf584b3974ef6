"""Parses the URL of a proxy and knows whether the proxy looks up host names itself."""

from functools import lru_cache
from urllib.parse import urlsplit

import msgspec

from gossamer.errors import BadInput

# Whether the proxy looks up host names itself (otherwise we do, and pass it an address), and libcurl's default port.
_KINDS = {
    "http": (True, 1080),
    "https": (True, 443),
    "socks4": (False, 1080),
    "socks4a": (True, 1080),
    "socks5": (False, 1080),
    "socks5h": (True, 1080),
}


class Proxy(msgspec.Struct, frozen=True):
    """A proxy through which all requests of a task go."""

    url: str
    host: str
    port: int
    finds_names: bool
    """Whether the proxy looks up host names itself, so that the addresses cannot be checked here."""
    wants_whole_urls: bool
    """Whether the request line of a request without TLS has the whole URL."""


class ProxyRoute(msgspec.Struct, frozen=True):
    """A proxy and its address."""

    proxy: Proxy
    address: str


@lru_cache(maxsize=64)
def parse_proxy(url: str) -> Proxy:
    """Parse the URL of a proxy; raise BadInput if it cannot be used."""
    try:
        parts = urlsplit(url)
        finds_names, default_port = _KINDS[parts.scheme]
        if parts.hostname and url.isascii() and url.isprintable():
            return Proxy(
                url,
                parts.hostname,
                parts.port or default_port,
                finds_names=finds_names,
                wants_whole_urls=parts.scheme[:4] == "http",
            )
    except (ValueError, KeyError):
        pass
    raise BadInput(
        f"{url!r} is not the URL of a proxy: write it like http://proxy.example:3128 or socks5h://127.0.0.1:1080"
    )
