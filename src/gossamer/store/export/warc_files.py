"""Export WARC files: a whole archive, or the records of some pages, copied without unpacking.

A revisit is exported with its own page. If the page it refers to is not wanted, the export lacks its payload.
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
    """Anything to which bytes can be written."""

    def write(self, data: bytes, /) -> int:
        """Write some bytes."""
        ...


def write_warcs(store: Store, archive: Path, out: Path, keep: Keep, one_file: bool) -> dict[str, int]:
    """Copy the committed records into one file, or into a file for each WARC file."""
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
    """Yield the WARC files of a web with their committed lengths."""
    for name, upto in sorted(store.archive_ends().items()):
        path = archive / name
        if not path.is_file() or path.stat().st_size < upto:
            raise BadInput(f"the archive is damaged: {path} is missing or too short")
        yield path, upto


def copy_records(path: Path, upto: int, out: Writable, keep: Keep) -> None:
    """Copy the records of wanted pages."""
    with path.open("rb") as file:
        pieces = [(0, upto)] if keep is keep_all else _select_records(WarcReader(path, upto=upto), keep)
        for offset, length in pieces:
            file.seek(offset)
            _copy_bytes(file, out, length)


def _select_records(records: WarcReader, keep: Keep) -> Iterator[tuple[int, int]]:
    """Yield offset and length of the records of wanted pages: responses, requests and metadata."""
    for record in records:
        if record.length and (record.type == "warcinfo" or keep(target_url(record))):
            yield record.offset, record.length


def _copy_bytes(source: BinaryIO, out: Writable, length: int) -> None:
    while length and (piece := source.read(min(length, _PIECE_BYTES))):
        out.write(piece)
        length -= len(piece)
