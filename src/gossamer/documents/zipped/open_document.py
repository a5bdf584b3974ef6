"""Read OpenDocument files (odt, ods, odp): paragraphs, headings, sheets, slides, links and properties."""

from gossamer.documents.document_content import DocumentContent, UnreadableDocument
from gossamer.documents.formats.document_text import TextCollector
from gossamer.documents.formats.xml_events import Attributes, EnoughRead, XmlEvents, get_attribute
from gossamer.documents.zipped.ooxml_package import read_properties
from gossamer.documents.zipped.zip_members import ZipMembers

_FORMATS = {"text": "odt", "spreadsheet": "ods", "presentation": "odp", "graphics": "odg"}
_CONTENT, _META, _MANIFEST = "content.xml", "meta.xml", "META-INF/manifest.xml"
# Text that was deleted, and remarks on the text.
_LEFT_OUT = frozenset({"tracked-changes", "annotation"})
_LONGEST_MANIFEST = 10_000_000


def read_open_document(body: bytes, url: str) -> DocumentContent:  # noqa: ARG001 - readers take the URL
    """Read a text, a spreadsheet or a presentation."""
    package = ZipMembers(body)
    if b"encryption-data" in package.read(_MANIFEST, _LONGEST_MANIFEST):
        raise UnreadableDocument("encrypted", "it needs a password")
    if _CONTENT not in package.names:
        raise UnreadableDocument("broken", f"it has no {_CONTENT}")
    media_type = package.read("mimetype", 200).decode("ascii", "replace").strip()
    text = TextCollector()
    reader = _ContentReader(text)
    is_whole = XmlEvents(reader.start, reader.end, reader.add_text).read(package.read_chunks(_CONTENT))
    return DocumentContent(
        format=_FORMATS.get(media_type.rpartition(".")[2].partition("-")[0], "odt"),
        parts=text.take_parts(),
        links=tuple(text.links),
        headings=tuple(text.headings),
        warnings=() if is_whole else ("its XML is faulty and was read up to the fault",),
        **read_properties(package, _META),
    )


class _ContentReader:
    """Collects the text of the content."""

    def __init__(self, text: TextCollector) -> None:
        self._text = text
        self._left_out = self._slides = self._paragraphs = self._rows = 0
        self._has_sheets = False

    def start(self, name: str, attributes: Attributes) -> None:
        """Begin an element."""
        if name in _LEFT_OUT or self._left_out:
            self._left_out += 1
            return
        match name:
            case "p" | "h":
                self._paragraphs += 1
            case "spreadsheet":
                self._has_sheets = True
            case "table" if self._has_sheets:
                self._text.begin_part(f"sheet {get_attribute(attributes, 'name')[:100]}")
            case "table-row":
                self._rows += 1
            case "page":
                self._slides += 1
                self._text.begin_part(f"slide {self._slides}")
            case "a":
                self._text.begin_link(get_attribute(attributes, "href"))
            case "s" | "tab" | "line-break":
                self._text.add_text(" ")

    def end(self, name: str) -> None:
        """End an element."""
        if self._left_out:
            self._left_out -= 1
            return
        match name:
            case "p" | "h":
                self._paragraphs -= 1
                if self._rows:  # a row of a table is one line
                    self._text.add_text(" ")
                else:
                    self._text.end_paragraph(name == "h")
                if self._text.is_full:
                    raise EnoughRead
            case "table-row":
                self._rows -= 1
                self._text.end_paragraph()
            case "a":
                self._text.end_link()

    def add_text(self, value: str) -> None:
        """Add text inside a paragraph; between paragraphs there is only white space."""
        if self._paragraphs > 0 and not self._left_out:
            self._text.add_text(value)
