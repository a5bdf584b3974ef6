"""What is remembered of pages and hosts between visits: as much as rates, manners of asking and ends depend on."""

import msgspec

DAY_S = 86_400.0
ROOM = "fresh"
"""Under this name the web keeps these notes, each written in the transaction of the visit that it comes from."""


class PageLearnt(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What visits have shown of one page."""

    seen_s: float = 0.0
    """When the page was last known to be as we have it."""
    tried_s: float = 0.0
    """When it was last asked for, whatever came."""
    key: int = 0
    """The digest of its text as of its last change that was one."""
    quiet_days: float = 0.0
    """How long it is known to have stayed as it was; what is long ago counts less, here and in what follows."""
    dated: float = 0.0
    """Changes whose date is known."""
    gaps: dict[int, float] = {}
    """How many gaps with a change there were, by `fresh_asking.gap_place`; those long ago count less."""
    unheard: int = 0
    """Answers in a row that nothing changed, which nobody checked."""
    lies: bool = False
    """Whether such an answer was false once."""
    gone_s: float = 0.0
    """Since when the page is not there, or elsewhere; 0 if it is."""
    gone_times: int = 0
    out: bool = False
    """Whether it is given up: nobody visits it again."""
    blocks: bytes = b""
    """Of its last version, as `fresh_noise.packed` writes them; of pages that never differed nothing."""


class HostLearnt(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What visits have shown of one host."""

    not_modified: int = 0
    """How often it said that nothing changed."""
    ignored: int = 0
    """How often it sent the same page again, although we had said that we have it."""
    audits: int = 0
    lies: int = 0
    """How often that was checked, and how often it was false."""
    places: dict[int, tuple[int, int]] = {}
    """Where pages change, as `fresh_noise` learns it."""
    silent_s: float = 0.0
    """Since when it does not answer; 0 if it does."""


AFTER_PAGES = "g"
"""Names of the notes of pages are hexadecimal: before this. All other notes stand behind it."""


def page_name(page_id: int) -> str:
    """Return the name of a page's note."""
    return f"{page_id & 0xFFFF_FFFF_FFFF_FFFF:016x}"


def host_name(host: str) -> str:
    """Return the name of a host's note."""
    return f"host {host}"


_encode = msgspec.msgpack.Encoder().encode
_PAGE = msgspec.msgpack.Decoder(PageLearnt)
_HOST = msgspec.msgpack.Decoder(HostLearnt)


def written(note: PageLearnt | HostLearnt) -> bytes:
    """Write a note down."""
    return _encode(note)


def page_note(data: bytes | None) -> PageLearnt:
    """Read the note of a page; an empty one if there is none."""
    return _PAGE.decode(data) if data else PageLearnt()


def host_note(data: bytes | None) -> HostLearnt:
    """Read the note of a host; an empty one if there is none."""
    return _HOST.decode(data) if data else HostLearnt()
