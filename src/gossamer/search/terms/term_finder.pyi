from collections.abc import Callable, Container

from gossamer.search.terms.base_form_finder import BaseFormFinder
from gossamer.search.terms.stop_words import StopWords

LONGEST_TERM: int

class TermFinder:
    def __init__(
        self,
        base_forms: BaseFormFinder | None,
        stop_words: StopWords | Container[str],
        stem: Callable[[str], list[str]] | None,
        fold: Callable[[str], list[str]],
        has_whole_bases: bool,
    ) -> None: ...
    def find(self, word: str) -> str: ...
