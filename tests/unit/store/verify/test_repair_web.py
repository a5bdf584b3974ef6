"""A repair gives a page only a record with its content, and a visit only its own record."""

import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gossamer.net.fingerprint import digest
from gossamer.net.url import page_id
from gossamer.records import Exchange, Page, Visit
from gossamer.store.archive.archive import Archive
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.batch import Batch
from gossamer.store.sqlite.sqlite_store import SqliteStore
from gossamer.store.verify.findings import MISSING
from gossamer.store.verify.verify_web import WebParts, verify_web

NOW_S = 1_790_000_000.0
URL = "http://a.example/p"
GOOD = b"<title>Good</title><p>the good page" * 20


def make_exchange(status: int, payload: bytes) -> Exchange:
    head = b"HTTP/1.1 %d Some\r\nContent-Type: text/html\r\n\r\n" % status
    return Exchange(URL, status, b"GET / HTTP/1.1\r\n\r\n", head, payload, payload, (), "", NOW_S, 0.1, 0.2)


class VisitedWeb:
    """A web with one page, the row of which is that of its first visit."""

    def __init__(self, folder: Path, *visits: tuple[int, bytes], **row: Any) -> None:
        self.parts = WebParts(folder, folder / "state.sqlite")
        store = SqliteStore(self.parts.state, create=True)
        archive = Archive(self.parts.archive, {}, clock=lambda: NOW_S)
        page = Page(page_id(URL), URL, "a.example", 1, 0, NOW_S, 200, "html", "Good", digest=digest(GOOD))
        self.places: list[WarcPosition] = []
        batch = Batch()
        for status, payload in visits:
            same = msgspec.structs.replace(page, **self._locate(0)) if status == 304 else None
            self.places.append(archive.write(make_exchange(status, payload), "", same))
            archive.flush()
            batch.visits.append(Visit(page.id, 1, NOW_S, "fetched", status, **self._locate(-1)))
        batch.pages.append(msgspec.structs.replace(page, **self._locate(0) | row))
        batch.archive_ends = {
            place.warc: (self.parts.archive / place.warc).stat().st_size for place in self.places
        }
        store.commit(batch)
        store.close()
        archive.close()

    def _locate(self, visit: int) -> dict[str, Any]:
        return {"warc": self.places[visit].warc, "warc_offset": self.places[visit].offset}

    def damage(self, visit: int) -> None:
        """Change a byte of the record of a visit."""
        path = self.parts.archive / self.places[visit].warc
        data = bytearray(path.read_bytes())
        data[self.places[visit].offset + 150] ^= 0xFF
        path.write_bytes(data)

    def read_places(self, table: str) -> list[WarcPosition]:
        """Return the positions in the state."""
        db = sqlite3.connect(self.parts.state)
        rows = db.execute(f"select warc, warc_offset from {table} order by number").fetchall()  # noqa: S608
        db.close()
        return [WarcPosition(*row) for row in rows]

    def is_marked(self) -> bool:
        """Return whether the page is marked as missing."""
        store = SqliteStore(self.parts.state)
        try:
            return all(MISSING in page.marks for page in store.pages())
        finally:
            store.close()


NONE = WarcPosition("", 0)


@pytest.mark.parametrize("known", [digest(GOOD), ""], ids=["digest", "no digest"])
@pytest.mark.parametrize("status", [503, 301])
def test_a_damaged_page_does_not_become_an_error_or_a_redirect(
    status: int, known: str, tmp_path: Path
) -> None:
    web = VisitedWeb(tmp_path, (200, GOOD), (status, b"down for maintenance"), digest=known)
    web.damage(0)
    verify_web(web.parts, repair=True)
    assert web.read_places("page") == [NONE]
    assert web.is_marked()
    assert web.read_places("visit") == [NONE, web.places[1]]


def test_a_damaged_page_without_payload_does_not_become_a_redirect(tmp_path: Path) -> None:
    web = VisitedWeb(tmp_path, (200, b""), (301, b""), digest=digest(b""))
    web.damage(0)
    verify_web(web.parts, repair=True)
    assert web.read_places("page") == [NONE]


def test_a_damaged_page_does_not_become_a_later_content(tmp_path: Path) -> None:
    web = VisitedWeb(tmp_path, (200, GOOD), (200, b"<title>Other</title>" * 20))
    web.damage(0)
    verify_web(web.parts, repair=True)
    assert web.read_places("page") == [NONE]
    assert web.read_places("visit") == [NONE, web.places[1]]


@pytest.mark.parametrize("status", [200, 304])
def test_a_damaged_page_does_not_become_a_revisit_of_the_damaged_record(status: int, tmp_path: Path) -> None:
    web = VisitedWeb(tmp_path, (200, GOOD), (status, GOOD if status == 200 else b""))
    web.damage(0)
    verify_web(web.parts, repair=True)
    assert web.read_places("page") == [NONE]
    assert web.is_marked()
    assert web.read_places("visit") == [NONE, web.places[1]]


@pytest.mark.parametrize("status", [200, 410])
def test_a_misplaced_page_gets_the_record_with_its_content(status: int, tmp_path: Path) -> None:
    web = VisitedWeb(
        tmp_path, (200, b"<title>Before</title>"), (200, GOOD), (404, b"gone"), warc_offset=7, status=status
    )
    verify_web(web.parts, repair=True)
    assert web.read_places("page") == [web.places[1]]
    assert verify_web(web.parts).is_sound


@pytest.mark.parametrize("visits", [1, 2])
def test_a_misplaced_visit_gets_its_record_if_it_is_the_only_one(visits: int, tmp_path: Path) -> None:
    web = VisitedWeb(tmp_path, (200, GOOD), *[(200, b"<title>Other</title>")] * (visits - 1))
    db = sqlite3.connect(web.parts.state)
    db.execute("update visit set warc_offset = 7 where number = 1")
    db.commit()
    db.close()
    verify_web(web.parts, repair=True)
    assert web.read_places("visit") == [web.places[0] if visits == 1 else NONE, *web.places[1:]]
    assert verify_web(web.parts).is_sound
