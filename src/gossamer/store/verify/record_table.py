"""A table of the page records of an archive: where each is, of which page, and with what content. 28 bytes a record."""

from array import array
from bisect import bisect_left

import msgspec
import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

_OFFSET_BITS = 44
NOWHERE = -1
_SUCCESSES = range(200, 300)
_NOT_MODIFIED = 304


class PageContent(msgspec.Struct, frozen=True, gc=False):
    """What a record or a row says about the content of a page."""

    status: int
    digest: str
    """Of the payload; "" if it is not known."""


class RecordTable:
    """Positions and page ids of the responses and revisits of an archive, in the order of its files."""

    def __init__(self) -> None:
        self._files: dict[str, int] = {}
        self._names: list[str] = []
        self._places = array("q")
        self._ids = array("q")
        self._sound = bytearray()
        self._hollow = bytearray()
        self._statuses = array("H")
        self._digests = array("Q")
        self._order: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self._places)

    def begin_file(self, name: str) -> None:
        """Begin a file; its records are added in ascending order of offset."""
        self._files[name] = len(self._names)
        self._names.append(name)

    def add(self, offset: int, page_id: int, is_sound: bool, content: PageContent) -> int:
        """Add a record of the current file; return its number."""
        self._places.append((len(self._names) - 1) << _OFFSET_BITS | offset)
        self._ids.append(page_id)
        self._sound.append(is_sound)
        self._hollow.append(False)
        self._statuses.append(content.status)
        self._digests.append(_hash_digest(content.digest))
        return len(self._places) - 1

    def mark_hollow(self, revisit: int) -> None:
        """Note that the response to which a revisit refers is damaged or missing."""
        self._hollow[revisit] = True

    def find(self, warc: str, offset: int) -> int:
        """Return the number of the record at a position; `NOWHERE` if none begins there."""
        file = self._files.get(warc, NOWHERE)
        if file < 0 or not 0 <= offset < 1 << _OFFSET_BITS:
            return NOWHERE
        place = file << _OFFSET_BITS | offset
        at = bisect_left(self._places, place)
        return at if at < len(self._places) and self._places[at] == place else NOWHERE

    def page_id(self, record: int) -> int:
        """Return the id of the page of a record."""
        return self._ids[record]

    def is_sound(self, record: int) -> bool:
        """Return whether a record is whole and matches its digest."""
        return bool(self._sound[record])

    def position(self, record: int) -> tuple[str, int]:
        """Return file and offset of a record."""
        file, offset = divmod(self._places[record], 1 << _OFFSET_BITS)
        return self._names[file], offset

    def has_content(self, record: int) -> bool:
        """Return whether the payload of a record can be read: it is sound, and so is what it refers to."""
        return bool(self._sound[record]) and not self._hollow[record]

    def find_page(self, page_id: int) -> list[int]:
        """Return the records of a page, in order. Cost: the first call sorts all ids."""
        ids = np.frombuffer(self._ids, np.int64)
        if self._order is None:
            self._order = np.argsort(ids, kind="stable")
        first, last = (
            int(np.searchsorted(ids, page_id, side, sorter=self._order)) for side in ("left", "right")
        )
        found: list[int] = self._order[first:last].tolist()
        return found

    def find_content(self, page_id: int, wanted: PageContent) -> list[int]:
        """Return the records of a page with a content, in order: errors and redirects are in the archive too."""
        wanted_hash = _hash_digest(wanted.digest)
        return [
            record
            for record in self.find_page(page_id)
            if self.has_content(record)
            and self._has_status(record, wanted)
            and (not wanted.digest or self._digests[record] == wanted_hash)
        ]

    def _has_status(self, record: int, wanted: PageContent) -> bool:
        """Return whether a status fits; with a digest, also another success: the row of a page that has gone says 410."""
        status = self._statuses[record]
        if status == wanted.status:
            return True
        return bool(wanted.digest) and (status in _SUCCESSES or status == _NOT_MODIFIED)


def _hash_digest(digest: str) -> int:
    return xxh3_64_intdigest(digest.encode("utf-8", "replace"))
