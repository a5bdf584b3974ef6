"""From the tree of a query to what the engine looks up."""

from collections.abc import Iterable

from gossamer.search.analysis import analyser, forms, is_unspaced, words
from gossamer.search.around import FIELDS as FIELDS_AROUND
from gossamer.search.around import Around
from gossamer.search.engine import tantivy
from gossamer.search.filters import condition, either, phrase
from gossamer.search.index import Index
from gossamer.search.query import Either, Field, Group, Node, Query, Words
from gossamer.search.values import language_code
from gossamer.store.batch import Store

# Two letters wrong in a short word make another word of it.
_LONG_WORD = 6
# What stands on more than a third of all pages finds and marks nothing, unless nothing else was asked for.
_COMMON = 0.33
_FEW_PAGES = 100
_SCORED_FIELDS = frozenset({"title", "related"})


class Asked:
    """A query as the engine takes it, with the words that were asked for."""

    def __init__(self, query: Query, index: Index, language: str = "", store: Store | None = None) -> None:
        self._index = index
        self.around = Around(index, store)
        self.languages = (language,) if language else _languages(query.root) or index.languages
        self.notes = list(query.notes)
        self._common: dict[Words, bool] = {}
        self.words: list[Words] = []
        """Those that may be found, for snippets and suggestions."""
        self.query = self._group(query.root) or tantivy.Query.empty_query()

    def telling(self) -> list[Words]:
        """Return the words that tell something: without those of very many pages, if there are others."""
        return [one for one in self.words if not self._is_common(one)] or self.words

    def _is_common(self, node: Node) -> bool:
        """Say whether this is a word that stands on very many pages, all parts of it."""
        if not isinstance(node, Words) or node.match != "word":
            return False
        if node not in self._common:
            self._common[node] = self._stands_everywhere(node)
        return self._common[node]

    def _stands_everywhere(self, node: Words) -> bool:
        most = max(_FEW_PAGES, _COMMON * self._index.pages)
        having = self._index.searcher.doc_freq
        return all(
            max(having("words", term) for term in forms(part, self.languages)) > most
            for part in words(node.text)
        )

    def _node(self, node: Node) -> "tantivy.Query | None":
        match node:
            case Words():
                self.words.append(node)
                return self._words(node)
            case Field():
                return self._field(node)
            case Either():
                options = self._each(node.options)
                return either(options) if options else None
            case Group():
                return self._group(node)

    def _group(self, group: Group) -> "tantivy.Query | None":
        must = self._each(group.must)
        telling = self._each(node for node in group.should if not self._is_common(node))
        common = self._each(node for node in group.should if self._is_common(node))
        asked_before = len(self.words)
        must_not = self._each(group.must_not)
        del self.words[asked_before:]
        if not (must or telling or common or must_not):
            return None
        only_fields = all(isinstance(node, Field) for node in group.must)
        if only_fields and (telling or common) and (must or must_not or common):
            # `site:x word` asks for the word; `a AND b c` would rather have c as well. “The” finds no page beside others.
            must.append(either(telling or common))
            telling, common = [], common if telling else []
        if not must and not telling and not common:
            must = [tantivy.Query.all_query()]
        occurs = tantivy.Occur
        parts = [(occurs.Must, query) for query in must]
        parts += [(occurs.Should, query) for query in telling + common]
        return tantivy.Query.boolean_query([*parts, *((occurs.MustNot, query) for query in must_not)])

    def _each(self, nodes: Iterable[Node]) -> "list[tantivy.Query]":
        return [query for query in map(self._node, nodes) if query is not None]

    def _field(self, field: Field) -> "tantivy.Query | None":
        is_around = field.name in FIELDS_AROUND
        found = self.around.query(field) if is_around else condition(field, self._index)
        if isinstance(found, str):
            self.notes.append(f"{found}: {field.name}:{field.value[:40]} was left out.")
            return None
        return found if field.name in _SCORED_FIELDS else tantivy.Query.const_score_query(found, 0.0)

    def _words(self, asked: Words) -> "tantivy.Query | None":
        if asked.match == "phrase":
            return self._phrase(asked.text)
        parts = words(asked.text)
        if is_unspaced(asked.text) and len(parts) > 1:
            return self._phrase(asked.text)
        queries = [query for part in parts for query in self._word(part, asked.match)]
        return either(queries) if queries else None

    def _phrase(self, text: str) -> "tantivy.Query | None":
        fields = ("words", "rest", "anchors")
        found = [phrase(self._index, field, text, code) for code in self.languages for field in fields]
        queries = [query for query in found if query is not None]
        return either(queries) if queries else None

    def _word(self, word: str, match: str) -> "list[tantivy.Query]":
        """Ask for a word in each field, by the terms that it may be indexed as."""
        schema, weights = self._index.schema, self._index.weights
        terms = forms(word, self.languages)
        found = []
        for field, weight in (
            ("words", 1.0),
            ("anchors", weights.anchors),
            ("url", weights.url),
            ("rest", weights.rest),
        ):
            if weight:
                queries = [tantivy.Query.term_query(schema, field, term) for term in terms]
                query = queries[0] if len(queries) == 1 else tantivy.Query.disjunction_max_query(queries)
                found.append(query if weight == 1 else tantivy.Query.boost_query(query, weight))
        if match == "prefix":
            start = analyser("")[word]
            found.append(tantivy.Query.fuzzy_term_query(schema, "words", start, distance=0, prefix=True))
        if match == "fuzzy":
            distance = 1 if len(word) < _LONG_WORD else 2
            found += [tantivy.Query.fuzzy_term_query(schema, "words", term, distance) for term in terms]
        return found


def _languages(group: Group) -> tuple[str, ...]:
    """Return the languages that a query itself asks for."""
    fields = [node for node in group.must if isinstance(node, Field) and node.name == "language"]
    return tuple(language_code(field.value) for field in fields)
