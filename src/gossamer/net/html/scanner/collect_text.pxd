"""Collects the text of a page: one space for a run of white space, a line end where a block begins or ends."""

cdef struct Sink:
    unsigned char* data
    Py_ssize_t size
    Py_ssize_t room
    bint space
    bint line

cdef bint add_source(Sink* sink, const unsigned char* source, Py_ssize_t at, Py_ssize_t end, bint has_references) except -1
cdef bint add_raw(Sink* sink, const unsigned char* source, Py_ssize_t at, Py_ssize_t end, bint has_references) except -1
cdef bint add_separate_words(Sink* sink, str words) except -1
cdef str to_text(Sink* sink)

cdef inline void clear(Sink* sink) noexcept:
    sink.size = 0
    sink.space = sink.line = False
