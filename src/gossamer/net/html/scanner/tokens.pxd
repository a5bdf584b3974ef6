"""Splits the source of a page into names, attributes and comments."""

from libc.stdint cimport uint64_t
from libc.string cimport memchr

from gossamer.net.html.scanner.collect_text cimport Sink

cdef enum:
    MOST_ATTRIBUTES = 40

cdef struct Name:
    # The first eight letters in lower case, and a hash of the others.
    uint64_t begin
    uint64_t rest
    Py_ssize_t end

cdef struct Attribute:
    Py_ssize_t name
    Py_ssize_t name_end
    Py_ssize_t value
    Py_ssize_t value_end

cdef bytes mend_line_ends(bytes source)
cdef Name read_name(const unsigned char* text, Py_ssize_t at, Py_ssize_t end) noexcept

cdef class Tokenizer:
    cdef const unsigned char* text
    cdef Py_ssize_t length
    cdef bint gives_up
    cdef bint self_closing
    cdef int attribute_count
    cdef Attribute[MOST_ATTRIBUTES] attributes
    # The text of the page; after it there is always room for the rest of the page.
    cdef Sink words

    cdef inline Py_ssize_t find_after(self, Py_ssize_t at, unsigned char wanted) noexcept:
        """Return the place after the next such character; the end of the page if there is none."""
        cdef const unsigned char* found
        if at >= self.length:
            return self.length
        found = <const unsigned char*>memchr(self.text + at, wanted, self.length - at)
        return found - self.text + 1 if found != NULL else self.length

    cdef Py_ssize_t skip_comment(self, Py_ssize_t at) noexcept
    cdef bint is_blank(self, Py_ssize_t at, Py_ssize_t end) noexcept
    cdef Py_ssize_t read_attributes(self, Py_ssize_t at) noexcept
    cdef void add_attribute(self, Attribute* found) noexcept
    cdef Attribute* find_attribute(self, const char* name, Py_ssize_t size) noexcept
    cdef Sink make_tail(self) noexcept
    cdef dict read_all_attributes(self)
    cdef bint has_capitals(self, Py_ssize_t at, Py_ssize_t end) noexcept
    cdef str read_value(self, Attribute* found)
    cdef str decode_value(self, Py_ssize_t start, Py_ssize_t end)
