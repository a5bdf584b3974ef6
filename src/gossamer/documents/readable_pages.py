"""Say which pages of a web are documents with text, and read them from their archived bytes."""

from gossamer.documents.document_content import Cause, DocumentContent
from gossamer.documents.find_reader import PLAIN_TEXT, choose_reader, find_missing_package
from gossamer.documents.plugin_readers import DOCUMENT, find_former_reader
from gossamer.documents.read_document import DocumentReaders
from gossamer.documents.worker.messages import UnreadDocument
from gossamer.records import Page

UNREADABLE = "unreadable"
"""The mark of a page that could not be read, with the reason."""
_MISSING_EXTRA: Cause = "missing extra"
_FORMAT_OF_KIND = {"pdf": "pdf", "office": "docx"}
# Most of these have no text or repeat that of other pages: only those whose text a crawl has read.
_KNOWN_BY_CRAWL = frozenset({"feed", "image"})
_OK = 200


def is_document_kind(kind: str) -> bool:
    """Say whether the pages of a kind are documents that can be read here."""
    if kind == DOCUMENT:
        return True
    return kind in _FORMAT_OF_KIND and not find_missing_package(_FORMAT_OF_KIND[kind])


def is_document(page: Page) -> bool:
    """Say whether a page is a document beyond HTML and plain text that has text, or may have."""
    if page.status != _OK:
        return False
    if page.kind in _KNOWN_BY_CRAWL:
        return page.words > 0
    return is_document_kind(page.kind)


def is_known_unreadable(page: Page) -> bool:
    """Say whether a crawl could not read a page, and trying again would not help."""
    reason = page.marks.get(UNREADABLE, "")
    return bool(reason) and not reason.startswith(_MISSING_EXTRA)


def read_content(
    page: Page, body: bytes, content_type: str | None, documents: DocumentReaders
) -> DocumentContent | None:
    """Read the archived body of a document; None if it cannot be read, or is plain text."""
    if is_known_unreadable(page):
        return None
    reader = choose_reader(page.kind, content_type, body, page.url, find_former_reader(page))
    if reader in ("", PLAIN_TEXT):
        return None
    found = documents.read(UnreadDocument(reader, page.url, body))
    return found if isinstance(found, DocumentContent) else None
