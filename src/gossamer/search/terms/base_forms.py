"""Find the base form of a word: “mice” is mouse, “ging” is gehen (Stein 1997, section 5.2).

Base forms come from the dictionaries of the package simplemma, if it is installed. No base form
is far rarer than the form itself: “gone” is not gan. English and German words go on to the word that they are derived from, and German
compounds that no dictionary has get the base form of their last part.
"""

import lzma
import re
from functools import cache
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

from gossamer.search.terms.compound_words import find_part_spans
from gossamer.search.terms.lemma_dictionary import LemmaDictionary
from gossamer.search.terms.missing_accents import restore_accents
from gossamer.search.terms.stop_words import is_stop_word
from gossamer.search.terms.word_derivation import Look, find_origin, guess_base, restore_umlauts
from gossamer.search.terms.word_frequencies import MOST_COST, read_word_costs

_ALIASES = {"bs": "hbs", "hr": "hbs", "no": "nb", "sh": "hbs", "sr": "hbs"}
_CODES = (
    *("ar", "bg", "bs", "ca", "cs", "cy", "da", "de", "el", "en", "eo", "es", "et", "fa", "fi", "fr", "ga", "gl", "he", "hi"),
    *("hr", "hu", "hy", "id", "is", "it", "ka", "la", "lt", "lv", "mk", "ms", "nb", "nl", "nn", "no", "pl", "pt", "ro", "ru"),
    *("sh", "sk", "sl", "sr", "sv", "tl", "tr", "uk"),
)  # fmt: skip
DICTIONARIES = {code: _ALIASES.get(code, code) for code in _CODES}
"""By language: the name of its dictionary. Those of Albanian, Malayalam and Swahili are left out: a third of their forms is wrong."""
_FOLDER = "strategies/dictionaries/data"
# Shorter words are abbreviations and particles: “m” is not a form of be.
_SHORTEST = 3
# Centibels. “Gone” is a thousand times more frequent than gan.
_MARGIN = 150
# A name is a form of another word only if that one is about as frequent.
_MARGIN_OF_NAMES = 60
# “Meetings” is meeting, and that is meet.
_MOST_STEPS = 3
_LONGEST = 24
_MOST_ACCENTED = 4
_GERMAN_ENDINGS = ("es", "en", "s", "n", "e")
_SHORTEST_GUESS = 4
_PARTICIPLE = re.compile(r"(.{3,}t)e[nmrs]?")


class BaseForms:
    """Finds the base forms of the words of one language."""

    def __init__(self, language: str) -> None:
        self._language = language
        dictionary = read_dictionary(language)
        self._look: Look = dictionary.get if dictionary else _know_nothing
        self._is_known = dictionary is not None
        self._costs = read_word_costs(language) if dictionary else {}

    def find(self, word: str) -> str | None:
        """Return the base form of a word in lower case; None for unknown words, stop words and abbreviations."""
        if not self._is_known or len(word) < _SHORTEST or not word.isalpha():
            return None
        if is_stop_word(word, self._language):
            return None
        known = restore_umlauts(word, self._look) if self._language == "de" else word
        base = self._follow(known) or self._guess(known)
        return find_origin(base, self._language, self._look, self._costs) if base else None

    def find_accented(self, word: str) -> list[str]:
        """Return the words that a word of a query may stand for without accents, the most frequent first.

        Of a word that the dictionary has as it is, only far more frequent ones: Polish “lata” is not łata, but “lodzi” is Łodzi.
        """
        if not (self._is_known and _SHORTEST <= len(word) <= _LONGEST and word.isascii() and word.isalpha()):
            return []
        if is_stop_word(word, self._language):
            return []
        cost = self._costs.get
        most = cost(word, MOST_COST) - _MARGIN if self._has(word) else MOST_COST
        found = [
            one for one in restore_accents(word, self._language, self._look) if cost(one, MOST_COST) <= most
        ]
        return sorted(found, key=lambda one: cost(one, MOST_COST))[:_MOST_ACCENTED]

    def _has(self, word: str) -> bool:
        return self._look(word) is not None or self._look(word.capitalize()) is not None

    def _guess(self, word: str) -> str | None:
        """Return the base form of a word that the dictionary does not have, by its endings or by its parts; or None."""
        if self._language == "en":
            known = guess_base(word, self._look, self._costs)
            return known and (self._follow(known) or known)
        if self._language != "de":
            return None
        shorter = [word.removesuffix(ending) for ending in _GERMAN_ENDINGS if word.endswith(ending)]
        forms = [one for one in shorter if len(one) >= _SHORTEST_GUESS]
        bases = chain(map(self._follow, forms), map(self._find_in_compound, (word, *forms)))
        return next(filter(None, bases), None)

    def _follow(self, word: str) -> str | None:
        """Return the base form of the base form of a word, and so on; None for unknown words."""
        base = self._look_up(word)
        for _ in range(_MOST_STEPS):
            further = self._look_up(base) if base else None
            if further is None or further in (base, word):
                break
            base = further
        return base

    def _look_up(self, word: str) -> str | None:
        """Return the base form of a word in lower case, or None."""
        base = self._look(word)
        if base == word and self._language != "de":
            return word
        name = self._look(word.capitalize())
        if base is None and name is None:
            return None
        if base is None or name is None:
            found = (base or name or "").lower()
            if name and found == word:
                return self._find_participle(word) or word
            return found if self._is_plausible(found, word, _MARGIN) else word
        return self._choose(word, base.lower(), name.lower())

    def _choose(self, word: str, base: str, name: str) -> str:
        """Return the base form of a word that may also be a name, or a German noun.

        “Haus” is not a form of the verb hausen, but “alte” is alt, though a noun; French “paris” is not the plural of pari.
        """
        if self._language == "de":
            return name if base.endswith("n") else base
        return base if name != word or self._is_plausible(base, word, _MARGIN_OF_NAMES) else word

    def _find_participle(self, word: str) -> str | None:
        """Return the verb of a German participle that the dictionary has only as a noun: “gelöschte” is löschen."""
        participle = _PARTICIPLE.fullmatch(word) if self._language == "de" else None
        verb = self._look(participle[1]) if participle else None
        return verb if verb and verb.endswith("n") else None

    def _is_plausible(self, base: str, word: str, margin: int) -> bool:
        return self._costs.get(base, MOST_COST) <= self._costs.get(word, MOST_COST) + margin

    def _find_in_compound(self, word: str) -> str | None:
        """Return a compound with the base form of its last part, or None."""
        spans = find_part_spans(word, self._language)
        if not spans:
            return None
        last = spans[-1][0]
        base = self._follow(word[last:])
        return word[:last] + base if base else None


def _know_nothing(_: str) -> None:
    return None


def measure_dictionaries() -> int:
    """Return the size of all dictionaries in bytes, which tells their versions apart; 0 if there are none."""
    folder = _find_folder()
    return sum(path.stat().st_size for path in folder.glob("*.plzma")) if folder else 0


@cache
def read_dictionary(language: str) -> LemmaDictionary | None:
    """Return the dictionary of a language, or None if there is none. Cost: 20 ms once for English, 110 ms for German."""
    folder = _find_folder()
    if language not in DICTIONARIES or folder is None:
        return None
    path = folder / f"{DICTIONARIES[language]}.plzma"
    try:
        return LemmaDictionary(lzma.decompress(path.read_bytes()))
    except (OSError, ValueError, lzma.LZMAError):  # of another version of the package: words are stemmed
        return None


def _find_folder() -> Path | None:
    package = find_spec("simplemma")  # located, not imported: importing takes a tenth of a second
    return Path(package.origin).parent / _FOLDER if package is not None and package.origin else None
