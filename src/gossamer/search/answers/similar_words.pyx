# cython: language_level=3, boundscheck=False, wraparound=False
"""Find the words of a text with a similar spelling, in one pass that makes strings only for these."""

from cpython.unicode cimport (
    PyUnicode_DATA,
    PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
    PyUnicode_READ,
    PyUnicode_Substring,
    Py_UNICODE_ISALNUM,
    Py_UNICODE_TOLOWER,
)
from libc.stdint cimport uint32_t
from libc.stdlib cimport abs

cdef enum:
    LONGEST = 64


def find_near_words(str text not None, str word not None, int most_edits):
    """Return the words of a text within `most_edits` edits of a word, in lower case and in order, with the number of edits.

    An edit inserts, deletes or replaces a letter, or swaps two adjacent ones (Damerau 1964; no letter is edited twice). Words of more
    than 64 letters match nothing. Cost: O(characters), and O(letters²) for each word of about this length.
    """
    cdef Py_ssize_t at, start = -1, length = PyUnicode_GET_LENGTH(text), size = PyUnicode_GET_LENGTH(word)
    cdef int kind = PyUnicode_KIND(text), edits
    cdef void *data = PyUnicode_DATA(text)
    cdef uint32_t[LONGEST] wanted
    cdef list found = []
    if size > LONGEST:
        return found
    for at in range(size):
        wanted[at] = <uint32_t>Py_UNICODE_TOLOWER(word[at])
    for at in range(length + 1):
        if at < length and Py_UNICODE_ISALNUM(PyUnicode_READ(kind, data, at)):
            if start < 0:
                start = at
        elif start >= 0:
            if abs(at - start - size) <= most_edits and at - start <= LONGEST:
                edits = _count_edits(kind, data, start, at - start, wanted, size, most_edits)
                if edits <= most_edits:
                    found.append((PyUnicode_Substring(text, start, at).lower(), edits))
            start = -1
    return found


cdef int _count_edits(
    int kind, void *data, Py_ssize_t start, Py_ssize_t letters, const uint32_t *wanted, Py_ssize_t size, int most
) noexcept:
    """Return the number of edits between two words; `most` + 1 if it is larger than `most`."""
    cdef int[3][LONGEST + 1] rows
    cdef int *before
    cdef int *last
    cdef int *row
    cdef int least, edits
    cdef uint32_t letter, previous = 0
    cdef Py_ssize_t at, column
    for column in range(size + 1):
        rows[0][column] = <int>column
    for at in range(1, letters + 1):
        row, last, before = rows[at % 3], rows[(at + 2) % 3], rows[(at + 1) % 3]
        letter = <uint32_t>Py_UNICODE_TOLOWER(PyUnicode_READ(kind, data, start + at - 1))
        row[0] = least = <int>at
        for column in range(1, size + 1):
            edits = min(last[column], row[column - 1]) + 1
            edits = min(edits, last[column - 1] + (letter != wanted[column - 1]))
            if at > 1 and column > 1 and letter == wanted[column - 2] and previous == wanted[column - 1]:
                edits = min(edits, before[column - 2] + 1)
            row[column] = edits
            least = min(least, edits)
        if least > most:
            return most + 1
        previous = letter
    return rows[letters % 3][size]
