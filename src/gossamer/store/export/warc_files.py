"""WARC files out of an archive: all of it, or the records of some pages, copied as they are packed.

A revisit goes with its own page. If the page that it refers to is not wanted, its payload is not in the export.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, Protocol

from gossamer.errors import BadInput
from gossamer.store.archive.read_exchange import target_url
from gossamer.store.archive.warc_records import WarcReader
from gossamer.store.batch import Store
from gossamer.store.export.table_columns import Keep, keep_all

_PIECE_BYTES = 1 << 20


class Writable(Protocol):
    """Whatever bytes can be written to."""

    def write(self, data: bytes, /) -> int:
        """Take some bytes."""
        ...


def write_warcs(store: Store, archive: Path, out: Path, keep: Keep, one_file: bool) -> dict[str, int]:
    """Copy what the store promised, into one file or one for each."""
    written = 0
    with ExitStack() as stack:
        whole = stack.enter_context(out.open("wb")) if one_file else None
        for path, upto in list_warcs(store, archive):
            if whole is not None:
                copy_records(path, upto, whole, keep)
            else:
                with (out / path.name).open("wb") as file:
                    copy_records(path, upto, file, keep)
            written += 1
    return {"files": 1 if one_file else written}


def list_warcs(store: Store, archive: Path) -> Iterator[tuple[Path, int]]:
    """Return the files that belong to the web, and how much of each."""
    for name, upto in sorted(store.archive_ends().items()):
        path = archive / name
        if not path.is_file() or path.stat().st_size < upto:
            raise BadInput(f"{path} is missing or shorter than it was: the archive is damaged")
        yield path, upto


def copy_records(path: Path, upto: int, out: Writable, keep: Keep) -> None:
    """Copy the records of wanted pages, without unpacking them if all are."""
    with path.open("rb") as file:
        pieces = [(0, upto)] if keep is keep_all else _select_records(WarcReader(path, upto=upto), keep)
        for offset, length in pieces:
            file.seek(offset)
            _copy_bytes(file, out, length)


def _select_records(records: WarcReader, keep: Keep) -> Iterator[tuple[int, int]]:
    """Yield where the records stand that belong to wanted pages: responses, and requests and metadata with them."""
    for record in records:
        if record.length and (record.type == "warcinfo" or keep(target_url(record))):
            yield record.offset, record.length


def _copy_bytes(source: BinaryIO, out: Writable, length: int) -> None:
    while length and (piece := source.read(min(length, _PIECE_BYTES))):
        out.write(piece)
        length -= len(piece)
