"""Reads an HTML page: its metadata, links, headings and text."""

import re
from collections.abc import Container
from contextlib import nullcontext
from itertools import starmap

from gossamer.net.encoding import as_utf8
from gossamer.net.html.document import Document, Guard, Heading
from gossamer.net.html.head_metadata import find_base, find_language, read_metas
from gossamer.net.html.link_columns import PageLinks
from gossamer.net.html.outline import Outline
from gossamer.net.html.page_links import find_canonical, read_links
from gossamer.net.html.references.page_references import AddressPlaces
from gossamer.net.html.references.scan_links import scan_links
from gossamer.net.html.scanner.scan_page import scan
from gossamer.net.url import DEFAULT_RULES, UrlRules
from gossamer.net.url.resolve_links import LinkResolver

MAX_BYTES = 10_000_000
"""A page is read up to this size; the rest is cut off."""
MAX_LINKS = 20_000
"""So many links of a page are read, unless another number is asked for; the others are counted and left out."""

# In XHTML, a slash closes any element; in HTML it has no meaning, so that <script/> would hide the rest of the page.
# Compiled by `re` when there is an XHTML page.
_XML_EMPTY = (
    r"(?i)<(?!(?:area|base|br|col|embed|frame|hr|img|input|link|meta|param|source|track|wbr)\b)"
    r"([a-z][\w:.-]*+)([^<>]*?)/>"
)


def read(
    body: bytes | str,
    url: str,
    content_type: str | None = None,
    most_links: int = MAX_LINKS,
    guard: Guard = nullcontext,
    rules: UrlRules = DEFAULT_RULES,
) -> Document:
    """Read a page: its metadata, links, headings and text.

    This takes one pass over the source or, if the page is not well formed, one parse; see `scanner`. Any body gives a
    document. A body longer than `MAX_BYTES` is cut off, links beyond `most_links` are left out, and an invalid URL
    resolves no relative links. With 0, no link is looked at, and `links_cut` counts `<a>` alone. Pages are parsed within
    `guard()`, which may note that they are. `rules` say which links are valid.
    Cost: O(length), in time and in memory, whatever the page holds (`parser_limits`).
    """
    source, encoding = _to_source(body, content_type)
    outline = scan(source, most_links)
    if outline is None:
        with guard():
            return _read_tree(url, encoding, source, most_links, rules)
    document = _make_document(outline, url, encoding, source, most_links, rules)
    if guard is not nullcontext:
        document.set_guard(guard)
    return document


def read_addresses(
    body: bytes,
    url: str,
    content_type: str | None,
    needed_kinds: Container[str],
    most_links: int = MAX_LINKS,
    rules: UrlRules = DEFAULT_RULES,
    groups: dict[str, int] | None = None,
) -> tuple[Document, list[str], AddressPlaces | None]:
    """Read a page without its texts, the addresses of these kinds of references, as written, and their places.

    Each link is there once, and has no text. Places are found if `groups` are given (see `scan_links`) and the page is read
    as it came: in UTF-8 and whole. Cost: O(length), about a quarter of that of `read`.
    """
    source, encoding = _to_source(body, content_type)
    outline, needed, places = scan_links(source, most_links, needed_kinds, groups if source is body else None)
    return _make_document(outline, url, encoding, source, most_links, rules), needed, places


def _to_source(body: bytes | str, content_type: str | None) -> tuple[bytes, str]:
    """Return the source of a page in UTF-8, and the encoding that it had."""
    if isinstance(body, str):
        # Half a surrogate pair is not a character, and cannot be encoded.
        source, encoding = body[:MAX_BYTES].encode("utf-8", "replace"), "UTF-8"
    else:
        source, encoding = as_utf8(body[:MAX_BYTES], content_type)
    if content_type and "xhtml+xml" in content_type.lower():
        source = re.sub(_XML_EMPTY, r"<\1\2></\1>", source.decode()).encode()
    return source, encoding


def _read_tree(url: str, encoding: str, source: bytes, most_links: int, rules: UrlRules) -> Document:
    """Read a page that is not well formed, by parsing it."""
    from gossamer.net.html.parse_tree import parse_limited, serialize
    from gossamer.net.html.parser_limits import limit_source
    from gossamer.net.html.tree_outline import make_outline

    limited = limit_source(source)
    tree = parse_limited(limited)
    written = serialize(tree)
    # What a parser mended is well formed when it is written down, so that most of these pages can be scanned after all.
    outline = scan(written, most_links, is_serialized=True)
    if outline is None:
        outline = make_outline(tree, len(source.decode()), most_links)
    document = _make_document(outline, url, encoding, source, most_links, rules, limited.reduced)
    document.keep(tree, written)
    return document


def _make_document(
    outline: Outline,
    url: str,
    encoding: str,
    source: bytes,
    most_links: int,
    rules: UrlRules,
    reduced: str = "",
) -> Document:
    """Make a document from the raw content of a page."""
    tags = outline.tags_by_name()
    metas = read_metas(tags["meta"])
    resolver = LinkResolver(url, rules)
    base = find_base(tags["base"], url, resolver.resolve)
    links = (
        read_links(outline, resolver if base == url else LinkResolver(base, rules))
        if most_links
        else PageLinks.from_links(())
    )
    links_cut = outline.links_cut
    if len(links) > most_links:
        links_cut += len(links) - most_links
        links = links.keep_first(most_links)
    return Document(
        url=url,
        encoding=encoding,
        title=outline.title,
        base=base,
        lang=find_language(tags["html"], metas),
        canonical=find_canonical(links),
        description=metas.description,
        keywords=metas.keywords,
        author=metas.author,
        robots=metas.robots,
        refresh_s=metas.refresh_s,
        links=links,
        headings=tuple(starmap(Heading, outline.headings)),
        text=outline.text,
        source=source,
        links_cut=links_cut,
        reduced=reduced,
    )
