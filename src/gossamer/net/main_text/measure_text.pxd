"""Measures the text of one fragment."""

cdef double measure_length(str text) noexcept
cdef bint has_sentences(str text) noexcept
cdef bint ends_sentence(str text) noexcept
cdef bint has_date(str text) noexcept
cdef bint begins_with_cue(str text) except -1
