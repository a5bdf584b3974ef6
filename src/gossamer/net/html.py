"""Pages of HTML: one parse, and what the crawl needs to know of a page."""

import re

from gossamer.net.blocks import blocks as blocks
from gossamer.net.document import Document, Heading
from gossamer.net.encoding import decode, header_encoding
from gossamer.net.encoding_prescan import declared_encoding
from gossamer.net.head import Attributes, base_of, language_of, metas_of, title_of
from gossamer.net.links import RARE_LINK_TAGS, FoundLink, anchor_link, canonical_of, rare_link, resolved
from gossamer.net.tame import tame
from gossamer.net.text_of import words_of
from gossamer.net.tree import Node, parse, tag_id
from gossamer.net.url import resolver

_HEADING_LEVELS = {tag_id(f"h{level}"): level for level in range(1, 7)}
_A, _BASE, _META, _TITLE = tag_id("a"), tag_id("base"), tag_id("meta"), tag_id("title")
_WANTED = RARE_LINK_TAGS | _HEADING_LEVELS.keys() | {_A, _BASE, _META, _TITLE}

_BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")

# In XHTML any element may be closed by a slash, in HTML a slash means nothing: <script/> would hide the page.
_XML_EMPTY = re.compile(
    rb"<(?!(?:area|base|br|col|embed|frame|hr|img|input|link|meta|param|source|track|wbr)\b)"
    rb"([a-z][\w:.-]*+)([^<>]*?)/>",
    re.IGNORECASE,
)


def read(body: bytes | str, url: str, content_type: str | None = None) -> Document:
    """Read a page in one parse: what it says of itself, its links and headings; its text when asked for.

    Total: whatever the body is, there is a document. A body beyond `tame.MAX_BYTES` is cut off, one that is built
    to keep the parser busy loses the tags that do so, and a URL that is none resolves no relative links.
    Cost: O(length), about twice the bare parse; the text as much again when it is first asked for.
    """
    source, encoding = _utf8(body, content_type)
    if content_type and "xhtml+xml" in content_type.lower():
        source = _XML_EMPTY.sub(rb"<\1\2></\1>", source)
    tree = parse(tame(source))
    finds = _Finds(tree.root)
    metas = metas_of(finds.metas)
    resolve = resolver(url)
    base = base_of(finds.bases, url, resolve)
    links = tuple(resolved(finds.links, resolve if base == url else resolver(base)))
    return Document(
        url=url,
        encoding=encoding,
        title=title_of(finds.titles),
        base=base,
        lang=language_of(finds.root_attributes, metas),
        canonical=canonical_of(links),
        description=metas.description,
        keywords=metas.keywords,
        author=metas.author,
        robots=metas.robots,
        refresh_s=metas.refresh_s,
        links=links,
        headings=tuple(finds.headings),
        tree=tree,
    )


class _Finds:
    """What one walk over the elements of a page finds."""

    def __init__(self, root: Node | None) -> None:
        self.links: list[FoundLink] = []
        self.headings: list[Heading] = []
        self.titles: list[Node] = []
        self.metas: list[Attributes] = []
        self.bases: list[Attributes] = []
        self.root_attributes: Attributes = root.attributes if root else {}
        # Picked first, looked at then: a loop over all elements would cost a twentieth of the parse more.
        for node in [node for node in root.traverse() if node.tag_id in _WANTED] if root else ():
            tag = node.tag_id
            if tag == _A:
                link = anchor_link(node)
                if link:
                    self.links.append(link)
            elif tag in _HEADING_LEVELS:
                self.headings.append(Heading(_HEADING_LEVELS[tag], words_of(node)))
            elif tag == _TITLE:
                self.titles.append(node)
            else:
                self._take_attributes(tag, node.attributes)

    def _take_attributes(self, tag: int, attributes: Attributes) -> None:
        if tag == _BASE:
            self.bases.append(attributes)
            return
        if tag == _META:
            self.metas.append(attributes)
        link = rare_link(tag, attributes)
        if link:
            self.links.append(link)


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
