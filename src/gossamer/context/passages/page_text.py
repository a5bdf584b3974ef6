"""Read the text of one page, in parts: what the index stores of it, within which passages have their offsets."""

import msgspec

from gossamer.errors import BadInput, BadUrl
from gossamer.search.index.find_entry import find_entry
from gossamer.search.index.page_entry import KEPT_CHARACTERS, KEPT_DOCUMENT_CHARACTERS
from gossamer.search.index.search_index import Index
from gossamer.search.links.page_neighbours import find_page
from gossamer.store.batch import Store

MOST_CHARACTERS = 20_000
"""Characters of one part."""


class PageText(msgspec.Struct, frozen=True):
    """A part of the text of a page."""

    url: str
    title: str
    language: str
    date_s: float
    text: str
    offset: int
    """Where the part begins in the text, in characters."""
    next_offset: int | None
    """Where the next part begins; None if this is the last one."""
    characters: int
    """Of the whole text."""
    is_cut: bool
    """Whether the page has more text than the collection stores for reading."""


def read_page_text(
    index: Index, store: Store, address: str, offset: int = 0, characters: int = MOST_CHARACTERS
) -> PageText:
    """Return a part of the text of the page at an address.

    Raises BadInput if the page is not in the index, or if its author allows no copies.
    """
    if not 1 <= characters <= MOST_CHARACTERS:
        raise BadInput(f"give 1 to {MOST_CHARACTERS:,} characters to read, not {characters:,}")
    try:
        page = find_entry(index, find_page(store, address.partition("#")[0]))
    except BadUrl:
        raise BadInput("that is not the address of a page") from None
    if page is None:
        raise BadInput("this page is not in the index of the collection")
    if not page.archive:
        raise BadInput("the author of this page does not allow copies of it; passages cite short pieces")
    if not 0 <= offset <= len(page.text):
        raise BadInput(f"the text has {len(page.text):,} characters; the offset {offset:,} is not in it")
    end = min(len(page.text), offset + characters)
    return PageText(
        url=page.url,
        title=page.title,
        language=page.language,
        date_s=page.date_s,
        text=page.text[offset:end],
        offset=offset,
        next_offset=end if end < len(page.text) else None,
        characters=len(page.text),
        is_cut=len(page.text) == (KEPT_DOCUMENT_CHARACTERS if page.parts else KEPT_CHARACTERS),
    )
