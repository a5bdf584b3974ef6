"""Columns of exports name the fields that they show."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from gossamer.records import Page, PageLink, Visit
from gossamer.store.batch import Batch, LinkColumns
from gossamer.store.export.table_columns import TABLES, TableName, keep_all
from gossamer.store.sqlite.sqlite_store import SqliteStore

PAGE = Page(
    *(7, "http://a.example/", "a.example", 1, 2, 3.5, 200, "html", "A title", "de", "en", "A page"),
    body_bytes=8,
    digest="digest",
    text_digest=9,
    simhash=10,
    words=11,
    etag="etag",
    last_modified="yesterday",
    index=False,
    archive=True,
    cut="length",
    marks={"relevance": "0.5"},
    warc="file",
    warc_offset=12,
)
LINK = PageLink(7, 7, "form", "words", True, False, True)
VISIT = Visit(
    *(7, 1, 4.5, "fetched", 200, "cause", "detail", 0.25, 13, "127.0.0.1", 14), warc="file", warc_offset=15
)
URL_COLUMNS = {"source", "target", "url"}


@pytest.mark.parametrize("name", TABLES)
def test_every_field_of_a_record_has_one_column(name: TableName) -> None:
    table = TABLES[name]
    assert sorted(column.field for column in table.columns.values()) == sorted(table.record.__struct_fields__)


@pytest.mark.parametrize(("name", "record"), [("pages", PAGE), ("links", LINK), ("visits", VISIT)])
def test_every_column_shows_the_field_that_it_names(
    name: TableName, record: msgspec.Struct, tmp_path: Path
) -> None:
    store = SqliteStore(tmp_path / "state.sqlite", create=True)
    kind = bytes([8 * 6 + 4 + 1])  # a form that says nofollow and spans sites
    store.commit(Batch(pages=[PAGE], links=[LinkColumns(7, [7], kind, ["words"])], visits=[VISIT]))
    table = TABLES[name]
    (row,) = table.read_rows(store, keep_all)
    found = dict(zip(table.columns, row, strict=True))
    expected: dict[str, Any] = {
        column: getattr(record, about.field) for column, about in table.columns.items()
    }
    expected |= dict.fromkeys(URL_COLUMNS & table.columns.keys(), PAGE.url)
    if "marks" in expected:
        expected["marks"] = '{"relevance":"0.5"}'
    assert found == expected
    store.close()
