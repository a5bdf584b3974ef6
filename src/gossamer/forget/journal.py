"""The journal of a forgetting: a file in the web from its beginning to its end, so that it can go on after a kill."""

import os
from pathlib import Path
from typing import Literal

import msgspec

from gossamer.atomic_file import write_atomically
from gossamer.errors import BadInput
from gossamer.forget.warc.write_anew import make_failure, sync_folder
from gossamer.store.forget_journal import JOURNAL
from gossamer.store.tombstones import Takedown

Mode = Literal["forget", "drop"]


class FileDone(msgspec.Struct, frozen=True, array_like=True):
    """What was removed from one WARC file."""

    records: int = 0
    packed_bytes: int = 0
    changed: bool = False
    is_empty: bool = False


class Journal(msgspec.Struct):
    """What is being forgotten, and how far that is."""

    mode: Mode
    takedown: Takedown
    ids: list[int]
    """Pages, and addresses that redirect to them; of a size budget only pages."""
    urls: list[str] = []
    hosts: list[str] = []
    patterns: list[str] = []
    related: list[int] = []
    """Other pages whose records may name these: what they link to, and robots.txt files of their hosts."""
    every_file: bool = False
    """Whether every WARC file is looked through, since pages were read several times and had other links before."""
    offsets: dict[str, list[int]] = {}
    """Old versions that are dropped, by WARC file."""
    visits: list[int] = []
    """The numbers of the visits of these old versions."""
    why: dict[int, str] = {}
    """For pages that are dropped: the rule that chose each."""
    to_do: list[str] | None = None
    """WARC files to be looked through; None until they are known."""
    alive: list[tuple[str, int, str, int]] = []
    """Responses that stay since revisits of other pages refer to them: file and offset of the response and of the revisit."""
    files: dict[str, FileDone] = {}
    """WARC files that are done."""
    has_state: bool = False
    """Whether the state is done."""


def pack_journal(journal: Journal) -> bytes:
    """Return a journal as bytes."""
    return msgspec.msgpack.encode(journal)


def unpack_journal(packed: bytes, where: str) -> Journal:
    """Return the journal in some bytes; raise BadInput if they are damaged."""
    try:
        return msgspec.msgpack.decode(packed, type=Journal)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise BadInput(
            f"{where} is damaged: remove it, and run `gossamer forget` again for the same pages"
        ) from None


def write_journal(folder: Path, journal: Journal) -> None:
    """Write the journal, so that it survives a kill and a power failure."""
    path = folder / JOURNAL
    try:
        with write_atomically(path) as new, new.open("wb") as file:
            file.write(pack_journal(journal))
            file.flush()
            os.fsync(file.fileno())
        sync_folder(folder)
    except OSError as error:
        raise make_failure(path, error) from None


def read_journal(folder: Path) -> Journal | None:
    """Return the journal of an unfinished forgetting; None if there is none."""
    try:
        packed = (folder / JOURNAL).read_bytes()
    except FileNotFoundError:
        return None
    return unpack_journal(packed, str(folder / JOURNAL))


def remove_journal(folder: Path) -> None:
    """Remove the journal: everything is done."""
    (folder / JOURNAL).unlink(missing_ok=True)
    sync_folder(folder)
