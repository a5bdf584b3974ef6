"""An index that follows its web: what is new or has changed since is read from the archive, and nothing else."""

from collections.abc import Callable
from pathlib import Path

import msgspec

from gossamer.net import html
from gossamer.net.document import Document
from gossamer.records import Page
from gossamer.search.anchors import Anchors, gathered
from gossamer.search.index import Index, Writer
from gossamer.search.pages import entry_of, is_indexed, stamp
from gossamer.store.batch import Store
from gossamer.store.exchanges import Decode
from gossamer.store.kept import Kept, Place
from gossamer.store.models import language_model

# So many pages are lost at most when somebody pulls the plug: some twenty seconds of work.
PAGES_A_COMMIT = 5_000


class Refreshed(msgspec.Struct):
    """What was done to an index, in pages."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    missing: int = 0
    """Pages that are not in the archive."""


class Collection(msgspec.Struct, frozen=True):
    """What is indexed: the state of a web, its folder, and how bodies are decoded."""

    store: Store
    folder: Path
    decode: Decode


def refresh(
    index: Index,
    web: Collection,
    told: Callable[[float], None] = lambda _: None,
    pages_a_commit: int = PAGES_A_COMMIT,
) -> Refreshed:
    """Bring an index up to date with its web; `told` hears which part is done.

    What was done is kept every so many pages, so that whoever was broken off goes on where that was. The web may be
    crawled meanwhile. Cost: a walk over all pages and links, and reading the pages that have changed.
    """
    anchors = gathered(web.store.links())
    known = index.stamps()
    total = max(1, web.store.counts()["pages"])
    done = Refreshed()
    writer = index.writer()
    refresher = _Refresher(web, anchors, known, writer, done)
    for number, page in enumerate(web.store.pages(), 1):
        if refresher.take(page) and (done.added + done.changed) % pages_a_commit == 0:
            writer.commit()
        told(min(1.0, number / total))
    for gone in known:
        writer.remove(gone)
        done.removed += 1
    writer.commit()
    return done


class _Refresher:
    """Takes the pages of a web one by one; in the end, `known` has what is not in the web any more."""

    def __init__(
        self, web: Collection, anchors: Anchors, known: dict[int, int], writer: Writer, done: Refreshed
    ) -> None:
        self._kept = Kept(web.folder / "archive")
        self._decode = web.decode
        self._model = language_model(web.folder)
        self._anchors = anchors
        self._known = known
        self._writer = writer
        self._done = done

    def take(self, page: Page) -> bool:
        """Index a page if it is new or has changed; say whether it was."""
        if not is_indexed(page):
            return False
        anchors = self._anchors.get(page.id, ())
        before = self._known.pop(page.id, None)
        if before == stamp(page, anchors):
            self._done.unchanged += 1
            return False
        document = self._document(page)
        if document is None:
            self._done.missing += 1
            return False
        entry = entry_of(page, document, anchors, self._model)
        if before is None:
            self._writer.add(entry)
            self._done.added += 1
        else:
            self._writer.put(entry)
            self._done.changed += 1
        return True

    def _document(self, page: Page) -> Document | None:
        exchange = self._kept.read(Place(page.warc, page.warc_offset), self._decode)
        if exchange is None:
            return None
        return html.read(exchange.body, page.url, dict(exchange.headers).get("content-type"))
