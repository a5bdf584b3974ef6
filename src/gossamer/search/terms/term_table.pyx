# cython: language_level=3, boundscheck=False, wraparound=False
"""Turn the texts of a page into index terms in one pass: words are cut, folded, looked up and written out byte by byte.

Splitting a text into Python's strings, looking each of them up in a dict and joining the terms takes four times as long. A table
asks for the term of a new word once. It also knows which terms the page has had so far. One thread may use a table.
"""

import unicodedata

from cpython.unicode cimport (
    PyUnicode_1BYTE_KIND,
    PyUnicode_2BYTE_KIND,
    PyUnicode_DATA,
    PyUnicode_DecodeUTF8,
    PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
    PyUnicode_Substring,
)
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from gossamer.net.encoding.utf8 cimport write_utf8
from gossamer.search.terms.byte_strings cimport ByteString, ByteStrings
from gossamer.search.terms.split_words cimport LETTER, WHOLE, classify_character

cdef enum:
    ASCII_END = 128
    # No term has more than 60 characters: of longer words it matters only that they are longer.
    LONGEST = 61
    PADDING = 8
    # Characters below are composed already, and so is punctuation: most texts need no normal form.
    COMBINING_BEGIN = 0x0300
    PUNCTUATION_BEGIN = 0x2002
    PUNCTUATION_END = 0x2070
    FIRST_ROOM = 1 << 16

LONGEST_WORD = LONGEST
"""Only so many characters of a word are looked at."""
# The words of a table are dropped at this number: most of them are misspellings that occurred once.
cdef uint32_t MOST_WORDS = 200_000

cdef uint8_t[ASCII_END] LOWER
for code in range(ASCII_END):
    LOWER[code] = ord(chr(code).lower()) if chr(code).isalnum() else 0

ctypedef fused Code:
    uint8_t
    uint16_t
    uint32_t


cdef struct Buffer:
    unsigned char *bytes
    Py_ssize_t size
    Py_ssize_t room


cdef class TermTable:
    """The terms of the words of one language."""

    cdef object _find_term
    cdef ByteStrings _words, _terms
    cdef Buffer _joined, _apart
    cdef uint32_t _page
    cdef set _seen
    cdef bint _is_apart, _is_search

    def __cinit__(self):
        memset(&self._joined, 0, sizeof(Buffer))
        memset(&self._apart, 0, sizeof(Buffer))

    def __dealloc__(self):
        free(self._joined.bytes)
        free(self._apart.bytes)

    def __init__(self, find_term):
        """Prepare an empty table; `find_term` returns the term of a word."""
        self._find_term = find_term
        self._words, self._terms = ByteStrings(), ByteStrings()
        self._page = 1

    def begin_page(self):
        """Begin a page: it has no terms yet."""
        self._page += 1
        if self._words.count >= MOST_WORDS:
            self._words.clear()
            self._terms.clear()

    def join(self, str text not None, set words=None):
        """Return the terms of a text joined by spaces; the page has them from now on. Add the different words to `words`."""
        self._seen, self._is_apart = words, False
        self._walk(text)
        self._seen = None
        return _decode(&self._joined)

    def join_apart(self, str text not None):
        """Return the terms of a text joined by spaces, and those of them that the page does not have."""
        self._is_apart = True
        self._walk(text)
        return _decode(&self._joined), _decode(&self._apart)

    def find_words(self, str text not None, terms not None):
        """Return the different words of a text that have one of some terms. The page that was begun has no terms from now on."""
        cdef set found = set()
        self.begin_page()
        for term in terms:
            self._terms.strings[self._number_term(term)].page = self._page
        self._seen, self._is_search = found, True
        try:
            self._walk(text)
        finally:
            self._seen, self._is_search = None, False
        return found

    cdef int _walk(self, str text) except -1:
        cdef int kind
        text = _normalize(text)
        kind = PyUnicode_KIND(text)
        self._joined.size = self._apart.size = 0
        if kind == PyUnicode_1BYTE_KIND:
            return self._walk_characters(text, <const uint8_t *>PyUnicode_DATA(text))
        if kind == PyUnicode_2BYTE_KIND:
            return self._walk_characters(text, <const uint16_t *>PyUnicode_DATA(text))
        return self._walk_characters(text, <const uint32_t *>PyUnicode_DATA(text))

    cdef int _walk_characters(self, str text, const Code *data) except -1:
        """Take each word of a text, in lower case, as UTF-8."""
        cdef unsigned char word[4 * LONGEST + PADDING]
        cdef Py_ssize_t at, size = 0, characters = 0, length = PyUnicode_GET_LENGTH(text)
        cdef bint is_lower = True
        cdef int what
        for at in range(length):
            what = LOWER[data[at]] if data[at] < ASCII_END else 0
            if what:
                if characters < LONGEST:
                    word[size] = what
                    size += 1
                characters += 1
                continue
            if data[at] >= ASCII_END:
                what = classify_character(data[at])
                if what >= LETTER:
                    is_lower = is_lower and what == LETTER
                    if characters < LONGEST:
                        size += write_utf8(data[at], word + size)
                    characters += 1
                    continue
            if characters:
                self._end_word(text, at, characters, is_lower, word, size)
                size, characters, is_lower = 0, 0, True
            if what == WHOLE:
                self._take(word, write_utf8(data[at], word))
        if characters:
            self._end_word(text, length, characters, is_lower, word, size)
        return 0

    cdef int _end_word(
        self, str text, Py_ssize_t end, Py_ssize_t characters, bint is_lower, unsigned char *word, Py_ssize_t size
    ) except -1:
        cdef bytes lower
        if not is_lower:  # capitals outside ASCII may become several characters
            lower = PyUnicode_Substring(text, end - characters, end).lower()[:LONGEST].encode()
            size = len(lower)
            memcpy(word, <const unsigned char *>lower, size)
        return self._take(word, size)

    cdef int _take(self, unsigned char *word, Py_ssize_t size) except -1:
        """Write the term of a word."""
        cdef Py_ssize_t number
        cdef ByteString *term
        memset(word + size, 0, PADDING)
        number = self._words.find(word, size)
        if number < 0:
            number = self._learn(word, size)
        term = &self._terms.strings[self._words.strings[number].term]
        if self._is_search:
            if term.page == self._page:
                self._seen.add(word[:size].decode())
            return 0
        _write(&self._joined, self._terms.bytes + term.at, term.length)
        if not self._is_apart:
            term.page = self._page
        elif term.page != self._page:
            _write(&self._apart, self._terms.bytes + term.at, term.length)
        if self._seen is not None and self._words.strings[number].page != self._page:
            self._words.strings[number].page = self._page
            self._seen.add(word[:size].decode())
        return 0

    cdef Py_ssize_t _learn(self, unsigned char *word, Py_ssize_t size) except -1:
        """Find the term of a new word; return the number of the word."""
        cdef Py_ssize_t of_term = self._number_term(self._find_term(word[:size].decode()))
        cdef Py_ssize_t number = self._words.add(word, size)
        self._words.strings[number].term = of_term
        return number

    cdef Py_ssize_t _number_term(self, str term) except -1:
        """Return the number of a term, known or new."""
        cdef bytes encoded = term.encode("utf-8", "replace"), padded = encoded + bytes(PADDING)
        cdef Py_ssize_t number = self._terms.find(padded, len(encoded))
        return number if number >= 0 else self._terms.add(padded, len(encoded))


cdef str _normalize(str text):
    """Return a text in the form in which accents and letters are one character."""
    cdef int kind = PyUnicode_KIND(text)
    if kind == PyUnicode_1BYTE_KIND:
        return text
    if kind == PyUnicode_2BYTE_KIND and _is_composed(<const uint16_t *>PyUnicode_DATA(text), len(text)):
        return text
    return unicodedata.normalize("NFC", text)


cdef bint _is_composed(const uint16_t *data, Py_ssize_t length) noexcept:
    cdef Py_ssize_t at
    for at in range(length):
        if data[at] >= COMBINING_BEGIN and not PUNCTUATION_BEGIN <= data[at] < PUNCTUATION_END:
            return False
    return True


cdef inline int _write(Buffer *buffer, const unsigned char *text, Py_ssize_t length) except -1:
    """Append a term, and a space behind it."""
    cdef Py_ssize_t room
    cdef unsigned char *moved
    if buffer.size + length + 1 > buffer.room:
        room = 2 * buffer.room + length + FIRST_ROOM
        moved = <unsigned char *>realloc(buffer.bytes, room)
        if moved == NULL:
            raise MemoryError
        buffer.bytes, buffer.room = moved, room
    memcpy(buffer.bytes + buffer.size, text, length)
    buffer.bytes[buffer.size + length] = c" "
    buffer.size += length + 1
    return 0


cdef str _decode(Buffer *buffer):
    """Return what a buffer holds, without the last space."""
    return PyUnicode_DecodeUTF8(<const char *>buffer.bytes, buffer.size - 1, NULL) if buffer.size else ""
