"""Find the words that a word without accents may stand for: Polish “zrodla” is źródła.

Terms have no accents, but base forms are looked up with them: a dictionary does not know “zrodla” as a form of źródło. So
the letters of a word of a query are replaced by those of its language, and words that the dictionary has are looked for, too.
"""

import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, product

_SERBOCROATIAN = "čćđšž"
_LETTERS = {
    "bs": _SERBOCROATIAN,
    "ca": "àçèéíïòóúü",
    "cs": "áčďéěíňóřšťúůýž",
    "eo": "ĉĝĥĵŝŭ",
    "es": "áéíñóúü",
    "et": "äõöšüž",
    "fr": "àâçèéêëîïôùûü",
    "ga": "áéíóú",
    "gl": "áéíñóúü",
    "hr": _SERBOCROATIAN,
    "hu": "áéíóöőúüű",
    "it": "àèéìòù",
    "lt": "ąčęėįšųūž",
    "lv": "āčēģīķļņšūž",
    "pl": "ąćęłńóśźż",
    "pt": "àáâãçéêíóôõú",
    "ro": "âășîț",
    "sh": _SERBOCROATIAN,
    "sk": "áäčďéíĺľňóôŕšťúýž",
    "sl": "čšž",
    "sr": _SERBOCROATIAN,
}
"""By language: its letters with accents that people leave out. German and Nordic letters are written otherwise without them."""
_WITHOUT_STROKES = {"đ": "d", "ł": "l"}
_MOST_ACCENTS = 4
# Two milliseconds. More are needed for one word in a hundred, if it is long and has many accents.
_MOST_TRIES = 1_000


def restore_accents(word: str, language: str, look: Callable[[str], str | None]) -> list[str]:
    """Return the words of a dictionary that are written so without accents, those with the fewest first; not the word itself."""
    return [
        one
        for _, one in zip(range(_MOST_TRIES), _iterate_accented(word, language), strict=False)
        if look(one) is not None or look(one.capitalize()) is not None
    ]


def _iterate_accented(word: str, language: str) -> Iterator[str]:
    """Yield a word with accents on one letter, then on two, and so on."""
    accented = _group_letters(language)
    places = [at for at, letter in enumerate(word) if letter in accented]
    for count in range(1, min(len(places), _MOST_ACCENTS) + 1):
        for chosen in combinations(places, count):
            for letters in product(*(accented[word[at]] for at in chosen)):
                found = list(word)
                for at, letter in zip(chosen, letters, strict=True):
                    found[at] = letter
                yield "".join(found)


@cache
def _group_letters(language: str) -> dict[str, str]:
    """Return the letters with accents by the letters without them."""
    found: dict[str, str] = {}
    for letter in _LETTERS.get(language, ""):
        plain = _WITHOUT_STROKES.get(letter) or unicodedata.normalize("NFD", letter)[0]
        found[plain] = found.get(plain, "") + letter
    return found
