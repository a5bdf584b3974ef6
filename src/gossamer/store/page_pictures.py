"""Pictures of pages: WebP images in the archive, found by notes that say where each is.

A picture is a resource record whose address names its page, `urn:thumbnail:URL` or `urn:view:URL`, as other archiving
programs write them. Pages that look the same share one record. A note whose record is not there (in a copy of a web, which
moves records) counts as no picture: it can be made again from the archive.
"""

from typing import Literal

import msgspec

from gossamer.net import fingerprint
from gossamer.records import Exchange
from gossamer.store.archive.archive_reader import ArchiveReader, WarcPosition
from gossamer.store.batch import Store

ROOM = "picture"
Size = Literal["small", "whole"]
_ADDRESSES: dict[Size, str] = {"small": "urn:thumbnail:", "whole": "urn:view:"}
_WEBP = "image/webp"


class PicturePlace(msgspec.Struct, frozen=True, array_like=True):
    """Where a picture is in the archive."""

    warc: str
    offset: int
    digest: str


_DECODER = msgspec.json.Decoder(PicturePlace)


def name_note(page_id: int, size: Size) -> tuple[str, str]:
    """Return the room and the name of the note about a picture."""
    return ROOM, f"{page_id & (1 << 64) - 1:016x}.{size}"


def parse_note(name: str) -> tuple[int, Size] | None:
    """Return the page and the size in the name of a note; None for other names."""
    digits, _, size = name.partition(".")
    for known in _ADDRESSES:
        if size == known:
            try:
                number = int(digits, 16)
            except ValueError:
                return None
            return (number - (1 << 64) if number >= 1 << 63 else number), known
    return None


def make_address(url: str, size: Size) -> str:
    """Return the address of a picture of a page in the archive."""
    return _ADDRESSES[size] + url


def find_shown_url(address: str) -> str:
    """Return the URL of the page that the address of a picture names; any other URL as it is."""
    for start in _ADDRESSES.values():
        if address.startswith(start):
            return address.removeprefix(start)
    return address


def make_exchange(url: str, size: Size, image: bytes, now_s: float) -> Exchange:
    """Return a picture as it goes into the archive: no server sent it, so it has no heads."""
    headers = (("content-type", _WEBP),)
    return Exchange(make_address(url, size), 200, b"", b"", image, image, headers, "", now_s, 0.0, 0.0)


def encode_place(place: WarcPosition, digest: str) -> bytes:
    """Return the note about a picture."""
    return msgspec.json.encode(PicturePlace(place.warc, place.offset, digest))


def find_place(store: Store, page_id: int, size: Size) -> PicturePlace | None:
    """Return where the picture of a page is; None if it has none."""
    return decode_place(store.note(*name_note(page_id, size)))


def decode_place(note: bytes | None) -> PicturePlace | None:
    """Return the place in a note; None if there is none."""
    try:
        return _DECODER.decode(note) if note else None
    except msgspec.MsgspecError:
        return None


def read_picture(store: Store, archive: ArchiveReader, page_id: int, size: Size) -> bytes | None:
    """Return the picture of a page as WebP; None if there is none, or another record where it should be."""
    place = find_place(store, page_id, size)
    if place is None:
        return None
    exchange = archive.read(WarcPosition(place.warc, place.offset))
    if exchange is None or not exchange.url.startswith(_ADDRESSES[size]):
        return None
    return exchange.payload if fingerprint.digest(exchange.payload) == place.digest else None
