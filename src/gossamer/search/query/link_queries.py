"""What a query asks of the links of a web: `link:URL`, who links here, and `related:URL`, what is like this page."""

from functools import partial

import msgspec

from gossamer.errors import BadUrl
from gossamer.search.engine import tantivy
from gossamer.search.index.search_index import Index
from gossamer.search.links.page_neighbours import Texts, leading_to, near_by_links, page_called
from gossamer.search.query.filters import either
from gossamer.search.query.parse_query import Field
from gossamer.search.query.typical_terms import terms_of, typical
from gossamer.store.batch import Store

FIELDS = frozenset({"link", "related"})
_MOST_ADDRESSES = 10
_TERMS = 25
# One word in common is chance; of pages that share three, the best are like each other.
_LEAST_TERMS = 3


class Similar(msgspec.Struct, frozen=True):
    """How like a page is to the one that `related:` names, which itself has 1 in both."""

    text: float
    links: float


class Around:
    """Turns `link:` and `related:` into queries, and remembers what answers are to tell of it."""

    def __init__(self, index: Index, store: Store | None) -> None:
        self._index = index
        self._store = store
        self.link_texts: Texts = {}
        """By page that links to one that was named: the texts of these links."""
        self.near: dict[int, float] = {}
        """By page: how near it stands by links to one that was named."""
        self._texts: list[tantivy.Query] = []
        self.asks_for_similar = False
        """Whether the score of a page is how like it is to another."""
        self._known: dict[Field, tantivy.Query | str] = {}

    def query(self, field: Field) -> "tantivy.Query | str":
        """Return what a field stands for, or what is wrong with it."""
        if field not in self._known:
            if len(self._known) >= _MOST_ADDRESSES:
                return f"only {_MOST_ADDRESSES} addresses of a query are looked up"
            self._known[field] = self._looked_up(field)
        return self._known[field]

    def _looked_up(self, field: Field) -> "tantivy.Query | str":
        if self._store is None:
            return f"{field.name}: wants a web, and this index is alone"
        try:
            page = page_called(self._store, field.value)
        except BadUrl as error:
            return f"{field.name}: wants the address of a page, and this is none ({error.reason})"
        return self._leading(self._store, page) if field.name == "link" else self._similar(self._store, page)

    def text_scores(self, pages: list[int]) -> dict[int, float]:
        """Return how like some pages are by their texts to those that were named."""
        if not (self._texts and pages):
            return {}
        wanted = tantivy.Query.const_score_query(self._with_ids(pages), 0.0)
        must = tantivy.Occur.Must
        query = tantivy.Query.boolean_query([(must, either(self._texts)), (must, wanted)])
        hits = self._index.searcher.search(query, limit=len(pages), count=False).hits
        ids = self._index.numbers("id", [place for _, place in hits])
        return dict(zip(ids, (score for score, _ in hits), strict=True))

    def similar(self, page: int, texts: dict[int, float]) -> Similar | None:
        """Return how like a page is, by the scores of texts and by links, if that was asked for."""
        return Similar(texts.get(page, 0.0), self.near.get(page, 0.0)) if self.asks_for_similar else None

    def _leading(self, store: Store, page: int) -> "tantivy.Query":
        found = leading_to(store, page)
        for source, texts in found.items():
            self.link_texts[source] = self.link_texts.get(source, ()) + texts
        return tantivy.Query.const_score_query(self._with_ids(list(found)), 0.0)

    def _similar(self, store: Store, page: int) -> "tantivy.Query":
        """Ask for pages that are like one: scores are at most 1 by text and 1 by links."""
        self.asks_for_similar = True
        near = near_by_links(store, page, partial(self._index.standing, "in_links"))
        self.near |= near
        queries = [
            tantivy.Query.const_score_query(self._with_ids([other]), share) for other, share in near.items()
        ]
        text = self._by_text(page)
        if text is not None:
            self._texts.append(text)
            queries.append(text)
        if not queries:
            return tantivy.Query.empty_query()
        occur = tantivy.Occur
        own = self._with_ids([page])
        return tantivy.Query.boolean_query([(occur.Must, either(queries)), (occur.MustNot, own)])

    def _by_text(self, page: int) -> "tantivy.Query | None":
        """Ask for the typical words of a page; it would itself have a score of 1."""
        index = self._index
        hits = index.searcher.search(self._with_ids([page]), limit=1, count=False).hits
        terms = [typical(index, [(1.0, terms_of(index, index.shown(place)))], _TERMS) for _, place in hits]
        if not terms or not terms[0]:
            return None
        parts = [
            (tantivy.Occur.Should, tantivy.Query.boost_query(self._term(term), weight))
            for term, weight in terms[0]
        ]
        query = tantivy.Query.boolean_query(parts, min(_LEAST_TERMS, len(parts)))
        own = tantivy.Query.const_score_query(self._with_ids([page]), 0.0)
        both = tantivy.Query.boolean_query([(tantivy.Occur.Must, query), (tantivy.Occur.Must, own)])
        best = index.searcher.search(both, limit=1, count=False).hits
        return tantivy.Query.boost_query(query, 1 / best[0][0]) if best and best[0][0] else None

    def _term(self, term: str) -> "tantivy.Query":
        return tantivy.Query.term_query(self._index.schema, "words", term)

    def _with_ids(self, pages: list[int]) -> "tantivy.Query":
        if len(pages) == 1:
            # A set is an automaton to walk by: a hundred sets of one page took a tenth of a second.
            return tantivy.Query.term_query(self._index.schema, "id", pages[0])
        return tantivy.Query.term_set_query(self._index.schema, "id", pages)
