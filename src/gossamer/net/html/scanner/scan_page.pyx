# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Reads links, headings, metas and text in one pass over the source of a page, without building a tree.

While elements nest properly, the source alone determines the tree that the HTML standard builds: this pass with a stack
of open elements finds the same content as a parser. It knows the end tags that may be omitted, tables, lists, forms and
drawings. Where the standard repairs a page (formatting that is closed in the wrong order or never, text between the rows
of a table, a link in a link …) it gives up, and the page is parsed. So its result is exact or none; tests compare it
with the tree of the parser. Cost: O(length); a page of 42 kB takes a third of the time of a parse.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport uint32_t
from libc.string cimport memchr, memcmp

from gossamer.net.html.outline import Outline, Tag
from gossamer.net.html.scanner.open_elements cimport (
    Element,
    find_element,
    get_element,
    get_tag_name,
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
from gossamer.net.html.scanner.close_elements cimport ElementCloser
from gossamer.net.html.scanner.layout_rules cimport LayoutRules
from gossamer.net.html.scanner.record_layout cimport LayoutRecorder
from gossamer.net.html.scanner.tokens cimport Attribute, Name, mend_line_ends, read_name
from gossamer.net.html.scanner.collect_text cimport Sink, add_source, add_separate_words, to_text

cdef extern from "<strings.h>":
    int strncasecmp(const char*, const char*, size_t) noexcept

cdef enum:
    LABEL_ROOM = 8_000
    # Metas and other tags without links may come in front of as many tags with links as are read.
    FREE_TAGS = 1_000
    MOST_HEADINGS = 20_000
    ALL_LINKS = 1 << 30

cdef int META = find_element(read_name(b"meta", 0, 4)).number
cdef int DESC = find_element(read_name(b"desc", 0, 4)).number
cdef int IMAGE = find_element(read_name(b"image", 0, 5)).number


cdef class PageScanner(ElementCloser):
    """Scans a page and collects its content."""

    cdef str title
    cdef list hrefs
    cdef list rels
    cdef list titles
    cdef list tags
    # How many links, and how many other tags, are recorded, and how many links beyond that there are.
    cdef Py_ssize_t most_links
    cdef Py_ssize_t links_cut
    # Whether the source was written from a tree: then nothing in a drawing leaves it.
    cdef bint is_serialized

    def __cinit__(self):
        self.words.data = NULL
        self.hrefs, self.labels, self.rels, self.titles, self.headings, self.tags = [], [], [], [], [], []
        self.form = self.anchor = self.heading = self.drawing = -1

    def __dealloc__(self):
        PyMem_Free(self.words.data)

    cdef object make_outline(self, bytes source):
        """Return the outline of the page; None if it has to be parsed."""
        self.text = source
        self.length = len(source)
        self.allocate_sinks()
        self.walk()
        while self.depth and not self.gives_up:
            self.pop()
        if self.gives_up:
            return None
        lists = self.hrefs, self.labels, self.rels, self.titles, self.headings, self.tags
        return Outline(self.title or "", to_text(&self.words), *lists, self.links_cut)

    cdef LayoutRecorder make_layout(self, bytes source):
        """Return the layout of the page; None if it has to be parsed."""
        self.text = source
        self.length = len(source)
        self.allocate_sinks()
        self.walk()
        while self.depth and not self.gives_up:
            self.pop()
        self.recorder.flush(&self.words)
        return None if self.gives_up else self.recorder

    cdef int allocate_sinks(self) except -1:
        """Allocate room for all text at once: references grow by a fifth at most, and line ends replace tags."""
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
            mark = self.find_markup(at)
            if mark > at:
                self.add_text(at, mark)
            if mark >= end:
                return 0
            c = text[mark + 1]
            if c == c'/':
                at = self.read_end_tag(mark + 2)
            elif c != c'!' and c != c'?':
                at = self.read_start_tag(mark + 1)
            elif c == c'!' and text[mark + 2] == c'-' and text[mark + 3] == c'-':
                at = self.skip_comment(mark + 4)
                self.end_text()
            else:  # a doctype, or something that counts as a comment
                if strncasecmp(<const char*>text + mark + 2, b"doctype", 7) != 0:
                    self.end_text()
                self.gives_up |= self.drawing >= 0 and text[mark + 2] == c'['  # CDATA
                at = self.find_after(mark + 2, c'>')

    cdef inline void end_text(self) noexcept:
        """Note that a node comes between the text before and the text after."""
        if self.recorder is not None:
            self.recorder.continues = False

    cdef Py_ssize_t find_markup(self, Py_ssize_t at) noexcept:
        """Return where the next mark-up begins; a "<" that begins nothing is text."""
        cdef unsigned char c
        while True:
            at = self.find_after(at, c'<')
            if self.text[at - 1] != c'<' or at > self.length:
                return self.length
            c = self.text[at]
            if 65 <= (c & 0xDF) <= 90 or c == c'/' or c == c'!' or c == c'?':
                return at - 1
            if at >= self.length:
                return self.length

    cdef int add_text(self, Py_ssize_t at, Py_ssize_t end) except -1:
        """Add text between tags; it begins the body, and text between the rows of a table would be moved before it."""
        cdef uint32_t bits = self.top().bits
        cdef bint between_rows = bits & TABLE_PART and not bits & MARKER
        if (between_rows or not self.body_begun) and not self.is_blank(at, end):
            if between_rows:
                self.gives_up = True
                return 0
            if self.top().number == NOSCRIPT:
                self.pop()  # in the head, text ends it
            self.body_begun = True
        self.add_words(at, end, True)

    cdef Py_ssize_t read_end_tag(self, Py_ssize_t at) except -1:
        cdef Name name
        cdef Py_ssize_t after
        if at >= self.length:
            self.add_text(at - 2, at)
            return at
        if not 65 <= (self.text[at] & 0xDF) <= 90:
            if self.text[at] != c'>':
                self.end_text()
            return self.find_after(at, c'>')  # </> is nothing, and </3 a comment
        name = read_name(self.text, at, self.length)
        after = name.end + 1 if self.text[name.end] == c'>' else self.read_attributes(name.end)
        if after < 0:
            return self.length
        self.close(name)
        return after

    cdef Py_ssize_t read_start_tag(self, Py_ssize_t at) except -1:
        cdef Name name = read_name(self.text, at, self.length)
        cdef Element element = find_element(name)
        cdef Py_ssize_t after = self.read_attributes(name.end)
        if after < 0:
            return self.length  # an unclosed tag is not a tag
        self.anchor_tags += 1
        self.heading_tags += 1
        # The fast path: nearly all tags have no special meaning at their place.
        if not element.bits and self.body_begun and not self.top().bits & TABLE_PART and not self.selects and self.drawing < 0:
            self.push(element)
            if self.recorder is not None and self.attribute_count:
                self.recorder.open(self, 0, self.depth - 1, False, False, True)
        elif element.bits & MENDED and not (self.drawing >= 0 and element.number == IMAGE):
            self.gives_up = True
        elif self.drawing >= 0:
            self.open_in_drawing(element)
        elif self.makes_element(element):
            return self.open_element(element, after)
        return after

    cdef bint makes_element(self, Element element) except -1:
        """Close the elements that a start tag ends implicitly; return whether it makes an element."""
        cdef uint32_t bits = element.bits
        cdef int number = element.number
        if not self.body_begun:
            if self.top().number == NOSCRIPT and not bits & IN_HEAD_NOSCRIPT:
                if number == NOSCRIPT or number == HEAD or number == HTML:
                    self.gives_up |= number == HTML
                    return False
                self.pop()  # in the head, a tag that cannot be in it ends it
            # After the head, <noscript> begins the body.
            self.body_begun = not bits & IN_HEAD and number != HTML or number == NOSCRIPT and self.head_ended
        if (self.top().bits | bits) & TABLE_PART and not self.gives_up:
            if self.fits_between_cells(bits, number):
                return True
            if bits & TABLE_PART and number != TABLE:
                return False
        if self.selects and number != OPTION and number != OPTGROUP:
            self.gives_up = True
        if number == FORM and self.form != -1:
            return False  # a form in a form is ignored
        if number == TABLE and self.paragraphs[self.scopes] > 0:
            self.gives_up = True  # whether it ends the paragraph depends on the doctype
        if not self.gives_up:
            self.close_implied(bits, number)
        return not self.gives_up

    cdef int close_implied(self, uint32_t bits, int number) except -1:
        """Close the elements that a start tag ends implicitly."""
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
            self.gives_up |= self.find_innermost(number, 0) >= 0
        elif number == A:
            # A link in a link ends the outer one, which is simple only if there is no block between them.
            place = self.find_innermost(A, SPECIAL)
            if place >= 0:
                self.pop_to(place)
            self.gives_up |= self.find_innermost(A, 0) >= 0

    cdef int close_item(self, int number) except -1:
        """Close the open item of the same list."""
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

    cdef Py_ssize_t open_element(self, Element element, Py_ssize_t after) except -1:
        """Open an element, record its attributes, and skip its content if that is not mark-up."""
        cdef uint32_t bits = element.bits
        cdef int number = element.number
        if number != BODY and number != HTML and number != HEAD:
            self.end_text()
        if bits & NAMED and self.recorder is None:
            self.add_tag(number)
        if bits & RAW:
            return self.skip_raw(element, after)
        if bits & VOID:
            if bits & BLOCK:
                self.mark_border()
                if self.recorder is not None:
                    self.recorder.add_void(self, number, True)
        elif number == FORM and self.top().bits & TABLE_PART and not self.top().bits & MARKER:
            self.mark_border()
            if self.recorder is not None:
                self.recorder.add_void(self, FORM, True)
            self.form = -2
        elif number != BODY and number != HTML and number != HEAD and not (number == SVG and self.self_closing):
            self.push(element)
            if self.recorder is not None:
                self.record(element, True)
            elif number == A:
                self.add_anchor()
            elif bits & HEADING and len(self.headings) < MOST_HEADINGS:
                self.start_heading()
            if number == FORM:
                self.form = self.depth - 1
            elif number == SVG:
                self.drawing = self.depth - 1
        return after

    cdef int record(self, Element element, bint has_attributes) except -1:
        """Let the layout have the element that was opened last."""
        cdef bint is_block = element.bits & BLOCK
        cdef bint is_unread = element.bits & UNREAD
        if self.depth and not self.gives_up:
            self.recorder.open(self, element.number, self.depth - 1, is_block, is_unread, has_attributes)

    cdef int push_implied(self, int number) except -1:
        """Open an element whose tag is omitted."""
        self.push(get_element(number))
        if self.recorder is not None:
            self.record(get_element(number), False)

    cdef int add_anchor(self) except -1:
        """Record a link: its href up to the "#", its rel and its title."""
        cdef Attribute* href = self.find_attribute("href", 4)
        cdef Attribute* rel
        if href == NULL:
            return 0
        if len(self.hrefs) >= self.most_links:
            self.links_cut += 1
            return 0
        self.start_anchor()
        self.hrefs.append(self.read_href(href.value, href.value_end))
        rel = self.find_attribute("rel", 3)
        self.rels.append(self.tidy(rel).lower() if rel != NULL else "")
        self.titles.append(self.tidy(self.find_attribute("title", 5)))

    cdef str read_href(self, Py_ssize_t start, Py_ssize_t end):
        """Return a href up to its "#". The "#" of a reference does not end it: &#38; is "&"."""
        cdef const unsigned char* text = self.text + start
        cdef const unsigned char* stop
        cdef str address
        if end > start and memchr(text, c'&', end - start) == NULL:
            stop = <const unsigned char*>memchr(text, c'#', end - start)
            return self.decode_value(start, end if stop == NULL else start + (stop - text) + 1)
        address = self.decode_value(start, end)
        return address[: address.find("#") + 1] or address

    cdef str tidy(self, Attribute* found):
        """Return the words of an attribute on one line; "" if there is none."""
        cdef Sink tail
        if found == NULL:
            return ""
        if memchr(self.text + found.value, c'&', found.value_end - found.value) != NULL:
            return " ".join(self.read_value(found).split())
        tail = self.make_tail()
        self.gives_up |= not add_source(&tail, self.text, found.value, found.value_end, False)
        return to_text(&tail)

    cdef int add_tag(self, int number) except -1:
        """Record a rare tag, or the text of an image in a link."""
        cdef Attribute* words
        cdef dict attributes
        if number == IMG:
            words = self.find_attribute("alt", 3) if self.anchor >= 0 and self.unread == self.anchor_unread else NULL
            if self.anchor >= 0 and self.unread == self.anchor_unread:
                self.anchor_words.space = True
            if words != NULL:
                self.gives_up |= not add_separate_words(&self.anchor_words, self.read_value(words))
            return 0
        if number == HTML and (self.depth > 0 or self.body_begun or len(self.tags) > 0 or self.title is not None):
            return self.compare_with_first_root()
        if len(self.tags) >= self.most_links + FREE_TAGS:
            self.links_cut += number != META
            return 0
        attributes = self.read_all_attributes()
        if attributes:
            self.tags.append((len(self.hrefs), Tag(get_tag_name(number), attributes)))

    cdef int compare_with_first_root(self) except -1:
        """Give up on a second <html> with attributes that the first does not have: they are added to it."""
        cdef dict attributes = self.read_all_attributes()
        first = self.tags[0][1] if self.tags else None
        known = first.attributes if first is not None and first.tag == "html" else {}
        self.gives_up |= not attributes.keys() <= known.keys()

    cdef Py_ssize_t skip_raw(self, Element element, Py_ssize_t at) except -1:
        """Skip content that is not mark-up, up to the end tag of the same name."""
        cdef Py_ssize_t start = at
        cdef Py_ssize_t stop
        cdef Py_ssize_t after
        cdef Name name
        cdef Sink tail
        while True:
            at = self.find_after(at, c'<')
            if at >= self.length:
                # A page that ends inside its title or a script is malformed.
                self.gives_up |= element.number == TITLE or element.number == TEXTAREA or element.number == SCRIPT
                stop = after = self.length
                break
            if self.text[at] == c'/':
                name = read_name(self.text, at + 1, self.length)
                if name.begin == element.begin and name.rest == element.rest and name.end < self.length:
                    after = self.read_attributes(name.end)
                    stop = at - 1
                    break
        if after < 0:
            self.gives_up = True
            return self.length
        self.gives_up |= element.number == SCRIPT and self.has_nested_script(start, stop)
        if self.recorder is not None:
            self.gives_up |= not element.bits & UNREAD
            return after
        if element.number == TITLE and self.title is None:
            tail = self.make_tail()
            self.gives_up |= not add_source(&tail, self.text, start, stop, True)
            self.title = to_text(&tail)
        if not element.bits & UNREAD:
            self.mark_border()
            self.add_words(start, stop, False)
            self.mark_border()
        return after

    cdef bint has_nested_script(self, Py_ssize_t at, Py_ssize_t end) noexcept:
        """Return whether a script has <!-- and later <script: then the standard finds its end in another way."""
        cdef bint in_comment = False
        while True:
            at = self.find_after(at, c'<')
            if at >= end:
                return False
            if memcmp(self.text + at, b"!--", min(3, end - at)) == 0:
                in_comment = True
            elif in_comment and strncasecmp(<const char*>self.text + at, b"script", 6) == 0:
                return True

    # Tables and drawings

    cdef bint fits_between_cells(self, uint32_t bits, int number) except -1:
        """Prepare a table for a start tag; return whether the tag belongs between its cells."""
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
            self.gives_up = True  # it would be moved before the table
        return not self.gives_up

    cdef int open_rows(self, int current, int number) except -1:
        """Open or close the rows and groups of rows whose tags are omitted before a part of a table."""
        if current == COLGROUP and number != COL:
            self.pop()
            current = TABLE
        if number == COL:
            self.gives_up |= current != TABLE and current != COLGROUP
            if current == TABLE:
                self.push_implied(COLGROUP)
        elif number != TR and number != TD and number != TH:
            while self.top().number != TABLE:
                self.pop()
        elif current == TABLE:
            self.push_implied(TBODY)
            if number != TR:
                self.push_implied(TR)
        elif current == TR and number == TR:
            self.pop()
        elif current != TR and number != TR:
            self.push_implied(TR)

    cdef bint is_hidden_input(self) except -1:
        cdef Attribute* kind = self.find_attribute("type", 4)
        return kind != NULL and self.read_value(kind).lower() == "hidden"

    cdef int open_in_drawing(self, Element element) except -1:
        """Open a tag within <svg>, where other rules apply; tags that leave the drawing are left to the parser."""
        cdef int number = element.number
        cdef bint stays = number == SVG or number == IMAGE or number == DESC and self.is_serialized
        if element.bits & LEAVES_DRAWING and not stays or self.top().number == TITLE:
            self.gives_up = True
        elif not self.self_closing:
            # Tags have no HTML meaning within a drawing, but the text of a title may not contain tags.
            element.bits = 0
            element.number = TITLE if element.number == TITLE else 0
            self.push(element)


def scan(bytes source not None, Py_ssize_t most_links=ALL_LINKS, bint is_serialized=False):
    """Return the outline of a page, or None if the page has to be parsed. The source must be valid UTF-8.

    Links beyond `most_links` are counted and not recorded, so that memory stays bounded. A source that was serialized from a
    tree may hold more kinds of drawings.
    """
    cdef PageScanner scanner
    if b"\0" in source:
        return None
    source = mend_line_ends(source)
    scanner = <PageScanner>PageScanner.__new__(PageScanner)
    scanner.most_links = most_links
    scanner.is_serialized = is_serialized
    return scanner.make_outline(source)


def scan_layout(bytes source not None, LayoutRules rules not None, bint show_hidden=False, bint is_serialized=False):
    """Return the recorded layout of a page, or None if the page has to be parsed. The source must be valid UTF-8."""
    cdef PageScanner scanner
    if b"\0" in source:
        return None
    source = mend_line_ends(source)
    scanner = <PageScanner>PageScanner.__new__(PageScanner)
    scanner.is_serialized = is_serialized
    scanner.recorder = LayoutRecorder(rules, show_hidden)
    return scanner.make_layout(source)
