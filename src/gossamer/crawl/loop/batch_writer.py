"""Write a batch: first the bytes into the archive, then the state, in one transaction, into the store."""

from collections.abc import Iterable
from contextlib import suppress

import msgspec

from gossamer.config import TaskSpec, format_user_agent
from gossamer.crawl.visit.pending_batch import ArchiveEntry, PendingBatch
from gossamer.errors import GossamerError
from gossamer.records import Page, Request, RequestType
from gossamer.store.archive.archive import Archive
from gossamer.store.batch import Store

_NOT_MODIFIED = 304
# Heritrix's letters for the last step to a page; anything else is a link (L).
_STEPS: dict[RequestType, str] = {
    "frame": "E",
    "iframe": "E",
    "redirect": "R",
    "refresh": "R",
    "sitemap": "M",
    "form": "S",
}
# Redirects are not pages, so their URLs are remembered here until their targets are archived.
_MOST_NAMES = 10_000


class BatchWriter:
    """Writes batches, one after the other, in the thread that calls it."""

    def __init__(self, store: Store, archive: Archive) -> None:
        self._store = store
        self._archive = archive
        self._names: dict[int, str] = {}
        """URLs of recent visits that brought no page, by id."""

    def write(self, pending: PendingBatch) -> None:
        """Write a batch with its exchanges. When this returns, nothing of it can be lost.

        If it raises, nothing of it is in the store. Call it again with the same batch: it continues with the first
        exchange that is not in the archive yet.
        """
        self._archive_exchanges(pending)
        pending.batch.archive_ends |= self._archive.flush()
        self._store.commit(pending.batch)

    def give_up(self) -> None:
        """Cut off what the archive holds of a batch that did not reach the store."""
        with suppress(GossamerError):  # otherwise it is cut off when the web is opened again
            self._archive.rewind(self._store.archive_ends())

    def _archive_exchanges(self, pending: PendingBatch) -> None:
        batch = pending.batch
        names, before = self._find_parent_urls(pending), self._find_same_bytes(pending)
        for kept in pending.exchanges[pending.archived :]:
            page = None if kept.page_at is None else batch.pages[kept.page_at]
            digest = page.digest if page is not None else ""
            unchanged = kept.exchange.status == _NOT_MODIFIED
            same = self._store.page(kept.request.id) if unchanged else before.get(digest)
            place = self._archive.write(kept.exchange, digest, same, describe_visit(kept, names))
            pending.archived += 1
            where = {"warc": place.warc, "warc_offset": place.offset}
            batch.visits[kept.visit_at] = msgspec.structs.replace(batch.visits[kept.visit_at], **where)
            if kept.page_at is not None and page is not None:
                batch.pages[kept.page_at] = msgspec.structs.replace(page, **where)

    def _find_same_bytes(self, pending: PendingBatch) -> dict[str, Page]:
        """Return earlier pages with the same bytes as pages of this batch, by digest."""
        wanted = {page.digest for page in pending.batch.pages}
        return self._store.pages_by_digest(wanted - {""})

    def _find_parent_urls(self, pending: PendingBatch) -> dict[int, str]:
        """Return the URLs of the pages that led to the exchanges of a batch, as far as they are known."""
        if len(self._names) > _MOST_NAMES:
            self._names.clear()
        self._names.update(
            (kept.request.id, kept.request.url) for kept in pending.exchanges if kept.page_at is None
        )
        names = self._names | {page.id: page.url for page in pending.batch.pages}
        wanted = {kept.request.parent for kept in pending.exchanges[pending.archived :]}
        return names | self._store.page_urls(wanted - names.keys() - {0})


def describe_visit(kept: ArchiveEntry, names: dict[int, str]) -> dict[str, str]:
    """Return the WARC metadata of a visit: the URL that led to it, and its steps from a start page."""
    via = kept.via or names.get(kept.request.parent, "")
    return {"via": via, "hopsFromSeed": _encode_steps(kept.request) + kept.beyond}


def _encode_steps(request: Request) -> str:
    """Return a letter for each step from a start page, as Heritrix does; all but the last count as links."""
    if request.type in ("seed", "revisit"):
        return ""
    last = _STEPS.get(request.type, "L")
    if last == "R" and request.hops:
        return "L" * request.depth + "R" * request.hops
    return "L" * (request.depth - 1) + last


def describe_crawl(web: str, tasks: Iterable[tuple[str, TaskSpec]]) -> dict[str, str]:
    """Return the warcinfo fields of a WARC file: the web and the tasks that fill it, in Heritrix's terms."""
    named = list(tasks)
    manners = [spec.politeness for _, spec in named]
    obeyed = {"obey" if each.robots else "ignore" for each in manners}
    return {
        "isPartOf": web,
        "description": ", ".join(name for name, _ in named),
        "operator": ", ".join(dict.fromkeys(each.contact for each in manners if each.contact)),
        "robots": obeyed.pop() if len(obeyed) == 1 else "obey, and ignore where a task says so",
        "http-header-user-agent": ", ".join(
            dict.fromkeys(format_user_agent(spec.politeness) for _, spec in named)
        ),
    }
