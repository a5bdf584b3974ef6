# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""One pass over the source of a page, without a tree: links, headings, metas and text of pages that nest properly.

What the HTML standard makes of a page follows from its source alone as long as elements nest: then this walk with a
stack of open elements sees what a parser would build. It knows the end tags that may be left out, tables, lists, forms
and drawings. Where the standard mends a page (formatting that is closed in the wrong order or never, text between the
rows of a table, a link in a link …) it gives up, and the page is parsed. So it is exact or silent; tests hold it to the
tree of the parser. Cost: O(length); a page of 42 kB takes a third of its parse.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport uint32_t
from libc.string cimport memchr, memcmp

from gossamer.net.html.outline import Outline, Tag
from gossamer.net.html.scanner.open_elements cimport (
    Element,
    element_named,
    element_numbered,
    tag_name,
    BLOCK,
    UNREAD,
    VOID,
    SPECIAL,
    CLOSES_P,
    MARKER,
    HEADING,
    RAW,
    IN_HEAD,
    IN_HEAD_NOSCRIPT,
    TABLE_PART,
    LEAVES_DRAWING,
    NAMED,
    MENDED,
    A,
    BODY,
    BUTTON,
    COL,
    COLGROUP,
    DD,
    DIV,
    DT,
    FORM,
    HEAD,
    HTML,
    IMG,
    INPUT,
    LI,
    NOBR,
    NOSCRIPT,
    OPTGROUP,
    OPTION,
    P,
    ADDRESS,
    SCRIPT,
    STYLE,
    SVG,
    TABLE,
    TBODY,
    TD,
    TEXTAREA,
    TH,
    TITLE,
    TR,
)
from gossamer.net.html.scanner.close_elements cimport Ends
from gossamer.net.html.scanner.tokens cimport Attribute, Name, name_at
from gossamer.net.html.scanner.collect_text cimport Sink, feed, feed_words, words_of

cdef extern from "<strings.h>":
    int strncasecmp(const char*, const char*, size_t) noexcept

cdef enum:
    LABEL_ROOM = 8_000


cdef class Page(Ends):
    """The walk over a page, and what it found."""

    cdef str title
    cdef list hrefs
    cdef list rels
    cdef list titles
    cdef list tags

    def __cinit__(self):
        self.words.data = NULL
        self.hrefs, self.labels, self.rels, self.titles, self.headings, self.tags = [], [], [], [], [], []
        self.form = self.anchor = self.heading = self.drawing = -1

    def __dealloc__(self):
        PyMem_Free(self.words.data)

    cdef object outline(self, bytes source):
        """What stands on the page; None if it has to be parsed."""
        self.text = source
        self.length = len(source)
        self.make_sinks()
        self.walk()
        while self.depth and not self.gives_up:
            self.pop()
        if self.gives_up:
            return None
        lists = self.hrefs, self.labels, self.rels, self.titles, self.headings, self.tags
        return Outline(self.title or "", words_of(&self.words), *lists)

    cdef int make_sinks(self) except -1:
        """Room for everything at once: references grow by a fifth at most, line ends stand for tags."""
        cdef Py_ssize_t page = self.length + self.length // 2 + 64
        self.words.data = <unsigned char*>PyMem_Malloc(page + 2 * LABEL_ROOM)
        if self.words.data == NULL:
            raise MemoryError
        self.anchor_words.data = self.words.data + page
        self.heading_words.data = self.anchor_words.data + LABEL_ROOM
        self.words.room = page
        self.anchor_words.room = self.heading_words.room = LABEL_ROOM

    cdef int walk(self) except -1:
        cdef const unsigned char* text = self.text
        cdef Py_ssize_t end = self.length
        cdef Py_ssize_t at = 0
        cdef Py_ssize_t mark
        cdef unsigned char c
        while at < end and not self.gives_up:
            mark = self.next_mark_up(at)
            if mark > at:
                self.take_text(at, mark)
            if mark >= end:
                return 0
            c = text[mark + 1]
            if c == c'/':
                at = self.end_tag(mark + 2)
            elif c != c'!' and c != c'?':
                at = self.start_tag(mark + 1)
            elif c == c'!' and text[mark + 2] == c'-' and text[mark + 3] == c'-':
                at = self.after_comment(mark + 4)
            else:  # a doctype, or what is taken for a comment
                self.gives_up |= self.drawing >= 0 and text[mark + 2] == c'['  # CDATA
                at = self.after(mark + 2, c'>')

    cdef Py_ssize_t next_mark_up(self, Py_ssize_t at) noexcept:
        """Where the next mark-up begins; a "<" that begins nothing is text."""
        cdef unsigned char c
        while True:
            at = self.after(at, c'<')
            if self.text[at - 1] != c'<' or at > self.length:
                return self.length
            c = self.text[at]
            if 65 <= (c & 0xDF) <= 90 or c == c'/' or c == c'!' or c == c'?':
                return at - 1
            if at >= self.length:
                return self.length

    cdef int take_text(self, Py_ssize_t at, Py_ssize_t end) except -1:
        """Text between tags: it begins the body, and between the rows of a table it would move in front of it."""
        cdef uint32_t bits = self.top().bits
        cdef bint between_rows = bits & TABLE_PART and not bits & MARKER
        if (between_rows or not self.body_begun) and not self.is_blank(at, end):
            if between_rows or self.top().number == NOSCRIPT and not self.body_begun:
                self.gives_up = True
                return 0
            self.body_begun = True
        self.take_words(at, end, True)

    cdef Py_ssize_t end_tag(self, Py_ssize_t at) except -1:
        cdef Name name
        cdef Py_ssize_t after
        if at >= self.length:
            self.take_text(at - 2, at)
            return at
        if not 65 <= (self.text[at] & 0xDF) <= 90:
            return self.after(at, c'>')  # </> is nothing, and </3 a comment
        name = name_at(self.text, at, self.length)
        after = name.end + 1 if self.text[name.end] == c'>' else self.read_attributes(name.end)
        if after < 0:
            return self.length
        self.close(name)
        return after

    cdef Py_ssize_t start_tag(self, Py_ssize_t at) except -1:
        cdef Name name = name_at(self.text, at, self.length)
        cdef Element element = element_named(name)
        cdef Py_ssize_t after = self.read_attributes(name.end)
        if after < 0:
            return self.length  # a tag that is never closed is none
        self.anchor_tags += 1
        self.heading_tags += 1
        # Nearly all tags mean nothing special where nearly all of them stand.
        if not element.bits and self.body_begun and not self.top().bits & TABLE_PART and not self.selects and self.drawing < 0:
            self.push(element)
        elif element.bits & MENDED:
            self.gives_up = True
        elif self.drawing >= 0:
            self.start_in_drawing(element)
        elif self.makes_element(element):
            return self.after_content(element, after)
        return after

    cdef bint makes_element(self, Element element) except -1:
        """Close what a start tag ends by being there; say whether it makes an element."""
        cdef uint32_t bits = element.bits
        cdef int number = element.number
        if not self.body_begun and not self.stays_in_head(bits, number):
            self.body_begun = True
        if (self.top().bits | bits) & TABLE_PART and not self.gives_up:
            if self.fits_between_cells(bits, number):
                return True
            if bits & TABLE_PART and number != TABLE:
                return False
        if self.selects and number != OPTION and number != OPTGROUP:
            self.gives_up = True
        if number == FORM and self.form != -1:
            return False  # a form in a form is none
        if number == TABLE and self.paragraphs[self.scopes] > 0:
            self.gives_up = True  # whether it ends the paragraph depends on the doctype
        if not self.gives_up:
            self.make_room(bits, number)
        return not self.gives_up

    cdef bint stays_in_head(self, uint32_t bits, int number) noexcept:
        """Whether a tag leaves the page in its head."""
        self.gives_up |= self.top().number == NOSCRIPT and not bits & IN_HEAD_NOSCRIPT
        return bits & IN_HEAD or number == HTML

    cdef int make_room(self, uint32_t bits, int number) except -1:
        """Close what a start tag ends by being there."""
        cdef int place
        if number == LI or number == DD or number == DT:
            self.close_item(number)
        if bits & CLOSES_P:
            self.close_paragraph()
        if bits & HEADING:
            if self.top().bits & HEADING:
                self.pop()
            self.gives_up |= self.heading >= 0
        elif number == OPTION or number == OPTGROUP:
            if self.top().number == OPTION:
                self.pop()
            if number == OPTGROUP and self.selects and self.top().number == OPTGROUP:
                self.pop()
        elif number == BUTTON or number == NOBR:
            self.gives_up |= self.innermost(number, 0) >= 0
        elif number == A:
            # A link in a link ends it, which is simple only if no block lies between.
            place = self.innermost(A, SPECIAL)
            if place >= 0:
                self.pop_to(place)
            self.gives_up |= self.innermost(A, 0) >= 0

    cdef int close_item(self, int number) except -1:
        """Close the item of the same list that is open."""
        cdef int place = self.depth - 1
        cdef int current
        while place >= 0:
            current = self.stack[place].number
            if current == number or number != LI and (current == DD or current == DT):
                self.imply_ends(current)
                self.pop_to(place)
                return 0
            if self.stack[place].bits & SPECIAL and current != ADDRESS and current != DIV and current != P:
                return 0
            place -= 1

    cdef Py_ssize_t after_content(self, Element element, Py_ssize_t after) except -1:
        """Open an element, note what it says, and pass over its content if that is no mark-up."""
        cdef uint32_t bits = element.bits
        cdef int number = element.number
        if bits & NAMED:
            self.take_tag(number)
        if bits & RAW:
            return self.after_raw(element, after)
        if bits & VOID:
            if bits & BLOCK:
                self.border()
        elif number == FORM and self.top().bits & TABLE_PART and not self.top().bits & MARKER:
            self.border()
            self.form = -2
        elif number != BODY and number != HTML and number != HEAD and not (number == SVG and self.self_closing):
            self.push(element)
            if number == A:
                self.take_anchor()
            elif bits & HEADING:
                self.begin_heading()
            elif number == FORM:
                self.form = self.depth - 1
            elif number == SVG:
                self.drawing = self.depth - 1
        return after

    cdef int take_anchor(self) except -1:
        """Note a link: its address up to the "#", and what else it says of itself."""
        cdef Attribute* href = self.attribute("href", 4)
        cdef Attribute* rel
        if href == NULL:
            return 0
        self.begin_anchor()
        self.hrefs.append(self.address(href.value, href.value_end))
        rel = self.attribute("rel", 3)
        self.rels.append(self.tidy(rel).lower() if rel != NULL else "")
        self.titles.append(self.tidy(self.attribute("title", 5)))

    cdef str address(self, Py_ssize_t start, Py_ssize_t end):
        """An address up to its "#". One of a reference is no end of it: &#38; is "&"."""
        cdef const unsigned char* text = self.text + start
        cdef const unsigned char* stop
        cdef str address
        if end > start and memchr(text, c'&', end - start) == NULL:
            stop = <const unsigned char*>memchr(text, c'#', end - start)
            return self.value(start, end if stop == NULL else start + (stop - text) + 1)
        address = self.value(start, end)
        return address[: address.find("#") + 1] or address

    cdef str tidy(self, Attribute* found):
        """An attribute's words, on one line; "" if there is none."""
        cdef Sink tail
        if found == NULL:
            return ""
        if memchr(self.text + found.value, c'&', found.value_end - found.value) != NULL:
            return " ".join(self.value_of(found).split())
        tail = self.tail()
        self.gives_up |= not feed(&tail, self.text, found.value, found.value_end, False)
        return words_of(&tail)

    cdef int take_tag(self, int number) except -1:
        """Note a tag of which a page has few, or the words of an image in a link."""
        cdef Attribute* words
        cdef dict attributes
        if number == IMG:
            words = self.attribute("alt", 3) if self.anchor >= 0 and self.unread == self.anchor_unread else NULL
            if self.anchor >= 0 and self.unread == self.anchor_unread:
                self.anchor_words.space = True
            if words != NULL:
                self.gives_up |= not feed_words(&self.anchor_words, self.value_of(words))
            return 0
        # What a second <html> says is added to what the first one said.
        self.gives_up |= number == HTML and (self.depth > 0 or self.body_begun or len(self.tags) > 0 or self.title is not None)
        attributes = self.all_attributes()
        if attributes:
            self.tags.append((len(self.hrefs), Tag(tag_name(number), attributes)))

    cdef Py_ssize_t after_raw(self, Element element, Py_ssize_t at) except -1:
        """Pass over content that is no mark-up, up to the end tag of the same name."""
        cdef Py_ssize_t start = at
        cdef Py_ssize_t stop
        cdef Py_ssize_t after
        cdef Name name
        cdef Sink tail
        while True:
            at = self.after(at, c'<')
            if at >= self.length:
                # A page that ends in the middle of its title or a script is not meant so.
                self.gives_up |= element.number == TITLE or element.number == TEXTAREA or element.number == SCRIPT
                stop = after = self.length
                break
            if self.text[at] == c'/':
                name = name_at(self.text, at + 1, self.length)
                if name.begin == element.begin and name.rest == element.rest and name.end < self.length:
                    after = self.read_attributes(name.end)
                    stop = at - 1
                    break
        if after < 0:
            self.gives_up = True
            return self.length
        self.gives_up |= element.number == SCRIPT and self.holds_script(start, stop)
        if element.number == TITLE and self.title is None:
            tail = self.tail()
            self.gives_up |= not feed(&tail, self.text, start, stop, True)
            self.title = words_of(&tail)
        if not element.bits & UNREAD:
            self.border()
            self.take_words(start, stop, False)
            self.border()
        return after

    cdef bint holds_script(self, Py_ssize_t at, Py_ssize_t end) noexcept:
        """Whether a script holds <!-- and later <script, where the standard looks for its end in another way."""
        cdef bint in_comment = False
        while True:
            at = self.after(at, c'<')
            if at >= end:
                return False
            if memcmp(self.text + at, b"!--", min(3, end - at)) == 0:
                in_comment = True
            elif in_comment and strncasecmp(<const char*>self.text + at, b"script", 6) == 0:
                return True

    # Tables and drawings

    cdef bint fits_between_cells(self, uint32_t bits, int number) except -1:
        """Prepare a table for a start tag; say whether the tag belongs between its cells."""
        cdef int current
        if bits & TABLE_PART and number != TABLE and not self.close_cell():
            return False
        if not self.top().bits & TABLE_PART or self.top().bits & MARKER:
            return False
        current = self.top().number
        if number == SCRIPT or number == STYLE:
            return True
        if number == FORM:
            self.gives_up |= self.form != -1
        elif number == INPUT:
            self.gives_up |= not self.is_hidden_input()
        elif bits & TABLE_PART and number != TABLE:
            self.open_rows(current, number)
        else:
            self.gives_up = True  # it would move in front of the table
        return not self.gives_up

    cdef int open_rows(self, int current, int number) except -1:
        """Open or close the rows and groups of rows that a part of a table leaves out."""
        if current == COLGROUP and number != COL:
            self.pop()
            current = TABLE
        if number == COL:
            self.gives_up |= current != TABLE and current != COLGROUP
            if current == TABLE:
                self.push(element_numbered(COLGROUP))
        elif number != TR and number != TD and number != TH:
            while self.top().number != TABLE:
                self.pop()
        elif current == TABLE:
            self.push(element_numbered(TBODY))
            if number != TR:
                self.push(element_numbered(TR))
        elif current == TR and number == TR:
            self.pop()
        elif current != TR and number != TR:
            self.push(element_numbered(TR))

    cdef bint is_hidden_input(self) except -1:
        cdef Attribute* kind = self.attribute("type", 4)
        return kind != NULL and self.value_of(kind).lower() == "hidden"

    cdef int start_in_drawing(self, Element element) except -1:
        """A tag within <svg>, where other rules hold; what is not drawn is left to the parser."""
        if element.bits & LEAVES_DRAWING or self.top().number == TITLE:
            self.gives_up = True
        elif not self.self_closing:
            # No meaning of HTML holds within a drawing, but a title's text may not hold tags.
            element.bits = 0
            element.number = TITLE if element.number == TITLE else 0
            self.push(element)


def scan(bytes source not None):
    """Return what a walk over a page finds, or None if the page has to be parsed. The source is valid UTF-8."""
    if b"\0" in source:
        return None
    if b"\r" in source:
        source = source.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return (<Page>Page.__new__(Page)).outline(source)
