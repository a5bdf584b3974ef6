# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""One pass over the source of a page, without a tree: links, headings, metas and text of pages that nest properly.

What the HTML standard makes of a page follows from its source alone as long as elements nest: then this walk with a
stack of open elements sees what a parser would build. It knows the end tags that may be left out, tables, lists, forms
and drawings. Where the standard mends a page (formatting that is closed in the wrong order or never, text between the
rows of a table, a link in a link …) it gives up, and the page is parsed. So it is exact or silent; tests hold it to the
tree of the parser. Cost: O(length); a page of 42 kB takes a third of its parse.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.unicode cimport PyUnicode_AsUTF8AndSize, PyUnicode_DecodeUTF8
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memchr, memcmp, memcpy, memset

from gossamer.net.references cimport Reference, decoded
from gossamer.net.outline import Outline, Tag
from gossamer.net.scan_tags import MEANINGS, TAGS

cdef enum:
    # Open elements. What nests deeper is left to the parser, so no step takes longer than this.
    DEEPEST = 200
    MOST_ATTRIBUTES = 40
    MOST_LABEL_BYTES = 4_000
    MOST_LABEL_TAGS = 300
    SLOTS = 1024

# What tags mean, one bit each; `scan_tags` says which tag has which.
cdef uint32_t BLOCK = MEANINGS["block"]
cdef uint32_t UNREAD = MEANINGS["unread"]
cdef uint32_t VOID = MEANINGS["void"]
cdef uint32_t FORMATTING = MEANINGS["formatting"]
cdef uint32_t SPECIAL = MEANINGS["special"]
cdef uint32_t CLOSES_P = MEANINGS["closes p"]
cdef uint32_t SCOPE = MEANINGS["scope"]
cdef uint32_t PARAGRAPH_SCOPE = MEANINGS["paragraph scope"]
cdef uint32_t MARKER = MEANINGS["marker"]
cdef uint32_t END_IMPLIED = MEANINGS["end implied"]
cdef uint32_t END_SCOPED = MEANINGS["end scoped"]
cdef uint32_t HEADING = MEANINGS["heading"]
cdef uint32_t RAW = MEANINGS["raw"]
cdef uint32_t IN_HEAD = MEANINGS["in head"]
cdef uint32_t IN_HEAD_NOSCRIPT = MEANINGS["in head noscript"]
cdef uint32_t TABLE_PART = MEANINGS["table part"]
cdef uint32_t LEAVES_DRAWING = MEANINGS["leaves drawing"]
cdef uint32_t NAMED = MEANINGS["named"]
cdef uint32_t MENDED = MEANINGS["mended"]

cdef struct Meaning:
    uint64_t begin
    uint64_t rest
    uint32_t bits
    int number

cdef struct Open:
    uint64_t begin
    uint64_t rest
    uint32_t bits
    int number

cdef struct Sink:
    unsigned char* data
    Py_ssize_t size
    Py_ssize_t room
    bint space
    bint line

cdef struct Attribute:
    Py_ssize_t name
    Py_ssize_t name_end
    Py_ssize_t value
    Py_ssize_t value_end

cdef Meaning[SLOTS] meanings
cdef unsigned char[256] text_kind
cdef unsigned char[256] is_space
cdef enum:
    PLAIN, SPACE, AMPERSAND, MAYBE_SPACE


cdef uint64_t packed(const unsigned char* name, Py_ssize_t size) noexcept:
    """The first eight letters of a name, as one number, in lower case."""
    cdef uint64_t number = 0
    cdef Py_ssize_t at
    cdef unsigned char c
    for at in range(min(size, 8)):
        c = name[at]
        if 65 <= c <= 90:
            c |= 0x20
        number = (number << 8) | c
    return number


cdef uint64_t hashed(const unsigned char* name, Py_ssize_t size) noexcept:
    """The letters after the eighth, hashed (FNV-1a); 0 if there are none."""
    cdef uint64_t number = 0
    cdef Py_ssize_t at
    cdef unsigned char c
    for at in range(8, size):
        c = name[at]
        if 65 <= c <= 90:
            c |= 0x20
        number = ((number or 0xCBF29CE484222325ULL) ^ c) * 0x100000001B3ULL
    return number


cdef inline Py_ssize_t slot_of(uint64_t begin, uint64_t rest) noexcept:
    return <Py_ssize_t>(((begin ^ rest) * 0x9E3779B97F4A7C15ULL) >> 54)


cdef Meaning* meaning_of(uint64_t begin, uint64_t rest) noexcept:
    cdef Py_ssize_t slot = slot_of(begin, rest)
    while meanings[slot].number:
        if meanings[slot].begin == begin and meanings[slot].rest == rest:
            return &meanings[slot]
        slot = (slot + 1) & (SLOTS - 1)
    return NULL


cdef int number_of(str tag):
    cdef bytes name = tag.encode()
    return meaning_of(packed(name, len(name)), hashed(name, len(name))).number


def _fill_tables():
    cdef Py_ssize_t slot
    cdef bytes name
    memset(meanings, 0, sizeof(meanings))
    for number, (tag, bits) in enumerate(TAGS.items(), start=1):
        name = tag.encode()
        slot = slot_of(packed(name, len(name)), hashed(name, len(name)))
        while meanings[slot].number:
            slot = (slot + 1) & (SLOTS - 1)
        meanings[slot].begin = packed(name, len(name))
        meanings[slot].rest = hashed(name, len(name))
        meanings[slot].bits = bits
        meanings[slot].number = number
    for c in range(256):
        is_space[c] = c in b" \t\n\f\r"
        # What str.split takes for space: some ASCII, and what begins with these bytes in UTF-8.
        text_kind[c] = SPACE if c in b" \t\n\v\f\r\x1c\x1d\x1e\x1f" else MAYBE_SPACE if c in b"\xc2\xe1\xe2\xe3" else PLAIN
    text_kind[c'&'] = AMPERSAND


_fill_tables()
cdef int A = number_of("a")
cdef int AREA = number_of("area")
cdef int BASE = number_of("base")
cdef int BODY = number_of("body")
cdef int BR = number_of("br")
cdef int BUTTON = number_of("button")
cdef int CAPTION = number_of("caption")
cdef int COL = number_of("col")
cdef int COLGROUP = number_of("colgroup")
cdef int DD = number_of("dd")
cdef int DIV = number_of("div")
cdef int DT = number_of("dt")
cdef int FORM = number_of("form")
cdef int HEAD = number_of("head")
cdef int HTML = number_of("html")
cdef int IMG = number_of("img")
cdef int INPUT = number_of("input")
cdef int LI = number_of("li")
cdef int META = number_of("meta")
cdef int NOBR = number_of("nobr")
cdef int NOSCRIPT = number_of("noscript")
cdef int OL = number_of("ol")
cdef int OPTGROUP = number_of("optgroup")
cdef int OPTION = number_of("option")
cdef int P = number_of("p")
cdef int ADDRESS = number_of("address")
cdef int SCRIPT = number_of("script")
cdef int SELECT = number_of("select")
cdef int STYLE = number_of("style")
cdef int SVG = number_of("svg")
cdef int TABLE = number_of("table")
cdef int TBODY = number_of("tbody")
cdef int TD = number_of("td")
cdef int TEXTAREA = number_of("textarea")
cdef int TFOOT = number_of("tfoot")
cdef int TH = number_of("th")
cdef int THEAD = number_of("thead")
cdef int TITLE = number_of("title")
cdef int TR = number_of("tr")
cdef int UL = number_of("ul")


cdef class Scan:
    """The walk over a page, and what it found."""

    cdef str title
    cdef list hrefs
    cdef list labels
    cdef dict rels
    cdef dict titles
    cdef list headings
    cdef list tags

    cdef const unsigned char* source
    cdef Py_ssize_t length
    cdef Open[DEEPEST] stack
    cdef int depth
    cdef int unread
    # Open <p> within each scope of theirs.
    cdef int[DEEPEST] paragraphs
    cdef int scopes
    cdef int selects
    cdef bint body_begun
    # Where the form stands on the stack; -1 if none is open, -2 if it was opened between the rows of a table.
    cdef int form
    # Where the <a> stands that is read; -1 if none.
    cdef int anchor
    cdef int anchor_unread
    cdef int anchor_tags
    cdef int heading
    cdef int heading_unread
    cdef int heading_tags
    # Where an <svg> stands on the stack; -1 if none is open.
    cdef int drawing
    cdef bint gives_up
    cdef Sink words
    cdef Sink anchor_words
    cdef Sink heading_words
    cdef Sink scratch
    cdef Attribute[MOST_ATTRIBUTES] attributes
    cdef int attribute_count
    cdef bint self_closing

    def __cinit__(self):
        self.words.data = self.scratch.data = self.anchor_words.data = self.heading_words.data = NULL

    def __dealloc__(self):
        PyMem_Free(self.words.data)

    cdef bint run(self, str text) except -1:
        """Walk over the page; say whether it could be read so."""
        self.source = <const unsigned char*>PyUnicode_AsUTF8AndSize(text, &self.length)
        # References grow by a fifth at most, line ends stand for tags, labels are short: see `reserve`.
        cdef Py_ssize_t room = 2 * self.length + 64
        cdef Py_ssize_t label_room = 2 * MOST_LABEL_BYTES
        self.words.data = <unsigned char*>PyMem_Malloc(2 * room + 2 * label_room)
        if self.words.data == NULL:
            raise MemoryError
        self.scratch.data = self.words.data + room
        self.anchor_words.data = self.scratch.data + room
        self.heading_words.data = self.anchor_words.data + label_room
        self.words.room = self.scratch.room = room
        self.anchor_words.room = self.heading_words.room = label_room
        self.title = None
        self.hrefs, self.labels, self.headings, self.tags = [], [], [], []
        self.rels, self.titles = {}, {}
        self.form = self.anchor = self.heading = self.drawing = -1
        self.walk()
        if self.gives_up:
            return False
        self.pop_to(0, True)
        return not self.gives_up

    cdef object outline(self):
        text = PyUnicode_DecodeUTF8(<const char*>self.words.data, self.words.size, NULL)
        lists = self.hrefs, self.labels, self.rels, self.titles, self.headings, self.tags
        return Outline(self.title or "", text, *lists)

    # Tokens

    cdef void walk(self) except *:
        cdef const unsigned char* source = self.source
        cdef Py_ssize_t at = 0
        cdef Py_ssize_t end = self.length
        cdef Py_ssize_t next_at
        cdef const unsigned char* found
        cdef unsigned char c
        while at < end and not self.gives_up:
            found = <const unsigned char*>memchr(source + at, c'<', end - at)
            next_at = found - source if found != NULL else end
            # A "<" that begins nothing is text.
            while next_at < end and not begins_markup(source[next_at + 1]):
                found = <const unsigned char*>memchr(source + next_at + 1, c'<', end - next_at - 1)
                next_at = found - source if found != NULL else end
            if next_at > at:
                self.take_text(at, next_at)
            if next_at >= end:
                return
            c = source[next_at + 1]
            if c == c'!' or c == c'?':
                at = self.after_declaration(next_at + 2, c)
            elif c == c'/':
                at = self.end_tag(next_at + 2)
            else:
                at = self.start_tag(next_at + 1)

    cdef Py_ssize_t after(self, Py_ssize_t at, unsigned char wanted) noexcept:
        """The place behind the next such character; the end of the page if there is none."""
        cdef const unsigned char* found
        if at >= self.length:
            return self.length
        found = <const unsigned char*>memchr(self.source + at, wanted, self.length - at)
        return found - self.source + 1 if found != NULL else self.length

    cdef Py_ssize_t after_declaration(self, Py_ssize_t at, unsigned char kind) noexcept:
        """Pass over a comment, a doctype, or what is taken for a comment."""
        cdef const unsigned char* source = self.source
        cdef Py_ssize_t end
        if kind == c'!' and at + 1 < self.length and source[at] == c'-' and source[at + 1] == c'-':
            if source[at + 2] == c'>':
                return at + 3
            if source[at + 2] == c'-' and source[at + 3] == c'>':
                return at + 4
            end = at + 4
            while True:
                end = self.after(end, c'>')
                if end >= self.length and source[self.length - 1] != c'>':
                    return self.length
                if source[end - 2] == c'-' and source[end - 3] == c'-' and end - 3 >= at + 2:
                    return end
                if source[end - 2] == c'!' and source[end - 3] == c'-' and source[end - 4] == c'-' and end - 4 >= at + 2:
                    return end
                if end >= self.length:
                    return self.length
        if kind == c'!' and self.drawing >= 0 and source[at] == c'[':
            self.gives_up = True  # CDATA
        return self.after(at, c'>')

    cdef Py_ssize_t name_end(self, Py_ssize_t at) noexcept:
        cdef const unsigned char* source = self.source
        while at < self.length and not is_space[source[at]] and source[at] != c'/' and source[at] != c'>':
            at += 1
        return at

    cdef Py_ssize_t read_attributes(self, Py_ssize_t at) noexcept:
        """Note the attributes of a tag; return the place behind it, -1 if the page ends first."""
        cdef const unsigned char* source = self.source
        cdef Py_ssize_t end = self.length
        cdef Attribute found
        cdef unsigned char c
        self.attribute_count = 0
        self.self_closing = False
        while True:
            while at < end and (is_space[source[at]] or source[at] == c'/'):
                at += 1
            if at >= end:
                return -1
            if source[at] == c'>':
                self.self_closing = source[at - 1] == c'/'
                return at + 1
            found.name = at
            at += 1  # even an equals sign
            while at < end and not is_space[source[at]] and source[at] != c'/' and source[at] != c'>' and source[at] != c'=':
                at += 1
            found.name_end = at
            while at < end and is_space[source[at]]:
                at += 1
            found.value = found.value_end = at
            if at < end and source[at] == c'=':
                at += 1
                while at < end and is_space[source[at]]:
                    at += 1
                if at >= end:
                    return -1
                c = source[at]
                if c == c'"' or c == c"'":
                    found.value = at + 1
                    at = self.after(at + 1, c)
                    found.value_end = at - 1
                    if source[at - 1] != c or at == found.value:
                        return -1  # never closed
                else:
                    found.value = at
                    while at < end and not is_space[source[at]] and source[at] != c'>':
                        at += 1
                    found.value_end = at
                    if at < end and source[at] == c'>' and at > found.value and source[at - 1] == c'/':
                        # Not a slash that closes the tag: it belongs to the value.
                        self.note(&found)
                        return at + 1
            self.note(&found)

    cdef void note(self, Attribute* found) noexcept:
        if self.attribute_count < MOST_ATTRIBUTES:
            self.attributes[self.attribute_count] = found[0]
            self.attribute_count += 1
        else:
            self.gives_up = True

    cdef Attribute* attribute(self, const char* name, Py_ssize_t size) noexcept:
        """The first attribute of this name, which is in lower case; NULL if there is none."""
        cdef int place
        cdef Py_ssize_t at
        cdef Attribute* found
        cdef unsigned char c
        for place in range(self.attribute_count):
            found = &self.attributes[place]
            if found.name_end - found.name != size:
                continue
            for at in range(size):
                c = self.source[found.name + at]
                if 65 <= c <= 90:
                    c |= 0x20
                if c != <unsigned char>name[at]:
                    break
            else:
                return found
        return NULL

    cdef str value_of(self, Attribute* found):
        return self.value(found.value, found.value_end)

    cdef str value(self, Py_ssize_t start, Py_ssize_t end):
        """An attribute's value with its references decoded."""
        cdef const unsigned char* source = self.source
        cdef Reference reference
        if end <= start:
            return ""
        if memchr(source + start, c'&', end - start) == NULL:
            return PyUnicode_DecodeUTF8(<const char*>source + start, end - start, NULL)
        cdef Sink* out = &self.scratch
        out.size = 0
        while start < end:
            if source[start] == c'&':
                reference = decoded(source, start, end, True)
                if reference.size:
                    memcpy(out.data + out.size, reference.utf8, reference.size)
                    out.size += reference.size
                    start = reference.end
                    continue
            out.data[out.size] = source[start]
            out.size += 1
            start += 1
        return PyUnicode_DecodeUTF8(<const char*>out.data, out.size, NULL)

    # Text

    cdef bint is_blank(self, Py_ssize_t at, Py_ssize_t end) noexcept:
        while at < end and is_space[self.source[at]]:
            at += 1
        return at == end

    cdef void take_text(self, Py_ssize_t at, Py_ssize_t end) except *:
        """Text between tags."""
        cdef uint32_t current = self.stack[self.depth - 1].bits if self.depth else 0
        cdef int number = self.stack[self.depth - 1].number if self.depth else 0
        if (not self.body_begun or current & TABLE_PART) and not self.is_blank(at, end):
            if current & TABLE_PART and number != TD and number != TH and number != CAPTION:
                self.gives_up = True  # it would move in front of the table
                return
            if number == NOSCRIPT and not self.body_begun:
                self.gives_up = True
                return
            self.body_begun = True
        self.feed_all(at, end, True)

    cdef void feed_all(self, Py_ssize_t at, Py_ssize_t end, bint has_references) except *:
        if self.unread == 0:
            self.feed(&self.words, at, end, has_references)
        if self.anchor >= 0 and self.unread == self.anchor_unread:
            self.feed(&self.anchor_words, at, end, has_references)
        if self.heading >= 0 and self.unread == self.heading_unread:
            self.feed(&self.heading_words, at, end, has_references)

    cdef void feed(self, Sink* sink, Py_ssize_t at, Py_ssize_t end, bint has_references) except *:
        """Add text to a sink: references decoded, one space for a run of white space."""
        cdef const unsigned char* source = self.source
        cdef Py_ssize_t start
        cdef Reference reference
        cdef unsigned char kind
        cdef int width
        if sink.size + (end - at) + (end - at) // 2 + 16 > sink.room:
            self.gives_up = True  # a label as long as a page
            return
        while at < end:
            start = at
            while at < end and text_kind[source[at]] == PLAIN:
                at += 1
            if at > start:
                flush(sink)
                memcpy(sink.data + sink.size, source + start, at - start)
                sink.size += at - start
                if at >= end:
                    return
            kind = text_kind[source[at]]
            if kind == SPACE:
                sink.space = True
                at += 1
            elif kind == MAYBE_SPACE:
                width = space_width(source + at, end - at)
                if width:
                    sink.space = True
                    at += width
                else:
                    flush(sink)
                    sink.data[sink.size] = source[at]
                    sink.size += 1
                    at += 1
            else:
                if has_references:
                    reference = decoded(source, at, end, False)
                    if reference.size:
                        put(sink, reference.utf8, reference.size)
                        at = reference.end
                        continue
                flush(sink)
                sink.data[sink.size] = c'&'
                sink.size += 1
                at += 1

    cdef void border(self) noexcept:
        """A block begins or ends."""
        if self.unread == 0:
            self.words.line = True
        if self.anchor >= 0 and self.unread == self.anchor_unread:
            self.anchor_words.space = True
        if self.heading >= 0 and self.unread == self.heading_unread:
            self.heading_words.space = True

    # The stack

    cdef void push(self, uint64_t begin, uint64_t rest, uint32_t bits, int number) noexcept:
        if self.depth >= DEEPEST - 1:
            self.gives_up = True
            return
        cdef Open* top = &self.stack[self.depth]
        top.begin, top.rest, top.bits, top.number = begin, rest, bits, number
        if bits & BLOCK:
            self.border()
        self.depth += 1
        if bits & UNREAD:
            self.unread += 1
        if bits & PARAGRAPH_SCOPE:
            self.scopes += 1
            self.paragraphs[self.scopes] = 0
        if number == P:
            self.paragraphs[self.scopes] += 1
        elif number == SELECT:
            self.selects += 1

    cdef void pop(self) except *:
        """Close the innermost element."""
        self.depth -= 1
        cdef Open* top = &self.stack[self.depth]
        if self.depth == self.anchor:
            self.end_anchor()
        if self.depth == self.heading:
            self.end_heading()
        if self.depth == self.drawing:
            self.drawing = -1
        if top.bits & UNREAD:
            self.unread -= 1
        if top.bits & PARAGRAPH_SCOPE:
            self.scopes -= 1
        if top.number == P:
            self.paragraphs[self.scopes] -= 1
        elif top.number == SELECT:
            self.selects -= 1
        if top.bits & BLOCK:
            self.border()

    cdef void pop_to(self, int place, bint at_end=False) except *:
        """Close the element at a place and all within it; formatting that has no end tag would be opened again."""
        while self.depth > place and not self.gives_up:
            if self.depth - 1 > place and self.stack[self.depth - 1].bits & FORMATTING and not at_end:
                self.gives_up = True
                return
            self.pop()

    cdef void end_anchor(self) except *:
        cdef Sink* sink = &self.anchor_words
        if sink.size > MOST_LABEL_BYTES or self.anchor_tags > MOST_LABEL_TAGS:
            self.gives_up = True
        self.labels.append(PyUnicode_DecodeUTF8(<const char*>sink.data, sink.size, NULL))
        self.anchor = -1

    cdef void end_heading(self) except *:
        cdef Sink* sink = &self.heading_words
        if sink.size > MOST_LABEL_BYTES or self.heading_tags > MOST_LABEL_TAGS:
            self.gives_up = True
        words = PyUnicode_DecodeUTF8(<const char*>sink.data, sink.size, NULL)
        level = self.stack[self.depth].begin - (<uint64_t>c'h' << 8) - c'0'
        self.headings.append((level, words))
        self.heading = -1

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

    cdef void imply_ends(self, int but) except *:
        while self.depth and self.stack[self.depth - 1].bits & END_IMPLIED and self.stack[self.depth - 1].number != but:
            self.pop()

    cdef void close_paragraph(self) except *:
        """Close an open <p> within the innermost scope."""
        if self.paragraphs[self.scopes] > 0:
            self.imply_ends(P)
            self.pop_to(self.innermost(P, 0))

    # Start tags

    cdef Py_ssize_t start_tag(self, Py_ssize_t at) except -1:
        cdef Py_ssize_t stop = self.name_end(at)
        cdef uint64_t begin = packed(self.source + at, stop - at)
        cdef uint64_t rest = hashed(self.source + at, stop - at)
        cdef Meaning* meaning = meaning_of(begin, rest)
        cdef uint32_t bits = meaning.bits if meaning != NULL else 0
        cdef int number = meaning.number if meaning != NULL else 0
        cdef Py_ssize_t after = self.read_attributes(stop)
        if after < 0:
            return self.length  # a tag that is never closed is none
        if bits & MENDED:
            self.gives_up = True
            return after
        if self.anchor >= 0:
            self.anchor_tags += 1
        if self.heading >= 0:
            self.heading_tags += 1
        if self.drawing >= 0:
            return self.start_in_drawing(begin, rest, bits, number, after)
        if not self.body_begun and not self.stays_in_head(bits, number):
            if self.gives_up:
                return after
            self.body_begun = True
        if self.depth and self.stack[self.depth - 1].bits & TABLE_PART or bits & TABLE_PART:
            if self.start_in_table(bits, number):
                return self.after_content(begin, rest, bits, number, after)
            if self.gives_up or bits & TABLE_PART and number != TABLE:
                return after
        if self.selects and number != OPTION and number != OPTGROUP:
            self.gives_up = True
            return after
        if bits & CLOSES_P and number != LI and number != DD and number != DT:
            if number == FORM and self.form != -1:
                return after  # a form in a form is none
            if number == TABLE and self.paragraphs[self.scopes] > 0:
                self.gives_up = True  # whether it ends the paragraph depends on the doctype
                return after
            self.close_paragraph()
        self.make_room(bits, number)
        return self.after_content(begin, rest, bits, number, after)

    cdef bint stays_in_head(self, uint32_t bits, int number) noexcept:
        """Whether a tag leaves the page in its head."""
        if self.depth and self.stack[self.depth - 1].number == NOSCRIPT and not bits & IN_HEAD_NOSCRIPT:
            self.gives_up = True
        return bits & IN_HEAD or number == HTML

    cdef void make_room(self, uint32_t bits, int number) except *:
        """Close what a start tag ends by being there."""
        cdef int place
        if bits & HEADING:
            if self.depth and self.stack[self.depth - 1].bits & HEADING:
                self.pop()
            if self.heading >= 0:
                self.gives_up = True
        elif number == LI or number == DD or number == DT:
            place = self.depth - 1
            while place >= 0:
                if self.stack[place].number == number or number != LI and self.stack[place].number in (DD, DT):
                    self.imply_ends(self.stack[place].number)
                    self.pop_to(place)
                    break
                if self.stack[place].bits & SPECIAL and self.stack[place].number not in (ADDRESS, DIV, P):
                    break
                place -= 1
            self.close_paragraph()
        elif number == OPTION or number == OPTGROUP:
            if self.depth and self.stack[self.depth - 1].number == OPTION:
                self.pop()
            if number == OPTGROUP and self.selects and self.depth and self.stack[self.depth - 1].number == OPTGROUP:
                self.pop()
        elif number == BUTTON or number == NOBR:
            self.gives_up = self.gives_up or self.innermost(number, 0) >= 0
        elif number == A:
            self.end_open_anchor()

    cdef void end_open_anchor(self) except *:
        """A link in a link ends it, which is simple only if no block lies between."""
        cdef int place = self.innermost(A, SPECIAL)
        if place >= 0:
            self.pop_to(place)
        elif self.innermost(A, 0) >= 0:
            self.gives_up = True

    cdef Py_ssize_t after_content(
        self, uint64_t begin, uint64_t rest, uint32_t bits, int number, Py_ssize_t after
    ) except -1:
        """Open an element, note what it says, and pass over its content if that is no mark-up."""
        if self.gives_up:
            return after
        if bits & NAMED:
            self.take_tag(number)
        if number == BODY or number == HTML or number == HEAD:
            return after
        if bits & RAW:
            return self.after_raw(bits, number, begin, rest, after)
        if bits & VOID:
            if bits & BLOCK:
                self.border()
            return after
        if number == SVG and self.self_closing:
            return after
        self.push(begin, rest, bits, number)
        if self.gives_up:
            return after
        if number == A:
            self.begin_anchor()
        elif bits & HEADING:
            self.heading = self.depth - 1
            self.heading_unread = self.unread
            self.heading_tags = 0
            self.heading_words.size = 0
            self.heading_words.space = False
        elif number == FORM:
            self.form = self.depth - 1
            if self.depth > 1 and self.stack[self.depth - 2].bits & TABLE_PART and self.between_rows():
                self.pop()
                self.form = -2
        elif number == SVG:
            self.drawing = self.depth - 1
        return after

    cdef bint between_rows(self) noexcept:
        cdef int number = self.stack[self.depth - 2].number
        return number != TD and number != TH and number != CAPTION

    cdef void begin_anchor(self) except *:
        cdef Attribute* href = self.attribute("href", 4)
        cdef Attribute* found
        cdef const unsigned char* hash_sign
        cdef Py_ssize_t end
        cdef str key
        if href == NULL:
            return
        self.anchor = self.depth - 1
        self.anchor_unread = self.unread
        self.anchor_tags = 0
        self.anchor_words.size = 0
        self.anchor_words.space = False
        end = href.value_end
        hash_sign = NULL
        if memchr(self.source + href.value, c'&', end - href.value) == NULL:
            hash_sign = <const unsigned char*>memchr(self.source + href.value, c'#', end - href.value)
            key = self.value(href.value, hash_sign - self.source + 1 if hash_sign != NULL else end)
        else:
            key = self.value_of(href)
            key = key[: key.find("#") + 1] or key
        found = self.attribute("rel", 3)
        if found != NULL:
            self.rels[len(self.hrefs)] = self.value_of(found)
        found = self.attribute("title", 5)
        if found != NULL:
            self.titles[len(self.hrefs)] = self.value_of(found)
        self.hrefs.append(key)

    cdef void take_tag(self, int number) except *:
        """Note a tag of which a page has few, or the words of an image in a link."""
        cdef Attribute* found
        cdef dict attributes
        cdef int place
        if number == IMG:
            found = self.attribute("alt", 3)
            if self.anchor >= 0 and self.unread == self.anchor_unread:
                self.anchor_words.space = True
                if found != NULL:
                    self.feed_value(&self.anchor_words, found)
                self.anchor_words.space = True
            return
        attributes = {}
        for place in range(self.attribute_count):
            found = &self.attributes[place]
            name = PyUnicode_DecodeUTF8(<const char*>self.source + found.name, found.name_end - found.name, NULL)
            attributes.setdefault(lowered(name), self.value_of(found))
        if number == HTML and (self.depth or self.body_begun or self.tags or self.title is not None):
            self.gives_up = True  # what it says is added to what the first one said
        if attributes:
            self.tags.append((len(self.hrefs), Tag(NAMES[number], attributes)))

    cdef void feed_value(self, Sink* sink, Attribute* found) except *:
        """Add an attribute's value to a label; references are another matter there than in text."""
        if memchr(self.source + found.value, c'&', found.value_end - found.value) == NULL:
            self.feed(sink, found.value, found.value_end, False)
        else:
            self.gives_up = self.gives_up or not self.put_words(sink, self.value_of(found))

    cdef bint put_words(self, Sink* sink, str words) except -1:
        cdef bytes utf8 = " ".join(words.split()).encode()
        if words and words[0].isspace():
            sink.space = True
        if sink.size + len(utf8) + 2 > sink.room:
            return False
        if utf8:
            put_plain(sink, utf8, len(utf8))
        if words and words[len(words) - 1].isspace():
            sink.space = True
        return True

    cdef Py_ssize_t after_raw(
        self, uint32_t bits, int number, uint64_t begin, uint64_t rest, Py_ssize_t at
    ) except -1:
        """Pass over content that is no mark-up, up to the end tag of the same name."""
        cdef const unsigned char* source = self.source
        cdef Py_ssize_t start = at
        cdef Py_ssize_t stop
        cdef Py_ssize_t after
        cdef Attribute found
        while True:
            at = self.after(at, c'<')
            if at >= self.length:
                stop = after = self.length
                if number == TITLE or number == TEXTAREA or number == SCRIPT:
                    self.gives_up = True  # unless it is the very last thing on a page, it is not meant so
                break
            if source[at] != c'/':
                continue
            stop = self.name_end(at + 1)
            if stop >= self.length or packed(source + at + 1, stop - at - 1) != begin:
                continue
            if hashed(source + at + 1, stop - at - 1) != rest:
                continue
            after = self.read_attributes(stop)
            if after < 0:
                self.gives_up = True
                return self.length
            stop = at - 1
            break
        if number == SCRIPT and holds_script_comment(source + start, stop - start):
            self.gives_up = True
        if number == TITLE and self.title is None and self.drawing < 0:
            self.scratch.size = 0
            self.scratch.space = self.scratch.line = False
            self.feed(&self.scratch, start, stop, True)
            self.title = PyUnicode_DecodeUTF8(<const char*>self.scratch.data, self.scratch.size, NULL)
        if not bits & UNREAD:
            self.border()
            self.feed_all(start, stop, False)
            self.border()
        return after

    # Tables and drawings

    cdef bint start_in_table(self, uint32_t bits, int number) except -1:
        """Prepare a table for a start tag; say whether the tag was one that belongs between its cells."""
        cdef int current
        if bits & TABLE_PART and number != TABLE:
            if not self.close_cell(number):
                return False
        current = self.stack[self.depth - 1].number if self.depth else 0
        if not self.depth or not self.stack[self.depth - 1].bits & TABLE_PART:
            return False
        if current == TD or current == TH or current == CAPTION:
            return False
        if number == SCRIPT or number == STYLE:
            return True
        if number == FORM:
            if self.form != -1:
                self.gives_up = True
            return not self.gives_up
        if number == INPUT:
            self.gives_up = not self.is_hidden_input()
            return not self.gives_up
        if not bits & TABLE_PART or number == TABLE:
            self.gives_up = True  # it would move in front of the table
            return False
        return self.open_rows(current, number)

    cdef bint open_rows(self, int current, int number) except -1:
        """Open or close the rows and groups that a part of a table leaves out; say whether the part fits then."""
        if current == COLGROUP:
            if number == COL:
                return True
            self.pop()
            current = TABLE
        if number == CAPTION or number == COLGROUP or number == TBODY or number == THEAD or number == TFOOT:
            while self.stack[self.depth - 1].number != TABLE:
                self.pop()
            return True
        if number == COL:
            if current != TABLE:
                self.gives_up = True
                return False
            self.push_named(COLGROUP)
            return True
        if current == TABLE:
            self.push_named(TBODY)
        elif current == TR and number == TR:
            self.pop()
            return True
        if number == TR:
            return True
        if self.stack[self.depth - 1].number != TR:
            self.push_named(TR)
        return True

    cdef void push_named(self, int number) except *:
        cdef bytes name = NAMES[number].encode()
        cdef Meaning* meaning = meaning_of(packed(name, len(name)), hashed(name, len(name)))
        self.push(meaning.begin, meaning.rest, meaning.bits, number)

    cdef bint close_cell(self, int number) except -1:
        """Close the cell in which a part of a table begins; say whether there is a table at all."""
        cdef int place = self.depth - 1
        while place >= 0 and not self.stack[place].bits & SCOPE and not self.stack[place].bits & TABLE_PART:
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

    cdef bint is_hidden_input(self) except -1:
        cdef Attribute* kind = self.attribute("type", 4)
        return kind != NULL and self.value_of(kind).lower() == "hidden"

    cdef Py_ssize_t start_in_drawing(
        self, uint64_t begin, uint64_t rest, uint32_t bits, int number, Py_ssize_t after
    ) except -1:
        """A tag within <svg>, where other rules hold; what is not drawn is left to the parser."""
        if bits & LEAVES_DRAWING or self.stack[self.depth - 1].number == TITLE:
            self.gives_up = True
        elif not self.self_closing:
            # No meaning of HTML holds within a drawing, but a title's text may not hold tags.
            self.push(begin, rest, 0, TITLE if number == TITLE else 0)
        return after

    # End tags

    cdef Py_ssize_t end_tag(self, Py_ssize_t at) except -1:
        cdef unsigned char c = self.source[at] if at < self.length else 0
        cdef Py_ssize_t stop
        cdef Py_ssize_t after
        cdef uint64_t begin
        cdef uint64_t rest
        cdef Meaning* meaning
        if at >= self.length:
            self.take_text(at - 2, at)
            return at
        if not 65 <= (c & 0xDF) <= 90:
            return self.after(at, c'>')  # </> is nothing, and </3 a comment
        stop = self.name_end(at)
        begin = packed(self.source + at, stop - at)
        rest = hashed(self.source + at, stop - at)
        after = self.read_attributes(stop)
        if after < 0:
            return self.length
        meaning = meaning_of(begin, rest)
        self.close(begin, rest, meaning.bits if meaning != NULL else 0, meaning.number if meaning != NULL else 0)
        return after

    cdef void close(self, uint64_t begin, uint64_t rest, uint32_t bits, int number) except *:
        cdef Open* top = &self.stack[self.depth - 1] if self.depth else NULL
        if self.drawing >= 0:
            if top.begin == begin and top.rest == rest:
                self.pop()
            else:
                self.gives_up = True
        elif number == HTML or number == BODY or number == HEAD:
            return  # whatever comes after them is put before them
        elif bits & MENDED:
            self.gives_up = True
        elif top != NULL and top.begin == begin and top.rest == rest and number != FORM:
            self.pop()
        else:
            self.close_distant(begin, rest, bits, number)

    cdef void close_distant(self, uint64_t begin, uint64_t rest, uint32_t bits, int number) except *:
        """An end tag that does not close the innermost element."""
        cdef int current = self.stack[self.depth - 1].number if self.depth else 0
        if self.depth and self.stack[self.depth - 1].bits & TABLE_PART and current != TD and current != TH:
            if current != CAPTION and not (bits & TABLE_PART or number == FORM):
                self.gives_up = True
                return
        if self.selects and number != SELECT and number != OPTGROUP and number != OPTION:
            self.gives_up = True
        elif bits & TABLE_PART:
            self.close_table_part(number)
        elif number == P:
            if self.paragraphs[self.scopes] > 0:
                self.close_paragraph()
            elif self.body_begun:
                self.border()
        elif number == BR:
            self.gives_up = self.gives_up or not self.body_begun and self.depth > 0
            self.body_begun = True
            self.border()
        elif number == FORM:
            self.close_form()
        elif bits & HEADING:
            self.close_heading()
        elif number == LI:
            self.close_scoped(number, self.innermost_item(number))
        elif bits & END_SCOPED:
            self.close_scoped(number, self.innermost(number, SCOPE))
        elif bits & FORMATTING:
            self.close_formatting(number)
        elif not bits & VOID and not bits & RAW:
            self.close_other(begin, rest)

    cdef int innermost_item(self, int number) noexcept:
        cdef int place = self.depth - 1
        while place >= 0:
            if self.stack[place].number == number:
                return place
            if self.stack[place].bits & SCOPE or self.stack[place].number == UL or self.stack[place].number == OL:
                return -1
            place -= 1
        return -1

    cdef void close_scoped(self, int number, int place) except *:
        if place >= 0:
            self.imply_ends(number)
            self.pop_to(place)

    cdef void close_heading(self) except *:
        """Any heading is closed by the end tag of any other."""
        cdef int place = self.depth - 1
        while place >= 0 and not self.stack[place].bits & (HEADING | SCOPE):
            place -= 1
        if place >= 0 and self.stack[place].bits & HEADING:
            self.imply_ends(0)
            self.pop_to(place)

    cdef void close_form(self) except *:
        cdef int place = self.form
        self.form = -1
        if place < 0:
            return
        if self.innermost(FORM, SCOPE) != place:
            self.gives_up = True
            return
        self.imply_ends(0)
        if self.depth - 1 == place:
            self.pop()
        else:
            self.gives_up = True  # it ends, but what is open in it goes on

    cdef void close_formatting(self, int number) except *:
        """Formatting is closed out of order in a simple way only if no block began within it."""
        cdef int place = self.innermost(number, SPECIAL)
        if place >= 0:
            self.pop_to(place)
        elif self.innermost(number, MARKER) >= 0:
            self.gives_up = True

    cdef void close_other(self, uint64_t begin, uint64_t rest) except *:
        """Close an element that the standard does not name, unless a block began within it."""
        cdef int place = self.depth - 1
        while place >= 0:
            if self.stack[place].begin == begin and self.stack[place].rest == rest:
                self.imply_ends(self.stack[place].number)
                self.pop_to(place)
                return
            if self.stack[place].bits & SPECIAL:
                return
            place -= 1

    cdef void close_table_part(self, int number) except *:
        cdef int place = self.depth - 1
        cdef int cell
        if number == COL:
            return
        while place >= 0 and self.stack[place].number != number:
            if self.stack[place].number == TABLE or self.stack[place].bits & MARKER and not self.stack[place].bits & TABLE_PART:
                break
            place -= 1
        if place < 0 or self.stack[place].number != number:
            self.gives_up = self.gives_up or place >= 0
            return
        cell = self.depth - 1
        while cell > place and not self.stack[cell].bits & TABLE_PART:
            cell -= 1
        if cell > place or number == TD or number == TH or number == CAPTION:
            if self.stack[cell].number == CAPTION and number != CAPTION:
                self.gives_up = True
                return
            if self.stack[cell].number == TD or self.stack[cell].number == TH or self.stack[cell].number == CAPTION:
                self.imply_ends(0)
                self.pop_to(cell)
        if self.depth > place:
            self.pop_to(place)


cdef inline bint begins_markup(unsigned char c) noexcept:
    return 65 <= (c & 0xDF) <= 90 or c == c'/' or c == c'!' or c == c'?'


cdef inline void flush(Sink* sink) noexcept:
    """Write the space or the line end that is due before the next word."""
    if sink.line:
        if sink.size:
            sink.data[sink.size] = c'\n'
            sink.size += 1
    elif sink.space and sink.size:
        sink.data[sink.size] = c' '
        sink.size += 1
    sink.line = sink.space = False


cdef inline void put_plain(Sink* sink, const unsigned char* words, Py_ssize_t size) noexcept:
    flush(sink)
    memcpy(sink.data + sink.size, words, size)
    sink.size += size


cdef void put(Sink* sink, const unsigned char* character, int size) noexcept:
    """Add what a reference stands for, which may be white space."""
    if text_kind[character[0]] == SPACE or text_kind[character[0]] == MAYBE_SPACE and space_width(character, size) == size:
        sink.space = True
    else:
        put_plain(sink, character, size)


cdef inline int space_width(const unsigned char* text, Py_ssize_t left) noexcept:
    """How many bytes the white space beyond ASCII takes that begins here; 0 if none does."""
    if text[0] == 0xC2:
        return 2 if left > 1 and (text[1] == 0xA0 or text[1] == 0x85) else 0
    if left < 3:
        return 0
    if text[0] == 0xE2:
        if text[1] == 0x80:
            return 3 if 0x80 <= text[2] <= 0x8A or text[2] == 0xA8 or text[2] == 0xA9 or text[2] == 0xAF else 0
        return 3 if text[1] == 0x81 and text[2] == 0x9F else 0
    if text[0] == 0xE3:
        return 3 if text[1] == 0x80 and text[2] == 0x80 else 0
    return 3 if text[1] == 0x9A and text[2] == 0x80 else 0


cdef bint holds_script_comment(const unsigned char* text, Py_ssize_t size) noexcept:
    """Whether a script holds <!-- and later <script, where the standard looks for its end in another way."""
    cdef Py_ssize_t at
    cdef bint in_comment = False
    for at in range(size - 4):
        if text[at] != c'<':
            continue
        if memcmp(text + at, b"<!--", 4) == 0:
            in_comment = True
        elif in_comment and at + 7 <= size and packed(text + at + 1, 6) == SCRIPT_NAME:
            return True
    return False


cdef uint64_t SCRIPT_NAME = packed(b"script", 6)
cdef tuple NAMES = ("", *TAGS)
cdef dict _LOWER = {code: chr(code + 32) for code in range(65, 91)}


cdef str lowered(str name):
    """ASCII letters in lower case, and no others, as the standard has it."""
    return name.lower() if name.isascii() else name.translate(_LOWER)


def scan(str text not None):
    """Return what a walk over a page finds, or None if the page has to be parsed."""
    cdef Scan found = Scan.__new__(Scan)
    if "\0" in text:
        return None
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return found.outline() if found.run(text) else None
