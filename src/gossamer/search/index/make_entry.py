"""Make the index entry of a page, and the stamp that tells whether it has to be made anew."""

import hashlib
from collections.abc import Callable

import msgspec

from gossamer.documents.readable_pages import is_document, is_document_kind
from gossamer.net.dates import parse_date
from gossamer.net.url.public_suffix import site
from gossamer.records import Page
from gossamer.search.index.page_entry import Entry
from gossamer.search.index.read_archived_page import PageContent
from gossamer.search.links.anchor_texts import PageAnchors
from gossamer.text.language.detection.page_language import page_language

_KINDS = frozenset({"html", "text"})
_OK = 200
_READERS_VERSION = 1
"""Raised when readers of documents find more: then documents are indexed anew, and pages are not."""
_PACK = msgspec.msgpack.Encoder().encode


def is_indexed(page: Page) -> bool:
    """Say whether a page belongs in the index: HTML, plain text or a document with status 200 and without noindex."""
    return may_index(page.index, page.status, page.kind) or (page.index and is_document(page))


def may_index(index: bool, status: int, kind: str) -> bool:
    """Say whether a page with these facts belongs in the index."""
    return index and status == _OK and (kind in _KINDS or is_document_kind(kind))


def compute_facts_stamp(page: Page) -> int:
    """Return a hash of everything in the store that the entry of a page is made of."""
    facts = (page.url, page.digest, page.language, page.depth, page.last_modified, page.marks, page.archive)
    read_by = () if page.kind in _KINDS else (_READERS_VERSION,)
    digest = hashlib.blake2b(_PACK((*facts, *read_by)), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


def compute_stamp(page: Page, anchors: PageAnchors) -> int:
    """Return a hash of everything that the entry of a page is made of, anchor texts included."""
    # Wraps around as the addition of 64-bit arrays does.
    return (compute_facts_stamp(page) + anchors.digest + 2**63) % 2**64 - 2**63


def make_entry(
    page: Page,
    content: PageContent,
    anchors: PageAnchors,
    detect_language: Callable[[str], str] = page_language,
) -> Entry:
    """Return the entry of a page. Cost: detecting its language, if the store does not know it."""
    return Entry(
        id=page.id,
        url=page.url,
        host=page.host,
        site=site(page.host),
        title=content.title,
        headings=content.headings,
        main=content.main,
        rest=content.rest,
        anchors=anchors.texts,
        language=page.language or detect_language(content.main or content.rest),
        kind=content.kind or page.kind,
        date_s=choose_date(page),
        depth=page.depth,
        marks=page.marks,
        archive=page.archive and content.directives.archive,
        snippet_chars=content.directives.max_snippet_chars if content.directives.snippet else 0,
        parts=content.parts,
        sections=content.sections,
        words=content.words,
        simhash=content.simhash,
        stamp=compute_stamp(page, anchors),
    )


def choose_date(page: Page) -> float:
    """Return the Last-Modified date of a page as Unix time; if it is missing or impossible, the time of the visit."""
    modified = parse_date(page.last_modified) if page.last_modified else None
    changed_s = modified.timestamp() if modified is not None else 0.0
    return changed_s if 0 < changed_s <= page.fetched_s else page.fetched_s
