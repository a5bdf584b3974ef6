"""What a history says of pages of the collection: which were read, how often, and which have changed since?"""

from collections.abc import Sequence
from pathlib import Path

from gossamer.navigate.history.history_file import open_history
from gossamer.navigate.history.keep_visits import read_web_address
from gossamer.net.url import page_id
from gossamer.records import Visit
from gossamer.store.batch import Store

READ, CHANGED = "read", "changed"
_AT_ONCE = 500


def mark_read_links(path: Path, store: Store, links: Sequence[str]) -> list[list[str]]:
    """Return for each link whether it was read, and whether the collection has seen another text of it since."""
    ids = [page_id(url) if (url := read_web_address(link)) else None for link in links]
    last = find_last_visits(path, [one for one in ids if one is not None])
    visits = store.visits_of_pages(last)
    marks = {
        one: [READ, CHANGED] if _has_changed(visits.get(one, ()), read_s) else [READ]
        for one, read_s in last.items()
    }
    return [marks.get(one, []) if one is not None else [] for one in ids]


def find_last_visits(path: Path, ids: Sequence[int]) -> dict[int, float]:
    """Return when each of some pages was last opened, by id; those that were not read are left out."""
    found = dict[int, float]()
    with open_history(path) as db:
        if db is None:
            return found
        for begin in range(0, len(ids), _AT_ONCE):
            some = ids[begin : begin + _AT_ONCE]
            places = ",".join("?" * len(some))
            found.update(db.execute(f"select id, last_s from page where id in ({places})", some))  # noqa: S608
    return found


def count_visits(path: Path, ids: Sequence[int]) -> list[int]:
    """Return how often each of some pages was read, in order."""
    with open_history(path) as db:
        if db is None:
            return [0] * len(ids)
        known: dict[int, int] = dict(db.execute("select id, visits from page"))
    return [known.get(one, 0) for one in ids]


def _has_changed(visits: Sequence[Visit], read_s: float) -> bool:
    """Compare the text that the collection knew when the page was read with the one that it knows now."""
    texts = [(one.when_s, one.text_digest) for one in visits if one.text_digest]
    before = [digest for when_s, digest in texts if when_s <= read_s]
    after = [digest for when_s, digest in texts if when_s > read_s]
    return bool(before and after) and before[-1] != after[-1]
