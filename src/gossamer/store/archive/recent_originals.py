"""Find the archived response to which a new one with the same bytes can refer."""

from gossamer.records import Exchange, Page
from gossamer.store.archive.archive_reader import ArchiveReader, WarcPosition
from gossamer.store.archive.read_exchange import target_url
from gossamer.store.archive.write_visit import OriginalResponse

# Responses with the same bytes come in groups: error pages, mirrors.
_MOST_ORIGINALS = 4000
_NOT_MODIFIED = 304


class RecentOriginals:
    """Recent responses by payload digest, to which revisits can refer without a look-up."""

    def __init__(self, reader: ArchiveReader) -> None:
        self._reader = reader
        self._by_digest: dict[str, OriginalResponse] = {}

    def find(self, exchange: Exchange, digest: str, same: Page | None) -> OriginalResponse | None:
        """Return the archived response with this payload, or the one that a 304 confirms; None if there is none."""
        if exchange.status == _NOT_MODIFIED:
            return self._load(same) if same is not None else None
        if not exchange.payload or exchange.cut or not exchange.response_head:
            return None
        if digest not in self._by_digest and same is not None and same.digest == digest and not same.cut:
            original = self._load(same)
            if original is not None:
                self.remember(original)
        return self._by_digest.get(digest)

    def remember(self, original: OriginalResponse) -> None:
        """Keep a response; forget the oldest if there are too many."""
        self._by_digest[original.digest] = original
        if len(self._by_digest) > _MOST_ORIGINALS:
            del self._by_digest[next(iter(self._by_digest))]

    def forget(self) -> None:
        """Forget all responses: some of them may never be committed."""
        self._by_digest.clear()

    def _load(self, same: Page) -> OriginalResponse | None:
        """Return the response with a page's payload; never a revisit, which readers could not resolve."""
        place = WarcPosition(same.warc, same.warc_offset)
        found = self._reader.read_record(place)
        response = self._reader.follow_revisits(found, place) if found is not None else None
        if response is None:
            return None
        record, there = response
        date, digest = (record.headers.get(name, "") for name in ("warc-date", "warc-payload-digest"))
        return OriginalResponse(target_url(record), date, digest, there.warc, there.offset)
