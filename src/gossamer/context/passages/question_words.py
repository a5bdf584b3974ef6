"""The words of a question that say what it is about, and how rare each of them is."""

from collections.abc import Sequence

from gossamer.errors import BadInput
from gossamer.search.answers.snippets import Marker, Match
from gossamer.search.index.search_index import Index
from gossamer.search.index.whole_statistics import compute_idf
from gossamer.search.query.compile_query import CompiledQuery
from gossamer.search.query.guess_query_language import iterate_words
from gossamer.search.query.parse_query import Query, Words
from gossamer.search.terms.analysis import split_text, to_terms
from gossamer.search.terms.stop_words import is_stop_word

# A question of more words is a text.
_MOST_WORDS = 50


class QuestionWords:
    """Finds the words of a question in texts, and weighs them."""

    def __init__(self, index: Index, query: CompiledQuery, question: Query) -> None:
        words = list(dict.fromkeys([*query.words, *_list_common_words(query, question)]))[:_MOST_WORDS]
        if not words:
            raise BadInput("the question has no words to look for")
        self._marker = Marker(words, query.languages)
        self.rarities = [_compute_rarity(index, word, query.languages) for word in words]
        """By number of a word."""
        self.rarity = sum(self.rarities)
        """Of all words together."""

    def find(self, text: str, language: str) -> list[Match]:
        """Return where words of the question stand in a text, in order, each with its number."""
        return self._marker.find_words(text, language)

    def find_numbers(self, text: str, language: str) -> frozenset[int]:
        """Return the numbers of the words that a text has."""
        return frozenset(number for _, _, number in self.find(text, language)) if text else frozenset()


def _list_common_words(query: CompiledQuery, question: Query) -> list[Words]:
    """Return the words that find no pages, since most pages have them: within a page, they tell one passage from another."""
    known = {part for word in query.words for part in split_text(word.text)}
    texts = [text for text in dict.fromkeys(iterate_words(question.root)) if text not in known]
    return [Words(text) for text in texts if not any(is_stop_word(text, code) for code in query.languages)]


def _compute_rarity(index: Index, word: Words, languages: Sequence[str]) -> float:
    """Return the rarity of the rarest part of a word, in its most frequent form."""
    pages = min(
        (
            max(index.count_pages("words", term) for term in to_terms(part, languages))
            for part in split_text(word.text)
        ),
        default=index.pages,
    )
    return compute_idf(max(1, pages), index.pages)
