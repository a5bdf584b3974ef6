"""The tables that Parquet and CSV files hold: pages, links and visits, in words that need no other table."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Literal, TypeVar

import msgspec

from gossamer.records import Page, PageLink, Visit
from gossamer.store.batch import Store

TableName = Literal["pages", "links", "visits"]
ColumnType = Literal["text", "integer", "boolean", "number", "time", "fingerprint"]
TableRow = tuple[Any, ...]
Keep = Callable[[str], bool]
"""Says of a URL whether its page is wanted; links and visits go with their page."""
Thing = TypeVar("Thing")

# URLs are looked up for so many links at a time.
_AT_ONCE = 20_000
_MARKS = msgspec.json.Encoder()


class ExportTable(msgspec.Struct, frozen=True):
    """A table: its columns, and how its rows come from a store."""

    columns: dict[str, ColumnType]
    rows: Callable[[Store, Keep], Iterator[TableRow]]


def keep_all(_: str) -> bool:
    """Want every page."""
    return True


def _pages(store: Store, keep: Keep) -> Iterator[TableRow]:
    for page in store.pages():
        if keep(page.url):
            *told, _, warc, warc_offset = (getattr(page, name) for name in Page.__struct_fields__)
            yield *told, _MARKS.encode(page.marks).decode(), warc, warc_offset


def _links(store: Store, keep: Keep) -> Iterator[TableRow]:
    for some in _pieces(store.links()):
        urls = store.urls(page_id for link in some for page_id in (link.source, link.target))
        for link in some:
            source = urls.get(link.source, "")
            if keep(source):
                yield source, urls.get(link.target, ""), *_told(link)


def _told(link: PageLink) -> TableRow:
    return link.type, link.text, link.nofollow, link.spans_hosts, link.spans_sites


def _visits(store: Store, keep: Keep) -> Iterator[TableRow]:
    for some in _pieces(store.all_visits()):
        urls = store.urls(visit.page for visit in some)
        for visit in some:
            url = urls.get(visit.page, "")
            if keep(url):
                yield url, *(getattr(visit, name) for name in Visit.__struct_fields__[1:])


def _pieces(things: Iterable[Thing]) -> Iterator[Sequence[Thing]]:
    rest = iter(things)
    while some := list(islice(rest, _AT_ONCE)):
        yield some


_PAGES: dict[str, ColumnType] = {
    "id": "fingerprint",
    "url": "text",
    "host": "text",
    "task": "integer",
    "depth": "integer",
    "fetched": "time",
    "status": "integer",
    "kind": "text",
    "title": "text",
    "language": "text",
    "declared_language": "text",
    "description": "text",
    "body_bytes": "integer",
    "digest": "text",
    "text_digest": "fingerprint",
    "simhash": "fingerprint",
    "words": "integer",
    "etag": "text",
    "last_modified": "text",
    "index": "boolean",
    "archive": "boolean",
    "cut": "text",
    "marks": "text",
    "warc": "text",
    "warc_offset": "integer",
}
_LINKS: dict[str, ColumnType] = {
    "source": "text",
    "target": "text",
    "type": "text",
    "text": "text",
    "nofollow": "boolean",
    "spans_hosts": "boolean",
    "spans_sites": "boolean",
}
_VISITS: dict[str, ColumnType] = {
    "url": "text",
    "task": "integer",
    "when": "time",
    "result": "text",
    "status": "integer",
    "cause": "text",
    "detail": "text",
    "took_s": "number",
    "body_bytes": "integer",
    "address": "text",
    "text_digest": "fingerprint",
    "warc": "text",
    "warc_offset": "integer",
}

TABLES: dict[TableName, ExportTable] = {
    "pages": ExportTable(_PAGES, _pages),
    "links": ExportTable(_LINKS, _links),
    "visits": ExportTable(_VISITS, _visits),
}
