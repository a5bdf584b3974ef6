"""Read Excel workbooks (xlsx): sheet by sheet, one line for each row, as a stream."""

from collections.abc import Sequence

from gossamer.documents.document_content import (
    MOST_CHARACTERS,
    MOST_PARTS,
    DocumentContent,
    UnreadableDocument,
)
from gossamer.documents.formats.document_text import TextCollector
from gossamer.documents.formats.xml_events import Attributes, EnoughRead, XmlEvents
from gossamer.documents.zipped.ooxml_package import (
    Relation,
    find_main_part,
    get_relation_id,
    read_properties,
    read_relations,
)
from gossamer.documents.zipped.zip_members import ZipMembers

_MOST_SHARED_CHARACTERS = 20 * MOST_CHARACTERS


def read_xlsx(body: bytes, url: str) -> DocumentContent:  # noqa: ARG001 - readers take the URL
    """Read a workbook. Numbers are read as they are stored, so dates are numbers."""
    package = ZipMembers(body)
    main = find_main_part(package, "xl/workbook.xml")
    if main not in package.names:
        raise UnreadableDocument("broken", "it has no main part")
    relations = read_relations(package, main)
    text = TextCollector()
    shared = _read_shared_strings(package, relations)
    is_whole = True
    for name, part in _list_sheets(package, main, relations):
        text.begin_part(f"sheet {name}")
        is_whole &= _SheetReader(text, shared, read_relations(package, part)).read(package, part)
        if text.is_full:
            break
    return DocumentContent(
        format="xlsx",
        parts=text.take_parts(),
        links=tuple(text.links),
        headings=(),
        warnings=() if is_whole else ("its XML is faulty and was read up to the fault",),
        **read_properties(package),
    )


def _list_sheets(package: ZipMembers, main: str, relations: dict[str, Relation]) -> list[tuple[str, str]]:
    """Return the names of the sheets and of their parts, in order."""
    found: list[tuple[str, str]] = []

    def start(name: str, attributes: Attributes) -> None:
        relation = relations.get(get_relation_id(attributes)) if name == "sheet" else None
        if relation is not None and relation.target in package.names and len(found) < MOST_PARTS:
            found.append((attributes.get("name", "")[:100], relation.target))

    XmlEvents(start, lambda _: None, lambda _: None).read(package.read_chunks(main))
    return found


def _read_shared_strings(package: ZipMembers, relations: dict[str, Relation]) -> list[str]:
    """Return the strings that cells refer to by number."""
    part = next((one.target for one in relations.values() if one.type == "sharedStrings"), "")
    found: list[str] = []
    runs: list[str] = []
    in_text, in_phonetic, characters = False, False, 0

    def start(name: str, attributes: Attributes) -> None:  # noqa: ARG001 - as the parser calls it
        nonlocal in_text, in_phonetic
        in_phonetic |= name == "rPh"  # how Japanese text is pronounced
        in_text = name == "t" and not in_phonetic

    def end(name: str) -> None:
        nonlocal in_text, in_phonetic
        in_text = False
        in_phonetic &= name != "rPh"
        if name == "si":
            found.append("".join(runs))
            runs.clear()

    def add_text(value: str) -> None:
        nonlocal characters
        if in_text:
            characters += len(value)
            if characters > _MOST_SHARED_CHARACTERS:
                raise EnoughRead
            runs.append(value)

    XmlEvents(start, end, add_text).read(package.read_chunks(part))
    return found


class _SheetReader:
    """Collects the cells of one sheet."""

    def __init__(self, text: TextCollector, shared: Sequence[str], relations: dict[str, Relation]) -> None:
        self._text = text
        self._shared = shared
        self._relations = relations
        self._type = ""
        self._in_value = False
        self._value: list[str] = []

    def read(self, package: ZipMembers, part: str) -> bool:
        """Read a sheet; return False if it is faulty."""
        return XmlEvents(self._start, self._end, self._add_text).read(package.read_chunks(part))

    def _start(self, name: str, attributes: Attributes) -> None:
        if name == "c":
            self._type = attributes.get("t", "n")
        elif name in ("v", "t"):
            self._in_value = True
        elif name == "hyperlink":
            relation = self._relations.get(get_relation_id(attributes))
            if relation is not None and relation.is_external:
                self._text.add_link(relation.target, attributes.get("display", ""))

    def _end(self, name: str) -> None:
        if name in ("v", "t"):
            self._in_value = False
        elif name == "c":
            self._add_cell("".join(self._value))
            self._value.clear()
        elif name == "row":
            self._text.end_paragraph()
            if self._text.is_full:
                raise EnoughRead

    def _add_text(self, value: str) -> None:
        if self._in_value:
            self._value.append(value)

    def _add_cell(self, value: str) -> None:
        if self._type == "s":
            at = int(value) if value.isdecimal() and len(value) < 10 else len(self._shared)
            value = self._shared[at] if at < len(self._shared) else ""
        if value and self._type != "e":  # not #REF!
            self._text.add_text(f"{value} ")
