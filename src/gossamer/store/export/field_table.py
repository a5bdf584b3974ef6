"""Write the fields of pages as one table, CSV or Parquet, by the name of the file."""

import csv
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from gossamer.errors import BadInput, StoreFailed
from gossamer.full_disk import is_full_disk
from gossamer.store.export.csv_files import escape_formula, format_time
from gossamer.store.export.export_web import create_atomically
from gossamer.store.export.parquet_files import write_rows
from gossamer.store.export.table_columns import ColumnType, TableRow

_BETWEEN = " | "
"""Stands between the values of one cell in CSV."""
_ITEM = "item."
"""Stands before the name of a column that is also the name of a fixed one."""
_MOST_NAMES = 10_000
_LENGTH_BYTES = 8
_ENCODER = msgspec.msgpack.Encoder()
_LIST_OF: dict[ColumnType, ColumnType] = {"texts": "text", "numbers": "number", "times": "time"}


def write_field_table(columns: Mapping[str, ColumnType], rows: Iterable[TableRow], out: Path) -> int:
    """Write rows to a new file that ends in .csv or .parquet; return their number. None is an empty cell."""
    check_table_name(out)
    with create_atomically(out, folder=False) as new:
        if out.suffix == ".parquet":
            return write_rows(columns, rows, new)
        return _write_csv(columns, rows, new)


def check_table_name(out: Path) -> None:
    """Raise BadInput if the name of a file does not say in which form to write it, or if the file cannot be new."""
    if out.suffix not in (".csv", ".parquet"):
        raise BadInput(f"{out}: the name of a table of fields ends in .csv or .parquet")
    if out.exists():
        raise BadInput(f"{out} exists already: remove it or choose another name")
    if not out.parent.is_dir():
        raise BadInput(f"there is no folder {out.parent} to write to")


class _Column(msgspec.Struct):
    """What is known of a column once all rows are there."""

    rows: int = 0
    is_list: bool = False
    is_number: bool = True


class GrowingTable:
    """A table whose columns are known only when all rows are there: they wait in a temporary file beside the new one.

    Memory: the names of the columns, at most `_MOST_NAMES` of them.
    """

    def __init__(self, fixed: Mapping[str, ColumnType], out: Path, most_columns: int) -> None:
        check_table_name(out)
        self._fixed, self._out, self._most = fixed, out, most_columns
        self._found: dict[str, _Column] = {}
        try:
            self._file = tempfile.TemporaryFile(dir=out.parent)  # noqa: SIM115 - `__exit__` closes it
        except OSError as error:
            raise BadInput(f"{out} cannot be written: {error.strerror}") from None
        self.columns = 0
        """How many columns were written besides the fixed ones."""
        self.left_out = 0
        """How many columns were left out, since there were too many."""

    def __enter__(self) -> "GrowingTable":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, fixed: Sequence[Any], cells: Mapping[str, Sequence[str | int | float]]) -> None:
        """Add a row: the cells of the fixed columns, and the values of others."""
        kept = {}
        for name, values in cells.items():
            column = self._found.get(name)
            if column is None:
                if len(self._found) >= _MOST_NAMES:
                    continue
                column = self._found[name] = _Column()
            column.rows += 1
            column.is_list |= len(values) > 1
            column.is_number = column.is_number and not any(isinstance(one, str) for one in values)
            kept[name] = values
        packed = _ENCODER.encode((fixed, kept))
        try:
            self._file.write(len(packed).to_bytes(_LENGTH_BYTES, "big") + packed)
        except OSError as error:
            raise StoreFailed(
                f"{self._out} could not be written: {error.strerror or error}", is_full_disk(error)
            ) from error

    def write(self) -> int:
        """Write the table; return its number of rows. Of too many columns, those that most rows have stay."""
        usual = sorted(self._found, key=lambda name: -self._found[name].rows)[: self._most]
        names = [name for name in self._found if name in set(usual)]
        self.columns, self.left_out = len(names), len(self._found) - len(names)
        types = {name: _find_type(self._found[name]) for name in names}
        shown = {f"{_ITEM}{name}" if name in self._fixed else name: kind for name, kind in types.items()}
        return write_field_table({**self._fixed, **shown}, self._read_rows(types), self._out)

    def _read_rows(self, types: Mapping[str, ColumnType]) -> Iterator[TableRow]:
        self._file.seek(0)
        while head := self._file.read(_LENGTH_BYTES):
            fixed, cells = msgspec.msgpack.decode(self._file.read(int.from_bytes(head, "big")))
            yield [*fixed, *(_fit_cell(cells.get(name), kind) for name, kind in types.items())]


def _find_type(column: _Column) -> ColumnType:
    if column.is_number:
        return "numbers" if column.is_list else "number"
    return "texts" if column.is_list else "text"


def _fit_cell(values: Sequence[str | int | float] | None, kind: ColumnType) -> Any:
    """Return the values of a cell in the type of its column."""
    if values is None:
        return None
    fitted = [str(one) if kind in ("text", "texts") else float(one) for one in values]
    return fitted if kind in _LIST_OF else fitted[0]


def _write_csv(columns: Mapping[str, ColumnType], rows: Iterable[TableRow], path: Path) -> int:
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([escape_formula(name) for name in columns])
        for row in rows:
            writer.writerow(
                [_format_cell(value, kind) for value, kind in zip(row, columns.values(), strict=True)]
            )
            count += 1
    return count


def _format_cell(value: Any, kind: ColumnType) -> object:
    if value is None:
        return ""
    if kind in _LIST_OF:
        return escape_formula(_BETWEEN.join(str(_format_cell(one, _LIST_OF[kind])) for one in value))
    if kind == "time":
        return format_time(value)
    return escape_formula(value) if isinstance(value, str) else value
