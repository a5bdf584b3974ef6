"""Export a web as WARC, WACZ, Parquet or CSV. Everything is streamed, so that memory does not grow with the web.

An export may run while the web is being crawled; it contains what was committed before.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, get_args

import msgspec

from gossamer.atomic_file import write_atomically
from gossamer.errors import BadInput, StoreFailed
from gossamer.full_disk import is_full_disk
from gossamer.store.batch import Store
from gossamer.store.export import csv_files, parquet_files, wacz, warc_files
from gossamer.store.export.table_columns import TABLES, Keep, TableName, keep_all

Format = Literal["warc", "wacz", "parquet", "csv"]


class ExportResult(msgspec.Struct, frozen=True):
    """What an export wrote."""

    path: Path
    counts: dict[str, int]
    """The number of WARC files, of pages, and of rows of each table."""
    left_out: list[str] = []
    """What could not be exported because the archive is damaged."""


def export_web(
    store: Store,
    archive: Path,
    form: Format,
    out: Path,
    keep: Keep = keep_all,
    tables: tuple[TableName, ...] = get_args(TableName),
) -> ExportResult:
    """Write a web, or the pages whose URL `keep` accepts, to a new file or folder.

    WARC becomes one file if `out` ends in `.warc.gz`, else a folder; WACZ is one file; Parquet and CSV become a file if
    `out` ends in `.parquet` or `.csv` and there is one table, else a folder with a file for each table.
    """
    one_file = _is_one_file(form, out, tables)
    left_out: list[str] = []
    with create_atomically(out, folder=not one_file) as new:
        match form:
            case "warc":
                counts = warc_files.write_warcs(store, archive, new, keep, one_file, left_out)
            case "wacz":
                counts = wacz.write_wacz(store, archive, new, keep, left_out)
            case "csv" | "parquet":
                write = csv_files.write_csv if form == "csv" else parquet_files.write_parquet
                counts = {
                    name: write(TABLES[name], store, new if one_file else new / f"{name}.{form}", keep)
                    for name in tables
                }
    return ExportResult(out, counts, left_out)


def _is_one_file(form: Format, out: Path, tables: tuple[TableName, ...]) -> bool:
    match form:
        case "warc":
            return out.name.endswith(".warc.gz")
        case "wacz":
            return True
        case "csv" | "parquet":
            if out.suffix == f".{form}" and len(tables) > 1:
                raise BadInput(
                    f"{out} is one file: name one of the tables {', '.join(tables)}, or give a folder"
                )
            return out.suffix == f".{form}"


@contextmanager
def create_atomically(out: Path, folder: bool) -> Iterator[Path]:
    """Yield a temporary path that becomes `out`, which must not exist, or is removed after an error."""
    if out.exists():
        raise BadInput(f"{out} exists already: remove it or choose another name")
    if not out.parent.is_dir():
        raise BadInput(f"there is no folder {out.parent} to write to")
    try:
        with write_atomically(out) as new:
            if folder:
                new.mkdir()
            yield new
    except OSError as error:
        raise StoreFailed(
            f"{out} could not be written: {error.strerror or error}", is_full_disk(error)
        ) from error
