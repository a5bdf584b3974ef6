"""Read PowerPoint presentations (pptx): slide by slide, with notes, links and properties."""

from gossamer.documents.document_content import MOST_PARTS, DocumentContent, UnreadableDocument
from gossamer.documents.formats.document_text import TextCollector
from gossamer.documents.formats.xml_events import Attributes, XmlEvents, get_attribute
from gossamer.documents.zipped.ooxml_package import (
    Relation,
    find_main_part,
    get_relation_id,
    read_properties,
    read_relations,
)
from gossamer.documents.zipped.zip_members import ZipMembers

_TITLES = ("title", "ctrTitle")


def read_pptx(body: bytes, url: str) -> DocumentContent:  # noqa: ARG001 - readers take the URL
    """Read a presentation."""
    package = ZipMembers(body)
    main = find_main_part(package, "ppt/presentation.xml")
    if main not in package.names:
        raise UnreadableDocument("broken", "it has no main part")
    text = TextCollector()
    is_whole = True
    for number, slide in enumerate(_list_slides(package, main), 1):
        text.begin_part(f"slide {number}")
        relations = read_relations(package, slide)
        is_whole &= _SlideReader(text, relations).read(package, slide)
        for relation in relations.values():
            if relation.type == "notesSlide":
                notes = _SlideReader(text, read_relations(package, relation.target), is_notes=True)
                is_whole &= notes.read(package, relation.target)
        if text.is_full:
            break
    return DocumentContent(
        format="pptx",
        parts=text.take_parts(),
        links=tuple(text.links),
        headings=tuple(text.headings),
        warnings=() if is_whole else ("its XML is faulty and was read up to the fault",),
        **read_properties(package),
    )


def _list_slides(package: ZipMembers, main: str) -> list[str]:
    """Return the names of the slides in their order."""
    relations = read_relations(package, main)
    found: list[str] = []

    def start(name: str, attributes: Attributes) -> None:
        relation = relations.get(get_relation_id(attributes)) if name == "sldId" else None
        if relation is not None and relation.target in package.names and len(found) < MOST_PARTS:
            found.append(relation.target)

    XmlEvents(start, lambda _: None, lambda _: None).read(package.read_chunks(main))
    return found


class _SlideReader:
    """Collects the text of one slide or of its notes."""

    def __init__(self, text: TextCollector, relations: dict[str, Relation], is_notes: bool = False) -> None:
        self._text = text
        self._relations = relations
        self._is_notes = is_notes
        self._shape = ""
        self._in_text = False
        self._link = ""

    def read(self, package: ZipMembers, part: str) -> bool:
        """Read a part; return False if it is faulty."""
        return XmlEvents(self._start, self._end, self._add_text).read(package.read_chunks(part))

    def _start(self, name: str, attributes: Attributes) -> None:
        match name:
            case "sp":
                self._shape = ""
            case "ph":
                self._shape = attributes.get("type", "body")
            case "t":
                self._in_text = True
                self._text.begin_link(self._link)
            case "br":
                self._text.add_text(" ")
            case "hlinkClick":
                relation = self._relations.get(get_attribute(attributes, "id"))
                self._link = relation.target if relation and relation.is_external else ""

    def _end(self, name: str) -> None:
        match name:
            case "t":
                self._in_text = False
                self._text.end_link()
            case "r":
                self._link = ""
            case "p":
                self._text.end_paragraph(self._shape in _TITLES)

    def _add_text(self, value: str) -> None:
        # Notes repeat the number of their slide.
        if self._in_text and not (self._is_notes and self._shape == "sldNum"):
            self._text.add_text(value)
