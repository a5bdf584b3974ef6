"""From a page of a web to its entry in the index."""

import hashlib
from collections.abc import Callable

import msgspec

from gossamer.net.dates import parse_date
from gossamer.net.url.public_suffix import site
from gossamer.records import Page
from gossamer.search.index.page_entry import Entry
from gossamer.search.index.read_page import Read
from gossamer.search.links.anchor_texts import Called
from gossamer.text.language.detection.page_language import page_language

_KINDS = frozenset({"html", "text"})
_OK = 200
_PACK = msgspec.msgpack.Encoder().encode


def is_indexed(page: Page) -> bool:
    """Say whether a page belongs into the index: HTML or plain text that was got and does not say noindex."""
    return page.index and page.kind in _KINDS and page.status == _OK


def facts_stamp(page: Page) -> int:
    """Return a number that is another one when the entry of a page would be, for all that the store knows of it."""
    told = (page.url, page.digest, page.language, page.depth, page.last_modified, page.marks, page.archive)
    digest = hashlib.blake2b(_PACK(told), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


def stamp(page: Page, called: Called) -> int:
    """Return a number that is another one when the entry of a page would be."""
    # As 64-bit arrays add up.
    return (facts_stamp(page) + called.digest + 2**63) % 2**64 - 2**63


def entry_of(
    page: Page, read: Read, called: Called, recognise: Callable[[str], str] = page_language
) -> Entry:
    """Return the entry of a page. Cost: recognising its language, if nobody has yet."""
    return Entry(
        id=page.id,
        url=page.url,
        host=page.host,
        site=site(page.host),
        title=read.title,
        headings=read.headings,
        main=read.main,
        rest=read.rest,
        anchors=called.texts,
        language=page.language or recognise(read.main or read.rest),
        kind=page.kind,
        date_s=date_of(page),
        depth=page.depth,
        marks=page.marks,
        archive=page.archive and read.wishes.archive,
        snippet_chars=read.wishes.max_snippet_chars if read.wishes.snippet else 0,
        words=read.words,
        simhash=read.simhash,
        stamp=stamp(page, called),
    )


def date_of(page: Page) -> float:
    """Return when a page was changed, as it says itself; if it does not, or cannot be right, when it was got."""
    told = parse_date(page.last_modified) if page.last_modified else None
    changed_s = told.timestamp() if told is not None else 0.0
    return changed_s if 0 < changed_s <= page.fetched_s else page.fetched_s
