# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Finds the places at which a parser has to repair a page: tags that do not nest, are never closed or close nothing.

It follows the rules of the HTML standard for end tags that may be left out (section 13.1.2.4), and reports what the tree
builder corrects silently (section 13.2.6): a tag that ends another element, an element that is never closed, a link in a link,
a form in a form, text and tags between the cells of a table, an attribute that stands twice. Cost: O(length × depth of nesting).
"""

from libc.stdint cimport uint64_t
from libc.string cimport memcmp

from gossamer.net.html.scanner.open_elements cimport CLOSES_P, RAW, TABLE_PART, VOID, Element, find_element
from gossamer.net.html.scanner.tokens cimport Attribute, Name, Tokenizer, read_name

cdef enum:
    MOST_OPEN = 512
    MOST_NAMES = 40

# Which start tags end an open element whose end tag may be left out.
_ENDED_BY = {
    "li": "li",
    "dt": "dt dd",
    "dd": "dt dd",
    "option": "option optgroup hr",
    "optgroup": "optgroup hr",
    "tr": "tr tbody tfoot thead",
    "td": "td th tr tbody tfoot thead",
    "th": "td th tr tbody tfoot thead",
    "thead": "tbody tfoot thead",
    "tbody": "tbody tfoot thead",
    "tfoot": "tbody tfoot thead",
    "caption": "colgroup col tbody tfoot thead tr td th",
    "colgroup": "tbody tfoot thead tr td th colgroup",
    "rb": "rb rt rtc rp",
    "rt": "rb rt rtc rp",
    "rtc": "rb rtc",
    "rp": "rb rt rtc rp",
    "head": "body",
    "html": "",
    "body": "",
    "p": "",
}


cdef uint64_t key_of(bytes name):
    cdef Name read = read_name(name, 0, len(name))
    return read.begin ^ read.rest


cdef dict OPTIONAL = {key_of(name.encode()): frozenset(key_of(one.encode()) for one in ended.split()) for name, ended in _ENDED_BY.items()}
cdef uint64_t P = key_of(b"p"), A = key_of(b"a"), FORM = key_of(b"form"), SVG = key_of(b"svg"), MATH = key_of(b"math")
cdef uint64_t TABLE = key_of(b"table"), SCRIPT = key_of(b"script"), STYLE = key_of(b"style"), TEMPLATE = key_of(b"template")
cdef uint64_t INPUT = key_of(b"input"), PLAINTEXT = key_of(b"plaintext"), TD = key_of(b"td"), TH = key_of(b"th")
cdef uint64_t CAPTION = key_of(b"caption"), BR = key_of(b"br"), SELECT = key_of(b"select"), HTML = key_of(b"html")
cdef uint64_t HEAD = key_of(b"head"), BODY = key_of(b"body"), COL = key_of(b"col"), BUTTON = key_of(b"button"), OBJECT = key_of(b"object")


cdef class RepairFinder(Tokenizer):
    """Walks over the tags of a page with a stack of open elements."""

    cdef uint64_t[MOST_OPEN] keys
    cdef Py_ssize_t[MOST_OPEN] places
    cdef char[MOST_OPEN] in_table
    cdef uint64_t[MOST_NAMES] names
    cdef int name_count
    cdef Py_ssize_t twice
    cdef int depth
    cdef int drawings
    cdef list found
    cdef Py_ssize_t most

    cdef void add_attribute(self, Attribute* read) noexcept:
        """Note an attribute whose name the tag has already."""
        cdef Name name = read_name(self.text, read.name, read.name_end)
        cdef uint64_t key = name.begin ^ name.rest
        cdef int at
        for at in range(self.name_count):
            if self.names[at] == key and self.twice < 0:
                self.twice = read.name
        if self.name_count < MOST_NAMES:
            self.names[self.name_count] = key
            self.name_count += 1

    cdef int report(self, Py_ssize_t place, str why) except -1:
        if len(self.found) < self.most:
            self.found.append((place, why))

    cdef str name_at(self, Py_ssize_t place):
        """Return the name of the tag that begins at a place."""
        cdef Py_ssize_t start = place + 1 + (self.text[place + 1] == c'/')
        cdef Name name = read_name(self.text, start, self.length)
        return self.text[start : min(name.end, start + 40)].decode("utf-8", "replace").lower()

    cdef int walk(self) except -1:
        cdef const unsigned char* text = self.text
        cdef Py_ssize_t at = 0
        cdef Py_ssize_t mark
        cdef unsigned char c
        while at < self.length and len(self.found) < self.most:
            mark = self.find_after(at, c'<') - 1
            if mark >= self.length - 1 and (mark < 0 or text[mark] != c'<'):
                mark = self.length
            if self.depth and self.in_table[self.depth - 1] and not self.is_blank(at, mark):
                self.report(at, "text between the cells of a table")
            if mark >= self.length - 1:
                break
            c = text[mark + 1]
            if 65 <= (c & 0xDF) <= 90:
                at = self.read_start(mark)
            elif c == c'/' and 65 <= (text[mark + 2] & 0xDF) <= 90:
                at = self.read_end(mark)
            elif c == c'!' and text[mark + 2] == c'-' and text[mark + 3] == c'-':
                at = self.skip_comment(mark + 4)
                if at >= self.length and memcmp(text + self.length - 3, b"-->", 3) != 0:
                    self.report(mark, "a comment that is never closed")
            elif c == c'!' and self.drawings and self.length - mark > 9 and memcmp(text + mark + 2, b"[CDATA[", 7) == 0:
                at = mark + 9
                while at < self.length and not (text[at - 1] == c'>' and text[at - 2] == c']' and text[at - 3] == c']'):
                    at += 1
            elif c == c'!' or c == c'?' or c == c'/':
                at = self.find_after(mark + 1, c'>')
            else:
                at = mark + 1
        self.report_open()

    cdef int report_open(self) except -1:
        cdef int at
        for at in range(self.depth):
            if self.keys[at] not in OPTIONAL:
                self.report(self.places[at], f"<{self.name_at(self.places[at])}> is never closed")

    cdef Py_ssize_t read_start(self, Py_ssize_t mark) except -1:
        cdef Name name = read_name(self.text, mark + 1, self.length)
        cdef uint64_t key = name.begin ^ name.rest
        cdef Element element = find_element(name)
        cdef Py_ssize_t after
        self.name_count, self.twice, self.self_closing = 0, -1, False
        after = self.read_attributes(name.end)
        if after < 0:
            self.report(mark, "a tag that is never closed")
            return self.length
        if self.twice >= 0:
            self.report(self.twice, "an attribute that the tag has already")
        if self.drawings:
            if not self.self_closing:
                self.push(key, mark)
            return after
        self.close_implied(key, element)
        self.report_misplaced(key, element, mark)
        if element.bits & VOID:
            return after
        if key == PLAINTEXT:
            return self.length
        if element.bits & RAW:
            return self.skip_raw(name, after, mark)
        if not ((key == SVG or key == MATH) and self.self_closing):
            self.push(key, mark)
        return after

    cdef int report_misplaced(self, uint64_t key, Element element, Py_ssize_t mark) except -1:
        """Report a tag that may not stand where it does."""
        if key == A and self.find_open(A) >= 0:
            self.report(mark, "a link in a link")
            self.depth = self.find_open(A)
        elif key == FORM and self.find_open(FORM) >= 0 and self.find_open(TEMPLATE) < 0:
            self.report(mark, "a form in a form")
        elif self.depth and self.in_table[self.depth - 1] and not element.bits & TABLE_PART:
            if key != SCRIPT and key != STYLE and key != TEMPLATE and key != FORM and key != INPUT:
                self.report(mark, f"<{self.name_at(mark)}> between the cells of a table")

    cdef int find_open(self, uint64_t key) noexcept:
        """Return the level of an open element; -1 if there is none in this cell, button or object."""
        cdef int level = self.depth - 1
        while level >= 0:
            if self.keys[level] == key:
                return level
            if self.keys[level] == TD or self.keys[level] == TH or self.keys[level] == CAPTION or self.keys[level] == OBJECT or self.keys[level] == TEMPLATE:
                return -1
            level -= 1
        return -1

    cdef int close_implied(self, uint64_t key, Element element) except -1:
        """Close open elements that this start tag ends."""
        cdef uint64_t top
        while self.depth:
            top = self.keys[self.depth - 1]
            if top == P:
                if not element.bits & CLOSES_P and not element.bits & TABLE_PART or key == TABLE and not element.bits & CLOSES_P:
                    return 0
            elif top not in OPTIONAL or key not in OPTIONAL[top]:
                return 0
            self.pop()

    cdef Py_ssize_t read_end(self, Py_ssize_t mark) except -1:
        cdef Name name = read_name(self.text, mark + 2, self.length)
        cdef uint64_t key = name.begin ^ name.rest
        cdef int level = self.depth - 1
        cdef int blocking = -1
        cdef Py_ssize_t after = name.end + 1
        if self.text[name.end] != c'>':
            self.name_count, self.twice = 0, -1
            after = self.read_attributes(name.end)
            if after < 0:
                self.report(mark, "a tag that is never closed")
                return self.length
        while level >= 0 and self.keys[level] != key:
            if blocking < 0 and self.keys[level] not in OPTIONAL:
                blocking = level
            level -= 1
        if level < 0:
            if key != HTML and key != BODY and key != HEAD:
                self.report(mark, f"</{self.name_at(mark)}> closes nothing")
            return after
        if blocking >= 0:
            self.report(mark, f"</{self.name_at(mark)}> while <{self.name_at(self.places[blocking])}> is open")
        while self.depth > level:
            self.pop()
        return after

    cdef Py_ssize_t skip_raw(self, Name opened, Py_ssize_t at, Py_ssize_t mark) except -1:
        """Return the place after an element whose content is not mark-up."""
        cdef Name name
        cdef Py_ssize_t after
        while True:
            at = self.find_after(at, c'<')
            if at >= self.length:
                self.report(mark, f"<{self.name_at(mark)}> is never closed")
                return self.length
            if self.text[at] == c'/':
                name = read_name(self.text, at + 1, self.length)
                if name.begin == opened.begin and name.rest == opened.rest:
                    self.name_count, self.twice = 0, -1
                    after = self.read_attributes(name.end)
                    return self.length if after < 0 else after

    cdef int push(self, uint64_t key, Py_ssize_t mark) except -1:
        if self.depth < MOST_OPEN:
            self.keys[self.depth] = key
            self.places[self.depth] = mark
            self.in_table[self.depth] = self.is_table_part(key)
            self.depth += 1
            self.drawings += key == SVG or key == MATH

    cdef bint is_table_part(self, uint64_t key) noexcept:
        """Return whether text may not stand directly in this element."""
        cdef Element element
        if key == TD or key == TH or key == CAPTION or self.drawings:
            return False
        element.bits = 0
        return key == TABLE or key in TABLE_ROWS

    cdef int pop(self) except -1:
        self.depth -= 1
        self.drawings -= self.keys[self.depth] == SVG or self.keys[self.depth] == MATH


cdef frozenset TABLE_ROWS = frozenset(key_of(name) for name in (b"tr", b"tbody", b"thead", b"tfoot", b"colgroup"))


def find_repairs(bytes source not None, Py_ssize_t most=100):
    """Return the places, in bytes, at which a parser has to repair a page, each with the reason; at most so many."""
    cdef RepairFinder finder = <RepairFinder>RepairFinder.__new__(RepairFinder)
    finder.text = source
    finder.length = len(source)
    finder.most = most
    finder.found = []
    finder.walk()
    return sorted(finder.found)
