"""Closes the elements of a page, by their end tags or without."""

from gossamer.net.html.scanner.open_elements cimport Element, OpenElements
from gossamer.net.html.scanner.tokens cimport Name

cdef class ElementCloser(OpenElements):
    cdef bint body_begun
    # Whether the head ended before the body began.
    cdef bint head_ended
    # The place of the form on the stack; -1 if none is open, -2 if it was opened between the rows of a table.
    cdef int form

    cdef int imply_ends(self, int but) except -1
    cdef int close_paragraph(self) except -1
    cdef bint close_cell(self) except -1
    cdef int close(self, Name name) except -1
    cdef int close_distant(self, Element element) except -1
    cdef int find_innermost_item(self) noexcept
    cdef int close_scoped(self, int number, int place) except -1
    cdef int close_heading(self) except -1
    cdef int close_form(self) except -1
    cdef int close_formatting(self, int number) except -1
    cdef int close_other(self, Element element) except -1
    cdef int close_table_part(self, int number) except -1
