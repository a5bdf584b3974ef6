# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Finds where the tree of a page would get too large, in one pass over its source, before anything is built.

Tree construction in the HTML standard copies elements: formatting that is not closed is opened again in every further
block, with all its attributes; the attributes of every <html> and <body> are added to the first; <selectedcontent> copies
an <option>. This pass counts an upper bound of these copies and never trusts what it does not understand: a tag counts as
closed only by an end tag of its name when it is the innermost open one, for then the parser closes it as well. Formatting
in front of a table cell, an <object> or a drawing stays counted for ever, because rules that depend on the tree decide
when such formatting ends. Tests compare the bound with the parser's trees of random hostile pages. Cost: O(length).
"""

from cpython.mem cimport PyMem_Free, PyMem_Realloc
from libc.stdint cimport uint32_t, uint64_t

from gossamer.net.html.scanner.open_elements cimport (
    Element,
    find_element,
    VOID,
    FORMATTING,
    CLOSES_P,
    MARKER,
    RAW,
    BLOCK,
    TABLE_PART,
    LEAVES_DRAWING,
    A,
    BODY,
    COL,
    HEAD,
    HTML,
    NOBR,
    SCRIPT,
    SVG,
)
from gossamer.net.html.scanner.tokens cimport Name, Tokenizer, read_name

cdef enum:
    # Rounds of the adoption agency (HTML standard, section 13.2.6.4.7): in each, open formatting may be copied once.
    ROUNDS = 8
    # No raw element has a longer name: reading on would take quadratic time in a row of "<".
    LONGEST_RAW_NAME = 16

cdef int MATH = find_element(read_name(b"math", 0, 4)).number
cdef int FRAMESET = find_element(read_name(b"frameset", 0, 8)).number
cdef int TEMPLATE = find_element(read_name(b"template", 0, 8)).number
cdef Name SELECTED_CONTENT = read_name(b"selectedcontent", 0, 15)


# The NUL after the page ends everything; there is none in it.
cdef unsigned char[256] ends_name, ends_value


def _fill_tables():
    for byte in range(256):
        ends_name[byte] = byte in b" \t\n\f\r/>=\0"
        ends_value[byte] = byte in b" \t\n\f\r>\0"


_fill_tables()


cdef struct OpenTag:
    uint64_t begin
    uint64_t rest
    # What opening it again costs: the element and its attributes; 0 for tags that are not formatting.
    Py_ssize_t weight
    # Whether it is in a drawing, unless that was left meanwhile; whether it opens one, or a template.
    bint is_drawing
    bint opens_drawing
    bint opens_template
    # `stuck` before it was opened.
    Py_ssize_t stuck
    # How many of the open tags up to this one are not mark-up within a line.
    Py_ssize_t blocks


cdef class TreeSize(Tokenizer):
    """The open tags of a page, and upper bounds of what its tree holds so far."""

    cdef OpenTag* open_tags
    cdef Py_ssize_t depth, room
    cdef Py_ssize_t tags, nodes, copies
    # What opening all unclosed formatting again costs.
    cdef Py_ssize_t weight
    # Whether formatting may have been closed by another tag than its own, so that it is opened again.
    cdef bint is_detached
    # Open tags before this place are never taken from `weight` again.
    cdef Py_ssize_t stuck
    # Open tags before this place may have been closed by leaving a drawing.
    cdef Py_ssize_t left_drawings
    cdef Py_ssize_t last_anchor
    # The number of open drawings, inside which raw text may not be raw, and of open templates.
    cdef Py_ssize_t drawings, templates
    cdef Py_ssize_t root_attributes
    cdef Py_ssize_t selected_contents
    # Whether a <frameset> was seen: if the parser takes it, raw text after it is mark-up, which makes frames only.
    cdef bint has_frames
    # Whether a <col> was seen in a template: after it, the parser ignores the tags of raw text and reads their content.
    cdef bint has_columns
    cdef Py_ssize_t attributes_of_tag

    def __cinit__(self):
        self.last_anchor = -1

    def __dealloc__(self):
        PyMem_Free(self.open_tags)

    cdef Py_ssize_t find_excess(self, bytes source, Py_ssize_t most_nodes, Py_ssize_t most_copies) except -2:
        """Return where one of these limits is exceeded; -1 if none is."""
        cdef Py_ssize_t at = 0
        cdef Py_ssize_t mark
        cdef unsigned char c
        self.text = source
        self.length = len(source)
        while at < self.length:
            mark = self.find_after(at, c'<') - 1
            if mark > at and self.is_detached:
                self.copies += self.weight  # text opens formatting again
            if self.text[mark] != c'<':
                return -1
            c = self.text[mark + 1]
            if 65 <= (c & 0xDF) <= 90:
                at = self.read_start_tag(mark + 1)
            elif c == c'/':
                at = self.read_end_tag(mark + 2)
            elif c == c'!' or c == c'?':
                self.nodes += 1
                if c == c'!' and self.text[mark + 2] == c'-' and self.text[mark + 3] == c'-':
                    at = self.skip_comment(mark + 4)
                else:
                    at = self.find_after(mark + 2, c'>')
            else:
                at = mark + 1
            if at < 0 or self.nodes > most_nodes or self.copies > most_copies:
                return mark
        return -1

    cdef Py_ssize_t skip_attributes(self, Py_ssize_t at) noexcept:
        """Count the attributes of a tag; return the place after the tag, or the end of the page."""
        cdef const unsigned char* text = self.text
        cdef Py_ssize_t end = self.length
        cdef unsigned char c
        self.attributes_of_tag = 0
        self.self_closing = False
        while at < end:
            c = text[at]
            if c == c'>':
                self.self_closing = text[at - 1] == c'/'
                return at + 1
            if ends_name[c] and c != c'=':
                at += 1
                continue
            self.attributes_of_tag += 1
            at += 1  # even an equals sign
            while not ends_name[text[at]]:
                at += 1
            while is_blank(text[at]):
                at += 1
            if text[at] != c'=':
                continue
            at += 1
            while is_blank(text[at]):
                at += 1
            if text[at] == c'"' or text[at] == c"'":
                at = self.find_after(at + 1, text[at])
                continue
            while not ends_value[text[at]]:
                at += 1
            if text[at] == c'>':
                return at + 1  # a slash before it belongs to the value
        return end

    cdef Py_ssize_t read_end_tag(self, Py_ssize_t at) except -2:
        cdef Name name
        cdef Element element
        if at >= self.length or not 65 <= (self.text[at] & 0xDF) <= 90:
            self.nodes += 1
            return self.find_after(at, c'>')
        name = read_name(self.text, at, self.length)
        at = self.skip_attributes(name.end)
        if self.depth and self.open_tags[self.depth - 1].begin == name.begin and self.open_tags[self.depth - 1].rest == name.rest:
            self.pop()
            return at
        element = find_element(name)
        self.is_detached = self.weight > 0
        self.left_drawings = self.depth
        if is_stopping(element):
            self.stuck = self.depth
        if element.bits & FORMATTING:
            self.copies += ROUNDS * self.weight
        if element.bits & BLOCK:
            self.nodes += 1  # </p> and </br> make elements
            self.copies += self.weight
        return at

    cdef Py_ssize_t read_start_tag(self, Py_ssize_t at) except -2:
        """Count what a start tag brings; return the place after it, or -1 if what follows cannot be known."""
        cdef Name name = read_name(self.text, at, self.length)
        cdef Element element = find_element(name)
        cdef bint in_drawing = self.depth > self.left_drawings and self.open_tags[self.depth - 1].is_drawing
        cdef Py_ssize_t before
        at = self.skip_attributes(name.end)
        self.tags += 1
        self.nodes += 1
        self.copies += self.selected_contents
        if element.number == HTML or element.number == BODY or element.number == HEAD:
            self.root_attributes += self.attributes_of_tag
            if self.attributes_of_tag:
                self.copies += self.root_attributes
            return at
        if name.begin == SELECTED_CONTENT.begin and name.rest == SELECTED_CONTENT.rest:
            self.selected_contents += 1
            self.copies += self.tags
        before = self.stuck
        self.has_frames |= element.number == FRAMESET
        self.has_columns |= self.templates > 0 and element.number == COL
        if is_stopping(element):
            self.stuck = self.depth
        if not (element.bits == 0 or element.bits & VOID and not element.bits & BLOCK) and (
            not element.bits & FORMATTING or element.number == A or element.number == NOBR
        ):
            self.is_detached = self.weight > 0
        if self.is_detached and not element.bits & (CLOSES_P | TABLE_PART):
            self.copies += self.weight
        if in_drawing:
            if element.bits & LEAVES_DRAWING:
                self.left_drawings = self.depth
                in_drawing = False
            elif self.self_closing:
                return at
        if element.bits & RAW:
            return self.skip_raw(element, at)
        if element.bits & VOID and not self.drawings:
            return at
        self.push(name, element, in_drawing, before)
        return at

    cdef int push(self, Name name, Element element, bint in_drawing, Py_ssize_t stuck_before) except -1:
        cdef OpenTag* tag
        if self.depth == self.room:
            self.room = 2 * self.room + 64
            self.open_tags = <OpenTag*>PyMem_Realloc(self.open_tags, self.room * sizeof(OpenTag))
            if self.open_tags == NULL:
                raise MemoryError
        tag = &self.open_tags[self.depth]
        tag.begin, tag.rest = name.begin, name.rest
        tag.opens_drawing = element.number == SVG or element.number == MATH
        tag.opens_template = element.number == TEMPLATE
        tag.is_drawing = in_drawing or tag.opens_drawing
        tag.stuck = stuck_before
        tag.blocks = element.bits != 0 and not element.bits & FORMATTING
        if self.depth:
            tag.blocks += self.open_tags[self.depth - 1].blocks
        tag.weight = 1 + self.attributes_of_tag if element.bits & FORMATTING else 0
        self.drawings += tag.opens_drawing
        self.templates += tag.opens_template
        if element.number == A:
            if self.stuck <= self.last_anchor < self.depth and self.open_tags[self.last_anchor].weight:
                # A link in a link ends the outer one, and copies formatting only if a block began between them.
                if self.open_tags[self.last_anchor].blocks < tag.blocks:
                    self.copies += ROUNDS * self.weight
                self.weight -= self.open_tags[self.last_anchor].weight
                self.open_tags[self.last_anchor].weight = 0
            self.last_anchor = self.depth
        elif element.number == NOBR:
            self.copies += ROUNDS * self.weight
        self.weight += tag.weight
        self.depth += 1

    cdef void pop(self) noexcept:
        """Close the innermost tag."""
        cdef OpenTag* tag
        self.depth -= 1
        tag = &self.open_tags[self.depth]
        self.drawings -= tag.opens_drawing
        self.templates -= tag.opens_template
        if tag.opens_drawing and self.left_drawings <= self.depth:
            self.stuck = tag.stuck  # nothing in the drawing concerned the formatting around it
        if self.depth >= self.stuck:
            self.weight -= tag.weight
        self.stuck = min(self.stuck, self.depth)
        self.left_drawings = min(self.left_drawings, self.depth)
        self.is_detached = self.is_detached and self.weight > 0
        if self.last_anchor >= self.depth:
            self.last_anchor = -1

    cdef Py_ssize_t skip_raw(self, Element element, Py_ssize_t at) noexcept:
        """Return the place after content that is not mark-up; -1 if it may be mark-up, in a drawing or a template."""
        cdef Name name
        cdef Py_ssize_t end
        cdef unsigned char c
        cdef int comment = 0  # in a script: 1 after <!--, 2 after a further <script
        while at < self.length:
            if element.number == SCRIPT and comment:
                at = self.skip_to_dash_or_tag(at)
                if at >= self.length:
                    break
                if self.text[at] == c'-':
                    if self.text[at + 1] == c'-' and at + 2 < self.length and self.text[at + 2] == c'>':
                        comment = 0
                    at += 1
                    continue
                at += 1
            else:
                at = self.find_after(at, c'<')
            if at >= self.length:
                break
            self.nodes += self.has_frames
            c = self.text[at]
            end = min(self.length, at + LONGEST_RAW_NAME)
            name = read_name(self.text, at + (c == c'/'), end)
            if name.begin == element.begin and name.rest == element.rest and name.end < end:
                if c == c'/' and comment < 2:
                    return self.skip_attributes(name.end)
                if element.number == SCRIPT and comment:
                    comment = 1 if c == c'/' else 2
            if (self.drawings or self.has_columns) and (65 <= (c & 0xDF) <= 90 or c == c'/' or c == c'!' or c == c'?'):
                return -1
            if element.number == SCRIPT and comment == 0 and c == c'!' and at + 2 < self.length:
                if self.text[at + 1] == c'-' and self.text[at + 2] == c'-':
                    comment = 1
                    at += 1
        return self.length

    cdef Py_ssize_t skip_to_dash_or_tag(self, Py_ssize_t at) noexcept:
        while at < self.length and self.text[at] != c'-' and self.text[at] != c'<':
            at += 1
        return at


cdef inline bint is_blank(unsigned char c) noexcept:
    return c == c' ' or c == c'\n' or c == c'\t' or c == c'\r' or c == c'\f'


cdef inline bint is_stopping(Element element) noexcept:
    """Return whether formatting outside an element may stay open after it, or end in it, by rules of its own."""
    cdef int number = element.number
    return element.bits & (MARKER | TABLE_PART) != 0 or number == SVG or number == MATH or number == TEMPLATE


def find_excess(bytes source not None, Py_ssize_t most_nodes, Py_ssize_t most_copies):
    """Return the place of the tag with which the tree of a page would exceed a limit; -1 if it stays within both.

    `most_copies` limits the elements and attributes that the standard copies. The source must be valid UTF-8.
    """
    if b"\0" in source:
        source = source.replace(b"\0", b"?")  # in a name, a NUL is a character like any other
    return (<TreeSize>TreeSize.__new__(TreeSize)).find_excess(source, most_nodes, most_copies)
