# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What is open at a place of a page, and the words that are gathered from there: of the page, a link, a heading."""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from gossamer.net.html.scanner.tokens cimport Name, name_at
from gossamer.net.html.scanner.tag_bits import MEANINGS, TAGS
from gossamer.net.html.scanner.collect_text cimport Sink, empty, feed, words_of

cdef enum:
    SLOTS = 1024
    # More than any link or heading has; a longer one is left to the parser, which knows where to stop.
    MOST_LABEL_BYTES = 4_000
    MOST_LABEL_TAGS = 300

cdef Element[SLOTS] slots
cdef tuple NAMES = ("", *TAGS)


cdef inline Py_ssize_t slot_of(uint64_t begin, uint64_t rest) noexcept:
    return <Py_ssize_t>(((begin ^ rest) * 0x9E3779B97F4A7C15ULL) >> 54)


cdef Element element_named(Name name) noexcept:
    """What a tag of this name means: nothing, if the standard does not name it."""
    cdef Py_ssize_t slot = slot_of(name.begin, name.rest)
    cdef Element unknown
    while slots[slot].number:
        if slots[slot].begin == name.begin and slots[slot].rest == name.rest:
            return slots[slot]
        slot = (slot + 1) & (SLOTS - 1)
    unknown.begin, unknown.rest = name.begin, name.rest
    unknown.bits, unknown.number = 0, 0
    return unknown


cdef Element element_numbered(int number) noexcept:
    return numbered[number]


cdef str tag_name(int number):
    return NAMES[number]


cdef int number_of(str tag):
    cdef bytes name = tag.encode()
    return element_named(name_at(name, 0, len(name))).number


def _fill_slots():
    cdef Element element
    cdef Name name
    cdef Py_ssize_t slot
    memset(slots, 0, sizeof(slots))
    for number, (tag, bits) in enumerate(TAGS.items(), start=1):
        spelt = tag.encode()
        name = name_at(spelt, 0, len(spelt))
        element.begin, element.rest = name.begin, name.rest
        element.bits, element.number = bits, number
        slot = slot_of(name.begin, name.rest)
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
A = number_of("a")
BODY = number_of("body")
BR = number_of("br")
BUTTON = number_of("button")
CAPTION = number_of("caption")
COL = number_of("col")
COLGROUP = number_of("colgroup")
DD = number_of("dd")
DIV = number_of("div")
DT = number_of("dt")
FORM = number_of("form")
HEAD = number_of("head")
HTML = number_of("html")
IMG = number_of("img")
INPUT = number_of("input")
LI = number_of("li")
NOBR = number_of("nobr")
NOSCRIPT = number_of("noscript")
OL = number_of("ol")
OPTGROUP = number_of("optgroup")
OPTION = number_of("option")
P = number_of("p")
ADDRESS = number_of("address")
SCRIPT = number_of("script")
SELECT = number_of("select")
STYLE = number_of("style")
SVG = number_of("svg")
TABLE = number_of("table")
TBODY = number_of("tbody")
TD = number_of("td")
TEXTAREA = number_of("textarea")
TFOOT = number_of("tfoot")
TH = number_of("th")
THEAD = number_of("thead")
TITLE = number_of("title")
TR = number_of("tr")
UL = number_of("ul")


cdef class Elements(Source):
    """The open elements of a page. Labels of links and headings do not nest: what nests is left to the parser."""

    cdef int take_words(self, Py_ssize_t at, Py_ssize_t end, bint has_references) except -1:
        """Words of the page, and of the link and the heading that they stand in."""
        cdef bint had_room = True
        if self.unread == 0:
            had_room = feed(&self.words, self.text, at, end, has_references)
        if self.anchor >= 0 and self.unread == self.anchor_unread:
            had_room &= feed(&self.anchor_words, self.text, at, end, has_references)
        if self.heading >= 0 and self.unread == self.heading_unread:
            had_room &= feed(&self.heading_words, self.text, at, end, has_references)
        self.gives_up |= not had_room

    cdef int pop(self) except -1:
        """Close the innermost element."""
        self.depth -= 1
        cdef Element* closed = &self.stack[self.depth]
        if self.depth == self.anchor:
            self.labels.append(self.label(&self.anchor_words, self.anchor_tags))
            self.anchor = -1
        elif self.depth == self.heading:
            level = closed.begin >> 8 & 0xF  # the digit of its name
            self.headings.append((level, self.label(&self.heading_words, self.heading_tags)))
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
            self.border()

    cdef int pop_to(self, int place) except -1:
        """Close the element at a place and all within it; formatting without an end tag would be opened again."""
        while self.depth > place and not self.gives_up:
            if self.depth - 1 > place and self.stack[self.depth - 1].bits & FORMATTING:
                self.gives_up = True
            else:
                self.pop()

    cdef void begin_anchor(self) noexcept:
        self.anchor = self.depth - 1
        self.anchor_unread = self.unread
        self.anchor_tags = 0
        empty(&self.anchor_words)

    cdef void begin_heading(self) noexcept:
        self.heading = self.depth - 1
        self.heading_unread = self.unread
        self.heading_tags = 0
        empty(&self.heading_words)

    cdef str label(self, Sink* sink, int tags):
        if sink.size > MOST_LABEL_BYTES or tags > MOST_LABEL_TAGS:
            self.gives_up = True
        return words_of(sink)

    cdef int innermost(self, int number, uint32_t stopping) noexcept:
        """Where the innermost element of a kind stands, if nothing that stops the search is within it; else -1."""
        cdef int place = self.depth - 1
        while place >= 0:
            if self.stack[place].number == number:
                return place
            if self.stack[place].bits & stopping:
                return -1
            place -= 1
        return -1
