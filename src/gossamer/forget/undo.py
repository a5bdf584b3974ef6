"""Allow what was forgotten to be collected again."""

import re

from gossamer.crawl.seen_keys import KNOWN_URL, depth_mark, done_mark, requisite_mark, task_mark
from gossamer.crawl.task.schedule_links import MOST_LEVELS
from gossamer.errors import BadInput
from gossamer.forget.choose_pages import parse_wish
from gossamer.forget.forget_place import ForgetPlace
from gossamer.store.batch import Store
from gossamer.store.tombstones import ROOM, Takedown, lift_notes, read_name, read_takedowns

_NUMBER = re.compile(r"\d{1,8}\Z")


def undo(place: ForgetPlace, what: str, now_s: float) -> tuple[list[int], int]:
    """Remove the tombstones of takedowns; return their numbers, and how many URLs are allowed again.

    Pages of these come back when a crawl finds a link to them. Cost: a pass over the keys of all known URLs.
    """
    store = place.store
    takedowns = _find_takedowns(store, what)
    batch = lift_notes(store, takedowns, now_s)
    gone = [read_name(name) for room, name in batch.notes if room == ROOM]
    marks = [KNOWN_URL]
    for note in store.tasks():
        number = note.number
        marks += [task_mark(number), requisite_mark(number), done_mark(number)]
        marks += [depth_mark(number, depth) for depth in range(MOST_LEVELS + 1)]
    keys = {page ^ mark for page in gone for mark in marks}
    place.undo_pages(keys, batch.notes)
    return [one.number for one in takedowns], len(gone)


def _find_takedowns(store: Store, what: str) -> list[Takedown]:
    """Return the takedowns of a URL, a host or a pattern, or the one with a number."""
    known = [one for one in read_takedowns(store) if not one.undone_s and one.kind != "keep bytes"]
    if _NUMBER.match(what):
        found = [one for one in known if one.number == int(what)]
    else:
        wish = parse_wish(what)
        found = [one for one in known if (one.kind, one.asked) == (wish.kind, wish.asked)]
    if not found:
        raise BadInput(
            f"{what[:200]!r} was not forgotten in this web, or was allowed again; `gossamer forget --list` shows what was"
        )
    return found
