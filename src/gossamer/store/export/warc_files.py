"""Export WARC files: a whole archive, or the records of some pages, copied as they are. Damaged records are left out.

Passwords and cookies that archives of older versions hold are left out. A revisit is exported with its own page. If the
page it refers to is not wanted, the export lacks its payload.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, Protocol

import msgspec

from gossamer.store.archive.check_digest import matches_digest
from gossamer.store.archive.read_exchange import target_url
from gossamer.store.archive.warc_records import WarcReader, WarcRecord, add_damage
from gossamer.store.batch import Store
from gossamer.store.export.redact_records import keeps_cookies, redact_block, replace_block
from gossamer.store.export.table_columns import Keep
from gossamer.store.opening.open_archive import list_committed_files

_PIECE_BYTES = 1 << 20


class Writable(Protocol):
    """Anything to which bytes can be written."""

    def write(self, data: bytes, /) -> int:
        """Write some bytes."""
        ...


def write_warcs(
    store: Store, archive: Path, out: Path, keep: Keep, one_file: bool, left_out: list[str]
) -> dict[str, int]:
    """Copy the committed records into one file, or into a file for each WARC file; list in `left_out` what is damaged."""
    written, cookies = 0, keeps_cookies(store)
    with ExitStack() as stack:
        whole = stack.enter_context(out.open("wb")) if one_file else None
        for path, upto in list_warcs(store, archive, left_out):
            file = whole if whole is not None else stack.enter_context((out / path.name).open("wb"))
            for _ in copy_records(path, upto, file, keep, cookies, left_out):
                pass
            if whole is None:
                file.close()
            written += 1
    return {"files": 1 if one_file else written}


def list_warcs(store: Store, archive: Path, left_out: list[str]) -> Iterator[tuple[Path, int]]:
    """Yield the WARC files of a web with their committed lengths, as far as they are there."""
    for name, path, has, upto in list_committed_files(archive, store.archive_ends()):
        if has < upto:
            add_damage(
                left_out, f"{name} lacks its last {upto - has:,} bytes" if has else f"{name} is missing"
            )
        if path is not None and has:
            yield path, min(has, upto)


def copy_records(
    path: Path, upto: int, out: Writable, keep: Keep, cookies: bool, left_out: list[str]
) -> Iterator[WarcRecord]:
    """Copy the sound records of wanted pages; yield each before its bytes are written, with the length that they will have.

    Records are not unpacked, except those with secrets, which are left out; `cookies` says whether responses have any.
    """
    with path.open("rb") as file:
        for record in _select_records(path, upto, keep, left_out):
            block = redact_block(record, cookies)
            file.seek(record.offset)
            if block is None:
                yield record
                _copy_bytes(file, out, record.length)
            else:
                packed = replace_block(file.read(record.length), block)
                yield msgspec.structs.replace(record, length=len(packed))
                out.write(packed)


def _select_records(path: Path, upto: int, keep: Keep, left_out: list[str]) -> Iterator[WarcRecord]:
    """Yield the sound records of wanted pages: responses, requests and metadata."""
    records = WarcReader(path, upto=upto)
    for record in records:
        if record.type != "warcinfo" and not keep(target_url(record)):
            continue
        if not record.whole or not record.length:
            continue  # the reader lists it
        if matches_digest(record):
            yield record
        else:
            add_damage(left_out, f"{path.name}: the record at byte {record.offset} does not match its digest")
    for sentence in records.damage:
        add_damage(left_out, sentence)


def _copy_bytes(source: BinaryIO, out: Writable, length: int) -> None:
    while length and (piece := source.read(min(length, _PIECE_BYTES))):
        out.write(piece)
        length -= len(piece)
