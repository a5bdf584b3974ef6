"""Reads sitemaps and feeds in XML: within limits, tolerant of faults, never expanding an entity."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Literal
from xml.parsers import expat

import msgspec

from gossamer.net.sitemap.sitemap_limits import (
    MAX_DEPTH,
    MAX_FAULTS,
    MAX_FIELD_CHARS,
    MAX_NAMES,
    MAX_TAGS,
    MAX_TOKEN_CHARS,
)

Kind = Literal["urlset", "index", "rss", "atom", "text", "unknown"]


class XmlFormat(msgspec.Struct, frozen=True):
    """The element names of the items and fields in one kind of document, in lower case."""

    kind: Kind
    item: str
    fields: dict[str, str]
    prefixed: bool = True
    """Whether items have the namespace prefix of the root; they do not in `rdf:RDF`."""


_FEED_FIELDS = {"link": "loc", "guid": "guid", "pubdate": "lastmod", "dc:date": "lastmod"}
_FORMATS = {
    "urlset": XmlFormat(
        "urlset",
        "url",
        {"loc": "loc", "lastmod": "lastmod", "changefreq": "changefreq", "priority": "priority"},
    ),
    "sitemapindex": XmlFormat("index", "sitemap", {"loc": "loc", "lastmod": "lastmod"}),
    "rss": XmlFormat("rss", "item", _FEED_FIELDS),
    "rdf": XmlFormat("rss", "item", _FEED_FIELDS, prefixed=False),
    "feed": XmlFormat("atom", "entry", {"link": "link", "updated": "lastmod", "published": "published"}),
}

# An unescaped "&" is the most frequent fault of sitemaps; only the five entities of XML itself are known here.
_FAULTS = re.compile(
    r"<!\[CDATA\[|\]\]>"
    r"|&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9A-Fa-f]{1,6});)"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]+"
)


class StopReading(Exception):  # noqa: N818 - not an error: it ends the reading
    """Ends the reading of a document; its text, if any, says what is wrong."""


class OverLimit(StopReading):
    """Ends the reading of a document that is larger, deeper or more faulty than any honest one."""


class XmlResult(msgspec.Struct, frozen=True):
    """The kind of a document, what is wrong with it, and whether a limit ended the reading."""

    kind: Kind
    error: str = ""
    over_limit: bool = False


def read_xml(texts: Iterable[str], add_item: Callable[[dict[str, str]], None]) -> XmlResult:
    """Call `add_item` with the fields of every item; it may raise `StopReading`.

    Entity declarations with a value and attribute declarations end the reading, so that nothing can be expanded;
    external entities are never loaded. Faulty XML is read up to the fault.
    """
    reader = _SitemapReader(add_item)
    parser = reader.parser
    fed_bytes = tags = 0
    try:
        for text in _repair(texts):
            data = text.encode("utf-8")
            fed_bytes += len(data)
            tags += data.count(b"<")
            parser.Parse(data, False)
            if fed_bytes - parser.CurrentByteIndex > MAX_TOKEN_CHARS:
                raise OverLimit("a tag is too long")
            if tags > MAX_TAGS or len(parser.intern) > MAX_NAMES:
                raise OverLimit("too many elements")
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        return XmlResult(reader.kind, f"broken XML: {error}")
    except OverLimit as limit:
        return XmlResult(reader.kind, str(limit), over_limit=True)
    except StopReading as stop:
        return XmlResult(reader.kind, str(stop))
    return XmlResult(reader.kind)


def _repair(texts: Iterable[str]) -> Iterator[str]:
    """Escape ampersands that begin no reference, except in CDATA, and remove characters that XML forbids."""
    in_cdata = False
    faults = 0

    def replace(fault: re.Match[str]) -> str:
        nonlocal in_cdata, faults
        faults += 1
        if faults > MAX_FAULTS:
            raise OverLimit("too many faults")
        found = fault[0]
        if found == "&":
            return "&" if in_cdata else "&amp;"
        if found in ("<![CDATA[", "]]>"):
            in_cdata = found != "]]>"
            return found
        return ""

    held = ""
    for text in texts:
        text = held + text
        # None of the faults extends beyond a ">".
        cut = text.rfind(">") + 1
        held = text[cut:]
        if len(held) > MAX_TOKEN_CHARS:
            raise OverLimit("no tag ends within a million characters")
        yield _FAULTS.sub(replace, text[:cut])
    yield _FAULTS.sub(replace, held)


class _SitemapReader:
    """The callbacks of the parser, and the current item."""

    def __init__(self, add_item: Callable[[dict[str, str]], None]) -> None:
        self.kind: Kind = "unknown"
        self._add_item = add_item
        self._item_name = ""
        self._fields: dict[str, str] = {}
        self._depth = 0
        self._item_depth = 0
        self._item: dict[str, str] = {}
        self._field = ""
        self._text = ""
        self.parser = parser = expat.ParserCreate("utf-8", intern={})
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.EntityDeclHandler = self._refuse_entity
        parser.AttlistDeclHandler = self._refuse_attributes

    def _refuse_entity(self, name: str, _parameter: bool, value: str | None, *_rest: object) -> None:
        if value is not None:
            raise StopReading(f"entity declared: {name[:40]}")

    def _refuse_attributes(self, element: str, *_rest: object) -> None:
        # A long default value that is copied into a million elements is a bomb as well.
        raise StopReading(f"attributes declared: {element[:40]}")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._item_depth:
            if self._depth == self._item_depth + 1:
                self._start_field(self._fields.get(name.lower(), ""), attributes)
            elif self._depth > MAX_DEPTH:
                raise OverLimit("nested too deeply")
        elif self._depth == 1:
            self._start_document(name.lower())
        elif name.lower() == self._item_name:
            self._item_depth, self._item = self._depth, {}
        elif self._depth > MAX_DEPTH:
            raise OverLimit("nested too deeply")

    def _start_document(self, root: str) -> None:
        """Determine the format by the root element; fields may have its prefix or none."""
        prefix, colon, local = root.rpartition(":")
        form = _FORMATS.get(local)
        if form is None:
            raise StopReading
        self.kind = form.kind
        prefix = prefix + colon if form.prefixed else ""
        self._item_name = prefix + form.item
        self._fields = form.fields | {prefix + name: field for name, field in form.fields.items()}

    def _start_field(self, field: str, attributes: dict[str, str]) -> None:
        if field == "link":
            self._add_link(attributes)
        elif field and not (field == "guid" and attributes.get("isPermaLink", "true").lower() != "true"):
            self._field, self._text = field, ""
            self.parser.CharacterDataHandler = self._add_text

    def _add_link(self, attributes: dict[str, str]) -> None:
        """Take the link to the page of an Atom entry, and ignore its other links."""
        if attributes.get("rel", "alternate").lower() == "alternate" and "href" in attributes:
            self._item.setdefault("loc", attributes["href"].strip())

    def _add_text(self, text: str) -> None:
        if len(self._text) <= MAX_FIELD_CHARS:
            self._text += text

    def _end(self, _name: str) -> None:
        if self._field and self._depth == self._item_depth + 1:
            self._end_field()
        elif self._depth == self._item_depth:
            self._item_depth = 0
            self._add_item(self._item)
        self._depth -= 1

    def _end_field(self) -> None:
        """Store the first text of a field; one that is too long counts as missing."""
        if len(self._text) <= MAX_FIELD_CHARS:
            self._item.setdefault(self._field, self._text.strip())
        self._field = ""
        self.parser.CharacterDataHandler = None
