"""From a page of a web to its entry in the index."""

import hashlib
from collections.abc import Callable

import msgspec

from gossamer.net.blocks import layout_of
from gossamer.net.dates import parse_date
from gossamer.net.directives import directives
from gossamer.net.document import Document
from gossamer.net.main_content import main_flags
from gossamer.net.site import site
from gossamer.records import Page
from gossamer.search.anchors import Called
from gossamer.search.entries import Entry
from gossamer.text.language.pages import page_language

# A page of a million characters is a list or a book: what it is about stands further up.
_MOST_CHARACTERS = 1_000_000
_MOST_HEADINGS = 200
_OK = 200
_PACK = msgspec.msgpack.Encoder().encode


def is_indexed(page: Page) -> bool:
    """Say whether a page belongs into the index: one of HTML that was got and does not say noindex."""
    return page.index and page.kind == "html" and page.status == _OK


def facts_stamp(page: Page) -> int:
    """Return a number that is another one when the entry of a page would be, for all that the store knows of it."""
    told = (page.url, page.digest, page.language, page.depth, page.last_modified, page.marks, page.archive)
    digest = hashlib.blake2b(_PACK(told), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


def stamp(page: Page, called: Called) -> int:
    """Return a number that is another one when the entry of a page would be."""
    # As 64-bit arrays add up.
    return (facts_stamp(page) + called.digest + 2**63) % 2**64 - 2**63


class Read(msgspec.Struct, frozen=True):
    """A page as it was read again."""

    document: Document
    headers: tuple[tuple[str, str], ...] = ()
    """Lower-case names."""


def entry_of(
    page: Page, read: Read, called: Called, recognise: Callable[[str], str] = page_language
) -> Entry:
    """Return the entry of a page. Cost: a layout of the page; recognising its language, if nobody has yet."""
    document = read.document
    containers, fragments = layout_of(document)
    parts: tuple[list[str], list[str]] = ([], [])
    for fragment, is_main in zip(fragments, main_flags(containers, fragments), strict=True):
        parts[is_main].append(fragment.text)
    rest, main = ("\n".join(texts)[:_MOST_CHARACTERS] for texts in parts)
    return Entry(
        id=page.id,
        url=page.url,
        host=page.host,
        site=site(page.host),
        title=document.title,
        headings=tuple(heading.text for heading in document.headings[:_MOST_HEADINGS]),
        main=main,
        rest=rest,
        anchors=called.texts,
        language=page.language or recognise(main or rest),
        kind=page.kind,
        date_s=date_of(page),
        depth=page.depth,
        marks=page.marks,
        archive=page.archive,
        snippet_chars=snippet_chars(read),
        words=page.words,
        simhash=page.simhash,
        stamp=stamp(page, called),
    )


def snippet_chars(read: Read) -> int | None:
    """Return how much of a page may be shown among answers, as it says itself; None for as much as one likes."""
    if not read.document.robots and "x-robots-tag" not in dict(read.headers):
        return None
    wishes = directives(read.document.robots, read.headers)
    return wishes.max_snippet_chars if wishes.snippet else 0


def date_of(page: Page) -> float:
    """Return when a page was changed, as it says itself; if it does not, or cannot be right, when it was got."""
    told = parse_date(page.last_modified) if page.last_modified else None
    changed_s = told.timestamp() if told is not None else 0.0
    return changed_s if 0 < changed_s <= page.fetched_s else page.fetched_s
