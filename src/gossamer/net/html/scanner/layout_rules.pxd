"""What the layout of a page needs to know about tags and names, as tables."""

from libc.stdint cimport uint32_t

from gossamer.net.html.scanner.name_words cimport NameWords

cdef enum:
    # Kinds of text with rules of their own; others have higher numbers.
    SAME_KIND, NAVIGATION, PARAGRAPH, TABLE_CELL, CODE

cdef class LayoutRules:
    # By the number of a tag: its name, the number of its kind, its hints.
    cdef tuple names
    cdef unsigned char[256] kinds
    cdef uint32_t[256] hints
    cdef list kind_names
    cdef uint32_t navigation
    cdef int a
    cdef int br
    cdef int noscript
    cdef int p
    cdef NameWords words
    cdef object find_hints
    cdef object hiding_style

    cdef bint may_hide(self, const unsigned char* text, Py_ssize_t at, Py_ssize_t end) noexcept
