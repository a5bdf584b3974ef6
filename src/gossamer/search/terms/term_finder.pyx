# cython: language_level=3
"""Find the term of a word: its base form or its stem, in plain letters.

It is compiled since an index asks for each of its different words: in Python the steps between dictionary, stemmer and stop words
took longer than these.
"""

from gossamer.search.terms.base_form_finder cimport BaseFormFinder

cdef enum:
    LONGEST = 60
    MOST_CACHED = 200_000

LONGEST_TERM = LONGEST
"""Longer words are cut off: they are not words, and would fill the dictionary."""
# German “Sicherheit” is stemmed to “sich”, Dutch “overheid” to “over”: unmarked, they would match every page.
# No word contains this character, since words are split at it.
cdef str NO_STOP_WORD = "_"


cdef class TermFinder:
    """Finds the terms of the words of one language."""

    cdef BaseFormFinder _base_forms
    cdef object _stop_words, _stem, _fold
    cdef bint _is_whole
    cdef dict _are_stop_words

    def __init__(self, BaseFormFinder base_forms, stop_words not None, stem, fold not None, bint has_whole_bases):
        """Prepare the search; without a dictionary or a stemmer, words are left as they are but for accents."""
        self._base_forms, self._stop_words = base_forms, stop_words
        self._stem, self._fold, self._is_whole = stem, fold, has_whole_bases
        self._are_stop_words = {}

    def find(self, str word not None):
        """Return the term of a word in lower case."""
        cdef str base = None, term
        if self._base_forms is not None and len(word) <= LONGEST:
            base = self._base_forms.find_in_text(word)
        term = (base or word)[:LONGEST]
        if self._stem is not None and not (self._is_whole and base is not None):
            term = _join(self._stem(term)) or word[:LONGEST]
        elif not (term.isascii() and term.isalnum()):
            term = _join(self._fold(term)) or word[:LONGEST]
        if term != word and self._is_stop_word(term) and not self._is_stop_word(word):
            term += NO_STOP_WORD
        return term

    cdef bint _is_stop_word(self, str word) except -1:
        """Say whether a word is a stop word: many words share a term."""
        known = self._are_stop_words.get(word)
        if known is None:
            if len(self._are_stop_words) >= MOST_CACHED:
                self._are_stop_words.clear()
            known = self._are_stop_words[word] = word in self._stop_words
        return known


cdef str _join(list pieces):
    """Return pieces as one word: characters that fold to nothing, or to a space, must not split it."""
    cdef str joined = pieces[0] if len(pieces) == 1 else "".join(pieces)
    return joined if joined.isalnum() else "".join(joined.split())
