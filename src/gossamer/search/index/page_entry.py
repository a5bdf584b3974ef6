"""What is indexed of a page, and what is kept to show it."""

from collections.abc import Mapping

import msgspec

KEPT_CHARACTERS = 20_000
"""So much of a text is kept: what is looked for to show stands further up, or nowhere that a reader would go."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A page as the index takes it."""

    id: int
    url: str
    host: str = ""
    site: str = ""
    title: str = ""
    headings: tuple[str, ...] = ()
    main: str = ""
    """The main text: what a reader came for."""
    rest: str = ""
    """What stands on the page beside it."""
    anchors: tuple[str, ...] = ()
    """Texts of links that lead here; what counts more comes several times."""
    language: str = ""
    kind: str = ""
    date_s: float = 0.0
    depth: int = 0
    marks: Mapping[str, str] = {}
    """What classifiers said of it."""
    archive: bool = True
    """Whether a copy of it may be shown."""
    snippet_chars: int | None = None
    """How much of its text may be shown; None for as much as one likes."""
    words: int = 0
    simhash: int = 0
    stamp: int = 0
    """What this was made of: another stamp is another entry."""


class Shown(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What is kept of a page to show it among the answers."""

    url: str
    title: str
    language: str
    kind: str
    site: str
    date_s: float
    depth: int
    archive: bool
    text: str = ""
    """Its beginning."""


_PACK = msgspec.json.Encoder().encode
_UNPACK = msgspec.json.Decoder(Shown).decode


def packed(entry: Entry) -> str:
    """Return what is kept of an entry: a line of JSON without its text, and the text.

    It is one string, since the engine reads bytes one by one, and strings at once.
    """
    url, title = _clean(entry.url), _clean(entry.title)
    facts = entry.language, entry.kind, entry.site, entry.date_s, entry.depth, entry.archive
    text = (entry.main or entry.rest)[: entry.snippet_chars][:KEPT_CHARACTERS]
    return f"{_PACK(Shown(url, title, *facts)).decode()}\n{_clean(text)}"


def unpacked(kept: str) -> Shown:
    """Return what was kept."""
    facts, _, text = kept.partition("\n")
    return msgspec.structs.replace(_UNPACK(facts), text=text)


def _clean(text: str) -> str:
    """Return a text without halves of surrogate pairs, which are no characters."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
