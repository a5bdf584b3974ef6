"""Find out which URL a person means: `www.example.org` means `https://www.example.org`."""

import re
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import ip_address
from typing import Protocol

from gossamer.errors import BadUrl
from gossamer.net.url.canonical_url import canonical, page_id

# A name, or an address of version 6 in brackets; then perhaps a port, then the rest.
_WITHOUT_SCHEME = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^\s/?#:@\[\]\\]+)(:\d{1,5})?([/?#].*)?", re.DOTALL)
_HTTP_PORT = ":80"


class KnowsUrls(Protocol):
    """What is needed of a web to find out which URL a typed one means."""

    def urls(self, page_ids: Iterable[int]) -> dict[int, str]:
        """Return the URLs of those of these pages that are known."""
        ...


def complete_url(text: str) -> str:
    """Return a typed URL with a scheme: https for names, http for this machine, for addresses and for port 80.

    Servers on this machine and servers named by an address seldom have a certificate. A word without a dot and without
    a port is returned as it is: it is rather a slip than a host.
    """
    typed = text.strip().removeprefix("//")
    parts = _WITHOUT_SCHEME.fullmatch(typed)
    if parts is None:
        return text
    host, port = parts[1].lower().rstrip("."), parts[2] or ""
    has_no_certificate = _is_this_machine(host) or _is_address(host) or port == _HTTP_PORT
    if not has_no_certificate and not port and "." not in host:
        return text
    return f"{'http' if has_no_certificate else 'https'}://{typed}"


def find_known_url(store: KnowsUrls, text: str) -> str | None:
    """Return the URL in a web that a URL typed without a scheme means; None if it has a scheme, or the web knows none."""
    url = complete_url(text)
    if url == text:
        return None
    scheme, _, rest = url.partition("://")
    for reading in (url, f"{'https' if scheme == 'http' else 'http'}://{rest}"):
        with suppress(BadUrl):
            if store.urls([page_id(canonical(reading))]):
                return reading
    return None


def _is_this_machine(host: str) -> bool:
    return host.rpartition(".")[2] == "localhost"


def _is_address(host: str) -> bool:
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True
