"""Complete URLs as people type them: `www.example.org` means `https://www.example.org`."""

import re
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Protocol

from gossamer.cli.output.terminal_text import print_error
from gossamer.errors import BadInput, BadUrl

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


def complete_urls(texts: Iterable[str]) -> list[str]:
    """Complete the start pages that a person typed, and say on standard error what each was taken for."""
    completed = []
    for text in texts:
        url = complete_url(text)
        if url != text and Path(text).is_file():
            raise BadInput(
                f"{text} is a file: `--seed-files {text}` reads start pages from it, one on each line"
            )
        completed.append(url)
        _print_meaning(text, url)
    return completed


def find_typed_url(store: KnowsUrls, text: str) -> str:
    """Return the URL that a typed one means in a web: one that the web knows, with https or http, if there is one."""
    url = _find_known_url(store, text) or complete_url(text)
    _print_meaning(text, url)
    return url


def find_url_or_file(store: KnowsUrls, text: str) -> str:
    """Return the URL that a text means if it is no file and the web knows the URL; otherwise the text as it is."""
    url = text if Path(text).exists() else _find_known_url(store, text) or text
    _print_meaning(text, url)
    return url


def _find_known_url(store: KnowsUrls, text: str) -> str | None:
    """Return the URL in a web that a URL typed without a scheme means; None if it has a scheme, or the web knows none."""
    from gossamer.net import url as urls

    url = complete_url(text)
    if url == text:
        return None
    scheme, _, rest = url.partition("://")
    for reading in (url, f"{'https' if scheme == 'http' else 'http'}://{rest}"):
        with suppress(BadUrl):
            if store.urls([urls.page_id(urls.canonical(reading))]):
                return reading
    return None


def _print_meaning(text: str, url: str) -> None:
    if url != text:
        print_error(f"{text} has no scheme and is taken for {url}")


def _is_this_machine(host: str) -> bool:
    return host.rpartition(".")[2] == "localhost"


def _is_address(host: str) -> bool:
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True
