from gossamer.search.terms.lemma_dictionary cimport LemmaDictionary
from gossamer.search.terms.word_frequencies cimport WordCosts


cdef class BaseFormFinder:
    cdef str _language
    cdef bint _is_english, _is_german
    cdef LemmaDictionary _dictionary
    cdef WordCosts _costs
    cdef object _stop_words

    cpdef str find(self, str word)
    cpdef str find_in_text(self, str word)
    cdef str _guess(self, str word)
    cdef str _follow(self, str word)
    cdef str _look_up(self, str word)
    cdef str _choose(self, str word, str base, str name)
    cdef str _find_participle(self, str word)
    cdef bint _is_plausible(self, str base, str word, int margin)
    cdef str _find_in_compound(self, str word)
