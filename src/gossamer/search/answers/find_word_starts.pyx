# cython: language_level=3, boundscheck=False, wraparound=False
"""Find words by their beginnings, regardless of case and accents, in one pass that copies nothing."""

import unicodedata

from cpython.unicode cimport (
    PyUnicode_DATA,
    PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
    PyUnicode_READ,
    PyUnicode_Substring,
    Py_UNICODE_ISALNUM,
    Py_UNICODE_ISSPACE,
    Py_UNICODE_TOLOWER,
)
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

cdef extern from *:
    """
    static const uint64_t ALL = UINT64_MAX;
    """
    const uint64_t ALL

ctypedef fused Letter:
    uint8_t
    uint16_t
    uint32_t

cdef enum:
    PLAIN_END = 0x250
    BUCKETS = 256
    SECONDS = 64
    IN_WORD = 1
    BEGINS = 2

cdef uint32_t[PLAIN_END] PLAIN
cdef uint8_t[PLAIN_END] IS_WORD


cdef str _to_plain(str letter):
    """Return a letter in lower case; Latin letters also without accent."""
    cdef str lower = letter.lower()
    cdef str base = unicodedata.normalize("NFKD", lower)[:1]
    if base.isascii() and base.isalpha():
        return base
    return lower if len(lower) == 1 else letter


for code in range(PLAIN_END):
    PLAIN[code] = ord(_to_plain(chr(code)))
    IS_WORD[code] = chr(code).isalnum()


cdef inline uint32_t _fold(Py_UCS4 code) noexcept:
    return PLAIN[<uint32_t>code] if code < PLAIN_END else <uint32_t>Py_UNICODE_TOLOWER(code)


cdef inline bint _is_word(Py_UCS4 code) noexcept:
    return IS_WORD[<uint32_t>code] if code < PLAIN_END else Py_UNICODE_ISALNUM(code)


cdef struct Letters:
    # `plain` has flags for each plain letter. `seconds`, indexed by the lowest bits of a first letter, is a mask of second letters
    # with which a beginning may continue. Two letters together leave one word in fifty to compare.
    uint8_t[PLAIN_END] plain
    uint64_t[BUCKETS] seconds
    bint anywhere


cdef Py_ssize_t _find_next(
    const Letter *text, Py_ssize_t at, Py_ssize_t end, Py_ssize_t length, bint *inside, const Letters *letters
) noexcept:
    """Return the next position at which a beginning may match; set `inside` if it is within a word."""
    cdef uint8_t what
    cdef uint32_t code
    cdef uint64_t seconds
    # One mask for both conditions: with two branches, every other word end would be mispredicted.
    cdef uint8_t everywhere = BEGINS if letters.anywhere else 0, here = everywhere | (0 if inside[0] else BEGINS)
    while at < end:
        code = text[at]
        if code < PLAIN_END:
            what = letters.plain[code]
        else:
            what = (IN_WORD if Py_UNICODE_ISALNUM(code) else 0) | BEGINS
        if what & here:
            seconds = letters.seconds[_fold(code) & (BUCKETS - 1)]
            if seconds == ALL or (at + 1 < length and seconds >> (_fold(text[at + 1]) & (SECONDS - 1)) & 1):
                break
        here = everywhere | (~what & IN_WORD) << 1
        inside[0] = what & IN_WORD
        at += 1
    return at


cdef class WordStarts:
    """A set of beginnings of words, in lower case and plain letters."""

    cdef tuple _starts
    cdef list _anywhere
    cdef Letters _letters

    def __init__(self, starts, anywhere):
        """Take beginnings, and whether each also matches within words, as in scripts without spaces."""
        self._starts = tuple(starts)
        self._anywhere = list(anywhere)
        self._letters.anywhere = any(self._anywhere)
        memcpy(self._letters.plain, IS_WORD, sizeof(IS_WORD))
        memset(self._letters.seconds, 0, sizeof(self._letters.seconds))
        for start in self._starts:
            self._add_start(start)

    cdef void _add_start(self, str start):
        """Record the first two letters of a beginning."""
        cdef Py_ssize_t place
        cdef uint32_t first = <uint32_t>(<Py_UCS4>start[0])
        cdef uint64_t second = ALL
        if PyUnicode_GET_LENGTH(start) > 1:
            second = <uint64_t>1 << (<uint32_t>(<Py_UCS4>start[1]) & (SECONDS - 1))
        self._letters.seconds[first & (BUCKETS - 1)] |= second
        for place in range(PLAIN_END):
            if PLAIN[place] == first:
                self._letters.plain[place] |= BEGINS

    def find_matches(self, str text not None, numbers, Py_ssize_t wanted, tuple reads, Py_ssize_t most_each):
        """Return begin, end and number of each matching word; words with a negative number are skipped.

        The text is read up to the first of the lengths `reads`, and up to the next only if fewer than `wanted` different numbers were
        found. At most `most_each` words are looked up for each beginning. Cost: O(characters), for any text.
        """
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), at = 0, which, stop, end
        cdef int kind = PyUnicode_KIND(text)
        cdef void *data = PyUnicode_DATA(text)
        cdef bint inside = False
        cdef list found = [], left = [most_each] * len(self._starts)
        cdef set seen = set()
        for characters in reads:
            end = min(length, <Py_ssize_t>characters)
            while True:
                at = self._find_next_place(kind, data, at, end, length, &inside)
                if at >= end:
                    break
                which = self._match_start(kind, data, at, length, inside)
                if which >= 0 and left[which] > 0:
                    left[which] -= 1
                    stop = self._find_end(kind, data, at, length, which)
                    number = numbers[PyUnicode_Substring(text, at, stop).lower()]
                    if number >= 0:
                        found.append((at, stop, number))
                        seen.add(number)
                inside = _is_word(PyUnicode_READ(kind, data, at))
                at += 1
            if end == length or len(seen) >= wanted:
                break
        return found

    cdef Py_ssize_t _find_next_place(
        self, int kind, void *data, Py_ssize_t at, Py_ssize_t end, Py_ssize_t length, bint *inside
    ):
        if kind == 1:
            return _find_next[uint8_t](<const uint8_t *>data, at, end, length, inside, &self._letters)
        if kind == 2:
            return _find_next[uint16_t](<const uint16_t *>data, at, end, length, inside, &self._letters)
        return _find_next[uint32_t](<const uint32_t *>data, at, end, length, inside, &self._letters)

    cdef Py_ssize_t _match_start(self, int kind, void *data, Py_ssize_t at, Py_ssize_t length, bint inside):
        """Return the number of the first beginning that matches here; -1 if none does."""
        cdef Py_ssize_t which, place, size
        cdef str start
        for which in range(len(self._starts)):
            start = self._starts[which]
            size = PyUnicode_GET_LENGTH(start)
            if size > length - at or (inside and not self._anywhere[which]):
                continue
            for place in range(size):
                if _fold(PyUnicode_READ(kind, data, at + place)) != <uint32_t>(<Py_UCS4>start[place]):
                    break
            else:
                return which
        return -1

    cdef Py_ssize_t _find_end(self, int kind, void *data, Py_ssize_t at, Py_ssize_t length, Py_ssize_t which):
        """Return the end of the word that begins here."""
        if self._anywhere[which]:
            return at + PyUnicode_GET_LENGTH(self._starts[which])
        while at < length and _is_word(PyUnicode_READ(kind, data, at)):
            at += 1
        return at


def find_best_start(list found not None, Py_ssize_t reach):
    """Return the begin of the match that is followed by the most different numbers within `reach` characters; 0 without matches.

    Ties are decided by the number of matches. Cost: O(matches).
    """
    cdef Py_ssize_t at, last = 0, begin, best_begin = 0, matches = len(found)
    cdef double worth, best = 0.0
    cdef dict inside = {}
    for at in range(matches):
        begin, _, number = <tuple>found[at]
        while last < matches and <Py_ssize_t>(<tuple>found[last])[1] <= begin + reach:
            other = (<tuple>found[last])[2]
            inside[other] = inside.get(other, 0) + 1
            last += 1
        worth = len(inside) + 0.05 * (last - at)
        if worth > best:
            best, best_begin = worth, begin
        if inside.get(number, 0) > 1:
            inside[number] -= 1
        else:
            inside.pop(number, None)
    return best_begin


def find_sentence_begin(str text not None, Py_ssize_t first, Py_ssize_t last):
    """Return where the first sentence or line between two positions begins; else the first word, else the first position."""
    cdef Py_ssize_t at, space = -1
    cdef int kind = PyUnicode_KIND(text)
    cdef void *data = PyUnicode_DATA(text)
    cdef Py_UCS4 code
    cdef bint ends = False
    first, last = max(0, first), min(last, PyUnicode_GET_LENGTH(text))
    for at in range(first, last):
        code = PyUnicode_READ(kind, data, at)
        if code == u"\n" or (ends and Py_UNICODE_ISSPACE(code)):
            while at < last and Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, at)):
                at += 1
            return at
        if space < 0 and code == u" ":
            space = at
        ends = code == u"." or code == u"!" or code == u"?" or code == u"…"
    return space + 1 if space >= 0 else first
