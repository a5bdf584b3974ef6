# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The words of a page, and the pairs of neighbours among them, counted by their hashes in compiled code.

Words are runs of letters and digits without capitals; digits are all the same, so that "cs415" and "cs314" are one
word. Characters of scripts without spaces are words by themselves, and their pairs do the work. A page of 5,000
characters takes 0.03 ms.
"""

import numpy as np

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

cdef extern from *:
    """
    static const uint64_t MIX_1 = 0xBF58476D1CE4E5B9u, MIX_2 = 0x94D049BB133111EBu, GOLDEN = 0x9E3779B97F4A7C15u;
    static const uint64_t FNV_PRIME = 0x100000001B3u, FNV_BASIS = 0xCBF29CE484222325u;
    """
    const uint64_t MIX_1, MIX_2, GOLDEN, FNV_PRIME, FNV_BASIS

cdef enum:
    SEPARATOR, LETTER, DIGIT, ALONE
    # What every digit counts as.
    ZERO = 48
    # Pages of more words are lists or books: what they are about stands further up.
    MOST_WORDS = 50_000

cdef uint8_t _kinds[128]
for _code in range(128):
    _kinds[_code] = DIGIT if chr(_code).isdigit() else LETTER if chr(_code).isalpha() else SEPARATOR


def counted(list parts not None):
    """Return the hashes of words and pairs, in order, and how often each occurs.

    Parts are (field, text, whether pairs count). The same word is another one in another field: the three highest bits
    of a hash are the number of its field.
    """
    cdef Counts counts
    count_parts(parts, &counts)
    try:
        return _arrays(&counts)
    finally:
        let_go(&counts)


cdef int count_parts(list parts, Counts *counts) except -1:
    """Count the words of all parts; `let_go` has to be called in the end."""
    cdef Py_ssize_t room = 0
    for field, text, pairs in parts:
        room += _most_words(text) * (2 if pairs else 1)
    counts.mask = 16
    while counts.mask < 2 * <uint64_t> room:
        counts.mask *= 2
    counts.ids = <uint32_t *> calloc(counts.mask, sizeof(uint32_t))
    counts.times = <uint32_t *> calloc(counts.mask, sizeof(uint32_t))
    counts.mask -= 1
    counts.held = 0
    if counts.ids == NULL or counts.times == NULL:
        let_go(counts)
        raise MemoryError
    for field, text, pairs in parts:
        _count(text.lower(), <uint32_t> field << FIELD_AT, pairs, counts)
    return 0


cdef void let_go(Counts *counts) noexcept:
    free(counts.ids)
    free(counts.times)


cdef Py_ssize_t _most_words(str text) noexcept:
    """Return how many words a text can have: one every other character, unless its script has no spaces."""
    cdef Py_ssize_t length = len(text)
    return min(MOST_WORDS, length // 2 if text.isascii() else length) + 1


def words_of(str text not None):
    """Return the words as they are counted, for whoever has to name them."""
    cdef list found = []
    cdef str lower = text.lower()
    cdef Py_ssize_t at, start = -1
    cdef int kind
    for at in range(len(lower)):
        kind = _kind(lower[at])
        if kind != LETTER and kind != DIGIT and start >= 0:
            found.append(lower[start:at])
            start = -1
        if kind == ALONE:
            found.append(lower[at])
        elif kind != SEPARATOR and start < 0:
            start = at
    if start >= 0:
        found.append(lower[start:])
    return found[:MOST_WORDS]


def names_of(list parts not None, set wanted not None):
    """Return the words and pairs of these hashes, as far as they occur."""
    cdef dict names = {}
    cdef uint64_t word, before
    cdef uint32_t field_bits
    cdef str name, name_before
    for field, text, pairs in parts:
        field_bits = <uint32_t> field << FIELD_AT
        before, name_before = 0, ""
        for name in words_of(text):
            word = _spread(_hash(name))
            if _id(word, field_bits) in wanted:
                names.setdefault(_id(word, field_bits), name)
            if pairs and before and _id(_spread(before * GOLDEN + word), field_bits) in wanted:
                names.setdefault(_id(_spread(before * GOLDEN + word), field_bits), f"{name_before} {name}")
            before, name_before = word, name
    return names


cdef uint64_t _hash(str word) noexcept:
    cdef uint64_t hashed = FNV_BASIS
    cdef Py_UCS4 character
    for character in word:
        hashed = (hashed ^ (ZERO if _kind(character) == DIGIT else <uint64_t> character)) * FNV_PRIME
    return hashed


cdef int _count(str text, uint32_t field, bint pairs, Counts *counts) except -1:
    cdef uint64_t word = FNV_BASIS, before = 0
    cdef Py_ssize_t words = 0
    cdef Py_UCS4 character
    cdef int kind
    cdef bint inside = False
    for character in text:
        kind = _kind(character)
        if kind == LETTER or kind == DIGIT:
            word = (word ^ (ZERO if kind == DIGIT else <uint64_t> character)) * FNV_PRIME
            inside = True
            continue
        if inside:
            before = _take(word, before, field, pairs, counts)
            word = FNV_BASIS
            inside = False
            words += 1
        if kind == ALONE:
            before = _take((FNV_BASIS ^ <uint64_t> character) * FNV_PRIME, before, field, pairs, counts)
            words += 1
        if words >= MOST_WORDS:
            return 0
    if inside:
        _take(word, before, field, pairs, counts)
    return 0


cdef inline int _kind(Py_UCS4 character) noexcept:
    if character < 128:
        return _kinds[character]
    if _is_unspaced(character):
        return ALONE
    return LETTER if character.isalnum() else SEPARATOR


cdef inline bint _is_unspaced(Py_UCS4 character) noexcept:
    """Say whether a script writes without spaces: Thai to Tibetan, Burmese, Khmer, and those of China and Japan."""
    if character < 0x0E00:
        return False
    if 0x3040 <= character < 0xA000 or 0x20000 <= character < 0x33480 or 0xF900 <= character < 0xFB00:
        return character.isalnum()
    return (character < 0x1000 or 0x1000 <= character < 0x10A0 or 0x1780 <= character < 0x1800) and character.isalnum()


cdef inline uint64_t _take(uint64_t word, uint64_t before, uint32_t field, bint pairs, Counts *counts) noexcept:
    """Count a word and its pair with the one before; return its hash."""
    word = _spread(word)
    _add(word, field, counts)
    if pairs and before:
        _add(_spread(before * GOLDEN + word), field, counts)
    return word


cdef inline void _add(uint64_t hashed, uint32_t field, Counts *counts) noexcept:
    cdef uint32_t id = _id(hashed, field)
    cdef uint64_t place = (hashed + field) & counts.mask
    while counts.ids[place] != id:
        if counts.ids[place] == 0:
            counts.ids[place] = id
            counts.held += 1
            break
        place = (place + 1) & counts.mask
    counts.times[place] += 1


cdef inline uint32_t _id(uint64_t hashed, uint32_t field) noexcept:
    """Return the hash that counts: never 0, which is an empty place."""
    return field | <uint32_t> (hashed >> (64 - FIELD_AT)) | 1


cdef inline uint64_t _spread(uint64_t number) noexcept:
    number = (number ^ (number >> 30)) * MIX_1
    number = (number ^ (number >> 27)) * MIX_2
    return number ^ (number >> 31)


cdef tuple _arrays(const Counts *counts):
    """Return what was counted, in order of the hashes."""
    ids = np.empty(counts.held, np.uint32)
    times = np.empty(counts.held, np.float32)
    cdef uint32_t[::1] id_of = ids
    cdef float[::1] times_of = times
    cdef Py_ssize_t at = 0
    cdef uint64_t place
    for place in range(counts.mask + 1):
        if counts.ids[place]:
            id_of[at] = counts.ids[place]
            times_of[at] = counts.times[place]
            at += 1
    order = np.argsort(ids)
    return ids[order], times[order]
