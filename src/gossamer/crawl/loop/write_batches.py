"""Write batches while visits go on: first the bytes into the archive, then the state, in one transaction.

One batch is written at a time, without holding up visits, and again when the disk was full or the store away. A writer thread keeps a slow
disk from holding up visits, but two threads of one interpreter wake each other several times a page, which is a tenth of
the cost of a page (docs/decisions/0012). So a batch is written in the event loop while the disk is fast, and in a thread
as soon as it is not. What goes to another machine is always written in a thread.
"""

import asyncio
import logging
import math
import random
from collections.abc import Callable, Iterable
from contextlib import suppress

import msgspec

from gossamer.config import TaskSpec
from gossamer.crawl.events import LogLine, Notice
from gossamer.crawl.status.count_history import HistoryWriter
from gossamer.crawl.visit.pending_batch import ArchiveEntry, PendingBatch
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.errors import GossamerError, StoreAway, StoreFailed
from gossamer.fetch.user_agent_header import format_user_agent
from gossamer.frontier.pauses_and_backoff import Pace
from gossamer.net import fingerprint
from gossamer.records import HostNote, Page, Request, RequestType
from gossamer.store import page_pictures
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.archive.visit_archive import VisitArchive
from gossamer.store.batch import Batch, Store

BATCH_PAGES = 200
BATCH_URLS = 20_000
"""New URLs in a batch, some 20 MB: fewer pages with thousands of links go into one batch."""
BATCH_BYTES = 32_000_000
"""Bytes of bodies and links in a batch: fewer pages of megabytes go into one batch."""
BATCH_AGE_S = 1.0
URGENT_AGE_S = 0.05
"""The age of the last batch at which an urgent one is written: many failing hosts share one batch."""
SENT_AGE_S = 0.25
"""The longest that links found for other shards wait."""
PATIENCE_S = 0.5
"""A batch of 200 pages takes 0.03 s; after one that took longer than this, the next ones are written in a thread."""
SLOW_BATCHES = 20
"""How many batches are written in a thread after a slow one."""
RETRY_FULL_DISK_S = 2.0
"""How often a full disk is tried again."""
RETRY_AWAY_S = 0.2
"""How soon a database or an archive that is away is tried again; each pause is twice as long as the one before."""
LONGEST_PAUSE_S = 5.0
Hurry = Callable[[float], bool]
_NOT_MODIFIED = 304
# Heritrix's letters for the last step to a page; anything else is a link (L).
_STEPS: dict[RequestType, str] = {
    "frame": "E",
    "iframe": "E",
    "requisite": "E",
    "redirect": "R",
    "refresh": "R",
    "sitemap": "M",
    "form": "S",
}
# Redirects are not pages, so their URLs are remembered here until their targets are archived.
_MOST_NAMES = 10_000
_MOST_PICTURES = 4_000


class CommitLoop:
    """Takes the pending batch, adds the state of hosts and tasks, and has it written."""

    def __init__(
        self,
        shard: ShardContext,
        writer: "BatchWriter",
        ended: Callable[[], None],
        hurry: Hurry,
        history: HistoryWriter | None = None,
    ) -> None:
        self._shard = shard
        self._history = history
        self._writer = writer
        self._ended = ended
        self._hurry = hurry
        """Returns whether to give up after so many seconds in which the batch could not be written."""
        self._writing: asyncio.Task[None] | None = None
        self._taken = PendingBatch()
        """The batch that is being written, or was written last."""
        self._abandoned = False
        self.begun_s = shard.clock()
        """When the last batch was taken."""
        self.is_paused = False
        """Whether the disk is full or the store away: nothing is fetched until a batch can be written."""
        self.trouble = ""
        """Why the last attempt failed, if the crawl is paused."""
        self._is_away = False
        """Whether the last attempt failed because the database or the archive is away."""
        self.writing_since_s = 0.0
        """When writing the current batch began; 0 if none is being written."""
        self._threaded = 1
        """How many more batches are written in a thread; the first one always, to measure the disk."""

    @property
    def under_way(self) -> bool:
        """Whether a batch is being written, or was written and is not settled yet."""
        return self._writing is not None

    @property
    def done(self) -> bool:
        """Whether a batch was written and is not settled yet."""
        return self._writing is not None and self._writing.done()

    def is_large(self, times: int = 1) -> bool:
        """Say whether the pending batch has the size of this many full batches."""
        pending = self._shard.pending
        return (
            len(pending.batch.finished) >= times * BATCH_PAGES
            or len(pending.batch.known) >= times * BATCH_URLS
            or pending.held_bytes >= times * BATCH_BYTES
        )

    def due_s(self) -> float:
        """Return when the pending batch is to be written: when it is large, old or urgent."""
        pending = self._shard.pending
        if self.is_large():
            return self.begun_s
        if pending.urgent:
            return self.begun_s + URGENT_AGE_S
        if pending.batch.sent:
            return self.begun_s + SENT_AGE_S
        return self.begun_s + BATCH_AGE_S if pending.batch else math.inf

    def begin(self) -> None:
        """Take the pending batch and start writing it."""
        shard = self._shard
        pending, shard.pending = shard.pending, PendingBatch()
        self._taken = pending
        now_s = self.begun_s = shard.clock()
        pending.batch.hosts = self._make_host_notes()
        pending.batch.counted = [(task.number, task.take_counts(now_s)) for task in shard.tasks.values()]
        for task in shard.tasks.values():
            pending.batch.notes |= task.take_notes()
        if self._history is not None:
            pending.batch.notes |= self._history.make_notes(pending.batch.counted, now_s)
        # Only the first shard writes the tasks themselves; the others follow what it decides.
        first = shard.territory.first
        pending.batch.tasks = [task.to_note(now_s) for task in shard.tasks.values()] if first else []
        self._writing = asyncio.create_task(self._write(pending))
        self._writing.add_done_callback(lambda _: self._ended())

    def has_work_for(self, task: int) -> bool:
        """Say whether work for a task is in the pending batch or in the one being written."""
        return self._shard.pending.has_work_for(task) or self._taken.has_work_for(task)

    async def settle(self) -> None:
        """Wait until the current batch is written; raise StoreFailed if it cannot be."""
        writing, self._writing = self._writing, None
        if writing is not None:
            try:
                await writing
            finally:
                self._writing = None if writing.done() else writing
            self._shard.budget.release_kept(self._taken.held_bytes)
            self._taken = PendingBatch()
            self._shard.unwritten = {request.id for request in self._shard.pending.batch.finished}
            for task in self._shard.tasks.values():
                task.tally.mark_written()

    async def abandon(self) -> None:
        """Wait for the current batch, and ignore its result."""
        self._abandoned = True
        if self._writing is not None:
            await asyncio.gather(self._writing, return_exceptions=True)

    async def _write(self, pending: PendingBatch) -> None:
        began_s, pause_s = self._shard.clock(), RETRY_AWAY_S
        while True:
            last_try = self._abandoned or self._hurry(self._shard.clock() - began_s)
            self.writing_since_s = self._shard.clock()
            try:
                await self._write_once(pending)
                break
            except StoreFailed as failure:
                if not failure.full or last_try:
                    await asyncio.to_thread(self._writer.give_up)
                    raise
                self._pause(failure)
            finally:
                self.writing_since_s = 0.0
            await asyncio.sleep(pause_s * random.uniform(0.5, 1.0) if self._is_away else RETRY_FULL_DISK_S)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
        if self.is_paused:
            self.is_paused = False
            back = f"it is back after {self._shard.clock() - began_s:.0f} s"
            self._notify(f"{back if self._is_away else 'there is room again'}; the crawl continues")

    async def _write_once(self, pending: PendingBatch) -> None:
        """Write a batch, here or in a thread; the time it took decides where the next one is written."""
        if self._threaded or self._writer.is_remote:
            await asyncio.to_thread(self._writer.write, pending)
        else:
            self._writer.write(pending)
        took_s = self._shard.clock() - self.writing_since_s
        if self._shard.is_verbose:
            text = f"wrote {len(pending.batch.visits):,} visits, {len(pending.batch.pages):,} pages in {took_s:.2f} s"
            self._shard.watch(LogLine(self._shard.clock(), "store", logging.DEBUG, text))
        self._threaded = SLOW_BATCHES if took_s > PATIENCE_S else max(0, self._threaded - 1)

    def _pause(self, failure: StoreFailed) -> None:
        self._is_away, self.trouble = isinstance(failure, StoreAway), str(failure)
        if not self.is_paused:
            self.is_paused = True
            when = "it is back" if self._is_away else "there is room"
            self._notify(f"{failure}; the crawl pauses and continues by itself as soon as {when}")

    def _notify(self, text: str) -> None:
        self._shard.watch(Notice(self._shard.clock(), text))

    def _make_host_notes(self) -> list[HostNote]:
        """Return what changed about hosts, so that pauses and robots.txt outlive the process."""
        touched, self._shard.touched = self._shard.touched, set()
        notes = []
        for host in touched:
            pace = self._shard.frontier.pace(host) or Pace()
            note = HostNote(host, pace.ready_s, pace.crawl_delay_s, pace.failures)
            notes.append(self._shard.robots.add_to_note(note))
        return notes


class BatchWriter:
    """Writes batches, one after the other, in the thread that calls it."""

    def __init__(self, store: Store, archive: VisitArchive, is_remote: bool = False) -> None:
        self.is_remote = is_remote
        """Whether batches go to other machines, which may not answer for a while."""
        self._store = store
        self._archive = archive
        self._names: dict[int, str] = {}
        """URLs of recent visits that brought no page, by id."""
        self._pictures: dict[str, WarcPosition] = {}
        """Where recent pictures of pages are, by digest."""

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
        self._pictures.clear()
        with suppress(GossamerError):  # otherwise it is cut off when the web is opened again
            self._archive.rewind({} if self.is_remote else self._store.archive_ends())

    def _archive_exchanges(self, pending: PendingBatch) -> None:
        batch = pending.batch
        names, before = self._find_parent_urls(pending), self._find_same_bytes(pending)
        for kept in pending.exchanges[pending.archived :]:
            page = None if kept.page_at is None else batch.pages[kept.page_at]
            digest = page.digest if page is not None else ""
            if kept.note[0]:
                self._archive_picture(kept, batch)
                pending.archived += 1
                continue
            unchanged = kept.exchange.status == _NOT_MODIFIED
            same = self._store.page(kept.request.id) if unchanged else before.get(digest)
            place = self._archive.write(kept.exchange, digest, same, describe_visit(kept, names))
            pending.archived += 1
            where = {"warc": place.warc, "warc_offset": place.offset}
            batch.visits[kept.visit_at] = msgspec.structs.replace(batch.visits[kept.visit_at], **where)
            if kept.page_at is not None and page is not None:
                batch.pages[kept.page_at] = msgspec.structs.replace(page, **where)

    def _archive_picture(self, kept: ArchiveEntry, batch: Batch) -> None:
        """Archive a picture of a page, unless a page that looks the same had it, and note where it is."""
        digest = fingerprint.digest(kept.exchange.payload)
        place = self._pictures.get(digest)
        if place is None:
            place = self._archive.write(kept.exchange, digest, None, describe_visit(kept, {}))
            self._pictures[digest] = place
            if len(self._pictures) > _MOST_PICTURES:
                del self._pictures[next(iter(self._pictures))]
        batch.notes[kept.note] = page_pictures.encode_place(place, digest)

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
