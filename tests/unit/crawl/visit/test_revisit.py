"""What visits to pages that the web has teach of them and of their hosts."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from gossamer.config import Fetching
from gossamer.crawl.visit.revisit import Revisits, add_other_visits, content_key
from gossamer.fetch.fetcher import FetchOptions
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
from gossamer.freshness.conditional_request import gap_to_bucket
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
from gossamer.store.batch import Batch
from gossamer.store.sqlite.sqlite_store import SqliteStore

NOON_S = 1.8e9
URL, HOST = "http://a.example/", "a.example"
REQUEST = Request(1, URL, HOST, 2, type="revisit")
PLAIN = FetchOptions(Fetching(), "Gossamer")
OLD = Page(
    1,
    URL,
    HOST,
    1,
    3,
    NOON_S - 4 * DAY_S,
    200,
    "html",
    body_bytes=9000,
    digest="old",
    text_digest=11,
    etag='"1"',
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "state.sqlite", create=True)
    opened.commit(Batch(pages=[OLD]))
    yield opened
    opened.close()


def exchange(status: int, **headers: str) -> Exchange:
    """Return an answer with a body of a few bytes."""
    told = tuple(headers.items())
    return Exchange(URL, status, b"", b"", b"body", b"body", told, "192.0.2.1", NOON_S, 0.1, 0.2)


def visit(store: SqliteStore, outcome: Outcome, page: Page | None = None, text: str = "") -> PageHistory:
    """Let a page be visited at noon; return what is remembered of it then."""
    revisits = Revisits(store, lambda _: "the old text")
    revisits.make_conditional(REQUEST, PLAIN, NOON_S)
    heard = asyncio.run(revisits.compare_head(REQUEST, outcome))
    assert heard is not None
    batch = Batch()
    revisits.learn_page(REQUEST, heard, page, text, batch, NOON_S)
    store.commit(batch)
    return decode_page_note(store.note(ROOM, page_note_name(1)))


def test_the_server_is_told_what_we_have(store: SqliteStore) -> None:
    ask = Revisits(store, lambda _: "").make_conditional(REQUEST, PLAIN, NOON_S)
    assert (ask.etag, ask.method) == ('"1"', "GET")
    unknown = Request(2, URL + "x", HOST, 2, type="revisit")
    assert Revisits(store, lambda _: "").make_conditional(unknown, PLAIN, NOON_S) == PLAIN


@pytest.mark.parametrize(
    ("render", "words", "marks", "is_asked_whole"),
    [
        ("never", 5, {"unrendered": "no browser"}, False),
        ("always", 500, {}, True),
        ("auto", 500, {}, False),
        ("auto", 5, {}, True),
        ("auto", 500, {"unrendered": "no browser"}, True),
    ],
)
def test_a_page_to_show_in_a_browser_is_asked_for_whole(
    store: SqliteStore, render: str, words: int, marks: dict[str, str], is_asked_whole: bool
) -> None:
    store.commit(Batch(pages=[msgspec.structs.replace(OLD, words=words, marks=marks)]))
    ask = Revisits(store, lambda _: "").make_conditional(REQUEST, PLAIN, NOON_S, render)
    assert (ask == PLAIN) is is_asked_whole


def test_nothing_new_adds_to_the_time_without_a_change(store: SqliteStore) -> None:
    note = visit(store, NotModified(exchange(304)))
    assert (note.quiet_days, note.unheard, note.seen_s) == (4.0, 1, NOON_S)
    assert decode_host_note(store.note(ROOM, host_note_name(HOST))).not_modified == 1


def test_another_text_is_a_change_and_the_page_keeps_its_depth(store: SqliteStore) -> None:
    revisits = Revisits(store, lambda _: "the old text")
    revisits.make_conditional(REQUEST, PLAIN, NOON_S)
    outcome = asyncio.run(revisits.compare_head(REQUEST, Fetched(exchange(200))))
    new = Page(1, URL, HOST, 2, 0, NOON_S, 200, "html", digest="new", text_digest=12, etag='"2"')
    batch = Batch()
    assert outcome is not None
    changed, kept = revisits.learn_page(REQUEST, outcome, new, "the new text", batch, NOON_S)
    assert changed
    assert kept is not None
    assert kept.depth == 3
    note = decode_page_note(batch.notes[ROOM, page_note_name(1)])
    assert (note.gaps, note.key, note.lies) == ({gap_to_bucket(4.0): 1}, 12, False)
    assert note.blocks


def test_a_tag_that_stays_although_the_text_does_not_is_a_lie(store: SqliteStore) -> None:
    new = Page(1, URL, HOST, 2, 0, NOON_S, 200, "html", digest="new", text_digest=12, etag='"1"')
    assert visit(store, Fetched(exchange(200)), new, "the new text").lies
    assert decode_host_note(store.note(ROOM, host_note_name(HOST))).lies == 1


@pytest.mark.parametrize(
    ("outcome", "times"),
    [
        (Failed("status", "404", exchange=exchange(404)), 1),
        (Redirected(exchange(301), "/new"), 1),
        (Redirected(exchange(302), "/new"), 0),
        (Refused("robots"), 1),
    ],
)
def test_what_was_learnt_is_kept_when_a_page_cannot_be_had(
    store: SqliteStore, outcome: Outcome, times: int
) -> None:
    before = PageHistory(seen_s=OLD.fetched_s, tried_s=OLD.fetched_s, key=11, quiet_days=9.0, gaps={3: 2})
    store.commit(Batch(notes={(ROOM, page_note_name(1)): encode_note(before)}))
    revisits, batch = Revisits(store, lambda _: ""), Batch()
    revisits.learn_page(
        REQUEST, outcome, None, "", batch, NOON_S
    )  # as when it is refused before the host is asked
    note = decode_page_note(batch.notes[ROOM, page_note_name(1)])
    assert (note.gone_times, note.tried_s, note.seen_s) == (times, NOON_S, OLD.fetched_s)
    assert (note.quiet_days, note.gaps) == (9.0, {3: 2})


def test_a_host_that_does_not_answer_is_known_until_it_does(store: SqliteStore) -> None:
    visit(store, Failed("connect"))
    assert decode_host_note(store.note(ROOM, host_note_name(HOST))).silent_s == NOON_S
    visit(store, Failed("status", "503", exchange=exchange(503)))
    assert decode_host_note(store.note(ROOM, host_note_name(HOST))) == HostHistory()


def test_what_ordinary_crawls_saw_meanwhile_counts(store: SqliteStore) -> None:
    note = PageHistory(seen_s=OLD.fetched_s - 2 * DAY_S, key=11)
    assert add_other_visits(note, OLD).quiet_days == 2.0
    assert add_other_visits(PageHistory(seen_s=OLD.fetched_s - 2 * DAY_S, key=99), OLD).gaps == {
        gap_to_bucket(2.0): 1
    }
    assert add_other_visits(PageHistory(seen_s=OLD.fetched_s, key=99), OLD).key == 99
    assert content_key(OLD) == 11
    assert content_key(Page(1, URL, HOST, 1, 0, 0.0, 200, "pdf", digest="sha1:X")) != 0
