"""Read what the sitemaps and feeds of a web say about pages: when they changed, and how often they do."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from gossamer.crawl.from_archive.archived_pages import decode_content
from gossamer.net import url as urls
from gossamer.net.sitemap import read_sitemap
from gossamer.records import Page
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.opening.open_archive import open_reader

LISTS = ("sitemap", "feed")
"""The kinds of pages that list others."""
_EVERY_DAYS = {
    "always": 1 / 24,
    "hourly": 1 / 24,
    "daily": 1.0,
    "weekly": 7.0,
    "monthly": 30.0,
    "yearly": 365.0,
    "never": 3650.0,
}


class SitemapHint(msgspec.Struct, frozen=True, gc=False):
    """What a sitemap or feed says about a page."""

    changed_s: float = 0.0
    """When it changed last; 0 if not given."""
    every_days: float = 0.0
    """How many days pass between changes; 0 if not given."""


class SitemapHints:
    """Reads sitemaps and feeds from the archive, each version once."""

    def __init__(self, archive: Path) -> None:
        self._archive = open_reader(archive)
        self._read: dict[int, tuple[str, dict[int, SitemapHint]]] = {}
        """The digest of the version that was read, and its hints, by page."""

    def read(self, lists: Iterable[Page]) -> dict[int, SitemapHint]:
        """Return what sitemaps and feeds say about each page; of several hints the latest."""
        together: dict[int, SitemapHint] = {}
        for page in lists:
            for named, hint in self._read_list(page).items():
                known = together.get(named)
                if known is None or known.changed_s < hint.changed_s:
                    together[named] = hint
        return together

    def _read_list(self, page: Page) -> dict[int, SitemapHint]:
        digest, hints = self._read.get(page.id, ("", {}))
        if digest != page.digest or not digest:
            hints = self._parse(page)
            self._read[page.id] = (page.digest, hints)
        return hints

    def _parse(self, page: Page) -> dict[int, SitemapHint]:
        exchange = (
            self._archive.read(WarcPosition(page.warc, page.warc_offset), decode_content)
            if page.warc
            else None
        )
        if exchange is None:
            return {}
        listed = read_sitemap.read(exchange.body, page.url, dict(exchange.headers).get("content-type"))
        found = {}
        for entry in (*listed.entries, *listed.sitemaps):
            changed_s = entry.lastmod.timestamp() if entry.lastmod is not None else 0.0
            every_days = _EVERY_DAYS[entry.changefreq] if entry.changefreq else 0.0
            if changed_s or every_days:
                # A date in the future is a mistake, or belongs to a page that is not published yet.
                hint = SitemapHint(changed_s if changed_s <= page.fetched_s else 0.0, every_days)
                found[urls.page_id(entry.loc)] = hint
        return found
