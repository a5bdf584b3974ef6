"""Parses the URL of a proxy and knows whether the proxy looks up host names itself."""

from functools import lru_cache
from urllib.parse import SplitResult, unquote, urlsplit

import msgspec

from gossamer.errors import BadInput
from gossamer.net import url as urls

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
    """Its scheme, host and port: without the user and the password, which libcurl would quote in its messages."""
    host: str
    port: int
    finds_names: bool
    """Whether the proxy looks up host names itself, so that the addresses cannot be checked here."""
    wants_whole_urls: bool
    """Whether the request line of a request without TLS has the whole URL."""
    user: str | None = None
    """None if the URL has no user information; "" if the name is a secret that is kept elsewhere."""
    password: str | None = None
    """None if it is not in the URL; SOCKS 4 has none."""

    @property
    def knows_passwords(self) -> bool:
        """Whether its protocol has passwords: SOCKS 4 has users only."""
        return not self.url.startswith("socks4")

    def __repr__(self) -> str:
        return f"Proxy({self.url!r})"


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
            port = parts.port or default_port
            host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
            return Proxy(
                f"{parts.scheme}://{host}:{port}",
                parts.hostname,
                port,
                finds_names=finds_names,
                wants_whole_urls=parts.scheme[:4] == "http",
                user=unquote(parts.username) if parts.username is not None else None,
                password=_read_password(parts),
            )
    except (ValueError, KeyError):
        pass
    raise BadInput(
        f"{urls.hide_user_info(url)!r} is not the URL of a proxy: write it like http://proxy.example:3128 or socks5h://127.0.0.1:1080"
    )


def _read_password(parts: SplitResult) -> str | None:
    if parts.scheme.startswith("socks4"):
        return ""
    return unquote(parts.password) if parts.password is not None else None
