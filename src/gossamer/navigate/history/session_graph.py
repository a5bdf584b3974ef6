"""The pages that were read in some time, as a graph: which page led to which, each page once.

Source: user tracking, Wollenweber (docs/sources.md), chapter 5.
"""

from pathlib import Path

import msgspec

from gossamer.navigate.history.history_file import open_history

MOST_VISITS = 500


class SessionPage(msgspec.Struct, frozen=True):
    """A page of the graph, below the one that led to it first."""

    url: str
    title: str
    opened_s: float
    """When it was opened first in that time."""
    seconds: float
    visits: int
    depth: int
    """How many pages led to it, one after the other."""
    parent: int
    """The place of the page that led to it; -1 if none of that time did."""
    others: tuple[int, ...]
    """The places of other pages that led to it later."""


class SessionGraph(msgspec.Struct, frozen=True):
    """The pages of some time: each follows the page that led to it, and what came from that before."""

    pages: tuple[SessionPage, ...]
    is_whole: bool
    """Whether all visits of that time are in it: at most 500 are."""


def read_session(path: Path, since_s: float, until_s: float) -> SessionGraph:
    """Return the graph of what was read from one time until another. Cost: a look at each visit in that time, at most 501."""
    with open_history(path) as db:
        if db is None:
            return SessionGraph((), True)
        rows = db.execute(
            "select id, url, title, opened_s, visit.seconds, origin from visit join page on page = number "
            "where opened_s >= ? and opened_s < ? order by opened_s limit ?",
            (since_s, until_s, MOST_VISITS + 1),
        ).fetchall()
    found = dict[int, _Page]()
    for one, url, title, opened_s, seconds, origin in rows[:MOST_VISITS]:
        if one not in found:
            found[one] = _Page(url, title, opened_s, origin if origin in found else 0)
        page = found[one]
        page.seconds += seconds
        page.visits += 1
        if origin in found and origin not in (page.parent, one):
            page.others.append(origin)
    return SessionGraph(_arrange(found), len(rows) <= MOST_VISITS)


class _Page:
    def __init__(self, url: str, title: str, opened_s: float, parent: int) -> None:
        self.url, self.title, self.opened_s, self.parent = url, title, opened_s, parent
        self.seconds, self.visits = 0.0, 0
        self.others, self.then = list[int](), list[int]()


def _arrange(found: dict[int, _Page]) -> tuple[SessionPage, ...]:
    """Return the pages in the order of a walk: a page, and then all to which it led."""
    for one, page in found.items():
        if page.parent:
            found[page.parent].then.append(one)
    order, depths = list[int](), dict[int, int]()
    left = [(one, 0) for one, page in reversed(found.items()) if not page.parent]
    while left:
        one, depth = left.pop()
        order.append(one)
        depths[one] = depth
        left += [(then, depth + 1) for then in reversed(found[one].then)]
    places = {one: place for place, one in enumerate(order)}
    return tuple(
        SessionPage(
            page.url,
            page.title,
            page.opened_s,
            page.seconds,
            page.visits,
            depths[one],
            places.get(page.parent, -1),
            tuple(places[other] for other in dict.fromkeys(page.others)),
        )
        for one, page in ((one, found[one]) for one in order)
    )
