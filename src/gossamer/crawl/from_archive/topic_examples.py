"""Read pages of a web as examples for topic training, with the anchor texts of links to them."""

import heapq
from collections.abc import Collection, Iterator
from pathlib import Path

from gossamer.crawl.from_archive.archived_pages import (
    decode_content,
    is_text_document,
    read_text_document,
)
from gossamer.errors import BadInput, BadUrl
from gossamer.net import html
from gossamer.net.encoding import decode
from gossamer.net.html.document import Document
from gossamer.net.url import TYPED_RULES, canonical, page_id
from gossamer.net.url.public_suffix import site
from gossamer.records import Page
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.batch import Store
from gossamer.store.opening.open_archive import open_reader
from gossamer.text.topics.training_example import Example

_OK = 200
# In-links read for a page: more take long and add little.
_MOST_LINKS = 50
_NAMING = frozenset({"a", "area"})
_SHUFFLE = 0x9E3779B97F4A7C15
_64_BITS = (1 << 64) - 1


class TopicExamples:
    """The pages of a web as topic examples, read from its archive."""

    def __init__(self, store: Store, archive: Path) -> None:
        self._store = store
        self._archive = open_reader(archive)

    def find_by_url(self, url: str) -> Example | None:
        """Return the page with this URL; None if the web has no such page with text."""
        try:
            page = self._store.page(page_id(canonical(url, rules=TYPED_RULES)))
        except BadUrl as error:
            raise BadInput(f"{url} is not the URL of a page: {error.reason}") from None
        return None if page is None else self.read_page(page)

    def read_pages(self, pages: Collection[int]) -> Iterator[Example]:
        """Yield those of these pages that can be read, in the same order."""
        known = (self._store.page(page) for page in pages)
        found = (self.read_page(page) for page in known if page is not None)
        return (example for example in found if example is not None)

    def draw_others(self, than: Collection[Example], but: Collection[int], most: int) -> list[Example]:
        """Draw pages of other sites than these, evenly and reproducibly; none of `but`."""
        sites = {_site(example.url) for example in than}
        unwanted = set(but)
        candidates = (
            page for page in self._store.pages() if page.id not in unwanted and site(page.host) not in sites
        )
        drawn = heapq.nsmallest(most, candidates, key=lambda page: page.id * _SHUFFLE & _64_BITS)
        return [example for example in map(self.read_page, drawn) if example is not None]

    def read_page(self, page: Page) -> Example | None:
        """Read a page as an example; None if it has no text or is not in the archive."""
        if page.status != _OK or not (page.kind == "html" or is_text_document(page)):
            return None
        exchange = self._archive.read(WarcPosition(page.warc, page.warc_offset), decode_content)
        if exchange is None:
            return None
        content_type = dict(exchange.headers).get("content-type")
        if page.kind == "text":
            return Example(decode(exchange.body, content_type)[0], url=page.url)
        document = self._read_document(page, exchange.body, content_type)
        if document is None:
            return None
        links = [
            link
            for link in self._store.links_to(page.id, _MOST_LINKS)
            if link.type in _NAMING and link.source != page.id
        ]
        sources = map(self._store.page, dict.fromkeys(link.source for link in links))
        titles = tuple(source.title for source in sources if source is not None)
        return make_example(document, tuple(link.text for link in links), titles)

    def _read_document(self, page: Page, body: bytes, content_type: str | None) -> Document | None:
        if page.kind == "html":
            return html.read(body, page.url, content_type)
        return read_text_document(page, body, content_type)


def make_example(
    document: Document, anchors: tuple[str, ...] = (), linked_from: tuple[str, ...] = ()
) -> Example:
    """Make an example of a document."""
    headings = tuple(heading.text for heading in document.headings)
    return Example(document.text, document.title, document.url, headings, anchors, linked_from)


def _site(url: str) -> str:
    return site(url.partition("://")[2].partition("/")[0])
