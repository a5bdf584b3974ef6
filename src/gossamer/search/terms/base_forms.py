"""Find the base form of a word: “mice” is mouse, “ging” is gehen (Stein 1997, section 5.2).

Base forms come from the dictionaries of the package simplemma, if it is installed. No base form
is far rarer than the form itself: “gone” is not gan. English and German words go on to the word that they are derived from, and German
compounds that no dictionary has get the base form of their last part.
"""

import lzma
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from gossamer.search.terms.base_form_finder import BaseFormFinder
from gossamer.search.terms.dictionary_cache import read_prepared
from gossamer.search.terms.lemma_dictionary import LemmaDictionary, prepare_dictionary
from gossamer.search.terms.missing_accents import restore_accents
from gossamer.search.terms.stop_words import get_stop_words
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
_SHORTEST = 3
# Longer words are not looked for with accents.
_LONGEST = 24
_MOST_ACCENTED = 4
# Centibels: far more frequent.
_MARGIN = 150


class BaseForms:
    """Finds the base forms of the words of one language."""

    def __init__(self, language: str) -> None:
        self._stop_words = get_stop_words(language)
        self._language = language
        self._dictionary = read_dictionary(language)
        self.finder = (
            BaseFormFinder(language, self._dictionary, read_word_costs(language), self._stop_words)
            if self._dictionary is not None
            else None
        )
        """What finds them; None without a dictionary."""

    def find(self, word: str) -> str | None:
        """Return the base form of a word in lower case; None for unknown words, stop words and abbreviations."""
        return self.finder.find_in_text(word) if self.finder is not None else None

    def find_accented(self, word: str) -> list[str]:
        """Return the words that a word of a query may stand for without accents, the most frequent first.

        Of a word that the dictionary has as it is, only far more frequent ones: Polish “lata” is not łata, but “lodzi” is Łodzi.
        """
        if self._dictionary is None or not _SHORTEST <= len(word) <= _LONGEST:
            return []
        if not (word.isascii() and word.isalpha()) or word in self._stop_words:
            return []
        look, cost = self._dictionary.get, read_word_costs(self._language).get
        is_listed = look(word) is not None or look(word.capitalize()) is not None
        most = cost(word, MOST_COST) - _MARGIN if is_listed else MOST_COST
        found = [one for one in restore_accents(word, self._language, look) if cost(one, MOST_COST) <= most]
        return sorted(found, key=lambda one: cost(one, MOST_COST))[:_MOST_ACCENTED]


def measure_dictionaries() -> int:
    """Return the size of all dictionaries in bytes, which tells their versions apart; 0 if there are none."""
    folder = _find_folder()
    return sum(path.stat().st_size for path in folder.glob("*.plzma")) if folder else 0


@cache
def read_dictionary(language: str) -> LemmaDictionary | None:
    """Return the dictionary of a language, or None if there is none.

    Cost: 30 ms once for English, 120 ms for German; from the cache 1 and 4 ms.
    """
    folder = _find_folder()
    if language not in DICTIONARIES or folder is None:
        return None
    path = folder / f"{DICTIONARIES[language]}.plzma"
    try:
        return LemmaDictionary(read_prepared(path, "forms", _prepare))
    except (OSError, ValueError, lzma.LZMAError):  # of another version of the package: words are stemmed
        return None


def _prepare(packed: bytes) -> bytes:
    return prepare_dictionary(lzma.decompress(packed))


def _find_folder() -> Path | None:
    package = find_spec("simplemma")  # located, not imported: importing takes a tenth of a second
    return Path(package.origin).parent / _FOLDER if package is not None and package.origin else None
