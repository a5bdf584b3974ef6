# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Hashes and counts the words of a text, for the fingerprints of pages.

Characters are read from Python's own memory, folded, and written to a buffer as UTF-8 with a NUL between words; there
they are hashed eight bytes at a time. Both fingerprints come from these hashes. A page of 25,000 characters takes
0.05 ms.
"""

import unicodedata

from cpython.unicode cimport PyUnicode_1BYTE_KIND, PyUnicode_2BYTE_KIND, PyUnicode_DATA, PyUnicode_KIND
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memmove, memset

from gossamer.net.eight_bytes cimport EACH_BYTE, lowest_bit
from gossamer.net.encoding.utf8 cimport write_utf8
from gossamer.net.fingerprint.word_characters import classify_character

cdef extern from *:
    """
    // splitmix64 spreads words: short, and good enough that unrelated texts differ in 32 bits of 64.
    static const uint64_t MIX_1 = 0xBF58476D1CE4E5B9u, MIX_2 = 0x94D049BB133111EBu, GOLDEN = 0x9E3779B97F4A7C15u;
    static const uint64_t FNV_PRIME = 0x100000001B3u;
    static const uint64_t BYTES_TO_BITS = 0x0102040810204080u;
    """
    const uint64_t MIX_1, MIX_2, GOLDEN, FNV_PRIME, BYTES_TO_BITS

# The kinds of `word_characters`.
cdef enum:
    LETTER, SEPARATOR, UNSPACED, INVISIBLE

# The entry of a character is one number: the characters it folds to, at most three, then its kind.
cdef enum:
    FIRST_BITS = 21
    NEXT_BITS = 20
    FIRST = (1 << FIRST_BITS) - 1
    NEXT = (1 << NEXT_BITS) - 1
    KIND_AT = 61
cdef uint64_t THREE = (<uint64_t> 1 << (3 * FIRST_BITS)) - 1

# Code points above the table are letters that fold to themselves: private use, variation selectors, tags.
cdef enum:
    TABLE_SIZE = 0x40000
    PLANE = 0x10000
    NO_BYTE = 0xFF

# Filled when a character first occurs: classifying all of them would take 500 ms at each start, and classifying blocks
# of 256 took 90 ms in a crawl of 2,400 pages in many languages. Parts that are not filled take no memory either. The
# entry of a safe character is right in every Unicode form and beside any neighbours.
cdef uint64_t _entries[TABLE_SIZE]
cdef uint8_t _is_safe[TABLE_SIZE]
cdef uint8_t _is_filled[TABLE_SIZE]

# The byte that a safe character of the first plane becomes: a letter of ASCII, or NUL for a separator. In most texts
# nearly all characters become one, not only ASCII: quotation marks and dashes too.
cdef uint8_t _byte_of[PLANE]
memset(_byte_of, NO_BYTE, PLANE)

cdef enum:
    # Votes are counted in bytes, so a batch holds at most 255 words.
    BATCH = 255
    ROOM = 8_192
    # For one character: it folds to at most three characters of four bytes, and ends a word.
    MOST_BYTES = 16
    # Words are searched in so many bytes at once.
    STRIDE = 64
    # The least number of characters to normalise at once: a call costs as much as a hundred characters.
    STRETCH = 100

cdef struct Words:
    uint64_t digest
    uint64_t before
    uint64_t count
    uint64_t votes[64]
    uint64_t hashes[BATCH]
    int waiting
    # The buffer, and the hash of the part of its first word that was removed from it.
    uint64_t begun
    Py_ssize_t size
    uint8_t utf8[ROOM + MOST_BYTES + STRIDE]

ctypedef fused Code:
    uint8_t
    uint16_t
    uint32_t


def compute_fingerprints(str text not None):
    """Return the digest, the simhash and the number of the words of a text, in any Unicode form and case."""
    cdef Words words
    if not _add_text(text, True, &words):
        _add_text(_normalize(text), False, &words)
    return <int64_t> _spread(words.digest), <int64_t> _take_majority(&words), <int64_t> words.count


cdef bint _add_text(str text, bint only_safe, Words *words) except -1:
    """Add every word of a text; return False if the text has to be normalised first."""
    cdef Py_ssize_t taken
    memset(words, 0, sizeof(Words) - sizeof(words.utf8))
    if PyUnicode_KIND(text) == PyUnicode_1BYTE_KIND:
        taken = _walk(<const uint8_t *> PyUnicode_DATA(text), len(text), only_safe, words)
    elif PyUnicode_KIND(text) == PyUnicode_2BYTE_KIND:
        taken = _walk(<const uint16_t *> PyUnicode_DATA(text), len(text), only_safe, words)
    else:
        taken = _walk(<const uint32_t *> PyUnicode_DATA(text), len(text), only_safe, words)
    _end_word(words)
    _hash_words(words)
    _count_words(words)
    return taken == len(text)


cdef str _normalize(str text):
    """Normalise a text (NFKC) around its unsafe characters: nothing is joined across a space."""
    cdef list pieces = []
    cdef Py_ssize_t done = 0, start, end
    cdef Py_ssize_t at = _find_unsafe(text, 0)
    while at < len(text):
        start = text.rfind(" ", done, at) + 1 or done
        end = text.find(" ", at + STRETCH)
        if end < 0:
            end = len(text)
        pieces += text[done:start], unicodedata.normalize("NFKC", text[start:end])
        done = end
        at = _find_unsafe(text, done)
    return "".join(pieces) + text[done:]


cdef Py_ssize_t _find_unsafe(str text, Py_ssize_t at) except -1:
    while at < len(text) and _check_safe(text[at]):
        at += 1
    return at


cdef inline bint _check_safe(uint32_t code) except -1:
    """Return whether a character is safe; classify it if it is new."""
    if code >= TABLE_SIZE:
        return False
    if not _is_filled[code]:
        _classify(code)
    return _is_safe[code]


cdef Py_ssize_t _walk(const Code *text, Py_ssize_t length, bint only_safe, Words *words) except -1:
    """Write every word of a text to the buffer; return its length, or the place of the first unsafe character."""
    cdef Py_ssize_t at = 0
    cdef uint64_t entry
    while at < length:
        if words.size >= ROOM:
            _hash_words(words)
        at += _write_bytes(text + at, length - at, words)
        if at == length or words.size >= ROOM:
            continue
        if not _check_safe(text[at]) and only_safe:
            break
        entry = _find_entry(text[at])
        if entry >> KIND_AT == UNSPACED:
            at = _add_unspaced(text, at, length, only_safe, words)
            continue
        if entry >> KIND_AT == LETTER:
            _write(entry, words)
        elif entry >> KIND_AT == SEPARATOR:
            _end_word(words)
        at += 1
        at += _write_letters(text + at, length - at, words)
    return at


cdef inline Py_ssize_t _write_bytes(const Code *text, Py_ssize_t length, Words *words) noexcept:
    """Write characters while each is one byte and there is room; return their number."""
    cdef uint8_t *out = words.utf8 + words.size
    cdef Py_ssize_t most = min(length, ROOM - words.size), at = 0, within
    cdef uint8_t byte, together
    while at + 8 <= most:
        together = 0
        for within in range(8):
            byte = _byte(text[at + within])
            out[at + within] = byte
            together |= byte
        if together >= 0x80:
            break
        at += 8
    while at < most:
        byte = _byte(text[at])
        if byte == NO_BYTE:
            break
        out[at] = byte
        at += 1
    words.size += at
    return at


cdef inline Py_ssize_t _write_letters(const Code *text, Py_ssize_t length, Words *words) noexcept:
    """Write safe letters while each folds to one above ASCII and there is room; return their number."""
    cdef Py_ssize_t size = words.size, at = 0
    cdef uint64_t entry
    while at < length and size < ROOM:
        entry = _find_entry(text[at])
        if entry < 0x80 or entry > FIRST or text[at] >= TABLE_SIZE or not _is_safe[text[at]]:
            break
        size += write_utf8(entry, words.utf8 + size)
        at += 1
    words.size = size
    return at


cdef inline uint8_t _byte(Code code) noexcept:
    if Code is uint32_t:
        return _byte_of[code] if code < PLANE else NO_BYTE
    else:
        return _byte_of[code]


cdef Py_ssize_t _add_unspaced(
    const Code *text, Py_ssize_t at, Py_ssize_t length, bint only_safe, Words *words
) except -1:
    """Add every three neighbours of a run in a script without spaces, or all if it is shorter; return its end."""
    cdef uint64_t entry, neighbours = 0
    cdef Py_ssize_t run = 0
    _end_word(words)
    _hash_words(words)
    while at < length and (_check_safe(text[at]) or not only_safe):
        entry = _find_entry(text[at])
        if entry >> KIND_AT == UNSPACED:
            run += 1
            neighbours = neighbours << FIRST_BITS | entry & FIRST
            if run >= 3:
                _add_word(words, _spread(neighbours & THREE))
        elif entry >> KIND_AT != INVISIBLE:
            break
        at += 1
    if run < 3:
        _add_word(words, _spread(neighbours))
    return at


cdef inline uint64_t _find_entry(Code code) noexcept:
    """Return the entry of a character; 0 if it was never classified."""
    if Code is uint32_t:
        return _entries[code] if code < TABLE_SIZE else code
    else:
        return _entries[code]


cdef inline void _end_word(Words *words) noexcept:
    words.utf8[words.size] = 0
    words.size += 1


cdef inline void _write(uint64_t entry, Words *words) noexcept:
    """Write the characters that a letter folds to."""
    words.size += write_utf8(entry & FIRST, words.utf8 + words.size)
    entry >>= FIRST_BITS
    while entry:
        words.size += write_utf8(entry & NEXT, words.utf8 + words.size)
        entry >>= NEXT_BITS


cdef void _hash_words(Words *words) noexcept:
    """Hash the words in the buffer, except a last one that has no end yet."""
    cdef uint64_t letters, edges
    cdef Py_ssize_t at = 0, start = 0, edge
    cdef bint in_word = False
    memset(words.utf8 + words.size, 0, STRIDE)
    while at < words.size:
        letters = _find_letters(words.utf8 + at)
        edges = letters ^ (letters << 1 | in_word)
        while edges:
            edge = at + lowest_bit(edges)
            if edge == words.size:
                break
            edges &= edges - 1
            if in_word:
                _add_word(words, _hash_word(words, start, edge))
            start = edge
            in_word = not in_word
        at += STRIDE
    if not in_word:
        start = words.size
    while words.size - start > 8:
        words.begun = _join(words.begun, _load_eight(words.utf8 + start))
        start += 8
    memmove(words.utf8, words.utf8 + start, words.size - start)
    words.size -= start


cdef inline uint64_t _find_letters(const uint8_t *utf8) noexcept:
    """Return one bit for each of 64 bytes: whether it belongs to a letter."""
    cdef uint64_t eight, letters = 0
    cdef int at
    for at in range(8):
        eight = _load_eight(utf8 + 8 * at)
        eight = (((eight & 0x7F * EACH_BYTE) + 0x7F * EACH_BYTE) | eight) >> 7 & EACH_BYTE
        letters |= (eight * BYTES_TO_BITS >> 56) << (8 * at)
    return letters


cdef inline uint64_t _hash_word(Words *words, Py_ssize_t start, Py_ssize_t end) noexcept:
    """Return the hash of a word. Words of up to eight bytes never share a hash."""
    cdef uint64_t word = words.begun
    words.begun = 0
    while end - start > 8:
        word = _join(word, _load_eight(words.utf8 + start))
        start += 8
    return _join(word, _load_eight(words.utf8 + start) << (64 - 8 * (end - start)))


cdef inline uint64_t _load_eight(const uint8_t *utf8) noexcept:
    cdef uint64_t eight
    memcpy(&eight, utf8, 8)
    return eight


cdef inline uint64_t _join(uint64_t before, uint64_t after) noexcept:
    return _spread(before * GOLDEN + after)


cdef inline uint64_t _spread(uint64_t number) noexcept:
    number = (number ^ (number >> 30)) * MIX_1
    number = (number ^ (number >> 27)) * MIX_2
    return number ^ (number >> 31)


cdef inline void _add_word(Words *words, uint64_t word) noexcept:
    words.hashes[words.waiting] = word
    words.waiting += 1
    if words.waiting == BATCH:
        _count_words(words)


cdef void _count_words(Words *words) noexcept:
    """Count the waiting words, and the pair of each with the word before."""
    cdef uint64_t digest = words.digest, before = words.before, word
    cdef int at
    for at in range(words.waiting):
        word = words.hashes[at]
        digest = (digest ^ word) * FNV_PRIME
        words.hashes[at] = _join(before, word)
        before = word
    words.digest, words.before = digest, before
    _vote(words)
    words.count += words.waiting
    words.waiting = 0


cdef void _vote(Words *words) noexcept:
    """Count the ones of the waiting pairs at each bit, with eight one-byte counters at a time."""
    cdef uint64_t counters
    cdef int bit, at, byte
    for bit in range(8):
        counters = 0
        for at in range(words.waiting):
            counters += (words.hashes[at] >> bit) & EACH_BYTE
        for byte in range(8):
            words.votes[8 * byte + bit] += (counters >> (8 * byte)) & 0xFF


cdef uint64_t _take_majority(const Words *words) noexcept:
    cdef uint64_t result = 0
    cdef int bit
    for bit in range(64):
        if 2 * words.votes[bit] > words.count:
            result |= <uint64_t> 1 << bit
    return result


cdef int _classify(uint32_t code) except -1:
    """Fill the tables for a character."""
    kind, folded, is_safe = classify_character(chr(code))
    _entries[code] = _pack(kind, folded)
    _is_safe[code] = is_safe
    if is_safe and code < PLANE:
        _byte_of[code] = _to_byte(_entries[code])
    _is_filled[code] = True
    return 0


cdef uint64_t _pack(uint64_t kind, list folded) except? 0:
    cdef uint64_t entry = kind << KIND_AT
    cdef int place = 0
    for code in folded:
        entry |= <uint64_t> code << place
        place += NEXT_BITS if place else FIRST_BITS
    return entry


cdef uint8_t _to_byte(uint64_t entry) noexcept:
    """Return the byte that a character becomes; `NO_BYTE` if it becomes none or several."""
    if entry >> KIND_AT == SEPARATOR:
        return 0
    return entry if entry < 0x80 else NO_BYTE

