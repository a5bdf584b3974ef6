"""A table of packs in SQLite, for tests: several processes may use it, and it survives all of them."""

import sqlite3
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from gossamer.store.shared_archive.pack_table import Pack, PackedSegment

_SCHEMA = """
CREATE TABLE IF NOT EXISTS segment (number INTEGER PRIMARY KEY, name TEXT UNIQUE, length INTEGER, pack TEXT, base INTEGER);
CREATE TABLE IF NOT EXISTS pack (number INTEGER PRIMARY KEY, name TEXT UNIQUE, state TEXT, since_s REAL);
"""


class SqlitePackTable:
    """A `PackTable`, with the commits of segments that a crawl would make."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._open() as rows:
            rows.executescript(_SCHEMA)
        self.age_s = 0.0
        """Added to the age of every pack, as if time had passed."""

    def commit(self, segments: dict[str, int]) -> None:
        with self._open() as rows:
            rows.executemany("INSERT OR IGNORE INTO segment (name, length) VALUES (?, ?)", segments.items())

    def committed(self) -> dict[str, int]:
        with self._open() as rows:
            return dict(rows.execute("SELECT name, length FROM segment ORDER BY number"))

    def unpacked(self, most: int) -> Sequence[tuple[str, int]]:
        with self._open() as rows:
            return rows.execute(
                "SELECT name, length FROM segment WHERE pack IS NULL ORDER BY number LIMIT ?", (most,)
            ).fetchall()

    def claim(self, pack: str, segments: Sequence[tuple[str, int]]) -> bool:
        with self._open() as rows:
            rows.execute("BEGIN IMMEDIATE")
            base = 0
            for name, length in segments:
                done = rows.execute(
                    "UPDATE segment SET pack = ?, base = ? WHERE name = ? AND pack IS NULL",
                    (pack, base, name),
                )
                if done.rowcount != 1:
                    rows.rollback()
                    return False
                base += length
            rows.execute(
                "INSERT INTO pack (name, state, since_s) VALUES (?, 'claimed', ?)", (pack, time.time())
            )
            return True

    def finish(self, pack: str) -> bool:
        with self._open() as rows:
            return (
                rows.execute(
                    "UPDATE pack SET state = 'finished', since_s = ? WHERE name = ? AND state = 'claimed'",
                    (time.time(), pack),
                ).rowcount
                == 1
            )

    def abandon(self, pack: str) -> bool:
        with self._open() as rows:
            rows.execute("BEGIN IMMEDIATE")
            if rows.execute("DELETE FROM pack WHERE name = ? AND state = 'claimed'", (pack,)).rowcount != 1:
                return False
            rows.execute("UPDATE segment SET pack = NULL, base = NULL WHERE pack = ?", (pack,))
            return True

    def settle(self, pack: str) -> None:
        with self._open() as rows:
            rows.execute("UPDATE pack SET state = 'settled' WHERE name = ?", (pack,))

    def find(self, segments: Iterable[str]) -> dict[str, PackedSegment]:
        found = {}
        with self._open() as rows:
            for name in segments:
                for pack, base in rows.execute(
                    "SELECT pack.name, base FROM segment JOIN pack ON segment.pack = pack.name "
                    "WHERE segment.name = ? AND state != 'claimed'",
                    (name,),
                ):
                    found[name] = PackedSegment(pack, base)
        return found

    def unsettled(self) -> Sequence[Pack]:
        with self._open() as rows:
            found = rows.execute(
                "SELECT name, state, since_s FROM pack WHERE state != 'settled' ORDER BY number"
            ).fetchall()
            return [
                Pack(
                    name,
                    tuple(
                        rows.execute("SELECT name, length FROM segment WHERE pack = ? ORDER BY base", (name,))
                    ),
                    state == "finished",
                    time.time() - since_s + self.age_s,
                )
                for name, state, since_s in found
            ]

    def known(self, packs: Iterable[str]) -> set[str]:
        with self._open() as rows:
            every = {name for (name,) in rows.execute("SELECT name FROM pack")}
        return every & set(packs)

    def _open(self) -> "_Connection":
        return _Connection(self._path)


class _Connection:
    """A connection for one transaction, so that every process and thread has its own."""

    def __init__(self, path: Path) -> None:
        self._rows = sqlite3.connect(path, timeout=60)

    def __enter__(self) -> sqlite3.Connection:
        return self._rows

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self._rows.commit()
        self._rows.close()
