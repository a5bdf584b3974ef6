"""Find what a page needs to be shown: its images, styles, scripts, fonts and frames, as absolute URLs. Pure."""

from collections.abc import Iterable

from gossamer.net import encoding
from gossamer.net.css_references import find_css_references
from gossamer.net.html.document import Document
from gossamer.net.html.references.scan_links import scan_links
from gossamer.net.url.resolve_links import LinkResolver
from gossamer.records import Exchange

_SHOWN = "image srcset icon input background poster use video audio source track object embed frame iframe"
_APPLIED = "stylesheet script css-url css-import"
REQUISITE_KINDS = frozenset(f"{_SHOWN} {_APPLIED}".split())
"""The kinds of references that a browser loads to show a page."""


def find_page_requisites(document: Document, most: int) -> tuple[str, ...]:
    """Return the URLs of the requisites of an HTML page, each once, in page order and up to a number."""
    return resolve_requisites(scan_links(document.source, 0, REQUISITE_KINDS)[1], document, most)


def resolve_requisites(addresses: Iterable[str], document: Document, most: int) -> tuple[str, ...]:
    """Return the URLs of addresses on a page, as written there, each once, in order and up to a number."""
    return _resolve(addresses, document.base, document.url, most)


def find_style_requisites(exchange: Exchange, most: int) -> tuple[str, ...]:
    """Return the URLs of the requisites of a style sheet, each once, in order and up to a number."""
    source, _ = encoding.as_utf8(exchange.body, dict(exchange.headers).get("content-type"))
    wanted = (one.url for one in find_css_references(source))
    return _resolve(wanted, exchange.url, exchange.url, most)


def _resolve(references: Iterable[str], base: str, own: str, most: int) -> tuple[str, ...]:
    """Resolve references to canonical URLs, without those that cannot be fetched and those to the page itself."""
    resolver = LinkResolver(base)
    found: dict[str, None] = {}
    for reference in references:
        url = resolver.resolve(reference)
        if url is not None and url != own:
            found[url] = None
            if len(found) >= most:
                break
    return tuple(found)
