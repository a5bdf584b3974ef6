"""Pages of a web as examples of topics: what they say, and what others call them."""

import heapq
from collections.abc import Collection, Iterator
from pathlib import Path

from gossamer.crawl.archive.archived_pages import decoded
from gossamer.errors import BadInput, BadUrl
from gossamer.net import html
from gossamer.net.encoding import decode
from gossamer.net.html.document import Document
from gossamer.net.url import canonical, page_id
from gossamer.net.url.public_suffix import site
from gossamer.records import Page
from gossamer.store.archive.archive_reader import ArchiveReader, WarcPosition
from gossamer.store.batch import Store
from gossamer.text.topics.example import Example

_OK = 200
# Links to a page that are looked at: more take long and say little new.
_MOST_LINKS = 50
_NAMING = frozenset({"a", "area"})
_SHUFFLE = 0x9E3779B97F4A7C15
_64_BITS = (1 << 64) - 1


class Examples:
    """The pages of a web, read once more from its archive."""

    def __init__(self, store: Store, archive: Path) -> None:
        self._store = store
        self._kept = ArchiveReader(archive)

    def called(self, url: str) -> Example | None:
        """Return the page of this URL; None if the web has no such page with a text."""
        try:
            page = self._store.page(page_id(canonical(url)))
        except BadUrl as error:
            raise BadInput(f"{url} is no URL that a page can have: {error.reason}") from None
        return None if page is None else self.of(page)

    def numbered(self, pages: Collection[int]) -> Iterator[Example]:
        """Return those of these pages that can be read, in the same order."""
        known = (self._store.page(page) for page in pages)
        found = (self.of(page) for page in known if page is not None)
        return (example for example in found if example is not None)

    def others(self, than: Collection[Example], but: Collection[int], most: int) -> list[Example]:
        """Return pages of other sites than these, drawn evenly and always the same ones; none of `but`."""
        sites = {_site(example.url) for example in than}
        unwanted = set(but)
        candidates = (
            page for page in self._store.pages() if page.id not in unwanted and site(page.host) not in sites
        )
        drawn = heapq.nsmallest(most, candidates, key=lambda page: page.id * _SHUFFLE & _64_BITS)
        return [example for example in map(self.of, drawn) if example is not None]

    def of(self, page: Page) -> Example | None:
        """Return what is known of a page; None if it has no text, or is not in the archive any more."""
        if page.kind not in ("html", "text") or page.status != _OK:
            return None
        exchange = self._kept.read(WarcPosition(page.warc, page.warc_offset), decoded)
        if exchange is None:
            return None
        content_type = dict(exchange.headers).get("content-type")
        if page.kind == "text":
            return Example(decode(exchange.body, content_type)[0], url=page.url)
        document = html.read(exchange.body, page.url, content_type)
        links = [
            link
            for link in self._store.links_to(page.id, _MOST_LINKS)
            if link.type in _NAMING and link.source != page.id
        ]
        sources = map(self._store.page, dict.fromkeys(link.source for link in links))
        titles = tuple(source.title for source in sources if source is not None)
        return example_of(document, tuple(link.text for link in links), titles)


def example_of(
    document: Document, anchors: tuple[str, ...] = (), linked_from: tuple[str, ...] = ()
) -> Example:
    """Return a page as an example."""
    headings = tuple(heading.text for heading in document.headings)
    return Example(document.text, document.title, document.url, headings, anchors, linked_from)


def _site(url: str) -> str:
    return site(url.partition("://")[2].partition("/")[0])
