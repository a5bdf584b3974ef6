"""Read the entries of RSS and Atom feeds as text: titles, dates, authors, summaries and contents."""

import re
import zlib
from html.entities import html5

from gossamer.documents.document_content import MOST_PARTS, DocumentContent, UnreadableDocument
from gossamer.documents.formats.document_text import TextCollector
from gossamer.documents.formats.html_text import add_html
from gossamer.documents.formats.xml_events import Attributes, EnoughRead, XmlEvents
from gossamer.net.encoding import decode

_MOST_BYTES = 20_000_000
_ENTRIES = ("item", "entry")
_BODIES = ("encoded", "content", "description", "summary")
"""Elements with the text of an entry, the best first."""
_DATES = ("updated", "pubDate", "published", "date", "lastBuildDate")
_AUTHORS = ("creator", "author", "name")
_BLOCKS = ("p", "div", "br", "li", "h1", "h2", "h3", "h4", "tr", "blockquote")
_KEPT = {"title", "link", *_BODIES, *_DATES, *_AUTHORS}
_DECLARATION = re.compile(r"\s*<\?xml[^>]*\?>")
_NAMED = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)(\w{1,40});")
_BARE = re.compile(r"&(?!(?:\w{1,40}|#\d{1,7}|#x[0-9A-Fa-f]{1,6});)")
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def read_feed(body: bytes, url: str) -> DocumentContent:
    """Read a feed, packed with gzip or not."""
    reader = _FeedReader(url)
    is_whole = XmlEvents(reader.start, reader.end, reader.add_text).read([_to_xml(body)])
    if not is_whole and not reader.entries and not reader.about:
        raise UnreadableDocument("broken", "its XML cannot be read")
    about = reader.about
    return DocumentContent(
        format="feed",
        title=about.get("title", "").strip(),
        author=_choose(about, _AUTHORS),
        date=_choose(about, _DATES),
        language=about.get("language", "").strip(),
        parts=reader.text.take_parts(),
        links=tuple(reader.text.links),
        headings=tuple(reader.text.headings),
        warnings=() if is_whole else ("its XML is faulty and was read up to the fault",),
    )


def _to_xml(body: bytes) -> bytes:
    """Return the feed in UTF-8, with the named characters of HTML replaced, which feeds use without declaring them."""
    if body.startswith(b"\x1f\x8b"):
        try:
            body = zlib.decompressobj(wbits=31).decompress(body, _MOST_BYTES)
        except zlib.error as error:
            raise UnreadableDocument("broken", f"it is not whole: {error}") from None
    source = _DECLARATION.sub("", decode(body, "application/xml")[0], count=1)
    source = _NAMED.sub(lambda found: html5.get(f"{found[1]};", ""), source)
    source = _FORBIDDEN.sub("", _BARE.sub("&amp;", source))
    return source.encode("utf-8", "replace")


def _choose(fields: dict[str, str], names: tuple[str, ...]) -> str:
    """Return the first of some fields that has text."""
    return next((fields[name].strip() for name in names if fields.get(name, "").strip()), "")


class _FeedReader:
    """Collects the fields of the feed and of its entries."""

    def __init__(self, url: str) -> None:
        self.text = TextCollector()
        self.about: dict[str, str] = {}
        self.entries = 0
        self._url = url
        self._entry: dict[str, str] | None = None
        self._at = ""
        self._inside = 0
        """How many elements are open inside the field, which is XHTML then."""

    def start(self, name: str, attributes: Attributes) -> None:
        """Begin an element."""
        if self._at:
            self._inside += 1
            if name in _BLOCKS:
                self.add_text(f"<{name}>")  # XHTML inside a field is read as HTML again
            return
        if name in _ENTRIES and self._entry is None:
            self._entry = {}
        elif name in _KEPT or (name == "language" and self._entry is None):
            self._at = name
            if name == "link" and attributes.get("rel", "alternate") == "alternate" and "href" in attributes:
                self.add_text(attributes["href"])

    def end(self, name: str) -> None:
        """End an element."""
        if self._at and self._inside:
            self._inside -= 1
        elif self._at:
            self._at = ""
        elif name in _ENTRIES and self._entry is not None:
            self._end_entry(self._entry)
            self._entry = None

    def add_text(self, value: str) -> None:
        """Add text to the field that is open."""
        if self._at:
            fields = self.about if self._entry is None else self._entry
            fields[self._at] = fields.get(self._at, "") + value

    def _end_entry(self, entry: dict[str, str]) -> None:
        self.entries += 1
        if self.entries > MOST_PARTS or self.text.is_full:
            raise EnoughRead
        self.text.begin_part(f"entry {self.entries}")
        add_html(self.text, entry.get("title", ""))
        title = " ".join(entry.get("title", "").split())
        if title:
            self.text.headings.append(title)
        about = " · ".join(filter(None, (_choose(entry, _AUTHORS), _choose(entry, _DATES))))
        self.text.add_text(about)
        self.text.end_paragraph()
        link = entry.get("link", "").strip()
        if link:
            self.text.add_link(link, title)
        add_html(self.text, _choose(entry, _BODIES), base=link if link.startswith("http") else self._url)
