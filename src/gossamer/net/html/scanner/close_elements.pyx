# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Closes the elements of a page, by their end tags or without (HTML standard, section 13.2.6.4).

This works while elements nest properly. Where the standard repairs a page, the scanner gives up; comments say why.
"""

from libc.stdint cimport uint32_t

from gossamer.net.html.scanner.open_elements cimport (
    Element,
    OpenElements,
    find_element,
    VOID,
    FORMATTING,
    SPECIAL,
    SCOPE,
    MARKER,
    END_IMPLIED,
    END_SCOPED,
    HEADING,
    RAW,
    TABLE_PART,
    MENDED,
    BODY,
    BR,
    CAPTION,
    COL,
    FORM,
    HEAD,
    HTML,
    LI,
    NOSCRIPT,
    OL,
    OPTGROUP,
    OPTION,
    P,
    SELECT,
    TABLE,
    TD,
    TH,
    UL,
)
from gossamer.net.html.scanner.tokens cimport Name


cdef class ElementCloser(OpenElements):
    """Closes the open elements of a page."""

    cdef int imply_ends(self, int but) except -1:
        """Close the elements whose end tags may be omitted, up to one that will be closed by name."""
        while self.top().bits & END_IMPLIED and self.top().number != but:
            self.pop()

    cdef int close_paragraph(self) except -1:
        """Close an open <p> within the innermost scope."""
        if self.paragraphs[self.scopes] > 0:
            self.imply_ends(P)
            self.pop_to(self.find_innermost(P, 0))

    cdef bint close_cell(self) except -1:
        """Close the cell in which a part of a table begins; return whether there is a table."""
        cdef int place = self.depth - 1
        while place >= 0 and not self.stack[place].bits & (SCOPE | TABLE_PART):
            place -= 1
        if place < 0:
            return False
        if not self.stack[place].bits & TABLE_PART or self.stack[place].number == CAPTION:
            self.gives_up = True
            return False
        if self.stack[place].number == TD or self.stack[place].number == TH:
            self.imply_ends(0)
            self.pop_to(place)
        return not self.gives_up

    cdef int close(self, Name name) except -1:
        """Close the element of an end tag, which is mostly the innermost."""
        cdef Element* top = self.top()
        if top.begin == name.begin and top.rest == name.rest and self.depth and top.number != FORM:
            self.pop()
        elif self.drawing >= 0:
            self.gives_up = True
        else:
            self.close_distant(find_element(name))

    cdef int close_distant(self, Element element) except -1:
        """Process an end tag that does not close the innermost element."""
        cdef uint32_t bits = element.bits
        cdef int number = element.number
        if number == HTML or number == BODY or number == HEAD:
            # Content after them is moved before them. Within <noscript> in the head they are ignored.
            if self.top().number != NOSCRIPT:
                self.head_ended = True
                self.body_begun |= number != HEAD
            return 0
        if bits & MENDED:
            self.gives_up = True
        elif self.top().bits & TABLE_PART and not self.top().bits & MARKER and not (bits & TABLE_PART or number == FORM):
            self.gives_up = True
        elif self.selects and number != SELECT and number != OPTGROUP and number != OPTION:
            self.gives_up = True
        elif bits & TABLE_PART:
            self.close_table_part(number)
        elif number == P:
            if self.paragraphs[self.scopes] > 0:
                self.close_paragraph()
            elif self.body_begun:
                self.mark_border()
                if self.recorder is not None:
                    self.recorder.add_void(self, P, False)
        elif number == BR:
            self.gives_up |= not self.body_begun and self.depth > 0
            self.body_begun = True
            self.mark_border()
            if self.recorder is not None:
                self.recorder.add_void(self, BR, False)
        elif number == FORM:
            self.close_form()
        elif bits & HEADING:
            self.close_heading()
        elif number == LI:
            self.close_scoped(LI, self.find_innermost_item())
        elif bits & END_SCOPED:
            self.close_scoped(number, self.find_innermost(number, SCOPE))
        elif bits & FORMATTING:
            self.close_formatting(number)
        elif not bits & (VOID | RAW):
            self.close_other(element)

    cdef int find_innermost_item(self) noexcept:
        cdef int place = self.depth - 1
        while place >= 0:
            if self.stack[place].number == LI:
                return place
            if self.stack[place].bits & SCOPE or self.stack[place].number == UL or self.stack[place].number == OL:
                return -1
            place -= 1
        return -1

    cdef int close_scoped(self, int number, int place) except -1:
        if place >= 0:
            self.imply_ends(number)
            self.pop_to(place)

    cdef int close_heading(self) except -1:
        """Close the open heading: the end tag of any heading closes any other."""
        cdef int place = self.depth - 1
        while place >= 0 and not self.stack[place].bits & (HEADING | SCOPE):
            place -= 1
        if place >= 0 and self.stack[place].bits & HEADING:
            self.imply_ends(0)
            self.pop_to(place)

    cdef int close_form(self) except -1:
        cdef int place = self.form
        self.form = -1
        if place < 0:
            return 0
        if self.find_innermost(FORM, SCOPE) != place:
            self.gives_up = True
            return 0
        self.imply_ends(0)
        if self.depth - 1 == place:
            self.pop()
        else:
            self.gives_up = True  # it ends, but the elements open in it continue

    cdef int close_formatting(self, int number) except -1:
        """Close formatting; out of order, this is simple only if no block began inside it."""
        cdef int place = self.find_innermost(number, SPECIAL)
        if place >= 0:
            self.pop_to(place)
        elif self.find_innermost(number, MARKER) >= 0:
            self.gives_up = True

    cdef int close_other(self, Element element) except -1:
        """Close an element without a rule in the standard, unless a block began inside it."""
        cdef int place = self.depth - 1
        while place >= 0:
            if self.stack[place].begin == element.begin and self.stack[place].rest == element.rest:
                self.imply_ends(element.number)
                self.pop_to(place)
                return 0
            if self.stack[place].bits & SPECIAL:
                return 0
            place -= 1

    cdef int close_table_part(self, int number) except -1:
        """Close a part of the innermost table, after the cell that is open in it."""
        cdef int place = self.depth - 1
        cdef int cell = self.depth - 1
        cdef uint32_t bits
        if number == COL:
            return 0
        while place >= 0 and self.stack[place].number != number:
            bits = self.stack[place].bits
            if self.stack[place].number == TABLE or bits & MARKER and not bits & TABLE_PART:
                break
            place -= 1
        if place < 0 or self.stack[place].number != number:
            self.gives_up |= place >= 0
            return 0
        while cell > place and not self.stack[cell].bits & TABLE_PART:
            cell -= 1
        if self.stack[cell].number == CAPTION and number != CAPTION:
            self.gives_up = True
        elif self.stack[cell].bits & MARKER:
            self.imply_ends(0)
            self.pop_to(cell)
        if self.depth > place:
            self.pop_to(place)
