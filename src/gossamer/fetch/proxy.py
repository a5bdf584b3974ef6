"""A proxy as the user names it, and what it means for addresses."""

from functools import lru_cache
from urllib.parse import urlsplit

import msgspec

from gossamer.errors import BadInput

# Whether the proxy looks names up itself (else we do, and hand it an address), and libcurl's default port.
_KINDS = {
    "http": (True, 1080),
    "https": (True, 443),
    "socks4": (False, 1080),
    "socks4a": (True, 1080),
    "socks5": (False, 1080),
    "socks5h": (True, 1080),
}


class Proxy(msgspec.Struct, frozen=True):
    """A proxy for all requests."""

    url: str
    host: str
    port: int
    finds_names: bool
    """The proxy turns names into addresses, where no guard can see them."""
    wants_whole_urls: bool
    """Requests without TLS name the whole URL."""


class Via(msgspec.Struct, frozen=True):
    """A proxy, and where it is."""

    proxy: Proxy
    address: str


@lru_cache(maxsize=64)
def proxy_of(url: str) -> Proxy:
    """Read a proxy's URL; raises BadInput if it cannot be used."""
    try:
        parts = urlsplit(url)
        finds_names, default_port = _KINDS[parts.scheme]
        if parts.hostname and url.isascii() and url.isprintable():
            return Proxy(
                url, parts.hostname, parts.port or default_port, finds_names, parts.scheme[:4] == "http"
            )
    except (ValueError, KeyError):
        pass
    raise BadInput(
        f"{url!r} is no proxy: write it like http://proxy.example:3128 or socks5h://127.0.0.1:1080"
    )
