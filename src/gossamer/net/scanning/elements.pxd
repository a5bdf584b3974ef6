"""What is open at a place of a page, and the words that are gathered from there."""

from libc.stdint cimport uint32_t, uint64_t

from gossamer.net.scanning.source cimport Name, Source
from gossamer.net.scanning.words cimport Sink

cdef enum:
    # Open elements. What nests deeper is left to the parser, so no step takes longer than this.
    DEEPEST = 200

# What tags mean, one bit each, and their numbers; see `tags`.
cdef uint32_t BLOCK, UNREAD, VOID, FORMATTING, SPECIAL, CLOSES_P, SCOPE, PARAGRAPH_SCOPE, MARKER
cdef uint32_t END_IMPLIED, END_SCOPED, HEADING, RAW, IN_HEAD, IN_HEAD_NOSCRIPT, TABLE_PART, LEAVES_DRAWING, NAMED, MENDED
cdef int A, BODY, BR, BUTTON, CAPTION, COL, COLGROUP, DD, DIV, DT, FORM, HEAD, HTML, IMG, INPUT, LI, NOBR, NOSCRIPT
cdef int OL, OPTGROUP, OPTION, P, ADDRESS, SCRIPT, SELECT, STYLE, SVG, TABLE, TBODY, TD, TEXTAREA, TFOOT, TH, THEAD, TITLE, TR, UL

cdef struct Element:
    uint64_t begin
    uint64_t rest
    uint32_t bits
    int number

cdef Element element_named(Name name) noexcept
cdef Element element_numbered(int number) noexcept
cdef str tag_name(int number)

cdef class Elements(Source):
    cdef Element[DEEPEST] stack
    cdef int depth
    # How many of the open elements are not read.
    cdef int unread
    # Open <p> within each scope of theirs.
    cdef int[DEEPEST] paragraphs
    cdef int scopes
    cdef int selects
    # Where the <a> and the heading stand that are read, and an <svg>; -1 if none is open.
    cdef int anchor
    cdef int heading
    cdef int drawing
    cdef int anchor_unread
    cdef int anchor_tags
    cdef int heading_unread
    cdef int heading_tags
    cdef Sink anchor_words
    cdef Sink heading_words
    cdef list labels
    cdef list headings

    cdef Element* top(self) noexcept
    cdef void take_words(self, Py_ssize_t at, Py_ssize_t end, bint has_references) except *
    cdef void border(self) noexcept
    cdef void push(self, Element element) noexcept
    cdef void pop(self) except *
    cdef void pop_to(self, int place) except *
    cdef void begin_anchor(self) noexcept
    cdef void begin_heading(self) noexcept
    cdef str label(self, Sink* sink, int tags)
    cdef int innermost(self, int number, uint32_t stopping) noexcept
