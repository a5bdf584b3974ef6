"""The watch list of a web: which pages are watched, how often, and what is known of each."""

import msgspec
import xxhash

from gossamer.errors import make_damage_error
from gossamer.net import url as urls
from gossamer.store.batch import Store
from gossamer.watch.difference.page_noise import KnownNoise
from gossamer.watch.difference.part_text import WatchedPart

ROOM = "watch"
"""The name under which the store keeps the list: a note for each page, and others whose names begin with ~."""
AFTER_PAGES = "g"
DEFAULT_EVERY_S = 86_400.0


class WatchedPage(msgspec.Struct, frozen=True):
    """An entry of the watch list, with what the last looks have shown."""

    url: str
    part: WatchedPart = WatchedPart()
    every_s: float = DEFAULT_EVERY_S
    added_s: float = 0.0
    checked_s: float = 0.0
    """When it was last looked at, with any outcome; 0 if never."""
    status: str = ""
    """"" if never seen, else there, gone, failing, or part gone."""
    detail: str = ""
    """Why it is not there."""
    target: str = ""
    """The page to which its URL redirects; "" if it does not."""
    visits: int = 0
    """How many visits of the target have been judged."""
    version: int = 0
    """The number of the visit with the version that the next one is compared with, counted from 1; 0 if there is none."""
    looks: int = 0
    """How often it was looked at to learn its noise, up to `judge_visits.FIRST_LOOKS`."""
    noise: KnownNoise = KnownNoise()
    title: str = ""
    """The title of the last version."""

    @property
    def name(self) -> str:
        """The name of its note: the same page and part are one entry."""
        part = xxhash.xxh32_hexdigest(f"{self.part.select}\n{self.part.heading}".encode())
        return f"{urls.page_id(self.url) & 0xFFFF_FFFF_FFFF_FFFF:016x}{part}"

    @property
    def due_s(self) -> float:
        """When it is to be looked at next."""
        return self.checked_s + self.every_s if self.checked_s else 0.0


_PAGE = msgspec.msgpack.Decoder(WatchedPage)


def list_watched(store: Store) -> list[WatchedPage]:
    """Return the watched pages, the oldest entry first."""
    found = []
    for name, data in store.notes(ROOM):
        if name < AFTER_PAGES:
            try:
                found.append(_PAGE.decode(data))
            except (msgspec.MsgspecError, UnicodeDecodeError):
                raise make_damage_error("the watch list") from None
    return sorted(found, key=lambda one: (one.added_s, one.url, one.name))


def add_page(known: list[WatchedPage], wanted: WatchedPage) -> WatchedPage:
    """Return the entry of a page: the known one, with the wanted interval, or a new one."""
    for one in known:
        if one.name == wanted.name:
            return msgspec.structs.replace(one, every_s=wanted.every_s)
    return wanted


def make_note(page: WatchedPage) -> tuple[tuple[str, str], bytes | None]:
    """Return the note of an entry."""
    return (ROOM, page.name), msgspec.msgpack.encode(page)
