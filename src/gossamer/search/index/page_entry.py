"""The entry of a page: what is indexed of it, and what is stored to show it among the answers."""

from bisect import bisect_right
from collections.abc import Mapping
from operator import itemgetter

import msgspec

KEPT_CHARACTERS = 20_000
"""How much of a text is stored: snippets come from further up, or from nowhere that a reader would go."""
KEPT_DOCUMENT_CHARACTERS = 400_000
"""The same for a document with parts, of which a snippet names one: some 150 pages of a book."""


class Section(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A part of a text below a heading."""

    begin: int
    """Where it begins in the text; its heading, if that is a part of the text, comes first."""
    level: int
    """Of its heading, from 1 to 6."""
    heading: str


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A page as the index takes it."""

    id: int
    url: str
    host: str = ""
    site: str = ""
    title: str = ""
    headings: tuple[str, ...] = ()
    main: str = ""
    """The main text."""
    rest: str = ""
    """The text outside the main text."""
    anchors: tuple[str, ...] = ()
    """Texts of links to this page; important ones are repeated."""
    language: str = ""
    kind: str = ""
    date_s: float = 0.0
    depth: int = 0
    marks: Mapping[str, str] = {}
    """The marks that classifiers gave it."""
    archive: bool = True
    """Whether a copy of it may be shown."""
    snippet_chars: int | None = None
    """How many characters of its text may be shown; None for no limit."""
    parts: tuple[tuple[int, str], ...] = ()
    """Where the pages, sheets or chapters of a document begin in its main text, and their labels."""
    sections: "tuple[Section, ...]" = ()
    """The sections of its main text, in order."""
    words: int = 0
    simhash: int = 0
    stamp: int = 0
    """A hash of what this entry was made of."""


class IndexedPage(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What the index stores of a page to show it among the answers."""

    url: str
    title: str
    language: str
    kind: str
    site: str
    date_s: float
    depth: int
    archive: bool
    text: str = ""
    """The beginning of its text."""
    parts: tuple[tuple[int, str], ...] = ()
    """Where the parts of a document begin in the text, and their labels."""
    sections: tuple[Section, ...] = ()
    """The sections of the text, in order; none in pages that earlier versions indexed."""

    def find_part(self, position: int) -> str:
        """Return the label of the part that has this position of the text, such as "page 3"; "" without parts."""
        at = bisect_right(self.parts, position, key=itemgetter(0)) - 1
        return self.parts[at][1] if at >= 0 else ""


_PACK = msgspec.json.Encoder().encode
_UNPACK = msgspec.json.Decoder(IndexedPage).decode


def pack_entry(entry: Entry) -> str:
    """Return what the index stores of an entry: a line of JSON without the text, and the text.

    It is one string, since the engine reads bytes one by one, and strings at once.
    """
    url, title = _replace_surrogates(entry.url), _replace_surrogates(entry.title)
    facts = entry.language, entry.kind, entry.site, entry.date_s, entry.depth, entry.archive
    most = KEPT_DOCUMENT_CHARACTERS if entry.parts else KEPT_CHARACTERS
    text = (entry.main or entry.rest)[: entry.snippet_chars][:most]
    parts = tuple((begin, _replace_surrogates(label)) for begin, label in entry.parts if begin < len(text))
    sections = tuple(
        Section(one.begin, one.level, _replace_surrogates(one.heading))
        for one in entry.sections
        if one.begin < len(text)
    )
    page = IndexedPage(url, title, *facts, parts=parts, sections=sections)
    return f"{_PACK(page).decode()}\n{_replace_surrogates(text)}"


def unpack_page(packed: str) -> IndexedPage:
    """Read what `pack_entry` wrote."""
    facts, _, text = packed.partition("\n")
    page = _UNPACK(facts)
    msgspec.structs.force_setattr(page, "text", text)  # no other has seen it: a third of the time of a copy
    return page


def _replace_surrogates(text: str) -> str:
    """Replace lone surrogates, which are not characters."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
