"""What ends the elements of a page: their end tags, and what ends them without."""

from gossamer.net.scanning.elements cimport Element, Elements
from gossamer.net.scanning.source cimport Name

cdef class Ends(Elements):
    cdef bint body_begun
    # Where the form stands on the stack; -1 if none is open, -2 if it was opened between the rows of a table.
    cdef int form

    cdef void imply_ends(self, int but) except *
    cdef void close_paragraph(self) except *
    cdef bint close_cell(self) except -1
    cdef void close(self, Name name) except *
    cdef void close_distant(self, Element element) except *
    cdef int innermost_item(self) noexcept
    cdef void close_scoped(self, int number, int place) except *
    cdef void close_heading(self) except *
    cdef void close_form(self) except *
    cdef void close_formatting(self, int number) except *
    cdef void close_other(self, Element element) except *
    cdef void close_table_part(self, int number) except *
