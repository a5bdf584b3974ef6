# cython: language_level=3
"""Find the base form of a word by a dictionary: over several steps, by its endings, by the parts of a compound.

It is compiled since each new word of an index takes several look-ups: its term takes six microseconds, and took seventeen in Python.
"""

import re

from gossamer.search.terms.compound_words import find_part_spans
from gossamer.search.terms.word_derivation cimport find_origin, guess_base, restore_umlauts
from gossamer.search.terms.word_frequencies cimport WordCosts

cdef enum:
    # Centibels. “Gone” is a thousand times more frequent than gan.
    MARGIN = 150
    # A name is a form of another word only if that one is about as frequent.
    MARGIN_OF_NAMES = 60
    # “Meetings” is meeting, and that is meet.
    MOST_STEPS = 3
    # Shorter words are abbreviations and particles: “m” is not a form of be.
    SHORTEST = 3
    SHORTEST_GUESS = 4
cdef tuple GERMAN_ENDINGS = ("es", "en", "s", "n", "e")
_PARTICIPLE = re.compile(r"(.{3,}t)e[nmrs]?")


cdef class BaseFormFinder:
    """Finds the base forms of the words of one language."""

    def __init__(
        self, str language not None, LemmaDictionary dictionary not None, WordCosts costs not None, stop_words=frozenset()
    ):
        """Prepare the search with a dictionary, with how rare words are, and with words that have no base form."""
        self._language, self._is_english, self._is_german = language, language == "en", language == "de"
        self._dictionary, self._costs, self._stop_words = dictionary, costs, stop_words

    cpdef str find_in_text(self, str word):
        """Return the base form of a word in lower case; None for unknown words, stop words and abbreviations."""
        if len(word) < SHORTEST or not word.isalpha() or word in self._stop_words:
            return None
        return self.find(word)

    cpdef str find(self, str word):
        """Return the base form of a word in lower case, and of English and German words what it is derived from; None for unknown words."""
        cdef str known = restore_umlauts(word, self._dictionary) if self._is_german else word
        cdef str base = self._follow(known) or self._guess(known)
        return find_origin(base, self._language, self._dictionary, self._costs) if base else None

    cdef str _guess(self, str word):
        """Return the base form of a word that the dictionary does not have, by its endings or by its parts; or None."""
        cdef str known, one, base
        cdef list forms
        if self._is_english:
            known = guess_base(word, self._dictionary, self._costs)
            return known and (self._follow(known) or known)
        if not self._is_german:
            return None
        forms = [word[:len(word) - len(one)] for one in GERMAN_ENDINGS if word.endswith(one)]
        forms = [one for one in forms if len(one) >= SHORTEST_GUESS]
        for one in forms:
            base = self._follow(one)
            if base:
                return base
        for one in (word, *forms):
            base = self._find_in_compound(one)
            if base:
                return base
        return None

    cdef str _follow(self, str word):
        """Return the base form of the base form of a word, and so on; None for unknown words."""
        cdef str base = self._look_up(word), further
        cdef int step
        for step in range(MOST_STEPS):
            further = self._look_up(base) if base else None
            if further is None or further == base or further == word:
                break
            base = further
        return base

    cdef str _look_up(self, str word):
        """Return the base form of a word in lower case, or None."""
        cdef str base = self._dictionary.get(word), name, found
        if base == word and not self._is_german:
            return word
        name = self._dictionary.get(word.capitalize())
        if base is None and name is None:
            return None
        if base is None or name is None:
            found = (base or name or "").lower()
            if name and found == word:
                return self._find_participle(word) or word
            return found if self._is_plausible(found, word, MARGIN) else word
        return self._choose(word, base.lower(), name.lower())

    cdef str _choose(self, str word, str base, str name):
        """Return the base form of a word that may also be a name, or a German noun.

        “Haus” is not a form of the verb hausen, but “alte” is alt, though a noun; French “paris” is not the plural of pari.
        """
        if self._is_german:
            return name if base.endswith("n") else base
        return base if name != word or self._is_plausible(base, word, MARGIN_OF_NAMES) else word

    cdef str _find_participle(self, str word):
        """Return the verb of a German participle that the dictionary has only as a noun: “gelöschte” is löschen."""
        participle = _PARTICIPLE.fullmatch(word) if self._is_german else None
        cdef str verb = self._dictionary.get(participle[1]) if participle else None
        return verb if verb and verb.endswith("n") else None

    cdef bint _is_plausible(self, str base, str word, int margin):
        return self._costs.estimate(base) <= self._costs.estimate(word) + margin

    cdef str _find_in_compound(self, str word):
        """Return a compound with the base form of its last part, or None."""
        cdef str base
        cdef Py_ssize_t last
        spans = find_part_spans(word, self._language)
        if not spans:
            return None
        last = spans[-1][0]
        base = self._follow(word[last:])
        return word[:last] + base if base else None
