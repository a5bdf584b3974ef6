"""First the bytes, then the state: a filled batch goes into the archive and then, whole, into the store."""

from collections.abc import Iterable
from contextlib import suppress

import msgspec

from gossamer.config import TaskSpec
from gossamer.crawl.seen_keys import agent_line
from gossamer.crawl.visit.pending_batch import ArchiveEntry, PendingBatch
from gossamer.errors import GossamerError
from gossamer.records import Page, Request, RequestType
from gossamer.store.archive.archive import Archive
from gossamer.store.batch import Store

_NOT_MODIFIED = 304
# Heritrix' letters for the last step to a page; what is not here is a link (L).
_STEPS: dict[RequestType, str] = {
    "frame": "E",
    "iframe": "E",
    "redirect": "R",
    "refresh": "R",
    "sitemap": "M",
    "form": "S",
}
# Redirects are no pages: nobody but this remembers their URLs until what they lead to has come.
_MOST_NAMES = 10_000


class BatchWriter:
    """Writes batches, one after the other, in whatever thread it is called from."""

    def __init__(self, store: Store, archive: Archive) -> None:
        self._store = store
        self._archive = archive
        self._names: dict[int, str] = {}
        """URLs that were visited lately and of which no page came."""

    def write(self, pending: PendingBatch) -> None:
        """Write a batch with its exchanges. After this nothing of it can be lost.

        If it raises, nothing of it is in the store; it can be called again with the same pending, and goes on with
        the first exchange that is not in the archive yet.
        """
        self._archive_exchanges(pending)
        pending.batch.archive_ends |= self._archive.flush()
        self._store.commit(pending.batch)

    def give_up(self) -> None:
        """Nothing more will be written: cut off what is in the archive for a batch that is not in the store."""
        with suppress(GossamerError):  # else it is cut off when the web is opened again
            self._archive.rewind(self._store.archive_ends())

    def _archive_exchanges(self, pending: PendingBatch) -> None:
        batch = pending.batch
        names, before = self._parents(pending), self._before(pending)
        for kept in pending.exchanges[pending.archived :]:
            page = None if kept.page_at is None else batch.pages[kept.page_at]
            digest = page.digest if page is not None else ""
            unchanged = kept.exchange.status == _NOT_MODIFIED
            same = self._store.page(kept.request.id) if unchanged else before.get(digest)
            place = self._archive.write(kept.exchange, digest, same, facts_of(kept, names))
            pending.archived += 1
            where = {"warc": place.warc, "warc_offset": place.offset}
            batch.visits[kept.visit_at] = msgspec.structs.replace(batch.visits[kept.visit_at], **where)
            if kept.page_at is not None and page is not None:
                batch.pages[kept.page_at] = msgspec.structs.replace(page, **where)

    def _before(self, pending: PendingBatch) -> dict[str, Page]:
        """Return the pages of earlier batches that have the same bytes as pages of this one, by digest."""
        wanted = {page.digest for page in pending.batch.pages}
        return self._store.pages_by_digest(wanted - {""})

    def _parents(self, pending: PendingBatch) -> dict[int, str]:
        """Return the URLs of what led to the exchanges of a batch, as far as they are known here or kept as pages."""
        if len(self._names) > _MOST_NAMES:
            self._names.clear()
        self._names.update(
            (kept.request.id, kept.request.url) for kept in pending.exchanges if kept.page_at is None
        )
        names = self._names | {page.id: page.url for page in pending.batch.pages}
        wanted = {kept.request.parent for kept in pending.exchanges[pending.archived :]}
        return names | self._store.page_urls(wanted - names.keys() - {0})


def facts_of(kept: ArchiveEntry, names: dict[int, str]) -> dict[str, str]:
    """Return what the archive tells of a visit: what led to it, and by which steps from a start page."""
    via = kept.via or names.get(kept.request.parent, "")
    return {"via": via, "hopsFromSeed": _steps_to(kept.request) + kept.beyond}


def _steps_to(request: Request) -> str:
    """Return a letter for each step from a start page, as Heritrix does; of those before the last only the number is known."""
    if request.type in ("seed", "revisit"):
        return ""
    last = _STEPS.get(request.type, "L")
    if last == "R" and request.hops:
        return "L" * request.depth + "R" * request.hops
    return "L" * (request.depth - 1) + last


def about(web: str, tasks: Iterable[tuple[str, TaskSpec]]) -> dict[str, str]:
    """Return what the head of a WARC file tells of the web and of the tasks that fill it, in the words of Heritrix."""
    told = list(tasks)
    manners = [spec.politeness for _, spec in told]
    obeyed = {"obey" if each.robots else "ignore" for each in manners}
    return {
        "isPartOf": web,
        "description": ", ".join(name for name, _ in told),
        "operator": ", ".join(dict.fromkeys(each.contact for each in manners if each.contact)),
        "robots": obeyed.pop() if len(obeyed) == 1 else "obey, and ignore where a task says so",
        "http-header-user-agent": ", ".join(dict.fromkeys(agent_line(spec) for _, spec in told)),
    }
