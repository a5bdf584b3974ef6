# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The source of a page as tokens: names, attributes, comments, as the HTML standard cuts them (section 13.2.5).

The text ends with a NUL that does not belong to it and holds no other, so one character may be read beyond its end.
"""

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint64_t
from libc.string cimport memchr, memcpy

from gossamer.net.html.scanner.character_references cimport Reference, decoded
from gossamer.net.html.scanner.collect_text cimport Sink, empty
from gossamer.net.eight_bytes cimport EACH_BYTE, HIGH_BITS, lowest_bit

cdef unsigned char[256] is_space
# A character of a tag's name, its letters in lower case; 0 for what ends a name.
cdef unsigned char[256] in_name
cdef dict LOWER = {code: chr(code + 32) for code in range(65, 91)}


def _fill_tables():
    for byte in range(256):
        is_space[byte] = byte in b" \t\n\f\r"
        in_name[byte] = 0 if is_space[byte] or byte in b"/>" else byte + 32 if 65 <= byte <= 90 else byte


_fill_tables()


cdef Name name_at(const unsigned char* text, Py_ssize_t at, Py_ssize_t end) noexcept:
    """The name of a tag: everything up to white space, a slash or the end of the tag."""
    cdef Name name
    cdef int size
    if at + 8 <= end:
        memcpy(&name.begin, text + at, 8)
        size = plain_name_size(name.begin)
        if size < 8 and not in_name[text[at + size]]:
            name.begin = lower(name.begin & ((<uint64_t>1 << (8 * size)) - 1))
            name.rest = 0
            name.end = at + size
            return name
    return any_name_at(text, at, end)


cdef inline int plain_name_size(uint64_t eight) noexcept:
    """How many of eight characters come before the first that is no letter, nor like one."""
    cdef uint64_t closing = eight ^ (EACH_BYTE * c'>')
    cdef uint64_t others = (eight | (eight - EACH_BYTE * c'0') | ((closing - EACH_BYTE) & ~closing)) & HIGH_BITS
    return lowest_bit(others) >> 3 if others else 8


cdef inline uint64_t lower(uint64_t eight) noexcept:
    """Eight characters of ASCII, capitals made small."""
    cdef uint64_t from_a = eight + EACH_BYTE * (0x80 - c'A')
    cdef uint64_t beyond_z = eight + EACH_BYTE * (0x7F - c'Z')
    return eight | ((from_a ^ beyond_z) & HIGH_BITS) >> 2


cdef Name any_name_at(const unsigned char* text, Py_ssize_t at, Py_ssize_t end) noexcept:
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


cdef class Source:
    """A page, and the attributes of the tag that is looked at."""

    cdef Py_ssize_t after_comment(self, Py_ssize_t at) noexcept:
        """The place behind a comment whose text begins here."""
        cdef const unsigned char* text = self.text
        cdef Py_ssize_t end = at
        if at >= self.length:
            return self.length
        if text[at] == c'>':
            return at + 1
        if text[at] == c'-' and text[at + 1] == c'>':
            return at + 2
        while True:
            end = self.after(end, c'>')
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
        """Note the attributes of a tag; return the place behind it, -1 if the page ends first."""
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
                    at = self.after(at + 1, c)
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
                c = self.text[found.name + at]
                if 65 <= c <= 90:
                    c |= 0x20
                if c != <unsigned char>name[at]:
                    break
            else:
                return found
        return NULL

    cdef Sink tail(self) noexcept:
        """Room for something that is gathered for a moment."""
        cdef Sink tail
        tail.data = self.words.data + self.words.size
        tail.room = self.words.room - self.words.size
        empty(&tail)
        return tail

    cdef dict all_attributes(self):
        """All attributes by name, which has no capitals of ASCII; of two with the same name the first counts."""
        cdef Attribute* found
        cdef dict attributes = {}
        cdef int place
        for place in range(self.attribute_count):
            found = &self.attributes[place]
            name = PyUnicode_DecodeUTF8(<const char*>self.text + found.name, found.name_end - found.name, NULL)
            if self.has_capitals(found.name, found.name_end):
                name = name.translate(LOWER)
            if name not in attributes:
                attributes[name] = self.value_of(found)
        return attributes

    cdef bint has_capitals(self, Py_ssize_t at, Py_ssize_t end) noexcept:
        while at < end and not 65 <= self.text[at] <= 90:
            at += 1
        return at < end

    cdef str value_of(self, Attribute* found):
        return self.value(found.value, found.value_end)

    cdef str value(self, Py_ssize_t start, Py_ssize_t end):
        """An attribute's value with its references decoded."""
        cdef const unsigned char* text = self.text
        cdef Reference reference
        cdef Sink out = self.tail()
        if end <= start:
            return ""
        if memchr(text + start, c'&', end - start) == NULL:
            return PyUnicode_DecodeUTF8(<const char*>text + start, end - start, NULL)
        while start < end:
            if text[start] == c'&':
                reference = decoded(text, start, end, True)
                if reference.size:
                    memcpy(out.data + out.size, reference.utf8, reference.size)
                    out.size += reference.size
                    start = reference.end
                    continue
            out.data[out.size] = text[start]
            out.size += 1
            start += 1
        return PyUnicode_DecodeUTF8(<const char*>out.data, out.size, NULL)
