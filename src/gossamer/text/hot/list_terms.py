"""The terms of a sentence that can be hot: its words, and the names of two or three words."""

import re

from gossamer.text.topics.features.count_words import split_words

_MIN_LETTERS = 3
_MAX_LETTERS = 40
_MAX_NAME_WORDS = 3
# Two or more capitalized words in a row; a full stop ends a run, except after a single letter.
_NAME = re.compile(r"(?:[^\W\d_a-z][^\W\d_]+|[^\W\d_a-z]\.)(?: (?:[^\W\d_a-z][^\W\d_]+|[^\W\d_a-z]\.))+")
# They say when something happens, not what: each month and each weekday comes back without being news.
_CALENDAR_TEXT = (
    "january february march april may june july august september october november december jan feb mar apr jun jul aug "
    "sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday today yesterday tomorrow "
    "januar jänner februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag "
    "sonnabend sonntag heute gestern morgen janvier février mars avril juin juillet août septembre octobre novembre "
    "décembre lundi mardi mercredi jeudi vendredi samedi dimanche enero febrero marzo abril mayo junio julio agosto "
    "septiembre octubre noviembre diciembre lunes martes miércoles jueves viernes sábado domingo gennaio febbraio aprile "
    "maggio giugno luglio settembre ottobre dicembre lunedì martedì mercoledì giovedì venerdì sabato domenica"
)
_CALENDAR = frozenset(_CALENDAR_TEXT.split())


def list_terms(sentence: str) -> set[str]:
    """Return the words of a sentence in lower case, and its names as they are written.

    Words with digits, very short words and words of the calendar are left out. A name is a run of two or three
    capitalized words; a sentence in capitals, as a headline often is, has none. In scripts without spaces, each pair of
    neighbouring characters is a word.
    """
    terms = set()
    before = ""
    for word in split_words(sentence):
        if len(word) == 1 and not word.isascii() and not word.isdigit():
            if before:
                terms.add(before + word)
            before = word
            continue
        before = ""
        if _MIN_LETTERS <= len(word) <= _MAX_LETTERS and word.isalpha() and word not in _CALENDAR:
            terms.add(word)
    return terms if sentence.isupper() else terms | _list_names(sentence)


def _list_names(sentence: str) -> set[str]:
    names = set()
    for found in _NAME.finditer(sentence):
        words = found[0].split()
        if found.start() == 0:
            words = words[1:]  # every first word has a capital
        words = [word for word in words if word.lower() not in _CALENDAR]
        if 1 < len(words) <= _MAX_NAME_WORDS and not found[0].isupper():
            names.add(" ".join(words))
    return names
