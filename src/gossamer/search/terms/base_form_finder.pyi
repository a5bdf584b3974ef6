from collections.abc import Container

from gossamer.search.terms.lemma_dictionary import LemmaDictionary
from gossamer.search.terms.stop_words import StopWords
from gossamer.search.terms.word_frequencies import WordCosts

class BaseFormFinder:
    def __init__(
        self,
        language: str,
        dictionary: LemmaDictionary,
        costs: WordCosts,
        stop_words: StopWords | Container[str] = frozenset(),
    ) -> None: ...
    def find(self, word: str) -> str | None: ...
    def find_in_text(self, word: str) -> str | None: ...
