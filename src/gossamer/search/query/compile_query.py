"""Compile the tree of a query into a query of the engine."""

import math
from collections.abc import Iterable, Sequence

from gossamer.search.engine import tantivy
from gossamer.search.index.document_fields import EXTRA_FIELD, PARTS_FIELD
from gossamer.search.index.match_terms import match_term
from gossamer.search.index.search_index import Index
from gossamer.search.query.filter_values import parse_language
from gossamer.search.query.filters import MOST_CHECKED, compile_filter, match_any, match_phrase
from gossamer.search.query.guess_query_language import find_query_languages
from gossamer.search.query.link_queries import FIELDS as LINK_FIELDS
from gossamer.search.query.link_queries import LinkQueries
from gossamer.search.query.parse_query import SHORTEST, BooleanGroup, Either, Field, Node, Query, Words
from gossamer.search.query.whole_query import QueryWords
from gossamer.search.terms.analysis import get_analyser, is_unspaced, split_text, to_part_terms, to_terms
from gossamer.search.terms.stop_words import is_stop_word
from gossamer.store.batch import Store

# Two edits turn a short word into another word.
_LONG_WORD = 6
# A token without spaces may still have several words; the last of them are searched, and only the very last as a prefix.
_MOST_PARTS = 20
# Words on more than a third of all pages match and mark nothing, unless the query has no others. Words on more than half
# do not even rank: Cranfield and MEDLINE have .3949 and .6946 with such words, .3946 and .6946 without.
# If all words are that frequent, those on less than four fifths are searched.
_COMMON = 0.33
_EVERYWHERE = (0.5, 0.8)
_MANY = 0.12
_FEW_PAGES = 100
# A stop word of one language counts as a word where few pages have it: German “die” among English pages.
_STOP_WORD_SHARE = 0.1
_SCORED_FIELDS = frozenset({"title", "related", "exact"})
# Without words as they are written, `exact:` reads what is stored of pages.
_EXACT_NOTE = f"exact: looked at the beginnings of the {MOST_CHECKED:,} best pages; `gossamer index --exact` covers all pages."


class CompiledQuery:
    """A query of the engine, with the words that it matches."""

    def __init__(self, query: Query, index: Index, language: str = "", store: Store | None = None) -> None:
        self._index = index
        self.link_queries = LinkQueries(index, store)
        named = (language,) if language else _list_languages(query.root)
        self.languages = named or find_query_languages(query, index)
        self.notes = list(query.notes)
        self._plain_words = QueryWords(index, query.root, self.languages)
        self.whole_queries = self._plain_words.make_whole_queries()
        """Match pages that have the whole query as a name."""
        self._page_counts: dict[Words, float] = {}
        self.words: list[Words] = []
        """The words that may match, for snippets and suggestions."""
        self.title_words: list[str] = []
        """Words on so many pages that they rank pages only where they are in titles."""
        self.term_weights: dict[str, float] = {}
        """The terms that score pages by their main text, and the weight of each."""
        self._union: tantivy.Query | None = None
        whole = list(self.whole_queries.values())
        self.query = self._compile_group(query.root, whole) or tantivy.Query.empty_query()
        """Finds the pages."""

    def choose_ranking(self, found: int) -> "tantivy.Query":
        """Return the query that ranks the pages, given how many were found.

        For many pages, a plain union of all words takes three quarters of the time, since the engine need not look up
        for each page whether it has the common words. Of the fifty best pages, 99 in 100 are the same.
        """
        return self._union if self._union and found > _MANY * self._index.own_pages else self.query

    def weigh_fields(self, word: str) -> dict[str, float]:
        """Return the weight of a word of this query in each field of the index that is searched by words."""
        weights = self._index.weights
        title = self._plain_words.weigh_title(word)
        return {"words": 1.0, "title": title, EXTRA_FIELD: weights.extra, PARTS_FIELD: weights.parts}

    @property
    def rarity(self) -> float:
        """The sum of the rarities of its words: a measure of the scores that pages can have."""
        return self._plain_words.rarity

    def list_distinctive_words(self) -> list[Words]:
        """Return the words without those on very many pages, if there are others."""
        return [one for one in self.words if not self._is_common(one)] or self.words

    def _is_common(self, node: Node) -> bool:
        """Say whether a node is a word that is on very many pages."""
        if not isinstance(node, Words) or node.match != "word":
            return False
        return self._count_pages(node) > max(_FEW_PAGES, _COMMON * self._index.pages)

    def _count_pages(self, node: Words) -> float:
        """Return how many pages have the rarest part of a word, in its most frequent form; infinity if it has no letters."""
        known = self._page_counts.get(node)
        if known is None:
            count = self._index.count_pages
            known = self._page_counts[node] = min(
                (
                    max(count("words", term) for term in to_terms(part, self.languages))
                    for part in split_text(node.text)
                ),
                default=math.inf,
            )
        return known

    def _is_meaningless(self, node: Node, share: float) -> bool:
        """Say whether a node is a stop word on many pages, or a word on more than this share of all pages."""
        if not isinstance(node, Words) or node.match != "word":
            return False
        pages, count = self._index.pages, self._count_pages(node)
        if count > max(_FEW_PAGES, share * pages):
            return True
        return count > _STOP_WORD_SHARE * pages and self._is_stop_word(node)

    def _is_stop_word(self, node: Node) -> bool:
        if not isinstance(node, Words) or node.match != "word":
            return False
        return all(any(is_stop_word(part, code) for code in self.languages) for part in split_text(node.text))

    def _select_meaningful(self, nodes: tuple[Node, ...]) -> Sequence[Node]:
        """Return the nodes without stop words and very frequent words, if any are left."""
        for share in _EVERYWHERE:
            if kept := [node for node in nodes if not self._is_meaningless(node, share)]:
                return kept
        return [node for node in nodes if not self._is_stop_word(node)] or nodes

    def _compile_node(self, node: Node) -> "tantivy.Query | None":
        match node:
            case Words():
                found = self._compile_words(node)
                return match_any(found) if found else None
            case Field():
                return self._compile_field(node)
            case Either():
                options = self._compile_each(node.options)
                return match_any(options) if options else None
            case BooleanGroup():
                return self._compile_group(node)

    def _compile_group(
        self, group: BooleanGroup, whole: "Sequence[tantivy.Query]" = ()
    ) -> "tantivy.Query | None":
        must = self._compile_each(group.must)
        wanted = self._select_meaningful(group.should)
        distinctive = self._compile_flat(node for node in wanted if not self._is_common(node))
        common = self._compile_flat(node for node in wanted if self._is_common(node))
        # Common words only rank, beside others.
        finding, ranking = (distinctive, common) if distinctive else (common, [])
        if finding:
            ranking += self._compile_titles(node for node in group.should if node not in wanted)
        finding.extend(whole)
        words_before = len(self.words)
        must_not = self._compile_each(group.must_not)
        del self.words[words_before:]
        # The outermost group is compiled last and has the final say.
        self._union = match_any(finding + ranking) if finding and ranking and not (must or must_not) else None
        if not (must or finding or must_not):
            return None
        only_fields = all(isinstance(node, Field) for node in group.must)
        if only_fields and finding and (must or must_not or ranking):
            # `site:x word` requires the word; in `a AND b c`, c only adds to the score.
            must.append(match_any(finding))
            finding = []
        if not must and not finding:
            must = [tantivy.Query.all_query()]
        occurs = tantivy.Occur
        parts = [(occurs.Must, query) for query in must]
        parts += [(occurs.Should, query) for query in finding + ranking]
        return tantivy.Query.boolean_query([*parts, *((occurs.MustNot, query) for query in must_not)])

    def _compile_each(self, nodes: Iterable[Node]) -> "list[tantivy.Query]":
        return [query for query in map(self._compile_node, dict.fromkeys(nodes)) if query is not None]

    def _compile_flat(self, nodes: Iterable[Node]) -> "list[tantivy.Query]":
        """Compile nodes into one flat list; a repeated node counts as often as it occurs.

        Terms of words are not grouped: the engine reads a plain union list by list, but groups page by page.
        """
        found = []
        times_of: dict[Node, int] = {}
        for node in nodes:
            times_of[node] = times_of.get(node, 0) + 1
        for node, times in times_of.items():
            if isinstance(node, Words):
                found += self._compile_words(node, times)
                continue
            query = self._compile_node(node)
            if query is not None:
                found.append(query if times == 1 else tantivy.Query.boost_query(query, float(times)))
        return found

    def _compile_titles(self, nodes: Iterable[Node]) -> "list[tantivy.Query]":
        """Match the words in titles that are on too many pages to be searched; stop words are left out."""
        left = [node.text for node in nodes if isinstance(node, Words) and not self._is_stop_word(node)]
        words = list(dict.fromkeys(word for text in left for word in split_text(text)))
        self.title_words += words
        return [
            match_term(self._index, "title", term, self._plain_words.weigh_title(word))
            for word in words
            for term in to_terms(word, self.languages)
            if self._index.count_pages("title", term)
        ]

    def _compile_field(self, field: Field) -> "tantivy.Query | None":
        if field.name in LINK_FIELDS:
            found = self.link_queries.compile(field)
        else:
            found = compile_filter(field, self._index)
        if isinstance(found, str):
            self.notes.append(f"{found}: {field.name}:{field.value[:40]} was left out.")
            return None
        if field.name == "exact":
            self.words.append(Words(field.value, "phrase"))
            self.notes += [] if self._index.exact or _EXACT_NOTE in self.notes else [_EXACT_NOTE]
        return found if field.name in _SCORED_FIELDS else tantivy.Query.const_score_query(found, 0.0)

    def _compile_words(self, node: Words, times: int = 1) -> "list[tantivy.Query]":
        """Match a word or a phrase; [] if it has neither letters nor digits."""
        parts = split_text(node.text)
        if not parts:
            return []
        self.words += [node] * times
        if node.match == "phrase" or (is_unspaced(node.text) and len(parts) > 1):
            query = self._compile_phrase(node.text)
            return [query if times == 1 else tantivy.Query.boost_query(query, float(times))]
        different = dict.fromkeys(parts[-_MOST_PARTS:])
        wide = {part for part in different if len(part) >= SHORTEST.get(node.match, 0)}
        if node.match == "prefix":
            wide &= {parts[-1]}
        found = [
            query
            for part in different
            for query in self._compile_word(part, node.match if part in wide else "word", times)
        ]
        return found or [tantivy.Query.empty_query()]

    def _compile_phrase(self, text: str) -> "tantivy.Query":
        fields = ("words", "rest")
        found = [match_phrase(self._index, field, text, code) for code in self.languages for field in fields]
        return match_any([query for query in found if query is not None])

    def _compile_word(self, word: str, match: str, times: int) -> "list[tantivy.Query]":
        """Match a word in each field, by each of its terms; terms that no page has are left out."""
        schema = self._index.schema
        terms = to_terms(word, self.languages)
        found = []
        for field, weight in self.weigh_fields(word).items():
            for term in terms:
                if weight and self._index.count_pages(field, term):
                    found.append(match_term(self._index, field, term, weight * times))
                    if field == "words":
                        self.term_weights[term] = self.term_weights.get(term, 0.0) + weight * times
        if compound := to_part_terms(word, self.languages):
            worth = self._index.weights.parts * times
            found.append(tantivy.Query.boost_query(self._compile_compound(compound), worth))
        if match == "prefix":
            start = get_analyser("")[word]
            found.append(tantivy.Query.fuzzy_term_query(schema, "words", start, distance=0, prefix=True))
        if match == "fuzzy":
            distance = 1 if len(word) < _LONG_WORD else 2
            found += [tantivy.Query.fuzzy_term_query(schema, "words", term, distance) for term in terms]
        return found

    def _compile_compound(self, parts: list[str]) -> "tantivy.Query":
        """Match pages that have all parts of a compound, as words or as parts of other compounds."""
        must = [
            match_any([match_term(self._index, field, part) for field in ("words", PARTS_FIELD)])
            for part in parts
        ]
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, query) for query in must])


def _list_languages(group: BooleanGroup) -> tuple[str, ...]:
    """Return the languages that a query names by `language:`."""
    fields = [node for node in group.must if isinstance(node, Field) and node.name == "language"]
    return tuple(parse_language(field.value) for field in fields)
