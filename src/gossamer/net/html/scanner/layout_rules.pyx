# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What the layout of a page needs to know about tags and names, as tables that need no Python objects."""

from libc.stdint cimport uint32_t

from gossamer.net.html.scanner.name_words cimport NameWords
from gossamer.net.html.scanner.tag_bits import TAGS


cdef class LayoutRules:
    """The kinds and hints of tags, the hints of words in names, and the styles that hide an element."""

    def __cinit__(
        self, kind_of_tag, hint_of_tag, navigation, hiding_style, find_hints, hint_of_word, modifiers, most_chars
    ):
        cdef int number
        self.names = ("", *TAGS)
        self.kind_names = ["", "navigation", "paragraph", "table cell", "code"]
        self.kind_names += sorted({*kind_of_tag.values()} - {*self.kind_names})
        if len(self.names) > 256:
            raise ValueError("too many tags")
        for number in range(len(self.names)):
            tag = self.names[number]
            self.kinds[number] = self.kind_names.index(kind_of_tag[tag]) if tag in kind_of_tag else 0
            self.hints[number] = hint_of_tag.get(tag, 0)
        self.navigation = navigation
        self.a, self.br, self.noscript, self.p = (self.names.index(tag) for tag in ("a", "br", "noscript", "p"))
        self.words = NameWords(dict(hint_of_word), modifiers, most_chars)
        self.hiding_style, self.find_hints = hiding_style, find_hints

    cdef bint may_hide(self, const unsigned char* text, Py_ssize_t at, Py_ssize_t end) noexcept:
        """Return whether a style may hide its element: it names "display" or "visibility", or is not plain ASCII."""
        cdef const char* rest
        cdef Py_ssize_t place
        cdef unsigned char c
        while at < end:
            c = text[at] | 0x20
            at += 1
            if c >= 0x80 or text[at - 1] == c'&':
                return True
            if c != c'd' and c != c'v':
                continue
            rest = b"isplay" if c == c'd' else b"isibility"
            place = 0
            while rest[place] and at + place < end and text[at + place] | 0x20 == rest[place]:
                place += 1
            if not rest[place]:
                return True
        return False

    def find_plain_hints(self, bytes name not None):
        """Return the hints in a class or id; None if it has characters that are not plain ASCII. For tests."""
        cdef uint32_t found = 0
        return found if self.words.find(name, 0, len(name), &found) else None
