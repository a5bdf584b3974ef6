"""Tombstones: which pages, hosts and patterns a web has forgotten, so that they are not collected again.

A tombstone holds the id of a page, which is a fingerprint of its URL, and no readable part of it. Takedowns are the log of what
was asked for: for a URL its id, for a host or a pattern what the person typed.
"""

import re
from collections.abc import Iterable
from contextlib import suppress
from typing import Literal

import msgspec

from gossamer.errors import BadInput, make_damage_error
from gossamer.net import url as urls
from gossamer.store.batch import Batch, Store

ROOM = "forgotten"
"""The room of the tombstones of pages; each is named by the page's id as 16 hexadecimal digits."""
TAKEDOWNS = "takedowns"
"""The room of the log; each entry is named by its number."""
DROPPED = "dropped"
"""The room of pages that were dropped to save room, named like tombstones; they may be collected again."""

TakedownKind = Literal["url", "host", "pattern", "older than", "keep bytes"]


class Takedown(msgspec.Struct, frozen=True):
    """One request to forget pages, as the log keeps it."""

    number: int
    kind: TakedownKind
    asked: str
    """The id of a URL in hexadecimal digits; a host, a pattern, a duration or a number of bytes as it was given."""
    when_s: float
    reason: str = ""
    """What the person gave as the reason."""
    pages: int = 0
    addresses: int = 0
    """Known URLs, those of its pages among them."""
    visits: int = 0
    links: int = 0
    records: int = 0
    """WARC records that were removed."""
    archive_bytes: int = 0
    """The packed bytes of those records."""
    files: int = 0
    """WARC files that were written anew."""
    finished_s: float = 0.0
    """When the last byte was gone; 0 if that is not done."""
    undone_s: float = 0.0
    """When it was allowed again; 0 if it was not."""


class Tombstone(msgspec.Struct, frozen=True, array_like=True):
    """That a page was forgotten or dropped, when, and by which takedown."""

    when_s: float
    takedown: int
    why: str = ""
    """For a page that was dropped: the rule that chose it."""


_TAKEDOWN = msgspec.msgpack.Decoder(Takedown)
_TOMBSTONE = msgspec.msgpack.Decoder(Tombstone)


def tombstone_name(page_id: int) -> str:
    """Return the name of the note of a page."""
    return f"{page_id & 0xFFFF_FFFF_FFFF_FFFF:016x}"


def read_name(name: str) -> int:
    """Return the page id that a note is named by."""
    number = int(name, 16)
    return number - (1 << 64) if number >= 1 << 63 else number


class Tombstones:
    """The pages, hosts and patterns that a web has forgotten."""

    def __init__(
        self, ids: Iterable[int] = (), hosts: Iterable[str] = (), patterns: Iterable[str] = ()
    ) -> None:
        self.ids = frozenset(ids)
        self.hosts = frozenset(hosts)
        self.patterns = tuple(map(re.compile, patterns))

    def __bool__(self) -> bool:
        return bool(self.ids or self.hosts or self.patterns)

    def covers(self, url: str) -> bool:
        """Say whether a URL in canonical form must not be collected."""
        if not self:
            return False
        return (
            urls.page_id(url) in self.ids
            or (bool(self.hosts) and _host_of(url) in self.hosts)
            or any(pattern.search(url) for pattern in self.patterns)
        )

    def find_covered(self, candidates: Iterable[str]) -> set[str]:
        """Return those of some URLs that must not be collected."""
        return {url for url in candidates if self.covers(url)} if self else set()


NONE = Tombstones()


def load_tombstones(store: Store) -> Tombstones:
    """Read the tombstones of a web. Cost: 2 µs for each forgotten page."""
    rules = [one for one in read_takedowns(store) if not one.undone_s]
    return Tombstones(
        [read_name(name) for name, _ in store.notes(ROOM)],
        [one.asked for one in rules if one.kind == "host"],
        [one.asked for one in rules if one.kind == "pattern"],
    )


def read_takedowns(store: Store) -> list[Takedown]:
    """Return the log of a web, the oldest entry first."""
    found = []
    for _, packed in store.notes(TAKEDOWNS):
        try:
            found.append(_TAKEDOWN.decode(packed))
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise make_damage_error("the log of what was forgotten") from None
    return sorted(found, key=lambda one: one.number)


def pack_takedown(takedown: Takedown) -> tuple[tuple[str, str], bytes]:
    """Return the note of an entry of the log."""
    return (TAKEDOWNS, f"{takedown.number:08}"), msgspec.msgpack.encode(takedown)


def find_tombstone(store: Store, url: str, room: str = ROOM) -> Tombstone | None:
    """Return the tombstone of a URL, its own or that of a rule that covers it; None if it was not forgotten."""
    packed = store.note(room, tombstone_name(urls.page_id(url)))
    if packed is not None:
        with suppress(msgspec.MsgspecError):
            return _TOMBSTONE.decode(packed)
    if room != ROOM:
        return None
    for one in read_takedowns(store):
        if not one.undone_s and _rule_covers(one, url):
            return Tombstone(one.when_s, one.number)
    return None


def check_not_forgotten(store: Store, candidates: Iterable[str]) -> None:
    """Raise BadInput for the first of some URLs that the web has forgotten."""
    if not store.notes(TAKEDOWNS, most=1):
        return
    for url in candidates:
        if (gone := find_tombstone(store, url)) is not None:
            raise BadInput(
                f"{url} was forgotten and is not collected again; `gossamer forget --undo {gone.takedown}` allows it"
            )


def lift_notes(store: Store, takedowns: Iterable[Takedown], now_s: float) -> Batch:
    """Return the batch that marks takedowns as undone and removes their tombstones."""
    undone = {one.number: one for one in takedowns}
    notes: dict[tuple[str, str], bytes | None] = {}
    for name, packed in store.notes(ROOM):
        if _TOMBSTONE.decode(packed).takedown in undone:
            notes[ROOM, name] = None
    for one in undone.values():
        place, value = pack_takedown(msgspec.structs.replace(one, undone_s=now_s))
        notes[place] = value
    return Batch(notes=notes)


def _rule_covers(takedown: Takedown, url: str) -> bool:
    match takedown.kind:
        case "host":
            return _host_of(url) == takedown.asked
        case "pattern":
            return re.search(takedown.asked, url) is not None
        case _:
            return False


def _host_of(url: str) -> str:
    parts = url.split("/", 3)
    return parts[2] if len(parts) > 2 else ""
