"""Whether a page is in the index, and how it stands there: for whoever asks why it is not found."""

from typing import Literal

import msgspec

from gossamer.records import Page
from gossamer.search.engine import tantivy
from gossamer.search.index.make_entry import is_indexed
from gossamer.search.index.search_index import Index
from gossamer.search.links.static_rank import RANK_OF_AVERAGE

_OK = 200
Verdict = Literal["in the index", "not yet", "noindex", "no text", "an error page"]


class Presence(msgspec.Struct, frozen=True):
    """What the index has of a page."""

    verdict: Verdict
    rank: float = 0.0
    """By links: 1 for an average page, 2 for one with three times its weight."""
    in_links: int = 0
    """Pages that link to it."""


def presence(index: Index, page: Page) -> Presence:
    """Say whether a page of the web is in the index, or why not."""
    query = tantivy.Query.term_query(index.schema, "id", page.id)
    places = [place for _, place in index.searcher.search(query, limit=1).hits]
    if not places:
        return Presence(_why_not(page))
    rank, in_links = (index.standing(name, [page.id])[0] for name in ("rank", "in_links"))
    return Presence("in the index", rank / RANK_OF_AVERAGE, in_links)


def _why_not(page: Page) -> Verdict:
    if is_indexed(page):
        return "not yet"
    if not page.index:
        return "noindex"
    return "an error page" if page.status != _OK else "no text"
