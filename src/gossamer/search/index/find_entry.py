"""Find what the index stores of one page."""

from gossamer.search.engine import tantivy
from gossamer.search.index.page_entry import IndexedPage
from gossamer.search.index.search_index import Index


def find_entry(index: Index, page: int) -> IndexedPage | None:
    """Return what the index stores of the page with this id; None if it is not in the index."""
    query = tantivy.Query.term_query(index.schema, "id", page)
    hits = index.searcher.search(query, limit=1, count=False).hits
    return index.load_page(hits[0][1]) if hits else None
