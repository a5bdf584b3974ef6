"""Pages of HTML: one look at the source, and what the crawl needs to know of a page."""

import re
from itertools import starmap

from gossamer.net.encoding import as_utf8
from gossamer.net.html.document import Document, Heading
from gossamer.net.html.head_metadata import base_of, language_of, metas_of
from gossamer.net.html.outline import Outline
from gossamer.net.html.page_links import canonical_of, read_links
from gossamer.net.html.scanner.scan_page import scan
from gossamer.net.url.resolve_links import LinkResolver

MAX_BYTES = 10_000_000
"""A page is read to here; the rest is cut off."""

# In XHTML any element may be closed by a slash, in HTML a slash means nothing: <script/> would hide the page.
_XML_EMPTY = re.compile(
    r"<(?!(?:area|base|br|col|embed|frame|hr|img|input|link|meta|param|source|track|wbr)\b)"
    r"([a-z][\w:.-]*+)([^<>]*?)/>",
    re.IGNORECASE,
)


def read(body: bytes | str, url: str, content_type: str | None = None) -> Document:
    """Read a page: what it says of itself, its links, headings and text.

    One pass over its source tells, or, where the page is not well formed, one parse; see `scanning`.
    Total: whatever the body is, there is a document. A body beyond `MAX_BYTES` is cut off, and a URL that is none
    resolves no relative links. Cost: O(length).
    """
    if isinstance(body, str):
        # Half a surrogate pair is no character, and nobody could write it anywhere.
        source, encoding = body[:MAX_BYTES].encode("utf-8", "replace"), "UTF-8"
    else:
        source, encoding = as_utf8(body[:MAX_BYTES], content_type)
    if content_type and "xhtml+xml" in content_type.lower():
        source = _XML_EMPTY.sub(r"<\1\2></\1>", source.decode()).encode()
    outline = scan(source)
    if outline is not None:
        return _document(outline, url, encoding, source)
    return _read_tree(url, encoding, source)


def _read_tree(url: str, encoding: str, source: bytes) -> Document:
    """Read a page that is not well formed, by a parse."""
    from gossamer.net.html.parse_tree import parsed
    from gossamer.net.html.tree_outline import tree_outline

    text = source.decode()
    tree = parsed(text)
    document = _document(tree_outline(tree, len(text)), url, encoding, source)
    document.keep(tree)
    return document


def _document(outline: Outline, url: str, encoding: str, source: bytes) -> Document:
    """Say what the things mean that stand on a page."""
    tags = outline.tags_by_name()
    metas = metas_of(tags["meta"])
    resolver = LinkResolver(url)
    base = base_of(tags["base"], url, resolver.resolve)
    links = read_links(outline, resolver if base == url else LinkResolver(base))
    return Document(
        url=url,
        encoding=encoding,
        title=outline.title,
        base=base,
        lang=language_of(tags["html"], metas),
        canonical=canonical_of(links),
        description=metas.description,
        keywords=metas.keywords,
        author=metas.author,
        robots=metas.robots,
        refresh_s=metas.refresh_s,
        links=links,
        headings=tuple(starmap(Heading, outline.headings)),
        text=outline.text,
        source=source,
    )
