"""Where records of an archive are after it was copied, on disk: a web may have millions of them."""

import sqlite3
from pathlib import Path

from gossamer.store.archive.archive_reader import WarcPosition

_TABLE = """
create table moved (
    warc text not null, -- of the source
    first integer not null, -- the offset from which this row holds, up to that of the next row
    file text not null, -- of the copy
    shift integer not null, -- added to offsets
    primary key (warc, first)
) without rowid
"""
_FIND = "select file, shift from moved where warc = ? and first <= ? order by first desc limit 1"


class MovedPositions:
    """Positions in a source and in its copy. Files without an entry are copied as they are, under their own names."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        # It is of no use after a crash: the copy begins anew.
        self._db.execute("pragma journal_mode = off")
        self._db.execute("pragma synchronous = off")
        self._db.execute(_TABLE)
        self._is_empty = True

    def add(self, begin: WarcPosition, file: str, shift: int) -> None:
        """Note that what begins at a position of the source is in another file, at an offset that differs by `shift`."""
        self._is_empty = False
        self._db.execute("replace into moved values (?, ?, ?, ?)", (begin.warc, begin.offset, file, shift))

    def find(self, warc: str, offset: int) -> WarcPosition:
        """Return the position in the copy."""
        found = None if self._is_empty else self._db.execute(_FIND, (warc, offset)).fetchone()
        return WarcPosition(found[0], offset + found[1]) if found else WarcPosition(warc, offset)

    def close(self) -> None:
        """Close the file."""
        self._db.close()
