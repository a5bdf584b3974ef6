"""Weigh the words of a query by their rarity, and match pages that have the whole query as a name."""

import math
from collections.abc import Sequence

from gossamer.search.engine import tantivy
from gossamer.search.index.page_names import ANCHOR, EXACT, NAME, NAMES_FIELD, TITLE, make_query_tokens
from gossamer.search.index.search_index import Index
from gossamer.search.index.whole_statistics import compute_idf
from gossamer.search.query.parse_query import BooleanGroup, Field, Words
from gossamer.search.terms.analysis import split_text, to_terms
from gossamer.search.terms.stop_words import is_stop_word

# A name of more words is none. It also bounds the cost of a query that is a whole text.
_MOST_WORDS = 40


class QueryWords:
    """The plain words of a query with their rarities, which say how much each of them matters."""

    def __init__(self, index: Index, root: BooleanGroup, languages: Sequence[str]) -> None:
        self._index = index
        self._pages = index.pages
        self._languages = languages
        self.words = list_plain_words(root)
        """All words in order, if the query has no other parts than words, phrases and filters."""
        meaning = [word for word in self.words if not self._is_stop_word(word)] or self.words
        self._rarities = {word: self._compute_rarity(word) for word in dict.fromkeys(meaning)}
        self.rarity = sum(self._rarities[word] for word in meaning)
        """The sum of the rarities of all words."""

    def weigh_title(self, word: str) -> float:
        """Return the weight of a word in titles: less for a word that is a small part of the query.

        A page whose title has one word of four is about something else, more often than not.
        """
        weight = self._index.weights.title
        rarity = self._rarities.get(word)
        return weight if rarity is None or not self.rarity else weight * math.sqrt(rarity / self.rarity)

    def make_whole_queries(self) -> "dict[str, tantivy.Query]":
        """Return queries that match pages by whole names, by the part of the score that each of them adds.

        A name that many pages share tells little about each of them, as the rarity of words does.
        """
        found: dict[str, tantivy.Query] = {}
        if not 0 < len(self.words) <= _MOST_WORDS:
            return found
        weights = self._index.weights
        worth = {
            TITLE: weights.whole_title,
            EXACT: weights.whole_exact,
            NAME: weights.whole_name,
            ANCHOR: weights.whole_anchor,
        }
        for kind, tokens in make_query_tokens(self.words, self._languages).items():
            for token in tokens:
                pages = self._index.count_pages(NAMES_FIELD, token)
                if pages and worth[kind]:
                    rarity = compute_idf(pages, self._pages) / compute_idf(1, self._pages)
                    query = tantivy.Query.term_query(self._index.schema, NAMES_FIELD, token)
                    score = max(1.0, self.rarity) * worth[kind] * rarity
                    found[token] = tantivy.Query.const_score_query(query, score)
        return found

    def _is_stop_word(self, word: str) -> bool:
        return any(is_stop_word(word, code) for code in self._languages)

    def _compute_rarity(self, word: str) -> float:
        pages = max(self._index.count_pages("words", term) for term in to_terms(word, self._languages))
        return compute_idf(pages, self._pages) if pages else 0.0


def list_plain_words(root: BooleanGroup) -> list[str]:
    """Return the words of a query in order; [] if some parts of it are required that are not filters."""
    required = [node for node in root.must if not isinstance(node, Field)]
    # A query of one word requires it.
    nodes = root.should if not required else required if len(required) == 1 and not root.should else ()
    texts = [node.text for node in nodes if isinstance(node, Words) and node.match in ("word", "phrase")]
    return [word for text in texts for word in split_text(text)]
