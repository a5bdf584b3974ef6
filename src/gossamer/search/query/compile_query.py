"""From the tree of a query to what the engine looks up."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from gossamer.search.engine import tantivy
from gossamer.search.index.document_fields import PARTS_FIELD
from gossamer.search.index.search_index import Index
from gossamer.search.query.filter_values import language_code
from gossamer.search.query.filters import condition, either, phrase
from gossamer.search.query.link_queries import FIELDS as FIELDS_AROUND
from gossamer.search.query.link_queries import Around
from gossamer.search.query.parse_query import SHORTEST, Either, Field, Group, Node, Query, Words
from gossamer.search.query.query_language import languages_of
from gossamer.search.terms.analysis import analyser, forms, is_unspaced, part_forms, words
from gossamer.search.terms.stop_words import is_stop_word
from gossamer.store.batch import Store

# Two letters wrong in a short word make another word of it.
_LONG_WORD = 6
# What stands between two spaces has a few words; the last are asked for, and only the very last as the beginning of others.
_MOST_PARTS = 20
# What stands on more than a third of all pages finds and marks nothing, unless nothing else was asked for. What stands on
# more than half does not even rank: Cranfield and MEDLINE have .3949 and .6946 with such words, .3946 and .6946 without.
# If all words do, those of less than four fifths are asked for.
_COMMON = 0.33
_EVERYWHERE = (0.5, 0.8)
_MANY = 0.12
_FEW_PAGES = 100
# A stop word of one language is none where few pages have it: German “die” among English pages.
_EMPTY = 0.1
_SCORED_FIELDS = frozenset({"title", "related"})


class Asked:
    """A query as the engine takes it, with the words that were asked for."""

    def __init__(self, query: Query, index: Index, language: str = "", store: Store | None = None) -> None:
        self._index = index
        self.around = Around(index, store)
        told = (language,) if language else _languages(query.root)
        self.languages = told or languages_of(query, index)
        self.notes = list(query.notes)
        self._weights = index.weights.fields()
        self._having: dict[Words, float] = {}
        self.words: list[Words] = []
        """Those that may be found, for snippets and suggestions."""
        self._union: tantivy.Query | None = None
        self.query = self._group(query.root) or tantivy.Query.empty_query()
        """What finds pages."""

    def ranking(self, found: int) -> "tantivy.Query":
        """Return what ranks the best of so many pages that were found.

        Where these are many, all words side by side do so in three quarters of the time, since the engine need not look up
        for each page whether it has the common ones. Of the fifty best pages 99 in 100 are the same.
        """
        return self._union if self._union and found > _MANY * self._index.pages else self.query

    def telling(self) -> list[Words]:
        """Return the words that tell something: without those of very many pages, if there are others."""
        return [one for one in self.words if not self._is_common(one)] or self.words

    def _is_common(self, node: Node) -> bool:
        """Say whether this is a word that stands on very many pages, all parts of it."""
        if not isinstance(node, Words) or node.match != "word":
            return False
        return self._pages_having(node) > max(_FEW_PAGES, _COMMON * self._index.pages)

    def _pages_having(self, node: Words) -> float:
        """Return how many pages have the rarest part of a word, in its most frequent form; all, if these are signs."""
        known = self._having.get(node)
        if known is None:
            having = self._index.having
            known = self._having[node] = min(
                (
                    max(having("words", term) for term in forms(part, self.languages))
                    for part in words(node.text)
                ),
                default=math.inf,
            )
        return known

    def _is_empty(self, node: Node, share: float) -> bool:
        """Say whether a word says nothing: a stop word of a language of many pages, or one of such a share of all."""
        if not isinstance(node, Words) or node.match != "word":
            return False
        pages, having = self._index.pages, self._pages_having(node)
        if having > max(_FEW_PAGES, share * pages):
            return True
        return having > _EMPTY * pages and self._is_stop_word(node)

    def _is_stop_word(self, node: Node) -> bool:
        if not isinstance(node, Words) or node.match != "word":
            return False
        return all(any(is_stop_word(part, code) for code in self.languages) for part in words(node.text))

    def _speaking(self, nodes: tuple[Node, ...]) -> Sequence[Node]:
        """Return what is worth asking for: without words that say nothing, as far as something is left."""
        for share in _EVERYWHERE:
            if kept := [node for node in nodes if not self._is_empty(node, share)]:
                return kept
        return [node for node in nodes if not self._is_stop_word(node)] or nodes

    def _node(self, node: Node) -> "tantivy.Query | None":
        match node:
            case Words():
                found = self._words(node)
                return either(found) if found else None
            case Field():
                return self._field(node)
            case Either():
                options = self._each(node.options)
                return either(options) if options else None
            case Group():
                return self._group(node)

    def _group(self, group: Group) -> "tantivy.Query | None":
        must = self._each(group.must)
        asked = self._speaking(group.should)
        telling = self._flat(node for node in asked if not self._is_common(node))
        common = self._flat(node for node in asked if self._is_common(node))
        asked_before = len(self.words)
        must_not = self._each(group.must_not)
        del self.words[asked_before:]
        # The group that holds all others is the last to say it.
        self._union = either(telling + common) if telling and common and not (must or must_not) else None
        if not (must or telling or common or must_not):
            return None
        only_fields = all(isinstance(node, Field) for node in group.must)
        if only_fields and (telling or common) and (must or must_not or (telling and common)):
            # `site:x word` asks for the word; `a AND b c` would rather have c as well. “Flow” finds no page beside others.
            must.append(either(telling or common))
            telling, common = [], common if telling else []
        if not must and not telling and not common:
            must = [tantivy.Query.all_query()]
        occurs = tantivy.Occur
        parts = [(occurs.Must, query) for query in must]
        parts += [(occurs.Should, query) for query in telling + common]
        return tantivy.Query.boolean_query([*parts, *((occurs.MustNot, query) for query in must_not)])

    def _each(self, nodes: Iterable[Node]) -> "list[tantivy.Query]":
        return [query for query in map(self._node, dict.fromkeys(nodes)) if query is not None]

    def _flat(self, nodes: Iterable[Node]) -> "list[tantivy.Query]":
        """Ask for things side by side, each as often as it was said.

        Terms of words are not put into groups: of a plain union the engine reads one list after the other, of groups page by page.
        """
        found = []
        for node, times in Counter(nodes).items():
            if isinstance(node, Words):
                found += self._words(node, times)
                continue
            query = self._node(node)
            if query is not None:
                found.append(query if times == 1 else tantivy.Query.boost_query(query, float(times)))
        return found

    def _field(self, field: Field) -> "tantivy.Query | None":
        is_around = field.name in FIELDS_AROUND
        found = self.around.query(field) if is_around else condition(field, self._index)
        if isinstance(found, str):
            self.notes.append(f"{found}: {field.name}:{field.value[:40]} was left out.")
            return None
        return found if field.name in _SCORED_FIELDS else tantivy.Query.const_score_query(found, 0.0)

    def _words(self, asked: Words, times: int = 1) -> "list[tantivy.Query]":
        """Ask for a word or a phrase; none for signs."""
        parts = words(asked.text)
        if not parts:
            return []
        self.words += [asked] * times
        if asked.match == "phrase" or (is_unspaced(asked.text) and len(parts) > 1):
            query = self._phrase(asked.text)
            return [query if times == 1 else tantivy.Query.boost_query(query, float(times))]
        different = dict.fromkeys(parts[-_MOST_PARTS:])
        wide = {part for part in different if len(part) >= SHORTEST.get(asked.match, 0)}
        if asked.match == "prefix":
            wide &= {parts[-1]}
        found = [
            query
            for part in different
            for query in self._word(part, asked.match if part in wide else "word", times)
        ]
        return found or [tantivy.Query.empty_query()]

    def _phrase(self, text: str) -> "tantivy.Query":
        fields = ("words", "rest", "anchors")
        found = [phrase(self._index, field, text, code) for code in self.languages for field in fields]
        return either([query for query in found if query is not None])

    def _word(self, word: str, match: str, times: int) -> "list[tantivy.Query]":
        """Ask for a word in each field, by the terms that it may be indexed as; what no page has is left out."""
        schema = self._index.schema
        terms = forms(word, self.languages)
        found = []
        for field, weight in self._weights.items():
            for term in terms:
                if weight and self._index.having(field, term):
                    query = tantivy.Query.term_query(schema, field, term)
                    worth = weight * times
                    found.append(query if worth == 1 else tantivy.Query.boost_query(query, worth))
        if compound := part_forms(word, self.languages):
            worth = self._index.weights.parts * times
            found.append(tantivy.Query.boost_query(self._compound(compound), worth))
        if match == "prefix":
            start = analyser("")[word]
            found.append(tantivy.Query.fuzzy_term_query(schema, "words", start, distance=0, prefix=True))
        if match == "fuzzy":
            distance = 1 if len(word) < _LONG_WORD else 2
            found += [tantivy.Query.fuzzy_term_query(schema, "words", term, distance) for term in terms]
        return found

    def _compound(self, parts: list[str]) -> "tantivy.Query":
        """Ask for pages that have all parts of a compound, as words or as parts of others."""
        schema = self._index.schema
        must = [
            either([tantivy.Query.term_query(schema, field, part) for field in ("words", PARTS_FIELD)])
            for part in parts
        ]
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, query) for query in must])


def _languages(group: Group) -> tuple[str, ...]:
    """Return the languages that a query itself asks for."""
    fields = [node for node in group.must if isinstance(node, Field) and node.name == "language"]
    return tuple(language_code(field.value) for field in fields)
