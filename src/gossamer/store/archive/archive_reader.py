"""What an archive has kept, for readers: any of them, also while somebody else writes it."""

from pathlib import Path

import msgspec

from gossamer.records import Exchange
from gossamer.store.archive.read_exchange import Decode, exchange_of
from gossamer.store.archive.warc_records import Record, record_at

# A page that was the same each time it was visited may refer to its last visit rather than to its first.
_MOST_HOPS = 100


class Place(msgspec.Struct, frozen=True, gc=False):
    """Where a response stands."""

    warc: str
    """Name of the file within the archive."""
    offset: int


class Kept:
    """The records of an archive, by their places."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, place: Place, decode: Decode | None = None) -> Exchange | None:
        """Return what was kept at a place; None if nothing is there. A revisit comes with the payload it refers to."""
        found = self.record(place)
        if found is None:
            return None
        original = self.payload_of(found, place)
        return exchange_of(found, original=original[0] if original else None, decode=decode)

    def record(self, place: Place) -> Record | None:
        """Return the record at a place; None if there is none."""
        path = self.folder / place.warc
        return record_at(path, place.offset) if _is_plain_name(place.warc) and path.is_file() else None

    def payload_of(self, found: Record, place: Place) -> tuple[Record, Place] | None:
        """Follow revisits to the response that they refer to, and say where it stands."""
        for _ in range(_MOST_HOPS):
            if found.type != "revisit":
                return (found, place) if found.type == "response" else None
            place = _referred_to(found)
            before = self.record(place)
            if before is None:
                break
            found = before
        return None


def _referred_to(revisit: Record) -> Place:
    """Say where the response stands that a revisit of ours refers to."""
    offset = revisit.headers.get("warc-refers-to-file-offset", "")
    return Place(revisit.headers.get("warc-refers-to-filename", ""), int(offset) if offset.isdecimal() else 0)


def _is_plain_name(name: str) -> bool:
    """Tell whether this is a file of the archive's folder, and not a way out of it."""
    return bool(name) and "/" not in name and name not in (".", "..")
