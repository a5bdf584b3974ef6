"""What the web remembers about the changes of each page and the manners of each host."""

import msgspec

DAY_S = 86_400.0
ROOM = "fresh"
"""The name under which the store keeps these notes. Each is written in the transaction of the visit it comes from."""


class PageHistory(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What visits have shown about one page."""

    seen_s: float = 0.0
    """When the stored copy was last known to be current."""
    tried_s: float = 0.0
    """When the page was last requested, with any outcome."""
    key: int = 0
    """The digest of its text at its last real change."""
    quiet_days: float = 0.0
    """How long it is known to have stayed the same. Here and below, older observations count less."""
    dated: float = 0.0
    """Changes whose date is known."""
    gaps: dict[int, float] = {}
    """Number of gaps between visits that contained a change, by `conditional_request.gap_to_bucket`."""
    unheard: int = 0
    """Consecutive "not modified" answers that were not checked."""
    lies: bool = False
    """Whether such an answer was ever false."""
    gone_s: float = 0.0
    """Since when the page is missing or moved; 0 if it is there."""
    gone_times: int = 0
    out: bool = False
    """Whether the page is given up and not visited again."""
    blocks: bytes = b""
    """The last version's blocks, as `volatile_text.pack_blocks` writes them; empty if versions never differed."""


class HostHistory(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What visits have shown about one host."""

    not_modified: int = 0
    """How often it answered "not modified"."""
    ignored: int = 0
    """How often it sent the same page again although the request was conditional."""
    audits: int = 0
    lies: int = 0
    """How often "not modified" was checked, and how often it was false."""
    places: dict[int, tuple[int, int]] = {}
    """Which places of its pages are volatile, as `volatile_text` learns it."""
    silent_s: float = 0.0
    """Since when it does not answer; 0 if it does."""


AFTER_PAGES = "g"
"""Note names of pages are hexadecimal and sort before this; all other note names sort after it."""


def page_note_name(page_id: int) -> str:
    """Return the name of a page's note."""
    return f"{page_id & 0xFFFF_FFFF_FFFF_FFFF:016x}"


def host_note_name(host: str) -> str:
    """Return the name of a host's note."""
    return f"host {host}"


_encode = msgspec.msgpack.Encoder().encode
_PAGE = msgspec.msgpack.Decoder(PageHistory)
_HOST = msgspec.msgpack.Decoder(HostHistory)


def encode_note(note: PageHistory | HostHistory) -> bytes:
    """Encode a note for the store."""
    return _encode(note)


def decode_page_note(data: bytes | None) -> PageHistory:
    """Decode a page's note; without data, or with damaged data, return an empty history."""
    try:
        return _PAGE.decode(data) if data else PageHistory()
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return PageHistory()


def decode_host_note(data: bytes | None) -> HostHistory:
    """Decode a host's note; without data, or with damaged data, return an empty history."""
    try:
        return _HOST.decode(data) if data else HostHistory()
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return HostHistory()
