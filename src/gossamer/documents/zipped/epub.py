"""Read e-books (EPUB): chapter by chapter in reading order, with links and properties."""

import posixpath
from urllib.parse import unquote

import msgspec

from gossamer.documents.document_content import MOST_PARTS, DocumentContent, UnreadableDocument
from gossamer.documents.formats.document_text import TextCollector
from gossamer.documents.formats.html_text import add_html
from gossamer.documents.formats.xml_events import Attributes, XmlEvents, get_attribute
from gossamer.documents.zipped.zip_members import ZipMembers

_CHAPTER_BYTES = 10_000_000
_LONGEST_VALUE = 10_000
_CHAPTERS = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml")
_FIELDS = {"title": "title", "creator": "author", "date": "date", "language": "language"}
_RIGHTS = "META-INF/rights.xml"


class _Book(msgspec.Struct):
    """What the package file of a book says."""

    fields: dict[str, str] = {}
    files: dict[str, str] = {}
    """Names of chapters by their ids."""
    spine: list[str] = []
    """Ids of chapters in reading order."""
    at: str = ""


def read_epub(body: bytes, url: str) -> DocumentContent:  # noqa: ARG001 - readers take the URL
    """Read an e-book."""
    package = ZipMembers(body)
    if _RIGHTS in package.names:
        raise UnreadableDocument("encrypted", "it is protected by digital rights management")
    opf = _find_package_file(package)
    if opf not in package.names:
        raise UnreadableDocument("broken", "it does not name its package file")
    book = _read_package_file(package, opf)
    text = TextCollector()
    folder = posixpath.dirname(opf)
    missing = 0
    for number, chapter in enumerate(book.spine[:MOST_PARTS], 1):
        name = posixpath.normpath(posixpath.join(folder, unquote(book.files.get(chapter, ""))))
        if name not in package.names:
            missing += 1
            continue
        text.begin_part(f"chapter {number}")
        add_html(text, package.read(name, _CHAPTER_BYTES), with_headings=True)
        if text.is_full:
            break
    return DocumentContent(
        format="epub",
        parts=text.take_parts(),
        links=tuple(text.links),
        headings=tuple(text.headings),
        warnings=(f"{missing:,} chapters are missing",) if missing else (),
        **{name: book.fields.get(name, "").strip() for name in _FIELDS.values()},
    )


def _find_package_file(package: ZipMembers) -> str:
    found: list[str] = []

    def start(name: str, attributes: Attributes) -> None:
        if name == "rootfile" and not found:
            found.append(get_attribute(attributes, "full-path"))

    XmlEvents(start, lambda _: None, lambda _: None).read(package.read_chunks("META-INF/container.xml"))
    others = (name for name in sorted(package.names) if name.endswith(".opf"))
    return found[0] if found and found[0] in package.names else next(others, "")


def _read_package_file(package: ZipMembers, name: str) -> _Book:
    book = _Book({}, {}, [])

    def start(element: str, attributes: Attributes) -> None:
        book.at = _FIELDS.get(element, "")
        if element == "item" and attributes.get("media-type") in _CHAPTERS:
            book.files[attributes.get("id", "")] = attributes.get("href", "")
        elif element == "itemref":
            book.spine.append(attributes.get("idref", ""))

    def end(element: str) -> None:
        if _FIELDS.get(element) == book.at:
            book.at = ""

    def add_text(value: str) -> None:
        if book.at and len(book.fields.get(book.at, "")) < _LONGEST_VALUE:
            book.fields[book.at] = book.fields.get(book.at, "") + value

    XmlEvents(start, end, add_text).read(package.read_chunks(name))
    return book
