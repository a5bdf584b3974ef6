"""Write small documents of each format with a known title, author, text and links."""

from collections.abc import Callable

import msgspec

from gossamer.lab.documents.write_pdf import write_pdf
from gossamer.lab.documents.write_plain import write_feed, write_image, write_markdown, write_mbox, write_rtf
from gossamer.lab.documents.write_zipped import write_docx, write_epub, write_odt, write_pptx, write_xlsx


class SampleDocument(msgspec.Struct, frozen=True):
    """What a document says."""

    title: str
    author: str
    pages: tuple[tuple[str, ...], ...]
    """Paragraphs of each page, slide, sheet, chapter, message or entry."""
    links: tuple[tuple[str, str], ...] = ()
    """Addresses and anchor texts; they stand on the last page."""


class DocumentForm(msgspec.Struct, frozen=True):
    """How a format is written and labelled."""

    write: Callable[[SampleDocument], bytes]
    media_type: str
    extension: str
    kind: str
    """What the crawl calls it."""


_OOXML = "application/vnd.openxmlformats-officedocument"
FORMS: dict[str, DocumentForm] = {
    "pdf": DocumentForm(write_pdf, "application/pdf", "pdf", "pdf"),
    "docx": DocumentForm(write_docx, f"{_OOXML}.wordprocessingml.document", "docx", "office"),
    "xlsx": DocumentForm(write_xlsx, f"{_OOXML}.spreadsheetml.sheet", "xlsx", "office"),
    "pptx": DocumentForm(write_pptx, f"{_OOXML}.presentationml.presentation", "pptx", "office"),
    "odt": DocumentForm(write_odt, "application/vnd.oasis.opendocument.text", "odt", "office"),
    "epub": DocumentForm(write_epub, "application/epub+zip", "epub", "office"),
    "rtf": DocumentForm(write_rtf, "application/rtf", "rtf", "office"),
    "markdown": DocumentForm(write_markdown, "text/markdown", "md", "text"),
    "mail": DocumentForm(write_mbox, "application/mbox", "mbox", "text"),
    "feed": DocumentForm(write_feed, "application/rss+xml", "rss", "feed"),
    "image": DocumentForm(write_image, "image/png", "png", "image"),
}


def write_document(form: str, document: SampleDocument) -> bytes:
    """Return a document as a file of this format."""
    return FORMS[form].write(document)
