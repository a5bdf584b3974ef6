"""The tables of Parquet and CSV exports: pages, links and visits, each readable without the others.

To export a new field of a record, add a column that names the field.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from operator import attrgetter
from typing import Any, Literal, TypeVar

import msgspec

from gossamer.records import Page, PageLink, Visit
from gossamer.store.batch import Store

TableName = Literal["pages", "links", "visits"]
ColumnType = Literal[
    "text", "integer", "boolean", "number", "time", "fingerprint", "texts", "numbers", "times"
]
"""The last three are lists."""
TableRow = Sequence[Any]
Keep = Callable[[str], bool]
"""Returns whether the page of a URL is wanted; links and visits go with their page."""
Thing = TypeVar("Thing")

_AT_ONCE = 20_000
"""Links and visits whose URLs are looked up together."""
_MARKS = msgspec.json.Encoder()


class ExportColumn(msgspec.Struct, frozen=True):
    """A column: its type, and the field of the record that it shows."""

    type: ColumnType
    field: str


class ExportTable(msgspec.Struct, frozen=True):
    """A table: the record that each row shows, its columns, and a function that reads its rows."""

    record: type[msgspec.Struct]
    columns: Mapping[str, ExportColumn]
    read_rows: Callable[[Store, Keep], Iterator[TableRow]]

    @property
    def types(self) -> dict[str, ColumnType]:
        """The type of each column, by name."""
        return {name: column.type for name, column in self.columns.items()}


def keep_all(_: str) -> bool:
    """Want every page."""
    return True


_PAGES = {
    "id": ExportColumn("fingerprint", "id"),
    "url": ExportColumn("text", "url"),
    "host": ExportColumn("text", "host"),
    "task": ExportColumn("integer", "task"),
    "depth": ExportColumn("integer", "depth"),
    "fetched": ExportColumn("time", "fetched_s"),
    "status": ExportColumn("integer", "status"),
    "kind": ExportColumn("text", "kind"),
    "title": ExportColumn("text", "title"),
    "language": ExportColumn("text", "language"),
    "declared_language": ExportColumn("text", "declared_language"),
    "description": ExportColumn("text", "description"),
    "body_bytes": ExportColumn("integer", "body_bytes"),
    "digest": ExportColumn("text", "digest"),
    "text_digest": ExportColumn("fingerprint", "text_digest"),
    "simhash": ExportColumn("fingerprint", "simhash"),
    "words": ExportColumn("integer", "words"),
    "etag": ExportColumn("text", "etag"),
    "last_modified": ExportColumn("text", "last_modified"),
    "index": ExportColumn("boolean", "index"),
    "archive": ExportColumn("boolean", "archive"),
    "cut": ExportColumn("text", "cut"),
    "marks": ExportColumn("text", "marks"),
    "warc": ExportColumn("text", "warc"),
    "warc_offset": ExportColumn("integer", "warc_offset"),
}
_LINKS = {
    "source": ExportColumn("text", "source"),
    "target": ExportColumn("text", "target"),
    "type": ExportColumn("text", "type"),
    "text": ExportColumn("text", "text"),
    "nofollow": ExportColumn("boolean", "nofollow"),
    "spans_hosts": ExportColumn("boolean", "spans_hosts"),
    "spans_sites": ExportColumn("boolean", "spans_sites"),
}
_VISITS = {
    "url": ExportColumn("text", "page"),
    "task": ExportColumn("integer", "task"),
    "when": ExportColumn("time", "when_s"),
    "result": ExportColumn("text", "result"),
    "status": ExportColumn("integer", "status"),
    "cause": ExportColumn("text", "cause"),
    "detail": ExportColumn("text", "detail"),
    "took_s": ExportColumn("number", "took_s"),
    "body_bytes": ExportColumn("integer", "body_bytes"),
    "address": ExportColumn("text", "address"),
    "text_digest": ExportColumn("fingerprint", "text_digest"),
    "warc": ExportColumn("text", "warc"),
    "warc_offset": ExportColumn("integer", "warc_offset"),
}


def _make_field_reader(columns: Mapping[str, ExportColumn]) -> Callable[[msgspec.Struct], tuple[Any, ...]]:
    """Return a function that reads the fields of a record in the order of the columns."""
    return attrgetter(*(column.field for column in columns.values()))


def _find_column(columns: Mapping[str, ExportColumn], name: str) -> int:
    return list(columns).index(name)


def _read_pages(store: Store, keep: Keep) -> Iterator[TableRow]:
    read, marks = _make_field_reader(_PAGES), _find_column(_PAGES, "marks")
    for page in store.pages():
        if keep(page.url):
            row = [*read(page)]
            row[marks] = _MARKS.encode(page.marks).decode()
            yield row


def _read_links(store: Store, keep: Keep) -> Iterator[TableRow]:
    read = _make_field_reader(_LINKS)
    source, target = _find_column(_LINKS, "source"), _find_column(_LINKS, "target")
    for some in _split(store.links()):
        urls = store.urls(page_id for link in some for page_id in (link.source, link.target))
        for link in some:
            url = urls.get(link.source, "")
            if keep(url):
                row = [*read(link)]
                row[source], row[target] = url, urls.get(link.target, "")
                yield row


def _read_visits(store: Store, keep: Keep) -> Iterator[TableRow]:
    read, page = _make_field_reader(_VISITS), _find_column(_VISITS, "url")
    for some in _split(store.all_visits()):
        urls = store.urls(visit.page for visit in some)
        for visit in some:
            url = urls.get(visit.page, "")
            if keep(url):
                row = [*read(visit)]
                row[page] = url
                yield row


def _split(things: Iterable[Thing]) -> Iterator[Sequence[Thing]]:
    rest = iter(things)
    while some := list(islice(rest, _AT_ONCE)):
        yield some


TABLES: dict[TableName, ExportTable] = {
    "pages": ExportTable(Page, _PAGES, _read_pages),
    "links": ExportTable(PageLink, _LINKS, _read_links),
    "visits": ExportTable(Visit, _VISITS, _read_visits),
}
