# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Measures the text of one fragment, compiled: its length, its sentences, and how it begins and ends.

`main_region` and `choose_main_text` have the readable versions; tests compare them.
"""

from cpython.unicode cimport (
    PyUnicode_DATA,
    PyUnicode_KIND,
    PyUnicode_READ,
    Py_UNICODE_ISALNUM,
    Py_UNICODE_ISDECIMAL,
    Py_UNICODE_ISSPACE,
)
from libc.stdint cimport uint32_t

from gossamer.net.main_text import choose_main_text

cdef enum:
    MOST_BEGINNINGS = 400
    BEGINNING_CHARS = 24
    # A shorter text is no running text.
    LONG_TEXT = 60

cdef object find_cue = choose_main_text.CUE.match
cdef frozenset CUE_STARTS = choose_main_text.CUE_STARTS
# The literal beginnings of all cues, in the order of their first letters, each with a zero after it.
cdef Py_UCS4[MOST_BEGINNINGS][BEGINNING_CHARS] BEGINNINGS
# By their first letter, the place of the first of them and the place after the last.
cdef int[128] BEGINNINGS_FROM
cdef int[128] BEGINNINGS_TO


def _fill_beginnings():
    cdef int place, at
    beginnings = sorted(choose_main_text.CUE_BEGINNINGS)
    if len(beginnings) > MOST_BEGINNINGS:
        raise ValueError("too many cues")
    for place, beginning in enumerate(beginnings):
        beginning = beginning[: BEGINNING_CHARS - 1]
        for at in range(len(beginning)):
            BEGINNINGS[place][at] = ord(beginning[at])
        BEGINNINGS[place][len(beginning)] = 0
        if ord(beginning[0]) < 128:
            if not BEGINNINGS_TO[ord(beginning[0])]:
                BEGINNINGS_FROM[ord(beginning[0])] = place
            BEGINNINGS_TO[ord(beginning[0])] = place + 1


_fill_beginnings()


cdef double measure_length(str text) noexcept:
    """Return the length of a text in letters, as `main_region.measure_length` does."""
    cdef Py_ssize_t chars = len(text)
    cdef Py_ssize_t spaces = 0
    cdef Py_ssize_t dense = 0
    cdef Py_ssize_t at
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 c
    if kind == 1:
        return chars  # Latin letters
    for at in range(chars):
        c = PyUnicode_READ(kind, data, at)
        spaces += c == c' '
        dense += 0x3040 <= c and (c <= 0x30FF or 0x3400 <= c <= 0x9FFF or 0xAC00 <= c <= 0xD7AF)
    return chars if chars <= 12 * (spaces + 1) else chars + 1.5 * dense


cdef bint has_sentences(str text) noexcept:
    """Return whether a text consists of sentences, as `main_region` says."""
    cdef Py_ssize_t chars = len(text)
    cdef Py_ssize_t at, after
    cdef int commas = 0
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 c
    if chars > 150:
        return True
    for at in range(chars):
        c = PyUnicode_READ(kind, data, at)
        if c in u"。！？।؟۔":
            return True
        if c in u".!?…:":
            after = at + 1
            if after == chars or Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, after)):
                return True
            if PyUnicode_READ(kind, data, after) in u"\"'”’»)]":
                after += 1
                if after == chars or Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, after)):
                    return True
        commas += c in u",،，、"
    return commas > 1


cdef bint ends_sentence(str text) noexcept:
    cdef Py_ssize_t at = len(text) - 1
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    while at >= 0 and PyUnicode_READ(kind, data, at) in u"\"'”’»)]*_":
        at -= 1
    return at >= 0 and PyUnicode_READ(kind, data, at) in u".!?…:。！？।؟۔："


cdef inline bint is_digit(Py_UCS4 c) noexcept:
    return 48 <= c <= 57 or c > 127 and Py_UNICODE_ISDECIMAL(c)


cdef inline bint is_word(Py_UCS4 c) noexcept:
    return Py_UNICODE_ISALNUM(c) or c == u"_"


cdef bint has_date(str text) noexcept:
    """Return whether a text has a year or a time, as `choose_main_text.DATE` finds them."""
    cdef Py_ssize_t chars = len(text)
    cdef Py_ssize_t at = 0
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 c, second, third
    while at + 3 < chars:
        c = PyUnicode_READ(kind, data, at)
        at += 1
        if not is_digit(c):
            continue
        second, third = PyUnicode_READ(kind, data, at), PyUnicode_READ(kind, data, at + 1)
        if not is_digit(second) or not is_digit(PyUnicode_READ(kind, data, at + 2)):
            continue
        if third == u":" or third == u".":
            if at + 3 < chars and is_digit(PyUnicode_READ(kind, data, at + 3)):
                return True
        elif is_digit(third) and (c == u"1" and second == u"9" or c == u"2" and second == u"0"):
            if at > 1 and is_word(PyUnicode_READ(kind, data, at - 2)):
                continue
            if at + 3 == chars or not is_word(PyUnicode_READ(kind, data, at + 3)):
                return True
    return False


cdef bint begins_with_cue(str text) except -1:
    """Return whether a cue begins a text; most texts are ruled out by their first letters."""
    cdef Py_ssize_t at = 0
    cdef Py_ssize_t chars = len(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 c
    while at < chars:
        c = PyUnicode_READ(kind, data, at)
        if c == u"©":
            return True
        if is_word(c):
            break
        at += 1
    return may_begin(text, at) and text[at : at + 2].lower() in CUE_STARTS and find_cue(text) is not None


cdef bint may_begin(str text, Py_ssize_t start) noexcept:
    """Return whether the literal beginning of a cue is here; letters above ASCII have too many forms to be compared."""
    cdef Py_ssize_t chars = len(text)
    cdef Py_ssize_t at
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef int place
    cdef Py_UCS4 c
    if start >= chars:
        return False
    c = to_lower(PyUnicode_READ(kind, data, start))
    if c > 127:
        return True
    for place in range(BEGINNINGS_FROM[c], BEGINNINGS_TO[c]):
        at = 1
        while True:
            if not BEGINNINGS[place][at]:
                return True
            if start + at >= chars:
                break
            c = to_lower(PyUnicode_READ(kind, data, start + at))
            if c > 127:
                return True
            if c != BEGINNINGS[place][at]:
                break
            at += 1
    return False


cdef inline Py_UCS4 to_lower(Py_UCS4 c) noexcept:
    return <Py_UCS4>(<uint32_t>c + 32) if 65 <= <uint32_t>c <= 90 else c


def count_running(list texts not None, list link_chars not None):
    """Return the number of characters in texts that are long and not mostly links."""
    cdef Py_ssize_t total = 0
    cdef Py_ssize_t place, chars
    if len(texts) != len(link_chars):
        raise ValueError("each text needs its characters of links")
    for place in range(len(texts)):
        chars = len(<str?>texts[place])
        if chars >= LONG_TEXT and 2 * <Py_ssize_t>link_chars[place] < chars:
            total += chars
    return total


def is_dated(str text not None):
    """Return whether a text has a date, for tests."""
    return has_date(text)


def is_cue(str text not None):
    """Return whether a text begins with a cue, for tests."""
    return begins_with_cue(text)
