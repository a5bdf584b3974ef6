# cython: language_level=3, boundscheck=False, wraparound=False
"""Where words stand in a text that begin in one of some ways, whatever their case and accents: one pass, without copies of it."""

import unicodedata

from cpython.unicode cimport (
    PyUnicode_DATA,
    PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
    PyUnicode_READ,
    Py_UNICODE_ISALNUM,
    Py_UNICODE_TOLOWER,
)
from libc.stdint cimport uint8_t, uint32_t

cdef enum:
    PLAIN_END = 0x250
    BUCKETS = 256

cdef uint32_t[PLAIN_END] PLAIN
cdef uint8_t[PLAIN_END] IS_WORD


cdef str _plain(str letter):
    """Return a letter in lower case and, of the Latin ones, without accent."""
    cdef str lower = letter.lower()
    cdef str base = unicodedata.normalize("NFKD", lower)[:1]
    if base.isascii() and base.isalpha():
        return base
    return lower if len(lower) == 1 else letter


for code in range(PLAIN_END):
    PLAIN[code] = ord(_plain(chr(code)))
    IS_WORD[code] = chr(code).isalnum()


cdef inline uint32_t _folded(Py_UCS4 code) noexcept:
    return PLAIN[<uint32_t>code] if code < PLAIN_END else <uint32_t>Py_UNICODE_TOLOWER(code)


cdef inline bint _is_word(Py_UCS4 code) noexcept:
    return IS_WORD[<uint32_t>code] if code < PLAIN_END else Py_UNICODE_ISALNUM(code)


cdef class WordStarts:
    """Some beginnings of words, in lower case and plain letters."""

    cdef tuple _starts
    cdef list _anywhere
    cdef bint _some_anywhere
    cdef uint8_t[BUCKETS] _begins

    def __init__(self, starts, anywhere):
        """Take beginnings, and of each whether it counts in the middle of a word: in scripts without spaces all do."""
        cdef Py_ssize_t bucket
        self._starts = tuple(starts)
        self._anywhere = list(anywhere)
        self._some_anywhere = any(self._anywhere)
        for bucket in range(BUCKETS):
            self._begins[bucket] = 0
        for start in self._starts:
            self._begins[ord(start[0]) & (BUCKETS - 1)] = 1

    def places(self, str text not None, Py_ssize_t most_characters, Py_ssize_t most_each):
        """Return where words begin and end that begin so, as far as they begin within so many characters.

        Of each beginning so many are looked for. Cost: O(characters), whatever stands there.
        """
        cdef Py_ssize_t at, which, length = PyUnicode_GET_LENGTH(text)
        cdef int kind = PyUnicode_KIND(text)
        cdef void *data = PyUnicode_DATA(text)
        cdef Py_UCS4 code
        cdef bint inside = False
        cdef list found = [], left = [most_each] * len(self._starts)
        for at in range(min(length, most_characters)):
            code = PyUnicode_READ(kind, data, at)
            if (not inside or self._some_anywhere) and self._begins[_folded(code) & (BUCKETS - 1)]:
                which = self._which(kind, data, at, length, inside)
                if which >= 0 and left[which] > 0:
                    left[which] -= 1
                    found.append((at, self._end(kind, data, at, length, which)))
            inside = _is_word(code)
        return found

    cdef Py_ssize_t _which(self, int kind, void *data, Py_ssize_t at, Py_ssize_t length, bint inside):
        """Return the number of the first beginning that stands here; -1 if none does."""
        cdef Py_ssize_t which, place, size
        cdef str start
        for which in range(len(self._starts)):
            start = self._starts[which]
            size = PyUnicode_GET_LENGTH(start)
            if size > length - at or (inside and not self._anywhere[which]):
                continue
            for place in range(size):
                if _folded(PyUnicode_READ(kind, data, at + place)) != <uint32_t>(<Py_UCS4>start[place]):
                    break
            else:
                return which
        return -1

    cdef Py_ssize_t _end(self, int kind, void *data, Py_ssize_t at, Py_ssize_t length, Py_ssize_t which):
        """Return where the word ends that begins here."""
        if self._anywhere[which]:
            return at + PyUnicode_GET_LENGTH(self._starts[which])
        while at < length and _is_word(PyUnicode_READ(kind, data, at)):
            at += 1
        return at
