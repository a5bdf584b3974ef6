"""Read exchanges from the archive of a web, also while another process writes it."""

from pathlib import Path

import msgspec

from gossamer.records import Exchange
from gossamer.store.archive.read_exchange import Decode, read_exchange
from gossamer.store.archive.warc_records import WarcRecord, read_record_at

# A page that never changed may refer to its last visit rather than to its first.
_MOST_HOPS = 100


class WarcPosition(msgspec.Struct, frozen=True, gc=False):
    """The position of a response in an archive."""

    warc: str
    """The name of the file within the archive."""
    offset: int


class ArchiveReader:
    """Reads the records of an archive by their positions."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, place: WarcPosition, decode: Decode | None = None) -> Exchange | None:
        """Return the exchange at a position; None if there is none. A revisit gets the payload it refers to."""
        found = self.read_record(place)
        if found is None:
            return None
        original = self.follow_revisits(found, place)
        return read_exchange(found, original=original[0] if original else None, decode=decode)

    def read_record(self, place: WarcPosition) -> WarcRecord | None:
        """Return the record at a position; None if there is none."""
        if not _is_plain_name(place.warc):
            return None
        try:
            return read_record_at(self.folder / place.warc, place.offset)
        except (FileNotFoundError, IsADirectoryError):
            return None

    def follow_revisits(
        self, found: WarcRecord, place: WarcPosition
    ) -> tuple[WarcRecord, WarcPosition] | None:
        """Follow revisits to the response that they refer to; return it with its position."""
        for _ in range(_MOST_HOPS):
            if found.type != "revisit":
                return (found, place) if found.type == "response" else None
            place = read_reference(found)
            before = self.read_record(place)
            if before is None:
                break
            found = before
        return None


def read_reference(revisit: WarcRecord) -> WarcPosition:
    """Return the position of the response to which a revisit of our own archive refers."""
    offset = revisit.headers.get("warc-refers-to-file-offset", "")
    return WarcPosition(
        revisit.headers.get("warc-refers-to-filename", ""), int(offset) if offset.isdecimal() else 0
    )


def _is_plain_name(name: str) -> bool:
    """Return whether this names a file within the archive's folder."""
    return bool(name) and "/" not in name and name not in (".", "..")
