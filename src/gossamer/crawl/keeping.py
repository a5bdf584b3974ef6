"""First the bytes, then the state: a filled batch goes into the archive and then, whole, into the store."""

from contextlib import suppress

import msgspec

from gossamer.crawl.filling import Filling
from gossamer.errors import GossamerError
from gossamer.store.archive import Archive
from gossamer.store.batch import Store


class Keeper:
    """Writes batches, one after the other, in whatever thread it is called from."""

    def __init__(self, store: Store, archive: Archive) -> None:
        self._store = store
        self._archive = archive

    def write(self, filling: Filling) -> None:
        """Write a batch with its exchanges. After this nothing of it can be lost.

        If it raises, nothing of it is in the store; it can be called again with the same filling, and goes on with
        the first exchange that is not in the archive yet.
        """
        self._archive_exchanges(filling)
        filling.batch.archive_ends |= self._archive.flush()
        self._store.commit(filling.batch)

    def give_up(self) -> None:
        """Nothing more will be written: cut off what is in the archive for a batch that is not in the store."""
        with suppress(GossamerError):  # else it is cut off when the web is opened again
            self._archive.rewind(self._store.archive_ends())

    def _archive_exchanges(self, filling: Filling) -> None:
        batch = filling.batch
        for kept in filling.exchanges[filling.archived :]:
            page = batch.pages[kept.page_at]
            same = self._store.page_by_digest(page.digest) if kept.exchange.payload else None
            facts = {"via": str(kept.request.parent), "hopsFromSeed": str(kept.request.depth)}
            place = self._archive.write(kept.exchange, page.digest, same, facts)
            filling.archived += 1
            where = {"warc": place.warc, "warc_offset": place.offset}
            batch.pages[kept.page_at] = msgspec.structs.replace(page, **where)
            batch.visits[kept.visit_at] = msgspec.structs.replace(batch.visits[kept.visit_at], **where)
