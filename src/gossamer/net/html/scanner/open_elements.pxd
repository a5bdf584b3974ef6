"""The stack of open elements, and the text that is collected inside them."""

from libc.stdint cimport uint32_t, uint64_t

from gossamer.net.html.scanner.tokens cimport Name, Tokenizer
from gossamer.net.html.scanner.collect_text cimport Sink
from gossamer.net.html.scanner.record_layout cimport LayoutRecorder

cdef enum:
    # Open elements. Pages with deeper nesting are left to the parser, so that no step takes longer than this.
    DEEPEST = 200

# The meanings of tags, one bit each, and their numbers; see `tag_bits`.
cdef uint32_t BLOCK, UNREAD, VOID, FORMATTING, SPECIAL, CLOSES_P, SCOPE, PARAGRAPH_SCOPE, MARKER
cdef uint32_t END_IMPLIED, END_SCOPED, HEADING, RAW, IN_HEAD, IN_HEAD_NOSCRIPT, TABLE_PART, LEAVES_DRAWING, NAMED, MENDED
cdef int A, BODY, BR, BUTTON, CAPTION, COL, COLGROUP, DD, DIV, DT, FORM, HEAD, HTML, IMG, INPUT, LI, NOBR, NOSCRIPT
cdef int OL, OPTGROUP, OPTION, P, ADDRESS, SCRIPT, SELECT, STYLE, SVG, TABLE, TBODY, TD, TEXTAREA, TFOOT, TH, THEAD, TITLE, TR, UL

cdef struct Element:
    uint64_t begin
    uint64_t rest
    uint32_t bits
    int number

cdef Element[256] numbered

cdef Element find_element(Name name) noexcept
cdef Element get_element(int number) noexcept
cdef str get_tag_name(int number)

cdef class OpenElements(Tokenizer):
    cdef Element[DEEPEST] stack
    cdef int depth
    # The number of open elements whose text is not read.
    cdef int unread
    # The number of open <p> within each scope.
    cdef int[DEEPEST] paragraphs
    cdef int scopes
    cdef int selects
    # The places of the open <a>, heading and <svg>; -1 if none is open.
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
    # Records the layout of the page instead of its content, if there is one.
    cdef LayoutRecorder recorder

    cdef inline Element* top(self) noexcept:
        """Return the innermost open element; one without meaning if none is open."""
        return &self.stack[self.depth - 1] if self.depth else &numbered[0]

    cdef int add_words(self, Py_ssize_t at, Py_ssize_t end, bint has_references) except -1
    cdef inline void mark_border(self) noexcept:
        """Record that a block begins or ends."""
        if self.unread == 0:
            self.words.line = True
        if self.anchor >= 0 and self.unread == self.anchor_unread:
            self.anchor_words.space = True
        if self.heading >= 0 and self.unread == self.heading_unread:
            self.heading_words.space = True

    cdef inline void push(self, Element element) noexcept:
        if self.depth >= DEEPEST - 1:
            self.gives_up = True
            return
        if element.bits & BLOCK:
            self.mark_border()
        self.stack[self.depth] = element
        if self.recorder is not None:
            self.recorder.marks[self.depth] = 0
            self.recorder.continues = False
        self.depth += 1
        if element.bits & UNREAD:
            self.unread += 1
        if element.bits & PARAGRAPH_SCOPE:
            self.scopes += 1
            self.paragraphs[self.scopes] = 0
        if element.number == P:
            self.paragraphs[self.scopes] += 1
        elif element.number == SELECT:
            self.selects += 1

    cdef int pop(self) except -1
    cdef int pop_to(self, int place) except -1
    cdef void start_anchor(self) noexcept
    cdef void start_heading(self) noexcept
    cdef str finish_label(self, Sink* sink, int tags)
    cdef int find_innermost(self, int number, uint32_t stopping) noexcept
