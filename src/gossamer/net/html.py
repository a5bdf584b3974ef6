"""Pages of HTML: one parse, and what the crawl needs to know of a page."""

import re

from gossamer.net.blocks import blocks as blocks
from gossamer.net.document import Document, Heading
from gossamer.net.encoding import decode, header_encoding
from gossamer.net.encoding_prescan import declared_encoding
from gossamer.net.head import base_of, language_of, metas_of, title_of
from gossamer.net.links import canonical_of, read_links
from gossamer.net.tame import tame
from gossamer.net.text_of import words_of
from gossamer.net.tree import parse, tag_id, tag_ids
from gossamer.net.url import resolver

_HEADING_LEVELS = {tag_id(f"h{level}"): level for level in range(1, 7)}
_BASE, _META, _TITLE = tag_id("base"), tag_id("meta"), tag_id("title")
_MARKED = tag_ids("a area base form frame iframe link meta title") | _HEADING_LEVELS.keys()

_BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")

# In XHTML any element may be closed by a slash, in HTML a slash means nothing: <script/> would hide the page.
_XML_EMPTY = re.compile(
    rb"<(?!(?:area|base|br|col|embed|frame|hr|img|input|link|meta|param|source|track|wbr)\b)"
    rb"([a-z][\w:.-]*+)([^<>]*?)/>",
    re.IGNORECASE,
)


def read(body: bytes | str, url: str, content_type: str | None = None) -> Document:
    """Read a page in one parse: what it says of itself, its links and headings; its text when asked for.

    Total: whatever the body is, there is a document. A body beyond `tame.MAX_BYTES` is cut off, and one that is
    built to keep the parser busy loses the tags that do so. An URL that is none resolves no relative links.
    Cost: O(length), about 1.6 times the bare parse; the text as much again, when first asked for.
    """
    source, encoding = _utf8(body, content_type)
    if content_type and "xhtml+xml" in content_type.lower():
        source = _XML_EMPTY.sub(rb"<\1\2></\1>", source)
    tree = parse(tame(source))
    root = tree.root
    marks = [(tag, node) for node in (root.traverse() if root else ()) if (tag := node.tag_id) in _MARKED]
    metas = metas_of([node.attributes for tag, node in marks if tag == _META])
    resolve = resolver(url)
    base = base_of((node for tag, node in marks if tag == _BASE), url, resolve)
    if metas.refresh_s is None:
        marks = [mark for mark in marks if mark[0] != _META]
    links = tuple(read_links(marks, resolve if base == url else resolver(base)))
    return Document(
        url=url,
        encoding=encoding,
        title=title_of(node for tag, node in marks if tag == _TITLE),
        base=base,
        lang=language_of(root.attributes if root else {}, metas),
        canonical=canonical_of(links),
        description=metas.description,
        keywords=metas.keywords,
        author=metas.author,
        robots=metas.robots,
        refresh_s=metas.refresh_s,
        links=links,
        headings=tuple(
            [Heading(_HEADING_LEVELS[tag], words_of(node)) for tag, node in marks if tag in _HEADING_LEVELS]
        ),
        tree=tree,
    )


def _utf8(body: bytes | str, content_type: str | None) -> tuple[bytes, str]:
    """Return the body in UTF-8, and the name of the encoding that it was in."""
    if isinstance(body, str):
        return body.encode("utf-8", "replace"), "UTF-8"
    declared = (content_type and header_encoding(content_type)) or declared_encoding(body)
    if declared == "UTF-8" and not body.startswith(_BYTE_ORDER_MARKS):
        # The parser takes it as it is: to decode and encode it would cost a fifth of the parse.
        return body, declared
    text, encoding = decode(body, content_type)
    return text.encode("utf-8", "replace"), encoding
