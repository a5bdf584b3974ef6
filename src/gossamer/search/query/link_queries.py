"""Compile `link:URL`, which finds the pages that link to a page, and `related:URL`, which finds pages like it."""

import math
from collections import Counter
from functools import partial

import msgspec

from gossamer.errors import BadUrl
from gossamer.net.url import host
from gossamer.search.engine import tantivy
from gossamer.search.index.search_index import Index
from gossamer.search.links.page_neighbours import (
    NAMING_TYPES,
    InLinkCounts,
    LinkTexts,
    find_linking_pages,
    find_page,
    score_neighbours,
)
from gossamer.search.query.filters import match_any
from gossamer.search.query.parse_query import Field
from gossamer.search.query.template_targets import find_template_targets
from gossamer.search.query.typical_terms import count_terms, find_typical_terms
from gossamer.store.batch import Store

FIELDS = frozenset({"link", "related"})
_MOST_ADDRESSES = 10
_TERMS = 25
_MOST_NEAR = 100
_MOST_LINKING = 40
_MOST_HOSTS = 5
# One common word is chance; of the pages that share three, the best are alike.
_LEAST_TERMS = 3


class Similarity(msgspec.Struct, frozen=True):
    """How similar a page is to the one that `related:` names; that page itself would have 1 in both."""

    text: float
    links: float


class LinkQueries:
    """Compiles `link:` and `related:`, and keeps link texts and similarities for the answers."""

    def __init__(self, index: Index, store: Store | None) -> None:
        self._index = index
        self._store = store
        self.link_texts: LinkTexts = {}
        """By linking page: the texts of its links to the page that `link:` names."""
        self.near: dict[int, float] = {}
        """By page: how near it is by links to the page that `related:` names."""
        self._texts: list[tantivy.Query] = []
        self.asks_for_similar = False
        """Whether scores measure the similarity to another page."""
        self._compiled: dict[Field, tantivy.Query | str] = {}

    def compile(self, field: Field) -> "tantivy.Query | str":
        """Return the query for a field, or what is wrong with its value."""
        if field not in self._compiled:
            if len(self._compiled) >= _MOST_ADDRESSES:
                return f"only {_MOST_ADDRESSES} addresses of a query are looked up"
            self._compiled[field] = self._look_up(field)
        return self._compiled[field]

    def _look_up(self, field: Field) -> "tantivy.Query | str":
        if self._store is None:
            return f"{field.name}: needs a web, and this index has none"
        try:
            page = find_page(self._store, field.value)
        except BadUrl as error:
            return f"{field.name}: needs the address of a page ({error.reason})"
        if field.name == "link":
            return self._match_linking(self._store, page)
        return self._match_similar(self._store, page)

    def score_texts(self, pages: list[int]) -> dict[int, float]:
        """Return how similar the texts of some pages are to those of the pages that `related:` names."""
        if not (self._texts and pages):
            return {}
        wanted = tantivy.Query.const_score_query(self._match_ids(pages), 0.0)
        must = tantivy.Occur.Must
        query = tantivy.Query.boolean_query([(must, match_any(self._texts)), (must, wanted)])
        hits = self._index.searcher.search(query, limit=len(pages), count=False).hits
        ids = self._index.read_numbers("id", [place for _, place in hits])
        return dict(zip(ids, (score for score, _ in hits), strict=True))

    def get_similarity(self, page: int, texts: dict[int, float]) -> Similarity | None:
        """Return how similar a page is, by the given scores of texts and by links; None without `related:`."""
        return Similarity(texts.get(page, 0.0), self.near.get(page, 0.0)) if self.asks_for_similar else None

    def _match_linking(self, store: Store, page: int) -> "tantivy.Query":
        found = find_linking_pages(store, page)
        for source, texts in found.items():
            self.link_texts[source] = self.link_texts.get(source, ()) + texts
        return tantivy.Query.const_score_query(self._match_ids(list(found)), 0.0)

    def _match_similar(self, store: Store, page: int) -> "tantivy.Query":
        """Match pages like one: scores are at most 1 by text and 1 by links."""
        self.asks_for_similar = True
        templates = find_template_targets(self._index, store, _list_hosts(store, page))
        ignored = templates - {page}
        count_in_links = partial(self._index.look_up_ranks, "in_links")
        near = score_neighbours(store, page, count_in_links, ignored)
        near = _discount_lists(store, page, near, ignored)
        near = _discount_popular(page, near, count_in_links)
        self.near |= near
        queries = [
            tantivy.Query.const_score_query(self._match_ids([other]), share) for other, share in near.items()
        ]
        text = self._match_text(page)
        if text is not None:
            self._texts.append(text)
            queries.append(text)
        if not queries:
            return tantivy.Query.empty_query()
        occur = tantivy.Occur
        own = self._match_ids([page])
        return tantivy.Query.boolean_query([(occur.Must, match_any(queries)), (occur.MustNot, own)])

    def _match_text(self, page: int) -> "tantivy.Query | None":
        """Match the typical terms of a page; the page itself would have a score of 1."""
        index = self._index
        hits = index.searcher.search(self._match_ids([page]), limit=1, count=False).hits
        counts = [count_terms(index, index.load_page(place)) for _, place in hits]
        terms = find_typical_terms(index, [(1.0, counts[0])], _TERMS) if counts else []
        if not terms:
            return None
        parts = [
            (tantivy.Occur.Should, tantivy.Query.boost_query(self._match_term(term), weight))
            for term, weight in terms
        ]
        query = tantivy.Query.boolean_query(parts, min(_LEAST_TERMS, len(parts)))
        own = tantivy.Query.const_score_query(self._match_ids([page]), 0.0)
        both = tantivy.Query.boolean_query([(tantivy.Occur.Must, query), (tantivy.Occur.Must, own)])
        best = index.searcher.search(both, limit=1, count=False).hits
        return tantivy.Query.boost_query(query, 1 / best[0][0]) if best and best[0][0] else None

    def _match_term(self, term: str) -> "tantivy.Query":
        return tantivy.Query.term_query(self._index.schema, "words", term)

    def _match_ids(self, pages: list[int]) -> "tantivy.Query":
        if len(pages) == 1:
            # The engine builds an automaton for each set: a hundred sets of one page took a tenth of a second.
            return tantivy.Query.term_query(self._index.schema, "id", pages[0])
        return tantivy.Query.term_set_query(self._index.schema, "id", pages)


def _discount_lists(store: Store, page: int, near: dict[int, float], ignored: set[int]) -> dict[int, float]:
    """Return the nearest pages; those with many more links count less: a list of all pages shares some with every page.

    Source: the measure of Salton, which divides what two sets share by the roots of their sizes. Cost: a look-up a page.
    """
    links = max(1, len(_list_targets(store, page) - ignored))
    nearest = list(near.items())[:_MOST_NEAR]
    sizes = {other: len(_list_targets(store, other) - ignored) for other, _ in nearest}
    return {other: share * min(1.0, math.sqrt(links / max(1, sizes[other]))) for other, share in nearest}


def _discount_popular(page: int, near: dict[int, float], in_links: InLinkCounts) -> dict[int, float]:
    """Count pages less to which many more pages link: a page that every page links to has neighbours in common with all."""
    own, *counts = in_links([page, *near])
    if not own:  # unknown, or without links
        return near
    return {
        other: share * min(1.0, math.sqrt(own / max(1, count)))
        for (other, share), count in zip(near.items(), counts, strict=True)
    }


def _list_targets(store: Store, page: int) -> set[int]:
    return {link.target for link in store.links_from(page) if link.type in NAMING_TYPES}


def _list_hosts(store: Store, page: int) -> list[str]:
    """Return the host of a page, and the hosts from which most pages link to it."""
    sources = [link.source for link in store.links_to(page, _MOST_LINKING)]
    urls = store.page_urls([page, *sources])
    own = [host(urls[page])] if page in urls else []
    linking = Counter(host(urls[source]) for source in sources if source in urls)
    return list(dict.fromkeys([*own, *(name for name, _ in linking.most_common(_MOST_HOSTS))]))
