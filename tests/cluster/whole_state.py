"""Fill a store with something in every table, and list all that is in one, for tests of copies."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
from tests.contract.rows import link, make_request, page, to_columns
from tests.shared_archive.exchanges import make_exchange

from gossamer.net import url as urls
from gossamer.records import Decision, HostNote, Page, Request, Visit
from gossamer.store import record_rows
from gossamer.store.archive.archive import Archive
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.batch import Batch, Store, TaskNote, Widening
from gossamer.store.opening.open_archive import open_reader
from gossamer.store.opening.open_store import STATE, open_store
from gossamer.store.postgres.share_groups import share_of
from gossamer.store.sqlite.sqlite_store import SqliteStore

ROWS = 30


def fill(store: Store, places: Sequence[WarcPosition]) -> None:
    """Write two tasks in the middle of their work; pages are at these positions of an archive."""
    store.commit(Batch(tasks=[TaskNote(1, "one", b'{"seeds":["http://a.example/"]}', counts={"queued": 9})]))
    store.commit(Batch(tasks=[TaskNote(2, "twö\0", b"{}", "stopped", "why\0", 1.25, 7e9, {"elapsed_ms": 3})]))
    store.commit(Batch(counted=[(1, {"queued": 2, "refused:robots": 1, "elapsed_ms": 70})]))
    for at in range(ROWS):
        warc, offset = places[at % len(places)].warc, places[at % len(places)].offset
        kept = page(
            at,
            title=f"Ünïcode\0 {at}",
            marks={"topic": "0.5"},
            index=at % 2 == 0,
            digest=f"d{at % 4}",
            warc=warc,
            warc_offset=offset,
        )
        store.commit(
            Batch(
                pages=[msgspec.structs.replace(kept, id=urls.page_id(kept.url))],
                links=to_columns(link(urls.page_id(kept.url), target, f"t{target}") for target in range(at)),
                known=[(urls.page_id(kept.url), kept.url)],
                scheduled=[-at - 1, at],
                visits=[Visit(at, 1, at / 3, "fetched", 200, "", "x\0", 0.25, 7, "::1", at, warc, offset)],
                decisions=[Decision(at, 1, at / 7, "trap", f"detail {at}")],
                requests=[make_request(100 + at, f"h{at % 3}.example", at / 7, 1 + at % 2, at % 4)],
                sent=[(share_of(f"s{at}.example"), make_request(0, f"s{at}.example"))],
                hosts=[
                    HostNote(
                        f"h{at}.example", at / 3, 1.5, at, "192.0.2.1", b"User-agent: *" if at % 2 else None
                    )
                ],
                spent=[(2, f"h{at}.example", at)],
                notes={
                    ("fresh", f"page.{at}"): bytes([at]),
                    ("opened", str(at)): b"",
                    ("web", "title"): b"Title",
                },
            )
        )
        if at in (10, 20):
            after = store.last_visit()
            store.commit(Batch(widenings=[Widening(1, 2, at % 3, 3, after), Widening(2, 0, 0, 1, 0)]))
    store.commit(Batch(links=to_columns([link(0, 1), link(0, 2)]), requests=[make_request(999)]))
    store.commit(Batch(finished=[make_request(999)], received=[store.inbox(0, 1)[0][0]]))
    store.commit(Batch(links=to_columns([link(0, 3)])))


def list_all(store: Store) -> dict[str, object]:
    """Return all that a store holds, without numbers that each store gives as it likes."""
    keys = b"".join(packed for _, packed in store.seen_keys())
    return {
        "tasks": store.tasks(),
        "counts": store.counts(),
        "last number": store.last_number(),
        "pages": [_drop_position(one) for one in store.pages()],
        "links": [row[1:] for row in store.link_rows()],
        "visits": [_drop_position(one) for one in store.all_visits()],
        "decisions": list(store.all_decisions()),
        "requests": sorted(store.all_requests(), key=_request_key),
        "best": [[one.number for one in store.requests(f"h{at}.example", 1, 99)] for at in range(3)],
        "sent": list(store.all_sent()),
        "hosts": sorted(store.all_hosts(), key=lambda host: host.name),
        "budgets": sorted(store.all_budgets()),
        "known": sorted(store.known_urls()),
        "seen": sorted(record_rows.unpack_keys(keys)),
        "notes": {room: store.notes(room) for room in store.rooms()},
        "widenings": [
            (one.task, one.depth, one.shard, one.shards, store.count_visits(one.after))
            for one in store.widenings()
        ],
        "remaining": [store.count_remaining(task.number) for task in store.tasks()],
    }


def _drop_position(one: Page | Visit) -> Page | Visit:
    return msgspec.structs.replace(one, warc="", warc_offset=0)


def _request_key(one: Request) -> tuple[int, int]:
    return one.task, one.number


def make_web(folder: Path) -> Path:
    """Make a web in a directory, in the middle of its work, with several WARC files and a model."""
    folder.mkdir()
    archive = Archive(folder / "archive", {}, rotate_bytes=4_000)
    places = [archive.write(make_exchange(number), "") for number in range(5)]
    store = SqliteStore(folder / STATE, create=True)
    fill(store, places)
    store.commit(Batch(archive_ends=archive.flush()))
    archive.close()
    store.close()
    (folder / "models").mkdir()
    (folder / "models" / "topic-birds.bin").write_bytes(b"birds")
    return folder


def read_all(folder: Path) -> tuple[dict[str, object], list[bytes]]:
    """Return the state of a web, and the bytes of its pages."""
    store, reader = open_store(folder), open_reader(folder / "archive")
    try:
        found = [reader.read(WarcPosition(page.warc, page.warc_offset)) for page in store.pages()]
        return list_all(store), [one.payload if one else b"" for one in found]
    finally:
        store.close()
