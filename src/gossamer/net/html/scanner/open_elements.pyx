# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The stack of open elements, and the text that is collected inside them: of the page, a link, a heading."""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from gossamer.net.html.scanner.tokens cimport Name, read_name
from gossamer.net.html.scanner.tag_bits import MEANINGS, TAGS
from gossamer.net.html.scanner.collect_text cimport Sink, clear, add_source, to_text

cdef enum:
    SLOTS = 1024
    # More than any link or heading has; a longer one is left to the parser, which has limits of its own.
    MOST_LABEL_BYTES = 4_000
    MOST_LABEL_TAGS = 300

cdef Element[SLOTS] slots
cdef tuple NAMES = ("", *TAGS)


cdef inline Py_ssize_t find_slot(uint64_t begin, uint64_t rest) noexcept:
    return <Py_ssize_t>(((begin ^ rest) * 0x9E3779B97F4A7C15ULL) >> 54)


cdef Element find_element(Name name) noexcept:
    """Return the element of this name; one without meaning if the standard does not know the name."""
    cdef Py_ssize_t slot = find_slot(name.begin, name.rest)
    cdef Element unknown
    while slots[slot].number:
        if slots[slot].begin == name.begin and slots[slot].rest == name.rest:
            return slots[slot]
        slot = (slot + 1) & (SLOTS - 1)
    unknown.begin, unknown.rest = name.begin, name.rest
    unknown.bits, unknown.number = 0, 0
    return unknown


cdef Element get_element(int number) noexcept:
    return numbered[number]


cdef str get_tag_name(int number):
    return NAMES[number]


cdef int find_number(str tag):
    cdef bytes name = tag.encode()
    return find_element(read_name(name, 0, len(name))).number


def _fill_slots():
    cdef Element element
    cdef Name name
    cdef Py_ssize_t slot
    memset(slots, 0, sizeof(slots))
    for number, (tag, bits) in enumerate(TAGS.items(), start=1):
        encoded = tag.encode()
        name = read_name(encoded, 0, len(encoded))
        element.begin, element.rest = name.begin, name.rest
        element.bits, element.number = bits, number
        slot = find_slot(name.begin, name.rest)
        while slots[slot].number:
            slot = (slot + 1) & (SLOTS - 1)
        slots[slot] = numbered[number] = element


_fill_slots()
BLOCK = MEANINGS["block"]
UNREAD = MEANINGS["unread"]
VOID = MEANINGS["void"]
FORMATTING = MEANINGS["formatting"]
SPECIAL = MEANINGS["special"]
CLOSES_P = MEANINGS["closes p"]
SCOPE = MEANINGS["scope"]
PARAGRAPH_SCOPE = MEANINGS["paragraph scope"]
MARKER = MEANINGS["marker"]
END_IMPLIED = MEANINGS["end implied"]
END_SCOPED = MEANINGS["end scoped"]
HEADING = MEANINGS["heading"]
RAW = MEANINGS["raw"]
IN_HEAD = MEANINGS["in head"]
IN_HEAD_NOSCRIPT = MEANINGS["in head noscript"]
TABLE_PART = MEANINGS["table part"]
LEAVES_DRAWING = MEANINGS["leaves drawing"]
NAMED = MEANINGS["named"]
MENDED = MEANINGS["mended"]
A = find_number("a")
BODY = find_number("body")
BR = find_number("br")
BUTTON = find_number("button")
CAPTION = find_number("caption")
COL = find_number("col")
COLGROUP = find_number("colgroup")
DD = find_number("dd")
DIV = find_number("div")
DT = find_number("dt")
FORM = find_number("form")
HEAD = find_number("head")
HTML = find_number("html")
IMG = find_number("img")
INPUT = find_number("input")
LI = find_number("li")
NOBR = find_number("nobr")
NOSCRIPT = find_number("noscript")
OL = find_number("ol")
OPTGROUP = find_number("optgroup")
OPTION = find_number("option")
P = find_number("p")
ADDRESS = find_number("address")
SCRIPT = find_number("script")
SELECT = find_number("select")
STYLE = find_number("style")
SVG = find_number("svg")
TABLE = find_number("table")
TBODY = find_number("tbody")
TD = find_number("td")
TEXTAREA = find_number("textarea")
TFOOT = find_number("tfoot")
TH = find_number("th")
THEAD = find_number("thead")
TITLE = find_number("title")
TR = find_number("tr")
UL = find_number("ul")


cdef class OpenElements(Tokenizer):
    """The open elements of a page. Links and headings do not nest: pages in which they do are left to the parser."""

    cdef int add_words(self, Py_ssize_t at, Py_ssize_t end, bint has_references) except -1:
        """Add text to the page, and to the link and the heading around it."""
        cdef bint had_room = True
        if self.recorder is not None:
            return self.recorder.add_words(self, at, end, has_references)
        if self.unread == 0:
            had_room = add_source(&self.words, self.text, at, end, has_references)
        if self.anchor >= 0 and self.unread == self.anchor_unread:
            had_room &= add_source(&self.anchor_words, self.text, at, end, has_references)
        if self.heading >= 0 and self.unread == self.heading_unread:
            had_room &= add_source(&self.heading_words, self.text, at, end, has_references)
        self.gives_up |= not had_room

    cdef int pop(self) except -1:
        """Close the innermost element."""
        self.depth -= 1
        cdef Element* closed = &self.stack[self.depth]
        if self.recorder is not None:
            self.recorder.close(self, self.depth)
        if self.depth == self.anchor:
            self.labels.append(self.finish_label(&self.anchor_words, self.anchor_tags))
            self.anchor = -1
        elif self.depth == self.heading:
            level = closed.begin >> 8 & 0xF  # the digit of its name
            self.headings.append((level, self.finish_label(&self.heading_words, self.heading_tags)))
            self.heading = -1
        elif self.depth == self.drawing:
            self.drawing = -1
        if closed.bits & UNREAD:
            self.unread -= 1
        if closed.bits & PARAGRAPH_SCOPE:
            self.scopes -= 1
        if closed.number == P:
            self.paragraphs[self.scopes] -= 1
        elif closed.number == SELECT:
            self.selects -= 1
        if closed.bits & BLOCK:
            self.mark_border()

    cdef int pop_to(self, int place) except -1:
        """Close the element at a place and all inside it; give up on open formatting, which would be opened again."""
        while self.depth > place and not self.gives_up:
            if self.depth - 1 > place and self.stack[self.depth - 1].bits & FORMATTING:
                self.gives_up = True
            else:
                self.pop()

    cdef void start_anchor(self) noexcept:
        self.anchor = self.depth - 1
        self.anchor_unread = self.unread
        self.anchor_tags = 0
        clear(&self.anchor_words)

    cdef void start_heading(self) noexcept:
        self.heading = self.depth - 1
        self.heading_unread = self.unread
        self.heading_tags = 0
        clear(&self.heading_words)

    cdef str finish_label(self, Sink* sink, int tags):
        if sink.size > MOST_LABEL_BYTES or tags > MOST_LABEL_TAGS:
            self.gives_up = True
        return to_text(sink)

    cdef int find_innermost(self, int number, uint32_t stopping) noexcept:
        """Return the place of the innermost element of a kind; -1 if an element that stops the search comes first."""
        cdef int place = self.depth - 1
        while place >= 0:
            if self.stack[place].number == number:
                return place
            if self.stack[place].bits & stopping:
                return -1
            place -= 1
        return -1
