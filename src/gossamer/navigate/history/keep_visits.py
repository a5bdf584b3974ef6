"""Keep what was read: visits with their time, and the text of each page as it was read last."""

import sqlite3
from collections.abc import Iterable
from pathlib import Path

from gossamer.errors import BadUrl
from gossamer.navigate.history.history_file import change, make_history
from gossamer.navigate.history.history_records import ReadVisit
from gossamer.net import url as urls
from gossamer.net.url import TYPED_RULES, canonical, page_id

_MOST_ADDRESS_WORDS = 300


def keep_visits(path: Path, visits: Iterable[ReadVisit]) -> int:
    """Keep visits in a history, which is made if there is none; return how many were kept.

    Left out are addresses that are not of the web, or have a password in them.
    """
    kept = 0
    with make_history(path) as db, change(db):
        for visit in sorted(visits, key=lambda one: one.opened_s):
            url = read_web_address(visit.url)
            if url:
                _keep(db, url, visit)
                kept += 1
    return kept


def read_web_address(address: str) -> str:
    """Return the canonical form of an address of the web; "" for any other."""
    try:
        url = canonical(address.partition("#")[0].strip(), rules=TYPED_RULES)
    except BadUrl:
        return ""
    return url if url.startswith(("http://", "https://")) else ""


def _keep(db: sqlite3.Connection, url: str, visit: ReadVisit) -> None:
    number = _keep_page(db, url, visit)
    came_from = read_web_address(visit.origin) if visit.origin else ""
    origin = page_id(came_from) if came_from and came_from != url else 0
    found = db.execute(
        "select seconds, origin from visit where page = ? and opened_s = ?", (number, visit.opened_s)
    ).fetchone()
    before_s, known = found or (0.0, 0)
    seconds = max(before_s, visit.seconds)
    db.execute(
        "replace into visit (page, opened_s, seconds, origin) values (?, ?, ?, ?)",
        (number, visit.opened_s, seconds, origin or known),
    )
    db.execute(
        "update page set last_s = max(last_s, ?), seconds = seconds + ?, visits = visits + ? where number = ?",
        (visit.opened_s, seconds - before_s, int(found is None), number),
    )


def _keep_page(db: sqlite3.Connection, url: str, visit: ReadVisit) -> int:
    """Return the number of a page, with the title and the text of its latest visit."""
    found = db.execute("select number, title, described_s from page where id = ?", (page_id(url),)).fetchone()
    if found is None:
        host = urls.host(url)
        row = page_id(url), url, host, urls.site(host), visit.title, visit.opened_s
        made = db.execute("insert into page values (null, ?, ?, ?, ?, ?, ?, 0, 0, 0)", row).lastrowid
        number = int(made or 0)
        index_words(db, number, url, visit.title, visit.text)
        return number
    number, title, described_s = found
    if visit.opened_s < described_s or not (visit.title or visit.text):
        return int(number)
    text = visit.text or _read_text(db, number)
    new_title = visit.title or title
    if (new_title, text) != (title, _read_text(db, number)):
        db.execute("delete from words where rowid = ?", (number,))
        index_words(db, number, url, new_title, text)
    db.execute(
        "update page set title = ?, described_s = ? where number = ?", (new_title, visit.opened_s, number)
    )
    return int(number)


def index_words(db: sqlite3.Connection, number: int, url: str, title: str, text: str) -> None:
    """Add the words of a page to the index."""
    address = url.partition("://")[2][:_MOST_ADDRESS_WORDS]
    db.execute(
        "insert into words (rowid, title, text, address) values (?, ?, ?, ?)", (number, title, text, address)
    )


def _read_text(db: sqlite3.Connection, number: int) -> str:
    found = db.execute("select text from words where rowid = ?", (number,)).fetchone()
    return str(found[0]) if found else ""
