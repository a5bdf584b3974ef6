"""Counts how often reading a page has killed the process that read it, so that no page does so for ever.

A process notes the id of the page in a small file of its own before it parses the page: the note outlives the process,
whatever kills it. The next process finds the note, adds the page to the list of kills, and leaves
pages alone that are in it twice.
"""

import fcntl
import os
import struct
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

FOLDER = "reading"
MOST_KILLS = 2
"""A page that killed its reader this often is kept as bytes, and not read again."""
_KILLS = "kills"
_NOTE = ".note"
_SLOTS = 64
"""Pages that one process reads at the same time, in threads; further ones are not noted."""
_SLOT = struct.Struct("<q")
_NOTE_BYTES = _SLOTS * _SLOT.size
_NUMBERS = count()


def count_kills(folder: Path) -> Counter[int]:
    """Return how often each page of a web has killed its reader; pages that never did are left out."""
    try:
        packed = (folder / FOLDER / _KILLS).read_bytes()
    except OSError:
        return Counter()
    whole = len(packed) - len(packed) % _SLOT.size
    return Counter(number for (number,) in _SLOT.iter_unpack(packed[:whole]))


class ReadingAttempts:
    """Notes the pages that this process is reading. A web that cannot be written is read without notes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER
        self._path = self._folder / f"{os.getpid()}-{next(_NUMBERS)}{_NOTE}"
        self._file = -1
        self._free: list[int] | None = None
        """Free places in the note; None until the first page is noted."""
        with suppress(OSError):  # the folder cannot be listed
            self._collect()
        self.banned = frozenset(page for page, kills in count_kills(folder).items() if kills >= MOST_KILLS)
        """Pages that are not to be read again."""

    @contextmanager
    def attempt(self, page_id: int) -> Iterator[None]:
        """Note a page while the block runs."""
        if self._free is None:
            self._open()
        if not self._free:  # no note, or more pages than places
            yield
            return
        place = self._free.pop()
        self._write(place, page_id)
        try:
            yield
        finally:
            self._write(place, 0)
            self._free.append(place)

    def close(self) -> None:
        """Remove the note of this process; call it when nothing is being read."""
        if self._file >= 0:
            with suppress(OSError):
                self._path.unlink()
            os.close(self._file)
            self._file, self._free = -1, []

    def _open(self) -> None:
        """Create the note, locked for as long as this process lives."""
        self._free = []
        with suppress(OSError):
            self._folder.mkdir(exist_ok=True)
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.pwrite(self._file, bytes(_NOTE_BYTES), 0) == _NOTE_BYTES:
                self._free = list(range(_SLOTS))

    def _write(self, place: int, page_id: int) -> None:
        # Written and not mapped: a write to a mapped file kills this process where the disk is full.
        with suppress(OSError):
            os.pwrite(self._file, _SLOT.pack(page_id), place * _SLOT.size)

    def _collect(self) -> None:
        """Add the pages in the notes of dead processes to the list of kills."""
        for path in sorted(self._folder.glob(f"*{_NOTE}")):
            # The process of a locked note lives, and one of another user may be out of reach; neither hides the rest.
            with suppress(OSError), open(path, "rb") as note:
                fcntl.flock(note, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.fstat(
                    note.fileno()
                ).st_nlink:  # otherwise another process has counted it since we opened it
                    self._count_kills(note.read(_NOTE_BYTES))
                    path.unlink()

    def _count_kills(self, found: bytes) -> None:
        """Add the pages of a note to the list of kills."""
        whole = len(found) - len(found) % _SLOT.size
        numbers = [number for (number,) in _SLOT.iter_unpack(found[:whole]) if number]
        if numbers:
            with open(self._folder / _KILLS, "ab") as kills:
                kills.write(b"".join(map(_SLOT.pack, numbers)))
