"""Pages of HTML: one parse, and what the crawl needs to know of a page."""

import re

from gossamer.net.blocks import blocks as blocks
from gossamer.net.blocks import main_text as main_text
from gossamer.net.blocks import words_around as words_around
from gossamer.net.document import Document, Heading
from gossamer.net.encoding import decode
from gossamer.net.head import base_of, language_of, metas_of, title_of
from gossamer.net.links import canonical_of, read_links
from gossamer.net.sentences import sentences as sentences
from gossamer.net.tags import HEADING_TAGS
from gossamer.net.text_of import labels_of
from gossamer.net.tree import Tree, elements, parsed, place_of
from gossamer.net.url import resolver

MAX_BYTES = 10_000_000
"""A page is read to here; the rest is cut off."""

# In XHTML any element may be closed by a slash, in HTML a slash means nothing: <script/> would hide the page.
_XML_EMPTY = re.compile(
    r"<(?!(?:area|base|br|col|embed|frame|hr|img|input|link|meta|param|source|track|wbr)\b)"
    r"([a-z][\w:.-]*+)([^<>]*?)/>",
    re.IGNORECASE,
)


def read(body: bytes | str, url: str, content_type: str | None = None) -> Document:
    """Read a page in one parse: what it says of itself, its links and headings; its text when asked for.

    Total: whatever the body is, there is a document. A body beyond `MAX_BYTES` is cut off, and a URL that is none
    resolves no relative links. Cost: O(length).
    """
    if isinstance(body, str):
        # Half a surrogate pair is no character, and nobody could write it anywhere.
        text, encoding = body[:MAX_BYTES].encode("utf-8", "replace").decode(), "UTF-8"
    else:
        text, encoding = decode(body[:MAX_BYTES], content_type)
    if content_type and "xhtml+xml" in content_type.lower():
        text = _XML_EMPTY.sub(r"<\1\2></\1>", text)
    tree = parsed(text)
    metas = metas_of(elements(tree, "meta"))
    resolve = resolver(url)
    base = base_of(tree, url, resolve)
    links = tuple(read_links(tree, resolve if base == url else resolver(base), len(text)))
    return Document(
        url=url,
        encoding=encoding,
        title=title_of(tree),
        base=base,
        lang=language_of(tree, metas),
        canonical=canonical_of(links),
        description=metas.description,
        keywords=metas.keywords,
        author=metas.author,
        robots=metas.robots,
        refresh_s=metas.refresh_s,
        links=links,
        headings=_headings(tree, len(text)),
        tree=tree,
    )


def _headings(tree: Tree, page_chars: int) -> tuple[Heading, ...]:
    found = [heading for tag in HEADING_TAGS for heading in elements(tree, tag)]
    found.sort(key=place_of)
    labels = labels_of(tree, HEADING_TAGS, found, page_chars)
    return tuple(
        Heading(HEADING_TAGS.index(heading.tag) + 1, text)
        for heading, text in zip(found, labels, strict=True)
    )
