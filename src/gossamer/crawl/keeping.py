"""First the bytes, then the state: a filled batch goes into the archive and then, whole, into the store."""

from typing import TypeVar

import msgspec

from gossamer.crawl.parts import Filling
from gossamer.records import Page, Visit
from gossamer.store.archive import Archive, Place
from gossamer.store.batch import Store

Record = TypeVar("Record", Page, Visit)


class Keeper:
    """Writes batches, one after the other, in whatever thread it is called from."""

    def __init__(self, store: Store, archive: Archive) -> None:
        self._store = store
        self._archive = archive

    def write(self, filling: Filling) -> None:
        """Write a batch with its exchanges. After this nothing of it can be lost."""
        batch = filling.batch
        places = self._archive_exchanges(filling)
        if places:
            batch.pages = [_placed(page, places.get(page.id)) for page in batch.pages]
            batch.visits = [_placed(visit, places.get(visit.page)) for visit in batch.visits]
            batch.archive_ends = self._archive.flush()
        self._store.commit(batch)

    def _archive_exchanges(self, filling: Filling) -> dict[int, Place]:
        digests = {page.id: page.digest for page in filling.batch.pages}
        places = {}
        for request, exchange in filling.exchanges:
            digest = digests.get(request.id, "")
            same = self._store.page_by_digest(digest) if exchange.payload else None
            facts = {"via": str(request.parent), "hopsFromSeed": str(request.depth)}
            places[request.id] = self._archive.write(exchange, digest, same, facts)
        return places


def _placed(record: Record, place: Place | None) -> Record:
    if place is None:
        return record
    return msgspec.structs.replace(record, warc=place.warc, warc_offset=place.offset)
