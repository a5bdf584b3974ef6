# cython: language_level=3, boundscheck=False, wraparound=False
"""Compare texts by the hashes of their words, compiled: the hashes, keys of bands, and pairs that are nearly equal."""

from array import array

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, qsort

from gossamer.net.encoding.utf8 cimport write_utf8

cdef enum:
    # Longer words come from scripts without spaces, and are split into pieces of two characters.
    LONGEST_WORD = 15
    CRC_POLYNOMIAL = 0xEDB88320
    NO_WORD_BEFORE = 0xFFFFFFFF

cdef uint32_t _crc_of_byte[256]


cdef void _set_up() noexcept:
    cdef uint32_t crc
    cdef int byte, bit
    for byte in range(256):
        crc = byte
        for bit in range(8):
            crc = (crc >> 1) ^ (<uint32_t>CRC_POLYNOMIAL if crc & 1 else 0)
        _crc_of_byte[byte] = crc


cdef struct Hashes:
    # The characters of the word that is being read, up to the longest; their number; and their CRC so far.
    uint32_t characters[LONGEST_WORD + 1]
    Py_ssize_t size
    uint32_t crc
    Py_ssize_t count
    uint32_t *found


def hash_words(str text not None) -> bytes:
    """Return the ascending, distinct 32-bit hashes of the words of a text; case is ignored, and all numbers are equal.

    A hash is the CRC-32 of a word in UTF-8. Cost: O(characters), and sorting the words.
    """
    cdef str lowered = text.lower()
    cdef Hashes hashes
    cdef Py_UCS4 character
    cdef bint in_number = False
    hashes.size = hashes.count = hashes.crc = 0
    # Each character ends at most one word, or one piece of it.
    hashes.found = <uint32_t *>malloc((len(lowered) + 1) * sizeof(uint32_t))
    if hashes.found is NULL:
        raise MemoryError
    try:
        for character in lowered:
            if character.isdecimal():
                if not in_number:
                    _add_character(&hashes, u"0")
                in_number = True
                continue
            in_number = False
            if character.isalnum() or character == u"_":
                _add_character(&hashes, character)
            else:
                _end_word(&hashes)
        _end_word(&hashes)
        _sort_distinct(&hashes)
        return PyBytes_FromStringAndSize(<char *>hashes.found, hashes.count * sizeof(uint32_t))
    finally:
        free(hashes.found)


cdef inline void _add_character(Hashes *hashes, uint32_t character) noexcept:
    cdef Py_ssize_t at
    if hashes.size < LONGEST_WORD:
        hashes.crc = _add_to_crc(hashes.crc if hashes.size else NO_WORD_BEFORE, character)
        hashes.characters[hashes.size] = character
        hashes.size += 1
        return
    if hashes.size == LONGEST_WORD:
        for at in range(LONGEST_WORD - 1):
            _add_pair(hashes, hashes.characters[at], hashes.characters[at + 1])
        hashes.size += 1
        hashes.characters[0] = hashes.characters[LONGEST_WORD - 1]
    _add_pair(hashes, hashes.characters[0], character)
    hashes.characters[0] = character


cdef inline void _end_word(Hashes *hashes) noexcept:
    if 0 < hashes.size <= LONGEST_WORD:
        hashes.found[hashes.count] = ~hashes.crc
        hashes.count += 1
    hashes.size = 0


cdef inline void _add_pair(Hashes *hashes, uint32_t first, uint32_t second) noexcept:
    hashes.found[hashes.count] = ~_add_to_crc(_add_to_crc(NO_WORD_BEFORE, first), second)
    hashes.count += 1


cdef inline uint32_t _add_to_crc(uint32_t crc, uint32_t character) noexcept:
    cdef uint8_t utf8[4]
    cdef int at
    for at in range(write_utf8(character, utf8)):
        crc = _crc_of_byte[(crc ^ utf8[at]) & 0xFF] ^ (crc >> 8)
    return crc


cdef void _sort_distinct(Hashes *hashes) noexcept:
    cdef Py_ssize_t at, kept = 0
    qsort(hashes.found, hashes.count, sizeof(uint32_t), _compare)
    for at in range(hashes.count):
        if not at or hashes.found[at] != hashes.found[at - 1]:
            hashes.found[kept] = hashes.found[at]
            kept += 1
    hashes.count = kept


cdef int _compare(const void *one, const void *other) noexcept nogil:
    cdef uint32_t first = (<const uint32_t *>one)[0], second = (<const uint32_t *>other)[0]
    return (first > second) - (first < second)


def make_band_keys(bytes words not None, const uint64_t[:, ::1] factors, uint64_t number) -> bytes:
    """Return a key for each band of factors, from the least products of the words, each followed by the text's number.

    No words have no key. Cost: O(words · factors).
    """
    cdef const uint32_t *hashes = <const uint32_t *><const char *>words
    cdef Py_ssize_t count = len(words) // sizeof(uint32_t), band, row, at
    cdef uint64_t key, least, product
    cdef bytes pairs = PyBytes_FromStringAndSize(NULL, 2 * sizeof(uint64_t) * factors.shape[0] if count else 0)
    cdef uint64_t *pair = <uint64_t *><char *>pairs
    for band in range(factors.shape[0] if count else 0):
        key = <uint64_t>band + 1
        for row in range(factors.shape[1]):
            least = <uint64_t>-1
            for at in range(count):
                product = ((<uint64_t>hashes[at] + 1) * factors[band, row]) >> 20
                if product < least:
                    least = product
            key = (key ^ least) * <uint64_t>0x100000001B3
            key ^= key >> 29
        pair[2 * band], pair[2 * band + 1] = key, number
    return pairs


def compare_candidates(
    const uint64_t[:, ::1] pairs,
    const uint32_t[::1] words,
    const uint64_t[::1] ends,
    const uint8_t[::1] new,
    double least_in_common,
    Py_ssize_t most_compared,
) -> array:
    """Return the pairs of new texts with the same key that have enough words in common, as later · 2³² + earlier.

    `pairs` are keys and numbers of texts, ascending; `words[ends[n - 1] : ends[n]]` the ascending word hashes of text n.
    Each text is compared with the first `most_compared` new ones of its key. Cost: O(words) a comparison, less where
    lengths rule it out.
    """
    cdef uint64_t number, last = 0
    cdef Py_ssize_t at, other, first_count = 0
    alike = array("Q")
    cdef uint64_t *first = <uint64_t *>malloc((most_compared + 1) * sizeof(uint64_t))
    if first is NULL:
        raise MemoryError
    try:
        for at in range(pairs.shape[0]):
            number = pairs[at, 1]
            if at and pairs[at, 0] != pairs[at - 1, 0]:
                first_count = 0
            if not new[number] or (first_count and number == last):
                continue
            for other in range(first_count):
                if are_alike(words, ends, number, first[other], least_in_common):
                    alike.append(number << 32 | first[other])
            if first_count < most_compared:
                first[first_count] = number
                first_count += 1
            last = number
    finally:
        free(first)
    return alike


cdef bint are_alike(
    const uint32_t[::1] words, const uint64_t[::1] ends, uint64_t one, uint64_t other, double least_in_common
) noexcept:
    cdef uint64_t i = ends[one - 1] if one else 0
    cdef uint64_t j = ends[other - 1] if other else 0
    cdef uint64_t i_end = ends[one], j_end = ends[other]
    cdef uint64_t first = i_end - i, second = j_end - j, both = 0
    cdef uint64_t fewer = min(first, second), more = max(first, second)
    if fewer < least_in_common * more:
        return False
    while i < i_end and j < j_end:
        if words[i] == words[j]:
            both += 1
            i += 1
            j += 1
        elif words[i] < words[j]:
            i += 1
        else:
            j += 1
    return both >= least_in_common * max(<uint64_t>1, first + second - both)


_set_up()
