"""Extract the declared fields of archived pages: nothing is fetched again."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from gossamer.config import from_json
from gossamer.crawl.from_archive.archived_pages import decode_content, read_document
from gossamer.field_rule import FieldRule
from gossamer.fields.extract_fields import FieldExtractor, FieldRow
from gossamer.fields.field_drift import FieldDrift, measure_drift
from gossamer.net import html, media_type
from gossamer.net.html.document import Document
from gossamer.records import Exchange, Page
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.batch import Store
from gossamer.store.opening.open_archive import open_reader

_OK = 200


def read_stored_rules(store: Store) -> tuple[FieldRule, ...]:
    """Return the fields that the tasks of a web declare, each once."""
    return tuple(dict.fromkeys(rule for note in store.tasks() for rule in from_json(note.spec).fields))


def extract_rows(
    store: Store, archive: Path, extractor: FieldExtractor, on_page: Callable[[Page], None] = lambda _: None
) -> Iterator[tuple[Page, FieldRow]]:
    """Yield the rows of all pages that have fields, in order of arrival; `on_page` receives every page.

    Cost: that of reading the pages whose URL matches; memory for one of them.
    """
    reader = open_reader(archive)
    for page in store.pages():
        on_page(page)
        if extractor.find_rules(page.url) and (document := read_document(page, reader)) is not None:
            for row in extractor.extract(document):
                yield page, row


def measure_field_drift(
    store: Store, archive: Path, extractor: FieldExtractor, on_visit: Callable[[], None] = lambda: None
) -> list[FieldDrift]:
    """Compare how often each field matched in earlier and in later copies of pages; all archived copies count."""
    reader = open_reader(archive)
    seen: dict[str, list[tuple[float, bool]]] = {rule.name: [] for rule in extractor.rules}
    for visit in store.all_visits():
        on_visit()
        if visit.result != "fetched" or visit.status != _OK or not visit.warc:
            continue
        url = store.url(visit.page)
        if url is None or not extractor.find_rules(url):
            continue
        exchange = reader.read(WarcPosition(visit.warc, visit.warc_offset), decode_content)
        document = _read_html(url, exchange) if exchange is not None else None
        if document is not None:
            for name, matched in _list_matches(extractor, document):
                seen[name].append((visit.when_s, matched))
    return [measure_drift(name, _is_required(extractor.rules, name), found) for name, found in seen.items()]


def _read_html(url: str, exchange: Exchange) -> Document | None:
    content_type = dict(exchange.headers).get("content-type")
    if media_type.detect_kind(content_type, exchange.body, url) != "html":
        return None
    return html.read(exchange.body, url, content_type, most_links=0)


def _list_matches(extractor: FieldExtractor, document: Document) -> list[tuple[str, bool]]:
    """Say for each field of a page whether it matched: in one row at least."""
    rows = extractor.extract(document)
    names = dict.fromkeys(rule.name for rule in extractor.find_rules(document.url))
    return [(name, any(name in row.cells for row in rows)) for name in names]


def _is_required(rules: Sequence[FieldRule], name: str) -> bool:
    return any(rule.required for rule in rules if rule.name == name)
