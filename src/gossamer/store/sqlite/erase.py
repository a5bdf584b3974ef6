"""Replace options of tasks in the SQLite file of a web, and erase what they were: an older version stored passwords."""

import sqlite3
from collections.abc import Mapping

_ROOM, _NAME = "credentials", "erase"


def rewrite_specs(db: sqlite3.Connection, specs: Mapping[int, bytes]) -> None:
    """Replace the options of some tasks, by number, and erase the old ones."""
    db.execute("pragma secure_delete = on")
    db.execute("begin immediate")
    try:
        rows = [(spec, number) for number, spec in specs.items()]
        db.executemany("update task set spec = ? where number = ?", rows)
        # Noted in the same transaction: if the process is killed now, the next one erases.
        db.execute("replace into note (room, name, value) values (?, ?, x'01')", (_ROOM, _NAME))
        db.execute("commit")
    except BaseException:
        if db.in_transaction:
            db.execute("rollback")
        raise
    finish_erasing(db)


def finish_erasing(db: sqlite3.Connection) -> None:
    """Write the file anew if options were replaced: its free space still holds former versions of them."""
    if not db.execute(
        "select exists (select 1 from note where room = ? and name = ?)", (_ROOM, _NAME)
    ).fetchone()[0]:
        return
    db.execute("vacuum")  # if a full disk prevents it, the next process tries again
    db.execute("delete from note where room = ? and name = ?", (_ROOM, _NAME))
    db.execute("pragma wal_checkpoint(truncate)").fetchall()
