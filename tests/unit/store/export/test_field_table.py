"""Tables whose columns are found while their rows are read."""

import csv
from pathlib import Path

import pytest
from pyarrow import parquet

from gossamer.errors import BadInput
from gossamer.store.export.field_table import GrowingTable
from gossamer.store.export.table_columns import ColumnType

FIXED: dict[str, ColumnType] = {"url": "text", "fetched": "time"}


def fill(table: GrowingTable) -> None:
    table.add(["http://a.example/", 0.0], {"price": [5], "name": ["=1+1"], "tags": ["a", "b"]})
    table.add(["http://b.example/", 60.0], {"price": [1.5], "mixed": [2], "@id": ["+x"], "url": ["-y"]})
    table.add(["http://c.example/", 60.0], {"mixed": ["x"], "sizes": [1, 2]})


def test_columns_have_the_types_of_their_values(tmp_path: Path) -> None:
    with GrowingTable(FIXED, tmp_path / "out.parquet", 10) as table:
        fill(table)
        assert table.write() == 3
    read = parquet.read_table(tmp_path / "out.parquet")
    assert {field.name: str(field.type) for field in read.schema if field.name not in FIXED} == {
        "price": "double", "name": "string", "tags": "list<element: string>", "mixed": "string", "@id": "string",
        "item.url": "string", "sizes": "list<element: double>",
    }  # fmt: skip
    assert read["price"].to_pylist() == [5.0, 1.5, None]
    assert read["mixed"].to_pylist() == [None, "2", "x"]
    assert read["tags"].to_pylist() == [["a", "b"], None, None]


def test_no_cell_and_no_name_of_a_column_is_a_formula(tmp_path: Path) -> None:
    with GrowingTable(FIXED, tmp_path / "out.csv", 10) as table:
        fill(table)
        table.write()
    with (tmp_path / "out.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["url", "fetched", "price", "name", "tags", "mixed", "'@id", "item.url", "sizes"]
    assert rows[1][3:5] == ["'=1+1", "a | b"]
    assert rows[2][6:8] == ["'+x", "'-y"]
    assert not [cell for row in rows for cell in row if cell[:1] in ("=", "+", "-", "@")]


def test_of_too_many_columns_the_usual_ones_stay(tmp_path: Path) -> None:
    with GrowingTable(FIXED, tmp_path / "out.csv", 1) as table:
        fill(table)
        table.add(["http://d.example/", 60.0], {"price": [3]})
        table.write()
        assert (table.columns, table.left_out) == (1, 6)
    assert (tmp_path / "out.csv").read_text().splitlines()[0] == "url,fetched,price"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["out.csv"], (
        "the rows waited in a file without a name"
    )


@pytest.mark.parametrize(("name", "said"), [("out.txt", "ends in .csv or .parquet"), ("no/out.csv", "no folder"), ("is.csv", "exists already")])  # fmt: skip
def test_a_file_that_cannot_be_written_is_named_before_pages_are_read(
    name: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / "is.csv").write_text("")
    with pytest.raises(BadInput, match=said):
        GrowingTable(FIXED, tmp_path / name, 10)
