"""Whether a page is in the index, with which static rank, and why not; and how many are not."""

from collections import Counter
from typing import Literal

import msgspec

from gossamer.records import Page
from gossamer.search.engine import tantivy
from gossamer.search.index.make_entry import is_indexed, may_index
from gossamer.search.index.search_index import Index
from gossamer.search.links.static_rank import RANK_OF_AVERAGE
from gossamer.store.batch import Store

_OK = 200
StatusName = Literal["in the index", "not yet", "noindex", "no text", "an error page"]


class IndexStatus(msgspec.Struct, frozen=True):
    """What the index knows about a page."""

    verdict: StatusName
    rank: float = 0.0
    """Static rank: 1 for an average page, 2 for one with three times its weight."""
    in_links: int = 0
    """How many pages link to it."""


def find_status(index: Index, page: Page) -> IndexStatus:
    """Say whether a page of the web is in the index, or why not."""
    query = tantivy.Query.term_query(index.schema, "id", page.id)
    places = [place for _, place in index.searcher.search(query, limit=1).hits]
    if not places:
        return IndexStatus(_explain_absence(page))
    rank, in_links = (index.look_up_ranks(name, [page.id])[0] for name in ("rank", "in_links"))
    return IndexStatus("in the index", rank / RANK_OF_AVERAGE, in_links)


def _explain_absence(page: Page) -> StatusName:
    if is_indexed(page):
        return "not yet"
    return _name_absence(page.index, page.status)


def _name_absence(index: bool, status: int) -> StatusName:
    if not index:
        return "noindex"
    return "an error page" if status != _OK else "no text"


def count_left_out(store: Store) -> dict[str, int]:
    """Count the pages of a web that do not belong in its index, by the reason."""
    found: Counter[str] = Counter()
    for index, status, kind, pages in store.count_page_kinds():
        if not may_index(index, status, kind):
            found[_name_absence(index, status)] += pages
    return dict(found)
