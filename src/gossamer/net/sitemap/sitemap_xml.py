"""Sitemaps and feeds in XML: a bounded, forgiving reading that never follows or expands an entity."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Literal
from xml.parsers import expat

import msgspec

Kind = Literal["urlset", "index", "rss", "atom", "text", "unknown"]

MAX_FIELD_CHARS = 4_096
_MAX_TOKEN_CHARS = 1 << 20
"""A tag or comment as long as this is no sitemap's; expat before 2.6 reads long ones in quadratic time."""
_MAX_DEPTH = 64
_MAX_TAGS = 3_000_000
"""50,000 URLs with 30 elements each; without a bound 50 MiB of `<a/>` would be read for ten seconds."""
_MAX_FAULTS = 1_000_000
"""20 wild ampersands in each of 50,000 URLs."""
_MAX_NAMES = 10_000
"""Expat keeps every name that it meets."""


class Format(msgspec.Struct, frozen=True):
    """How one kind of document names its items and their fields; names in lower case."""

    kind: Kind
    item: str
    fields: dict[str, str]
    prefixed: bool = True
    """Items share the prefix of the root; not so in `rdf:RDF`."""


_FEED_FIELDS = {"link": "loc", "guid": "guid", "pubdate": "lastmod", "dc:date": "lastmod"}
_FORMATS = {
    "urlset": Format(
        "urlset",
        "url",
        {"loc": "loc", "lastmod": "lastmod", "changefreq": "changefreq", "priority": "priority"},
    ),
    "sitemapindex": Format("index", "sitemap", {"loc": "loc", "lastmod": "lastmod"}),
    "rss": Format("rss", "item", _FEED_FIELDS),
    "rdf": Format("rss", "item", _FEED_FIELDS, prefixed=False),
    "feed": Format("atom", "entry", {"link": "link", "updated": "lastmod", "published": "published"}),
}

# A wild "&" is the commonest fault of sitemaps, and all entities but XML's own five are unknown here.
_FAULTS = re.compile(
    r"<!\[CDATA\[|\]\]>"
    r"|&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9A-Fa-f]{1,6});)"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]+"
)


class Enough(Exception):  # noqa: N818 - not a failure: nothing more is to be read
    """Raised inside a reading to end it; its text, if any, says what is wrong."""


class OverLimit(Enough):
    """Raised when a document is larger, deeper or worse than any honest one."""


class Outcome(msgspec.Struct, frozen=True):
    """What a document turned out to be, what was wrong with it, and whether a limit cut the reading short."""

    kind: Kind
    error: str = ""
    over_limit: bool = False


def read_xml(texts: Iterable[str], take: Callable[[dict[str, str]], None]) -> Outcome:
    """Hand the fields of every item to `take`, which may raise `Enough`.

    Entity declarations with a value and attribute declarations end the reading, so nothing can be expanded;
    external entities are never loaded. Faulty XML yields what stands before the fault.
    """
    reading = _Reading(take)
    parser = reading.parser
    fed_bytes = tags = 0
    try:
        for text in _mended(texts):
            data = text.encode("utf-8")
            fed_bytes += len(data)
            tags += data.count(b"<")
            parser.Parse(data, False)
            if fed_bytes - parser.CurrentByteIndex > _MAX_TOKEN_CHARS:
                raise OverLimit("a tag is too long")
            if tags > _MAX_TAGS or len(parser.intern) > _MAX_NAMES:
                raise OverLimit("too many elements")
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        return Outcome(reading.kind, f"broken XML: {error}")
    except OverLimit as limit:
        return Outcome(reading.kind, str(limit), over_limit=True)
    except Enough as enough:
        return Outcome(reading.kind, str(enough))
    return Outcome(reading.kind)


def _mended(texts: Iterable[str]) -> Iterator[str]:
    """Escape ampersands that begin no reference, outside CDATA, and drop characters that XML forbids."""
    in_cdata = False
    faults = 0

    def mend(fault: re.Match[str]) -> str:
        nonlocal in_cdata, faults
        faults += 1
        if faults > _MAX_FAULTS:
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
        # Nothing that is looked for goes on after a ">".
        cut = text.rfind(">") + 1
        held = text[cut:]
        if len(held) > _MAX_TOKEN_CHARS:
            raise OverLimit("no tag ends within a million characters")
        yield _FAULTS.sub(mend, text[:cut])
    yield _FAULTS.sub(mend, held)


class _Reading:
    """Where in the document the parser is, and what it has seen of the current item."""

    def __init__(self, take: Callable[[dict[str, str]], None]) -> None:
        self.kind: Kind = "unknown"
        self._take = take
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
            raise Enough(f"entity declared: {name[:40]}")

    def _refuse_attributes(self, element: str, *_rest: object) -> None:
        # A long default value, copied into a million elements, is a bomb as well.
        raise Enough(f"attributes declared: {element[:40]}")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._item_depth:
            if self._depth == self._item_depth + 1:
                self._begin_field(self._fields.get(name.lower(), ""), attributes)
            elif self._depth > _MAX_DEPTH:
                raise OverLimit("nested too deeply")
        elif self._depth == 1:
            self._begin_document(name.lower())
        elif name.lower() == self._item_name:
            self._item_depth, self._item = self._depth, {}
        elif self._depth > _MAX_DEPTH:
            raise OverLimit("nested too deeply")

    def _begin_document(self, root: str) -> None:
        """Let the root element say what the document is; fields may have the prefix that it has, or none."""
        prefix, colon, local = root.rpartition(":")
        form = _FORMATS.get(local)
        if form is None:
            raise Enough
        self.kind = form.kind
        prefix = prefix + colon if form.prefixed else ""
        self._item_name = prefix + form.item
        self._fields = form.fields | {prefix + name: field for name, field in form.fields.items()}

    def _begin_field(self, field: str, attributes: dict[str, str]) -> None:
        if field == "link":
            self._link(attributes)
        elif field and not (field == "guid" and attributes.get("isPermaLink", "true").lower() != "true"):
            self._field, self._text = field, ""
            self.parser.CharacterDataHandler = self._characters

    def _link(self, attributes: dict[str, str]) -> None:
        """Take the page that an Atom entry stands for; its other links go elsewhere."""
        if attributes.get("rel", "alternate").lower() == "alternate" and "href" in attributes:
            self._item.setdefault("loc", attributes["href"].strip())

    def _characters(self, text: str) -> None:
        if len(self._text) <= MAX_FIELD_CHARS:
            self._text += text

    def _end(self, _name: str) -> None:
        if self._field and self._depth == self._item_depth + 1:
            self._end_field()
        elif self._depth == self._item_depth:
            self._item_depth = 0
            self._take(self._item)
        self._depth -= 1

    def _end_field(self) -> None:
        """Keep the first text of a field; one that is too long counts as missing."""
        if len(self._text) <= MAX_FIELD_CHARS:
            self._item.setdefault(self._field, self._text.strip())
        self._field = ""
        self.parser.CharacterDataHandler = None
