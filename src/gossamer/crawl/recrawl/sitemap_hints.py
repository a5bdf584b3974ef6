"""What sitemaps and feeds of a web say of its pages: when they changed, and how often they do."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from gossamer.crawl.archive.archived_pages import decoded
from gossamer.net import url as urls
from gossamer.net.sitemap import read_sitemap
from gossamer.records import Page
from gossamer.store.archive.archive_reader import ArchiveReader, WarcPosition

LISTS = ("sitemap", "feed")
"""Kinds of pages that tell of others."""
_EVERY_DAYS = {
    "always": 1 / 24,
    "hourly": 1 / 24,
    "daily": 1.0,
    "weekly": 7.0,
    "monthly": 30.0,
    "yearly": 365.0,
    "never": 3650.0,
}


class Hint(msgspec.Struct, frozen=True, gc=False):
    """What one of them says of a page."""

    changed_s: float = 0.0
    """When it changed last; 0 if that is not said."""
    every_days: float = 0.0
    """Once in how many days it changes; 0 if that is not said."""


class Hints:
    """Reads sitemaps and feeds from the archive, each version once."""

    def __init__(self, archive: Path) -> None:
        self._kept = ArchiveReader(archive)
        self._read: dict[int, tuple[str, dict[int, Hint]]] = {}
        """By page: the digest of the version that was read, and what it says."""

    def said(self, lists: Iterable[Page]) -> dict[int, Hint]:
        """Return what sitemaps and feeds say of each page, the latest if several speak of it."""
        together: dict[int, Hint] = {}
        for page in lists:
            for named, hint in self._said(page).items():
                known = together.get(named)
                if known is None or known.changed_s < hint.changed_s:
                    together[named] = hint
        return together

    def _said(self, page: Page) -> dict[int, Hint]:
        digest, said = self._read.get(page.id, ("", {}))
        if digest != page.digest or not digest:
            said = self._entries(page)
            self._read[page.id] = (page.digest, said)
        return said

    def _entries(self, page: Page) -> dict[int, Hint]:
        exchange = self._kept.read(WarcPosition(page.warc, page.warc_offset), decoded) if page.warc else None
        if exchange is None:
            return {}
        listed = read_sitemap.read(exchange.body, page.url, dict(exchange.headers).get("content-type"))
        found = {}
        for entry in (*listed.entries, *listed.sitemaps):
            changed_s = entry.lastmod.timestamp() if entry.lastmod is not None else 0.0
            every_days = _EVERY_DAYS[entry.changefreq] if entry.changefreq else 0.0
            if changed_s or every_days:
                # A date in the future is a mistake, or of a page that is still to come.
                hint = Hint(changed_s if changed_s <= page.fetched_s else 0.0, every_days)
                found[urls.page_id(entry.loc)] = hint
        return found
