"""Forget what was read: a page, a site, a day or everything, so that no byte of it is left in the file."""

import sqlite3
from datetime import date, datetime, timedelta
from pathlib import Path

import msgspec

from gossamer.errors import BadInput
from gossamer.navigate.history.history_file import change, finish_erasing, note_erasing, open_history
from gossamer.navigate.history.keep_visits import index_words, read_web_address
from gossamer.net.url import page_id


class ForgetVisits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be forgotten: one of these."""

    url: str = ""
    site: str = ""
    """A site or a host."""
    day: str = ""
    """As 2026-05-31, in the time of this machine."""
    all: bool = False


def forget_visits(path: Path, request: ForgetVisits) -> int:
    """Forget visits; return how many. Pages without visits are gone, and no other visit says any more that it came from them.

    Of a page that was also read on other days, the title and the text are forgotten with the day on which they were read.
    Cost: the file is written anew.
    """
    if sum(map(bool, (request.url, request.site, request.day, request.all))) != 1:
        raise BadInput("say what to forget: a url, a site, a day such as 2026-05-31, or all")
    with open_history(path) as db:
        if db is None:
            return 0
        with change(db):
            count = _delete(db, request)
            if count:
                note_erasing(db)
        if count:
            finish_erasing(db)
    return count


def find_day(text: str) -> tuple[float, float]:
    """Return when a day begins and ends on this machine, as Unix times; raise `BadInput` if it is no day."""
    try:
        day = date.fromisoformat(text.strip())
        return _find_midnight(day), _find_midnight(day + timedelta(days=1))
    except (ValueError, OverflowError, OSError):
        raise BadInput(f"{text[:40]!r} is not a day; write it as 2026-05-31") from None


def _find_midnight(day: date) -> float:
    return datetime(day.year, day.month, day.day).timestamp()  # of this machine


def _delete(db: sqlite3.Connection, request: ForgetVisits) -> int:
    """Delete what is to be forgotten, within a transaction; return the number of visits."""
    db.execute("create temp table gone (number integer primary key)")
    try:
        if request.day:
            return _delete_day(db, *find_day(request.day))
        if request.all:
            db.execute("insert into gone select number from page")
        elif request.url:
            url = read_web_address(request.url)
            if not url:
                raise BadInput(f"{request.url[:200]!r} is not the address of a page")
            db.execute("insert into gone select number from page where id = ?", (page_id(url),))
        else:
            site = request.site.strip().lower()
            db.execute("insert into gone select number from page where site = ? or host = ?", (site, site))
        count = db.execute("select count(*) from visit where page in (select number from gone)").fetchone()[0]
        db.execute("delete from visit where page in (select number from gone)")
        _delete_pages(db)
        return int(count)
    finally:
        db.execute("drop table temp.gone")


def _delete_day(db: sqlite3.Connection, since_s: float, until_s: float) -> int:
    day = (since_s, until_s)
    db.execute(
        "create temp table touched as select distinct page from visit where opened_s >= ? and opened_s < ?",
        day,
    )
    count = db.execute("delete from visit where opened_s >= ? and opened_s < ?", day).rowcount
    db.execute(
        "insert into gone select page from touched where not exists (select 1 from visit where visit.page = touched.page)"
    )
    # What they said was read on that day: of these pages, only the address stays.
    described = "select number, url from page where described_s >= ? and described_s < ?"
    for number, url in db.execute(described, day).fetchall():
        db.execute("delete from words where rowid = ?", (number,))
        index_words(db, number, url, "", "")
        db.execute("update page set title = '', described_s = 0 where number = ?", (number,))
    db.execute(
        "update page set (last_s, seconds, visits) = "
        "(select coalesce(max(opened_s), 0), coalesce(sum(seconds), 0), count(*) from visit where visit.page = number) "
        "where number in (select page from touched)"
    )
    db.execute("drop table temp.touched")
    _delete_pages(db)
    return int(count)


def _delete_pages(db: sqlite3.Connection) -> None:
    db.execute("delete from words where rowid in (select number from gone)")
    db.execute("delete from page where number in (select number from gone)")
    # Also pages that were never recorded, whose sites may be those that are forgotten.
    db.execute("update visit set origin = 0 where origin not in (select id from page)")
