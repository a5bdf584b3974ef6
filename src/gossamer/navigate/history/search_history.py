"""Find in a history: pages by their words, site and time, and the way that led to one."""

import re
import sqlite3
from pathlib import Path
from typing import Any

from gossamer.navigate.history.history_file import open_history
from gossamer.navigate.history.history_records import HistoryAnswer, HistoryItem, HistoryQuery, TrailStep
from gossamer.navigate.history.keep_visits import read_web_address
from gossamer.net import url as urls
from gossamer.net.url import page_id

_PART = re.compile(r'"([^"]*)"|(\S+)')
_WORD = re.compile(r"\w+")
_MOST_WORDS = 20
_LONG_WORD = 4
_SNIPPET_WORDS = 24
_MOST_STEPS = 50


def search_history(path: Path, query: HistoryQuery) -> HistoryAnswer:
    """Return the pages that match a query, the best first; all of them, the latest first, if it has no words.

    Titles and addresses count more than text (bm25). Cost: milliseconds for thousands of pages; with a time and no words, a look at
    each visit in that time.
    """
    with open_history(path) as db:
        if db is None:
            return HistoryAnswer(0, ())
        match = make_match(query.words)
        if query.words.strip() and not match:
            return HistoryAnswer(0, ())
        source, values = _select(query, match)
        found = db.execute(f"select count(*) from ({source})", values).fetchone()[0]  # noqa: S608 - no input in it
        order = "score, times.last_s desc" if match else "times.last_s desc"
        rows = db.execute(
            f"{source} order by {order} limit ? offset ?", (*values, query.count, query.offset)
        ).fetchall()
        return HistoryAnswer(found, tuple(_describe(db, row, match) for row in rows))


def find_trail(path: Path, address: str) -> list[TrailStep]:
    """Return the pages that led to one, the oldest first, and itself as the last; none if it is not in the history."""
    url = read_web_address(address)
    with open_history(path) as db:
        if db is None or not url:
            return []
        steps, at, before_s = list[TrailStep](), page_id(url), float("inf")
        while len(steps) < _MOST_STEPS:
            row = db.execute(
                "select url, title, opened_s, origin from page join visit on page = number "
                "where id = ? and opened_s < ? order by opened_s desc limit 1",
                (at, before_s),
            ).fetchone()
            if row is None:
                break
            steps.append(TrailStep(*row[:3]))
            at, before_s = row[3], row[2]
        return steps[::-1]


def find_last_visit(path: Path, address: str, before_s: float) -> float:
    """Return when a page of the site of an address was last read before a time; 0 if none was."""
    url = read_web_address(address)
    with open_history(path) as db:
        if db is None or not url:
            return 0.0
        found = db.execute(
            "select max(opened_s) from visit join page on page = number where site = ? and opened_s < ?",
            (urls.site(urls.host(url)), before_s),
        ).fetchone()
        return float(found[0] or 0.0)


def make_match(words: str) -> str:
    """Return a query of a person as one of the index: all words, and phrases as they are.

    Words also stand for their beginnings, but for short ones other than the last: stems of one and many can differ (lens, lenses).
    """
    found = [(phrase, _WORD.findall(phrase or word)) for phrase, word in _PART.findall(words)]
    asked = [(phrase, said) for phrase, said in found if said][:_MOST_WORDS]
    parts = list[str]()
    for at, (phrase, said) in enumerate(asked, 1):
        quoted = '"' + " ".join(said) + '"'
        is_open = not phrase and (len(said[-1]) >= _LONG_WORD or at == len(asked))
        parts.append(f"({quoted} OR {quoted} *)" if is_open else quoted)
    return " AND ".join(parts)


def _select(query: HistoryQuery, match: str) -> tuple[str, list[object]]:
    """Return the statement that selects pages, with its values."""
    values: list[object] = []
    times = "select number, last_s, seconds, visits from page"
    if query.since_s or query.until_s:
        times = (
            "select page as number, max(opened_s) as last_s, sum(seconds) as seconds, count(*) as visits "
            "from visit where opened_s >= ? and opened_s < ? group by page"
        )
        values += [query.since_s, query.until_s or float("inf")]
    hits, join = "", ""
    if match:
        hits = "join (select rowid, bm25(words, 8.0, 1.0, 3.0) as score from words where words match ?) on rowid = one.number"
        join = ", score"
        values.append(match)
    where = ""
    if query.site:
        where = "where site = ? or host = ?"
        values += [query.site.strip().lower()] * 2
    statement = (  # its parts are written above
        f"select one.number, url, title, site, times.last_s, times.seconds, times.visits{join} "  # noqa: S608
        f"from ({times}) as times join page as one on one.number = times.number {hits} {where}"
    )
    return statement, values


def _describe(db: sqlite3.Connection, row: tuple[Any, ...], match: str) -> HistoryItem:
    number, url, title, site, last_s, seconds, visits = row[:7]
    came = db.execute(
        "select page.url from visit join page on page.id = visit.origin where visit.page = ? and opened_s = ?",
        (number, last_s),
    ).fetchone()
    snippet = db.execute(
        "select snippet(words, 1, '', '', '…', ?) from words where words match ? and rowid = ?"
        if match
        else "select substr(text, 1, ? * 6) from words where ? = '' and rowid = ?",
        (_SNIPPET_WORDS, match, number),
    ).fetchone()
    return HistoryItem(
        url,
        title,
        site,
        last_s,
        seconds,
        visits,
        str(came[0]) if came else "",
        " ".join(str(snippet[0]).split()) if snippet else "",
    )
