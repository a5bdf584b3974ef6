# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Splits the source of a page into names, attributes and comments (HTML standard, section 13.2.5).

The text ends with a NUL that is not part of it and contains no other, so one character after its end may be read.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint64_t
from libc.string cimport memchr, memcpy

from gossamer.net.html.scanner.character_references cimport Reference, decode_reference
from gossamer.net.html.scanner.collect_text cimport Sink, clear
from gossamer.net.eight_bytes cimport EACH_BYTE, HIGH_BITS, lowest_bit

cdef unsigned char[256] is_space
# A character of a tag's name, in lower case; 0 for a character that ends a name.
cdef unsigned char[256] in_name
cdef dict LOWER = {code: chr(code + 32) for code in range(65, 91)}


def _fill_tables():
    for byte in range(256):
        is_space[byte] = byte in b" \t\n\f\r"
        in_name[byte] = 0 if is_space[byte] or byte in b"/>" else byte + 32 if 65 <= byte <= 90 else byte


_fill_tables()


cdef bytes mend_line_ends(bytes source):
    """Return a source whose lines all end with a line feed."""
    cdef Py_ssize_t length = len(source)
    cdef const unsigned char* text = source
    cdef const unsigned char* found
    cdef unsigned char* out
    cdef Py_ssize_t at = 0
    cdef Py_ssize_t size = 0
    cdef Py_ssize_t run
    cdef bytes mended
    if memchr(text, c'\r', length) == NULL:
        return source
    mended = PyBytes_FromStringAndSize(NULL, length)
    out = <unsigned char*>PyBytes_AS_STRING(mended)
    while at < length:
        found = <const unsigned char*>memchr(text + at, c'\r', length - at)
        run = length - at if found == NULL else found - (text + at)
        memcpy(out + size, text + at, run)
        size += run
        at += run + 1
        if found != NULL:
            out[size] = c'\n'
            size += 1
            at += at < length and text[at] == c'\n'
    return mended[:size]


cdef Name read_name(const unsigned char* text, Py_ssize_t at, Py_ssize_t end) noexcept:
    """Read the name of a tag: everything up to white space, a slash or the end of the tag."""
    cdef Name name
    cdef int size
    if at + 8 <= end:
        memcpy(&name.begin, text + at, 8)
        size = measure_plain_name(name.begin)
        if size < 8 and not in_name[text[at + size]]:
            name.begin = to_lower(name.begin & ((<uint64_t>1 << (8 * size)) - 1))
            name.rest = 0
            name.end = at + size
            return name
    return read_any_name(text, at, end)


cdef inline int measure_plain_name(uint64_t eight) noexcept:
    """Return how many of eight characters come before the first that is not a letter or similar."""
    cdef uint64_t closing = eight ^ (EACH_BYTE * c'>')
    cdef uint64_t others = (eight | (eight - EACH_BYTE * c'0') | ((closing - EACH_BYTE) & ~closing)) & HIGH_BITS
    return lowest_bit(others) >> 3 if others else 8


cdef inline uint64_t to_lower(uint64_t eight) noexcept:
    """Return eight ASCII characters in lower case."""
    cdef uint64_t from_a = eight + EACH_BYTE * (0x80 - c'A')
    cdef uint64_t beyond_z = eight + EACH_BYTE * (0x7F - c'Z')
    return eight | ((from_a ^ beyond_z) & HIGH_BITS) >> 2


cdef Name read_any_name(const unsigned char* text, Py_ssize_t at, Py_ssize_t end) noexcept:
    cdef Name name
    cdef Py_ssize_t start = at
    name.begin = name.rest = 0
    while at < end and at < start + 8 and in_name[text[at]]:
        name.begin |= <uint64_t>in_name[text[at]] << (8 * (at - start))
        at += 1
    if at == start + 8:
        while at < end and in_name[text[at]]:  # FNV-1a
            name.rest = ((name.rest or 0xCBF29CE484222325ULL) ^ in_name[text[at]]) * 0x100000001B3ULL
            at += 1
    name.end = at
    return name


cdef class Tokenizer:
    """The source of a page, and the attributes of the current tag."""

    cdef Py_ssize_t skip_comment(self, Py_ssize_t at) noexcept:
        """Return the place after a comment whose text begins here."""
        cdef const unsigned char* text = self.text
        cdef Py_ssize_t end = at
        if at >= self.length:
            return self.length
        if text[at] == c'>':
            return at + 1
        if text[at] == c'-' and text[at + 1] == c'>':
            return at + 2
        while True:
            end = self.find_after(end, c'>')
            if text[end - 1] != c'>':
                return self.length
            if end - 3 >= at and text[end - 2] == c'-' and text[end - 3] == c'-':
                return end
            if end - 4 >= at and text[end - 2] == c'!' and text[end - 3] == c'-' and text[end - 4] == c'-':
                return end
            if end >= self.length:
                return self.length

    cdef bint is_blank(self, Py_ssize_t at, Py_ssize_t end) noexcept:
        while at < end and is_space[self.text[at]]:
            at += 1
        return at == end

    cdef Py_ssize_t read_attributes(self, Py_ssize_t at) noexcept:
        """Read the attributes of a tag; return the place after the tag, -1 if the page ends first."""
        cdef const unsigned char* text = self.text
        cdef Py_ssize_t end = self.length
        cdef Attribute found
        cdef unsigned char c
        self.attribute_count = 0
        self.self_closing = False
        while True:
            while at < end and (is_space[text[at]] or text[at] == c'/'):
                at += 1
            if at >= end:
                return -1
            if text[at] == c'>':
                self.self_closing = text[at - 1] == c'/'
                return at + 1
            found.name = at
            at += 1  # even an equals sign
            while at < end and not is_space[text[at]] and text[at] != c'/' and text[at] != c'>' and text[at] != c'=':
                at += 1
            found.name_end = at
            while at < end and is_space[text[at]]:
                at += 1
            found.value = found.value_end = at
            if at < end and text[at] == c'=':
                at += 1
                while at < end and is_space[text[at]]:
                    at += 1
                if at >= end:
                    return -1
                c = text[at]
                if c == c'"' or c == c"'":
                    found.value = at + 1
                    at = self.find_after(at + 1, c)
                    found.value_end = at - 1
                    if text[at - 1] != c or at == found.value:
                        return -1  # never closed
                else:
                    found.value = at
                    while at < end and not is_space[text[at]] and text[at] != c'>':
                        at += 1
                    found.value_end = at
                    if at < end and text[at] == c'>':
                        # A slash before it belongs to the value.
                        self.add_attribute(&found)
                        return at + 1
            self.add_attribute(&found)

    cdef void add_attribute(self, Attribute* found) noexcept:
        if self.attribute_count < MOST_ATTRIBUTES:
            self.attributes[self.attribute_count] = found[0]
            self.attribute_count += 1
        else:
            self.gives_up = True

    cdef Attribute* find_attribute(self, const char* name, Py_ssize_t size) noexcept:
        """Return the first attribute of a name in lower case; NULL if there is none."""
        cdef int place
        cdef Py_ssize_t at
        cdef Attribute* found
        cdef unsigned char c
        for place in range(self.attribute_count):
            found = &self.attributes[place]
            if found.name_end - found.name != size:
                continue
            for at in range(size):
                c = self.text[found.name + at]
                if 65 <= c <= 90:
                    c |= 0x20
                if c != <unsigned char>name[at]:
                    break
            else:
                return found
        return NULL

    cdef Sink make_tail(self) noexcept:
        """Return a temporary sink in the free room after the text."""
        cdef Sink tail
        tail.data = self.words.data + self.words.size
        tail.room = self.words.room - self.words.size
        clear(&tail)
        return tail

    cdef dict read_all_attributes(self):
        """Return all attributes by name, in lower case for ASCII; of two with the same name, the first counts."""
        cdef Attribute* found
        cdef dict attributes = {}
        cdef int place
        for place in range(self.attribute_count):
            found = &self.attributes[place]
            name = PyUnicode_DecodeUTF8(<const char*>self.text + found.name, found.name_end - found.name, NULL)
            if self.has_capitals(found.name, found.name_end):
                name = name.translate(LOWER)
            if name not in attributes:
                attributes[name] = self.read_value(found)
        return attributes

    cdef bint has_capitals(self, Py_ssize_t at, Py_ssize_t end) noexcept:
        while at < end and not 65 <= self.text[at] <= 90:
            at += 1
        return at < end

    cdef str read_value(self, Attribute* found):
        return self.decode_value(found.value, found.value_end)

    cdef str decode_value(self, Py_ssize_t start, Py_ssize_t end):
        """Return the value of an attribute with its references decoded."""
        cdef const unsigned char* text = self.text
        cdef Reference reference
        cdef Sink out = self.make_tail()
        if end <= start:
            return ""
        if memchr(text + start, c'&', end - start) == NULL:
            return PyUnicode_DecodeUTF8(<const char*>text + start, end - start, NULL)
        while start < end:
            if text[start] == c'&':
                reference = decode_reference(text, start, end, True)
                if reference.size:
                    memcpy(out.data + out.size, reference.utf8, reference.size)
                    out.size += reference.size
                    start = reference.end
                    continue
            out.data[out.size] = text[start]
            out.size += 1
            start += 1
        return PyUnicode_DecodeUTF8(<const char*>out.data, out.size, NULL)
