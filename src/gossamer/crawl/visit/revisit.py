"""Revisits: how to ask for a page that the web has, and what the answer teaches about its changes.

The path of `visit.py` comes here for requests of the type "revisit". What is learnt goes into the batch of the visit, as
notes of the page and of its host, so that no kill can separate them.
"""

import asyncio
from collections.abc import Callable

import msgspec

from gossamer.crawl.render.rendering import RENDERED, stays_as_it_came
from gossamer.crawl.task.running_task import RunningTask
from gossamer.crawl.visit.judge_page import JudgedPage
from gossamer.fetch.fetcher import FetchOptions
from gossamer.freshness import learn_from_visit, volatile_text
from gossamer.freshness.change_history import (
    DAY_S,
    ROOM,
    HostHistory,
    PageHistory,
    decode_host_note,
    decode_page_note,
    encode_note,
    host_note_name,
    page_note_name,
)
from gossamer.freshness.conditional_request import StoredCopy, choose_request
from gossamer.freshness.missing_pages import record_absence
from gossamer.freshness.volatile_text import Block
from gossamer.net.dates import parse_date
from gossamer.net.fingerprint import digest, text_digest
from gossamer.records import (
    Exchange,
    Failed,
    Fetched,
    NotModified,
    Outcome,
    Page,
    Redirected,
    Refused,
    Request,
)
from gossamer.store.batch import Batch, Store

_MOVED_FOR_GOOD = {301, 308}
_SILENCE = {"dns", "connect", "timeout", "tls", "reset"}
_GONE_STATUS = 410
_replace = msgspec.structs.replace


class Revisit(msgspec.Struct):
    """One revisit under way."""

    page: Page | None
    """The page as the web has it."""
    note: PageHistory
    conditional: bool = False
    """Whether the request named the copy that we have."""
    head: bool = False
    blocks: list[Block] | None = None
    """The text blocks of the copy that we have, if they had to be read from the archive."""


class Revisits:
    """The revisits of one shard."""

    def __init__(self, store: Store, read_text: Callable[[Page], str]) -> None:
        self._store = store
        self._read_text = read_text
        """Reads the text of a page from the archive."""
        self._hosts: dict[str, HostHistory] = {}
        self._under_way: dict[int, Revisit] = {}
        self._differ: set[int] = set()
        """Pages whose head has changed: they are fetched whole next."""

    def make_conditional(
        self, request: Request, plain: FetchOptions, now_s: float, render: str = "never"
    ) -> FetchOptions:
        """Return how to ask for a page that the web has: whole, by its head, or only if it has changed.

        A page that is to be shown in a browser is asked for whole: what its scripts load changes without it.
        """
        revisit = self._under_way[request.id] = self._load(request)
        page, note = revisit.page, revisit.note
        if page is None or not stays_as_it_came(page, render):
            return plain
        known = StoredCopy(
            bool(page.etag or page.last_modified), page.body_bytes, max(now_s - note.seen_s, 0.0) / DAY_S
        )
        chosen = choose_request(known, note, self._load_host(request.host))
        if chosen == "head" and request.id not in self._differ:
            revisit.head = True
            return _replace(plain, method="HEAD")
        if chosen != "condition" or plain.method == "HEAD":
            return plain
        revisit.conditional = True
        return _replace(plain, etag=page.etag, last_modified=page.last_modified)

    def was_rendered(self, request: Request) -> bool:
        """Say whether the web has a page as a browser showed it; asked while the page is revisited."""
        revisit = self._under_way.get(request.id)
        return revisit is not None and revisit.page is not None and RENDERED in revisit.page.marks

    async def compare_head(self, request: Request, outcome: Outcome) -> Outcome | None:
        """Compare the head with the copy that we have; None if only the head was asked for and the page has changed."""
        revisit = self._under_way[request.id]
        if revisit.head and isinstance(outcome, Fetched) and revisit.page is not None:
            if _same_head(revisit.page, outcome.exchange):
                return NotModified(outcome.exchange)
            self._differ.add(request.id)
            return None
        if isinstance(outcome, Fetched) and revisit.page is not None and not revisit.note.blocks:
            page = revisit.page
            if page.kind == "html" and digest(outcome.exchange.payload) != page.digest:
                revisit.blocks = volatile_text.digest_lines(await asyncio.to_thread(self._read_text, page))
        return outcome

    def learn(
        self,
        request: Request,
        outcome: Outcome,
        judged: JudgedPage | None,
        task: RunningTask,
        batch: Batch,
        now_s: float,
    ) -> JudgedPage | None:
        """Record what a revisit taught; return the page as it is kept: it stays at its depth and with its task."""
        page = judged.reading.page if judged is not None else None
        document = judged.reading.document if judged is not None else None
        changed, page = self.learn_page(
            request, outcome, page, document.text if document is not None else "", batch, now_s
        )
        if changed:
            task.tally.count("changed")
        if judged is None or page is None:
            return judged
        return _replace(judged, reading=_replace(judged.reading, page=page))

    def learn_page(
        self, request: Request, outcome: Outcome, page: Page | None, text: str, batch: Batch, now_s: float
    ) -> tuple[bool, Page | None]:
        """Record what a visit showed, in the batch that the visit itself goes into; say whether the page changed."""
        revisit = self._under_way.pop(request.id, None) or self._load(request)
        self._differ.discard(request.id)
        host = self._load_host(request.host)
        note = revisit.note
        match outcome:
            case Fetched() if page is not None:
                note, host = self._compare(revisit, page, text, host, now_s)
            case NotModified():
                host = _record_stable_places(
                    note, _replace(host, not_modified=host.not_modified + (not revisit.head))
                )
                note = learn_from_visit.record_unchanged(note, now_s, checked=revisit.head)
            case Redirected(exchange) if exchange.status in _MOVED_FOR_GOOD:
                note = record_absence(note, now_s, str(exchange.status))
            case Redirected():
                note = _replace(note, tried_s=now_s)
            case Failed(detail=detail):
                note = record_absence(note, now_s, detail)
            case Refused():
                note = record_absence(note, now_s, "refused")
        host = _replace(host, silent_s=_find_silence(host, outcome, now_s))
        self._write(request, note, host, batch)
        if note.out and not revisit.note.out and revisit.page is not None:
            batch.pages.append(_replace(revisit.page, status=_GONE_STATUS, index=False))
        if page is not None and revisit.page is not None:
            page = _replace(page, depth=revisit.page.depth, task=revisit.page.task)
        return note.key != revisit.note.key, page

    # How it is done

    def _compare(
        self, revisit: Revisit, page: Page, text: str, host: HostHistory, now_s: float
    ) -> tuple[PageHistory, HostHistory]:
        """Compare a page that came whole with the copy that we have, apart from what changes at every visit."""
        note, old, key = revisit.note, revisit.page, content_key(page)
        if old is None:
            return learn_from_visit.begin_history(now_s, key), host
        same_mark = _same_validators(old, page)
        audited = note.unheard > 0 and not revisit.conditional
        if key == content_key(old):
            ignored = revisit.conditional and same_mark
            host = _replace(host, ignored=host.ignored + ignored, audits=host.audits + audited)
            host = _record_stable_places(note, host)
            return learn_from_visit.record_unchanged(note, now_s, checked=True), host
        blocks = volatile_text.digest_lines(text)
        before = volatile_text.unpack_blocks(note.blocks) if note.blocks else revisit.blocks or []
        noise = False
        if before and blocks:
            found = volatile_text.compare_versions(before, blocks)
            gap_days = (now_s - note.seen_s) / DAY_S
            places = volatile_text.update_places(found, host.places, gap_days)
            noise = volatile_text.is_noise(found, places)
            host = _replace(host, places=places)
        if noise:
            note = learn_from_visit.record_unchanged(note, now_s, checked=True)
        else:
            host = _replace(host, audits=host.audits + audited, lies=host.lies + same_mark)
            note = learn_from_visit.record_change(
                note, now_s, key, None if same_mark else read_changed_s(page)
            )
            note = _replace(note, lies=note.lies or same_mark)
        return _replace(note, blocks=volatile_text.pack_blocks(blocks)), host

    def _load(self, request: Request) -> Revisit:
        """Load a page and the history of its changes."""
        page = self._store.page(request.id)
        note = decode_page_note(self._store.note(ROOM, page_note_name(request.id)))
        return Revisit(page, add_other_visits(note, page) if page is not None else note)

    def _load_host(self, host: str) -> HostHistory:
        if host not in self._hosts:
            self._hosts[host] = decode_host_note(self._store.note(ROOM, host_note_name(host)))
        return self._hosts[host]

    def _write(self, request: Request, note: PageHistory, host: HostHistory, batch: Batch) -> None:
        batch.notes[ROOM, page_note_name(request.id)] = encode_note(note)
        if host != self._hosts[request.host]:
            self._hosts[request.host] = host
            batch.notes[ROOM, host_note_name(request.host)] = encode_note(host)


def add_other_visits(note: PageHistory, page: Page) -> PageHistory:
    """Return the history of a page with what ordinary crawls have seen of it since."""
    key = content_key(page)
    if not note.seen_s:
        return learn_from_visit.begin_history(page.fetched_s, key)
    if page.fetched_s <= note.seen_s + 1.0:
        return note
    if key == note.key:
        return learn_from_visit.record_unchanged(note, page.fetched_s, checked=True)
    return _replace(
        learn_from_visit.record_change(note, page.fetched_s, key, read_changed_s(page)), blocks=b""
    )


def content_key(page: Page) -> int:
    """Return the digest that a change is recognised by: of the text of HTML, or of the bytes of anything else.

    Documents are compared by their bytes, since a later version may read more of their text.
    """
    return (page.text_digest if page.kind == "html" else 0) or text_digest(page.digest)


def read_changed_s(page: Page) -> float | None:
    """Return when the page last changed according to its Last-Modified header."""
    moment = parse_date(page.last_modified) if page.last_modified else None
    return moment.timestamp() if moment is not None else None


def _record_stable_places(note: PageHistory, host: HostHistory) -> HostHistory:
    """Record that no place of the page changed: volatile places would have."""
    if not note.blocks or not host.places:
        return host
    blocks = volatile_text.unpack_blocks(note.blocks)
    return _replace(
        host,
        places=volatile_text.update_places(volatile_text.compare_versions(blocks, blocks), host.places, 0.0),
    )


def _same_validators(old: Page, new: Page) -> bool:
    if old.etag or new.etag:
        return old.etag == new.etag
    return bool(old.last_modified) and old.last_modified == new.last_modified


def _same_head(page: Page, exchange: Exchange) -> bool:
    """Say whether a head is that of the copy that we have, by its ETag or else its date."""
    headers = dict(exchange.headers)
    if page.etag:
        return headers.get("etag", "") == page.etag
    return headers.get("last-modified", "") == page.last_modified != ""


def _find_silence(host: HostHistory, outcome: Outcome, now_s: float) -> float:
    """Return since when a host does not answer; 0 if it does."""
    if isinstance(outcome, Failed) and outcome.exchange is None and outcome.cause in _SILENCE:
        return min(host.silent_s or now_s, now_s)  # a wrong clock may have been ahead
    return host.silent_s if isinstance(outcome, Refused) else 0.0
