"""The search for base forms as it can be read: the slow twin of `base_form_finder` and `word_derivation`."""

import re
from collections.abc import Iterator
from importlib import import_module
from itertools import chain

from gossamer.search.terms.base_forms import read_dictionary
from gossamer.search.terms.compound_words import find_part_spans
from gossamer.search.terms.word_frequencies import MOST_COST, read_word_costs

tables = import_module(
    "gossamer.search.terms.word_derivation"
)  # compiled, and without a description of its types
ENDINGS: dict[str, dict[str, str]] = {"en": tables._ENGLISH, "de": tables._GERMAN}


class PlainBaseForms:
    """Finds the base forms of the words of one language."""

    def __init__(self, language: str) -> None:
        dictionary = read_dictionary(language)
        assert dictionary is not None
        self.language = language
        self.look = dictionary.get
        self.costs = read_word_costs(language)

    def find(self, word: str) -> str | None:
        known = self.restore_umlauts(word) if self.language == "de" else word
        base = self.follow(known) or self.guess(known)
        return self.find_origin(base) if base else None

    def follow(self, word: str) -> str | None:
        base = self.look_up(word)
        for _ in range(3):
            further = self.look_up(base) if base else None
            if further is None or further in (base, word):
                break
            base = further
        return base

    def look_up(self, word: str) -> str | None:
        base = self.look(word)
        if base == word and self.language != "de":
            return word
        name = self.look(word.capitalize())
        if base is None and name is None:
            return None
        if base is not None and name is not None:
            return self.choose(word, base.lower(), name.lower())
        found = (base or name or "").lower()
        if name and found == word:
            return self.find_participle(word) or word
        return found if self.is_plausible(found, word, 150) else word

    def choose(self, word: str, base: str, name: str) -> str:
        if self.language == "de":
            return name if base.endswith("n") else base
        return base if name != word or self.is_plausible(base, word, 60) else word

    def find_participle(self, word: str) -> str | None:
        participle = re.fullmatch(r"(.{3,}t)e[nmrs]?", word) if self.language == "de" else None
        verb = self.look(participle[1]) if participle else None
        return verb if verb and verb.endswith("n") else None

    def is_plausible(self, base: str, word: str, margin: int) -> bool:
        return self.costs.get(base, MOST_COST) <= self.costs.get(word, MOST_COST) + margin

    def guess(self, word: str) -> str | None:
        if self.language == "en":
            known = self.guess_english(word)
            return known and (self.follow(known) or known)
        if self.language != "de":
            return None
        shorter = [
            word.removesuffix(ending) for ending in ("es", "en", "s", "n", "e") if word.endswith(ending)
        ]
        forms = [one for one in shorter if len(one) >= 4]
        bases = chain(map(self.follow, forms), map(self.find_in_compound, (word, *forms)))
        return next(filter(None, bases), None)

    def find_in_compound(self, word: str) -> str | None:
        spans = find_part_spans(word, self.language)
        base = self.follow(word[spans[-1][0] :]) if spans else None
        return word[: spans[-1][0]] + base if base else None

    def guess_english(self, word: str) -> str | None:
        candidates = [base for bases in list_bases(word, tables._INFLECTIONS) for base in bases]
        for form in (word, *candidates):
            known = form if self.look(form) is not None else self.exchange(form)
            if known is not None:
                return known
        return None

    def find_origin(self, word: str) -> str:
        for _ in range(4 if self.language in ENDINGS else 0):
            if self.language == "de" and word.endswith("en") and self.look(word) is None:
                break
            base = self.exchange(word) or (self.respell(word) if self.language == "en" else None)
            if base is None or word in ("university", "officer"):
                break
            word = base
        return word

    def exchange(self, word: str) -> str | None:
        most = self.costs.get(word, MOST_COST) + 200
        for bases in list_bases(word, ENDINGS[self.language]):
            kept = [one for one in bases if self.is_base(one) and self.costs.get(one, MOST_COST) <= most]
            if kept:
                return next((base for base in kept if base in self.costs), kept[0])
        return None

    def is_base(self, word: str) -> bool:
        return self.look(word) == word or self.look(word.capitalize()) == word.capitalize()

    def respell(self, word: str) -> str | None:
        spelt = [word.replace(digraph, "e") for digraph in ("ae", "oe") if digraph in word]
        return next((base for base in spelt if self.look(base) == base), None)

    def restore_umlauts(self, word: str) -> str:
        for digraph, umlaut in (("ae", "ä"), ("oe", "ö"), ("ue", "ü")):
            usual = word.replace(digraph, umlaut)
            if usual != word and (self.look(usual) is not None or self.look(usual.capitalize()) is not None):
                word = usual
        return word


def list_bases(word: str, endings: dict[str, str]) -> Iterator[list[str]]:
    """Yield, for each ending of a word, the longest first, what the word would be with it exchanged."""
    for ending in sorted(endings, key=len, reverse=True):
        # A single s is an ending after the letters of English only.
        is_after_letter = len(ending) > 1 or "a" <= word[-2:-1] <= "z"
        if word.endswith(ending) and len(ending) <= len(word) - 3 and is_after_letter:
            stem = word[: -len(ending)]
            found = [stem + new.replace("-", "") for new in endings[ending].split()]
            found += [stem[:-1]] if ending in ("ing", "ed") and stem[-1] == stem[-2] else []
            least = tables._SHORTEST_AFTER.get(ending, 5)
            yield [base for base in found if len(base) >= least]
