"""Read what archived pages offer to programs: the things that they describe, and their tables. Nothing is fetched again."""

from collections.abc import Callable, Iterator
from pathlib import Path

from gossamer.crawl.from_archive.archived_pages import read_document
from gossamer.fields.structured_data import DataReader
from gossamer.records import Page
from gossamer.store.batch import Store
from gossamer.store.opening.open_archive import open_reader

_HTML = "html"


def read_page_data(
    store: Store, archive: Path, keep: Callable[[str], bool], on_page: Callable[[Page], None] = lambda _: None
) -> Iterator[tuple[Page, DataReader]]:
    """Yield the HTML pages that are wanted, in order of arrival, with what reads their data; `on_page` receives every page.

    Cost: that of reading the wanted pages; memory for one of them.
    """
    reader = open_reader(archive)
    for page in store.pages():
        on_page(page)
        if page.kind == _HTML and keep(page.url) and (document := read_document(page, reader)) is not None:
            yield page, DataReader(document.tree)
