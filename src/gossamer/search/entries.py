"""What is indexed of a page, and what is kept to show it."""

from collections.abc import Mapping

import msgspec


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
    text: str
    language: str
    kind: str
    site: str
    date_s: float
    depth: int
    words: int
    archive: bool = True


class Named(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The first of it: enough to name a page, without its text."""

    url: str
    title: str


_PACK = msgspec.msgpack.Encoder().encode
_UNPACK = msgspec.msgpack.Decoder(Shown).decode
_UNPACK_NAME = msgspec.msgpack.Decoder(Named).decode


def packed(entry: Entry) -> bytes:
    """Return what is kept of an entry, as bytes."""
    shown = Shown(
        entry.url,
        entry.title,
        (entry.main or entry.rest)[: entry.snippet_chars],
        entry.language,
        entry.kind,
        entry.site,
        entry.date_s,
        entry.depth,
        entry.words,
        entry.archive,
    )
    try:
        return _PACK(shown)
    except UnicodeEncodeError:  # half a surrogate pair is no character
        return _PACK(
            msgspec.structs.replace(shown, **{n: _clean(getattr(shown, n)) for n in ("url", "title", "text")})
        )


def unpacked(kept: bytes) -> Shown:
    """Return what was kept."""
    return _UNPACK(kept)


def unpacked_name(kept: bytes) -> Named:
    """Return the name of what was kept."""
    return _UNPACK_NAME(kept)


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
