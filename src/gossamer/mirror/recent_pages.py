"""Keep what a crawl has just fetched until it is written to the mirror, so that it need not be read from the archive.

Only memory: after a kill, and beyond the limit, pages come from the archive, where each of them is.
"""

import msgspec

from gossamer.mirror.rewrite_links import PLACE_GROUPS
from gossamer.net.html.references import AddressPlaces
from gossamer.records import Exchange, Page

MOST_BYTES = 64_000_000
"""Bodies of this size together are kept; those that arrive later are read from the archive."""
# Of the objects of a page, and of an address or a reference in its lists.
_PAGE_BYTES, _ENTRY_BYTES = 1_000, 150


class RecentPage(msgspec.Struct, frozen=True):
    """The bytes of a page, and where its addresses are."""

    digest: str
    """Of the payload, as the web has it for this version of the page."""
    body: bytes
    content_type: str | None
    places: AddressPlaces | None = None


class RecentPages:
    """Keeps the pages that a crawl has fetched, up to a number of bytes."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.groups: dict[str, int] | None = PLACE_GROUPS
        """Of which kinds of references the places are wanted; None when there is no room for more pages."""
        self._left_bytes = most_bytes
        self._pages: dict[int, RecentPage] = {}

    def keep(self, page: Page, exchange: Exchange, places: AddressPlaces | None) -> None:
        """Keep a page if there is room; of two versions, the last."""
        self.take(page)
        size = _measure(exchange.body, places)
        if size > self._left_bytes:
            self.groups = None  # places of pages that are not kept would be found for nothing
            return
        self._left_bytes -= size
        content_type = dict(exchange.headers).get("content-type")
        self._pages[page.id] = RecentPage(page.digest, exchange.body, content_type, places)

    def take(self, page: Page) -> RecentPage | None:
        """Return a page and forget it; None if this version of it is not here."""
        found = self._pages.pop(page.id, None)
        if found is None:
            return None
        self._left_bytes += _measure(found.body, found.places)
        return found if found.digest == page.digest else None


def _measure(body: bytes, places: AddressPlaces | None) -> int:
    """Return about how many bytes of memory a page takes."""
    listed = len(places.addresses) + len(places.references) if places is not None else 0
    packed = len(places.spots) if places is not None else 0
    return len(body) + packed + _ENTRY_BYTES * listed + _PAGE_BYTES
