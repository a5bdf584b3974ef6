"""Export a history as JSON lines, one for each visit, and import it again."""

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from gossamer.errors import BadInput
from gossamer.navigate.history.history_file import open_history
from gossamer.navigate.history.history_records import ReadVisit
from gossamer.navigate.history.keep_visits import keep_visits

_AT_ONCE = 1_000
_DECODER = msgspec.json.Decoder(ReadVisit)
_SELECT = """
select visit.page, page.url, visit.opened_s, page.title, case when page.last_s = opened_s then coalesce(words.text, '') else '' end,
       coalesce(origin.url, ''), visit.seconds
from visit join page on page.number = visit.page
left join words on words.rowid = page.number
left join page as origin on origin.id = visit.origin
where (visit.opened_s, visit.page) > (?, ?)
order by visit.opened_s, visit.page limit ?
"""


def export_visits(path: Path) -> Iterator[bytes]:
    """Yield all visits, the oldest first, each as one line of JSON; the text of a page is with its last visit."""
    last = (-1.0, 0)
    while True:
        # Opened for each part: a slow reader must not keep others from writing.
        with open_history(path) as db:
            rows = db.execute(_SELECT, (*last, _AT_ONCE)).fetchall() if db is not None else []
        if not rows:
            return
        for number, *row in rows:
            visit = ReadVisit(*row)
            last = visit.opened_s, number
            yield msgspec.json.encode(visit) + b"\n"


def import_visits(path: Path, lines: Iterable[bytes]) -> int:
    """Add exported visits to a history; return how many. Visits that it has already are not counted twice in it."""
    visits, kept = _read_lines(lines), 0
    while some := list(itertools.islice(visits, _AT_ONCE)):
        kept += keep_visits(path, some)
    return kept


def _read_lines(lines: Iterable[bytes]) -> Iterator[ReadVisit]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield _DECODER.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadInput(
                f"line {number} is not a visit: {error}; import a file that `gossamer history export` wrote"
            ) from None
