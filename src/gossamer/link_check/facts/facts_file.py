"""Keeps the facts of pages in a file beside the state of a web. It can be deleted: the next check makes it anew."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import compress
from pathlib import Path
from types import TracebackType

import msgspec

from gossamer.errors import StoreFailed
from gossamer.frontier.seen_set import SeenSet
from gossamer.link_check.facts.page_facts import PageFacts, ReadFacts
from gossamer.records import Visit

FOLDER = "check"
_FILE = "facts.sqlite"
_VERSION = 3
"""Add one when facts change their form: files of other versions are made anew."""
_TABLES = """
create table if not exists facts (page integer primary key, digest text not null, packed blob not null);
create table if not exists url (id integer primary key, url text not null);
create table if not exists answer (id integer primary key, status integer not null, when_s real not null);
create table if not exists note (name text primary key, value blob not null) without rowid;
"""
_DECODER = msgspec.msgpack.Decoder(PageFacts)
_ENCODER = msgspec.msgpack.Encoder()
_AT_ONCE = 500


class FactsFile:
    """The facts of the pages of one web."""

    def __init__(self, web: Path) -> None:
        folder = web / FOLDER
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            self._database = _open(folder / _FILE)
        except (OSError, sqlite3.Error) as error:
            raise StoreFailed(f"the facts of a check cannot be kept in {folder}: {error}") from None
        self._known_urls = SeenSet()

    def __enter__(self) -> "FactsFile":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._database.close()

    def digests(self, pages: Sequence[int]) -> dict[int, str]:
        """Return those of some pages whose facts are here, each with the digest that they were read from."""
        return self._look_up("select page, digest from facts where page in", pages)

    def write(self, read: Iterable[tuple[int, str, ReadFacts]]) -> None:
        """Write the facts of some pages, each with its digest, and the URLs that are new."""
        rows, urls = [], []
        for page, digest, facts in read:
            rows.append((page, digest, _ENCODER.encode(facts.facts)))
            new = self._known_urls.add_many(list(facts.urls.values()))
            urls += [(number, url) for url, number in compress(facts.urls.items(), new)]
        with self._database:
            self._database.executemany("insert or replace into facts values (?, ?, ?)", rows)
            self._database.executemany("insert or ignore into url values (?, ?)", urls)

    def read(self) -> Iterator[tuple[int, PageFacts]]:
        """Yield the facts of all pages, by page id."""
        for page, packed in self._database.execute("select page, packed from facts order by page"):
            yield page, _DECODER.decode(packed)

    def facts(self, page: int) -> PageFacts | None:
        """Return the facts of one page."""
        found = self._database.execute("select packed from facts where page = ?", (page,)).fetchone()
        return _DECODER.decode(found[0]) if found else None

    def urls(self, ids: Iterable[int]) -> dict[int, str]:
        """Return the URLs that these numbers stand for."""
        return self._look_up("select id, url from url where id in", list(ids))

    def _look_up(self, query: str, ids: Sequence[int]) -> dict[int, str]:
        found: dict[int, str] = {}
        for at in range(0, len(ids), _AT_ONCE):
            some = ids[at : at + _AT_ONCE]
            found.update(self._database.execute(f"{query} ({', '.join('?' * len(some))})", some))
        return found

    def answers(self) -> Iterator[Visit]:
        """Yield the good answers of the user's own hosts that were not part of a crawl."""
        for page, status, when_s in self._database.execute("select id, status, when_s from answer"):
            yield Visit(page, 0, when_s, "fetched", status)

    def write_answers(self, visits: Iterable[Visit]) -> None:
        """Keep good answers."""
        rows = [(one.page, one.status, one.when_s) for one in visits]
        with self._database:
            self._database.executemany("insert or replace into answer values (?, ?, ?)", rows)

    def note(self, name: str) -> bytes | None:
        """Return a note of this name; None if there is none."""
        found = self._database.execute("select value from note where name = ?", (name,)).fetchone()
        return found[0] if found else None

    def set_note(self, name: str, value: bytes) -> None:
        """Keep a note."""
        with self._database:
            self._database.execute("insert or replace into note values (?, ?)", (name, value))


def read_note(web: Path, name: str) -> bytes | None:
    """Return a note of the last check of a web, without writing anything; None if there is none."""
    path = web / FOLDER / _FILE
    if not path.is_file():
        return None
    database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=5.0)
    try:
        found = database.execute("select value from note where name = ?", (name,)).fetchone()
    finally:
        database.close()
    return found[0] if found else None


def _open(path: Path) -> sqlite3.Connection:
    """Open the file; one of another version, or a damaged one, is made anew."""
    with suppress(sqlite3.DatabaseError):
        database = _connect(path)
        version = database.execute("pragma user_version").fetchone()[0]
        if version == _VERSION:
            return database
        database.close()
        if not version and not path.stat().st_size:
            return _create(path)
    path.unlink(missing_ok=True)
    return _create(path)


def _connect(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=60.0)
    database.execute("pragma journal_mode = wal")
    database.execute("pragma synchronous = off")  # it can be made anew
    return database


def _create(path: Path) -> sqlite3.Connection:
    database = _connect(path)
    with database:
        database.executescript(_TABLES)
        database.execute(f"pragma user_version = {_VERSION}")
    return database
