"""Check that nothing of a forgotten page is in the state, in the archive or in another file."""

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.store import record_rows
from gossamer.store.forget_journal import is_forgetting
from gossamer.store.sqlite.open_database import READ_ERRORS
from gossamer.store.tombstones import ROOM, TAKEDOWNS, Takedown, Tombstones, read_name
from gossamer.store.verify.find_forgotten_bytes import ForgottenUrls, IsKept, find_forgotten_bytes
from gossamer.store.verify.findings import Findings

_URL = re.compile(r'"url":"([^"\\]+)"')
_IDS = {"page": "id", "known": "id", "visit": "page", "decision": "page", "request": "id", "link": "source"}
_LINK_ROWS = 1000


def check_forgotten(folder: Path, db: sqlite3.Connection, findings: Findings) -> None:
    """Look for the ids of forgotten pages in every table, and for their URLs in every file.

    Cost: reading every file, and unpacking the archive once more; nothing in a web that has forgotten nothing.
    """
    if is_forgetting(folder):
        findings.add("forgetting", str(folder.name))
    try:
        tombstones = read_tombstones(db)
    except (*READ_ERRORS, msgspec.MsgspecError, ValueError) as error:
        findings.add("unreadable row", f"tombstones: {error}")
        return
    if not tombstones:
        return
    findings.check("forgotten pages", len(tombstones.ids))
    wanted = np.array(sorted(tombstones.ids), np.int64)
    try:
        for table, column in _IDS.items():
            ids = np.array([row[0] for row in db.execute(f"select {column} from {table}")], np.int64)  # noqa: S608
            _report(table, np.intersect1d(ids, wanted), findings)
        for targets in _read_targets(db):
            _report("link", np.intersect1d(targets, wanted), findings)
    except (*READ_ERRORS, TypeError, ValueError, OverflowError):
        return  # rows that cannot be read were found before
    _check_indexes(folder / "archive", tombstones, findings)
    if tombstones.ids:
        find_forgotten_bytes(folder, ForgottenUrls(tombstones.ids, _know_kept(db)), findings)


def read_tombstones(db: sqlite3.Connection) -> Tombstones:
    """Read the tombstones of a web through a connection that returns texts as bytes."""
    select = "select name, value from note where room = ?"
    rules = [
        msgspec.msgpack.decode(value, type=Takedown)
        for _, value in db.execute(select, (TAKEDOWNS,)).fetchall()
    ]
    left = [one for one in rules if not one.undone_s]
    return Tombstones(
        [read_name(bytes(name).decode()) for name, _ in db.execute(select, (ROOM,)).fetchall()],
        [one.asked for one in left if one.kind == "host"],
        [one.asked for one in left if one.kind == "pattern"],
    )


def _know_kept(db: sqlite3.Connection) -> IsKept:
    """Return a function that says whether a URL is known; the ids are read when the first one is asked for."""
    kept: list[NDArray[np.int64]] = []

    def is_kept(one: int) -> bool:
        if not kept:
            ids = [row[0] for table in ("page", "known") for row in db.execute(f"select id from {table}")]  # noqa: S608
            kept.append(np.unique(np.array(ids, np.int64)))
        at = int(np.searchsorted(kept[0], one))
        return at < len(kept[0]) and int(kept[0][at]) == one

    return is_kept


def _read_targets(db: sqlite3.Connection) -> Iterator[NDArray[np.int64]]:
    rows = db.execute("select targets from link")
    while some := rows.fetchmany(_LINK_ROWS):
        yield np.frombuffer(b"".join(record_rows.check_keys(packed) for (packed,) in some), "<i8")


def _report(table: str, found: NDArray[np.int64], findings: Findings) -> None:
    for one in found.tolist():
        findings.add("forgotten page", f"{one & 0xFFFF_FFFF_FFFF_FFFF:016x} in the table {table}")


def _check_indexes(archive: Path, tombstones: Tombstones, findings: Findings) -> None:
    for path in sorted(archive.glob("*.cdxj")) if archive.is_dir() else ():
        for url in _URL.findall(path.read_text("utf-8", "replace")):
            if tombstones.covers(url):
                findings.add("forgotten page", f"a record in {path.name}")
