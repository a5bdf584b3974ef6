"""Read Word documents (docx): paragraphs, headings, links, footnotes and properties."""

import re

from gossamer.documents.document_content import DocumentContent, UnreadableDocument
from gossamer.documents.formats.document_text import TextCollector
from gossamer.documents.formats.xml_events import Attributes, EnoughRead, XmlEvents, get_attribute
from gossamer.documents.zipped.ooxml_package import (
    Relation,
    find_main_part,
    get_relation_id,
    read_properties,
    read_relations,
)
from gossamer.documents.zipped.zip_members import ZipMembers

# Style ids of headings in the languages of Word that name them otherwise.
_HEADING = re.compile(
    r"(?i)(?:heading|berschrift|titre|rubrik|overskrift|kop|encabezado|ttulo|titolo|title)\d*$"
)
_FIELD_LINK = re.compile(r'HYPERLINK\s+"([^"]+)"')
_NOTES = ("footnotes.xml", "endnotes.xml")


def read_docx(body: bytes, url: str) -> DocumentContent:  # noqa: ARG001 - readers take the URL
    """Read a Word document."""
    package = ZipMembers(body)
    main = find_main_part(package, "word/document.xml")
    if main not in package.names:
        raise UnreadableDocument("broken", "it has no main part")
    text = TextCollector()
    is_whole = _WordReader(text, read_relations(package, main)).read(package, main)
    folder = main.rpartition("/")[0]
    for name in _NOTES:
        part = f"{folder}/{name}".lstrip("/")
        if part in package.names:
            is_whole &= _WordReader(text, read_relations(package, part)).read(package, part)
    warnings = () if is_whole else ("its XML is faulty and was read up to the fault",)
    return DocumentContent(
        format="docx",
        parts=text.take_parts(),
        links=tuple(text.links),
        headings=tuple(text.headings),
        warnings=warnings,
        **read_properties(package),
    )


class _WordReader:
    """Collects the text of one part."""

    def __init__(self, text: TextCollector, relations: dict[str, Relation]) -> None:
        self._text = text
        self._relations = relations
        self._in_text = self._in_field = self._is_heading = False
        self._skipped = 0

    def read(self, package: ZipMembers, part: str) -> bool:
        """Read a part; return False if it is faulty."""
        return XmlEvents(self._start, self._end, self._add_text).read(package.read_chunks(part))

    def _start(self, name: str, attributes: Attributes) -> None:
        if name == "Fallback" or self._skipped:  # the same text again, for older programs
            self._skipped += 1
            return
        match name:
            case "t":
                self._in_text = True
            case "instrText":
                self._in_field = True
            case "tab" | "br" | "cr":
                self._text.add_text(" ")
            case "pStyle":
                self._is_heading = bool(_HEADING.search(get_attribute(attributes, "val")))
            case "outlineLvl":
                self._is_heading |= get_attribute(attributes, "val") in "012345678"
            case "hyperlink":
                relation = self._relations.get(get_relation_id(attributes))
                self._text.begin_link(relation.target if relation and relation.is_external else "")
            case "fldSimple":
                found = _FIELD_LINK.search(get_attribute(attributes, "instr"))
                self._text.begin_link(found[1] if found else "")

    def _end(self, name: str) -> None:
        if self._skipped:
            self._skipped -= 1
            return
        match name:
            case "t":
                self._in_text = False
            case "instrText":
                self._in_field = False
            case "hyperlink" | "fldSimple":
                self._text.end_link()
            case "tc":
                self._text.end_paragraph()
            case "p":
                self._text.end_paragraph(self._is_heading)
                self._is_heading = False
                if self._text.is_full:
                    raise EnoughRead

    def _add_text(self, value: str) -> None:
        if self._skipped:
            return
        if self._in_text:
            self._text.add_text(value)
        elif self._in_field and (found := _FIELD_LINK.search(value)):
            self._text.add_link(found[1])
