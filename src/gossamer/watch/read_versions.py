"""Read the versions of a watched page from the archive, and follow its redirects through the visits of the web."""

from pathlib import Path

import xxhash

from gossamer.crawl.from_archive.archived_pages import decode_content
from gossamer.errors import BadUrl
from gossamer.net import encoding, html
from gossamer.net import url as urls
from gossamer.net.media_type import detect_kind
from gossamer.records import Visit
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.batch import Store
from gossamer.store.opening.open_archive import open_reader
from gossamer.watch.difference.part_text import (
    PageVersion,
    TextBlock,
    WatchedPart,
    read_part,
    read_plain_text,
)

_MOST_HOPS = 8
_TEXT = {"text", "json", "xml", "feed", "sitemap", "style", "script"}


class VersionReader:
    """Reads versions from the archive of a web, each once."""

    def __init__(self, archive: Path) -> None:
        self._archive = open_reader(archive)
        self._read: dict[tuple[str, int, WatchedPart], PageVersion | None] = {}

    def read(self, visit: Visit, part: WatchedPart) -> PageVersion | None:
        """Read the part of a page that a visit fetched; None if it is not in the archive, or was cut off."""
        key = visit.warc, visit.warc_offset, part
        if key not in self._read:
            self._read[key] = self._read_version(visit, part) if visit.warc else None
        return self._read[key]

    def _read_version(self, visit: Visit, part: WatchedPart) -> PageVersion | None:
        exchange = self._archive.read(WarcPosition(visit.warc, visit.warc_offset), decode_content)
        # What is missing from a page that was cut off is no change.
        if exchange is None or exchange.cut:
            return None
        content_type = dict(exchange.headers).get("content-type")
        kind = detect_kind(content_type, exchange.body, exchange.url)
        if kind == "html":
            document = html.read(exchange.body, exchange.url, content_type, most_links=0)
            return read_part(document, part, visit.when_s)
        if kind in _TEXT:
            return read_plain_text(encoding.decode(exchange.body, content_type)[0], visit.when_s)
        facts = f"{kind}, {len(exchange.body):,} bytes, digest {_hash_body(exchange.body)}"
        return PageVersion(visit.when_s, (TextBlock(facts),))


def _hash_body(body: bytes) -> str:
    """Return a short digest of content that has no text."""
    return xxhash.xxh3_64_hexdigest(body)


def list_visits(store: Store, url: str) -> list[Visit]:
    """Return all visits to a page, oldest first."""
    return [visit for visit in store.visits(urls.page_id(url)) if visit.result != "robots"]


def find_target(store: Store, url: str) -> str:
    """Return the page to which a URL leads by the redirects of its last visits; "" if they lead in a circle."""
    for _ in range(_MOST_HOPS):
        visits = list_visits(store, url)
        if not visits or visits[-1].result != "redirected":
            return url
        try:
            url = urls.canonical(visits[-1].detail, url)
        except BadUrl:
            return ""
    return ""
