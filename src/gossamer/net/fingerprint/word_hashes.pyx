# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The words of a text, hashed and counted in compiled code: what `fingerprint` is made of.

Characters are read where Python keeps them, folded, and written down as UTF-8 with a NUL between words; there they are
hashed eight bytes at a time. Both fingerprints come from it. A page of 25,000 characters takes 0.05 ms.
"""

import unicodedata

from cpython.unicode cimport PyUnicode_1BYTE_KIND, PyUnicode_2BYTE_KIND, PyUnicode_DATA, PyUnicode_KIND
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memmove, memset

from gossamer.net.eight_bytes cimport EACH_BYTE, lowest_bit
from gossamer.net.encoding.utf8 cimport utf8_of
from gossamer.net.fingerprint.word_characters import meaning

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

# What the walk knows of a character is one number: the characters it folds to, at most three, then its kind.
cdef enum:
    FIRST_BITS = 21
    NEXT_BITS = 20
    FIRST = (1 << FIRST_BITS) - 1
    NEXT = (1 << NEXT_BITS) - 1
    KIND_AT = 61
cdef uint64_t THREE = (<uint64_t> 1 << (3 * FIRST_BITS)) - 1

# Code points above the table are letters as they stand: private use, variation selectors, tags.
cdef enum:
    TABLE_SIZE = 0x40000
    PLANE = 0x10000
    NO_BYTE = 0xFF

# Filled as characters are met: asking Unicode about all would cost each start 500 ms, and about 256 neighbours of each
# cost a crawl of 2,400 pages in many languages 90 ms. What is not filled takes no memory either. A safe character is
# known rightly whatever form and neighbours it has.
cdef uint64_t _known_of[TABLE_SIZE]
cdef uint8_t _is_safe[TABLE_SIZE]
cdef uint8_t _is_met[TABLE_SIZE]

# The byte that a safe character of the first plane becomes: a letter of ASCII, or NUL if it separates. Nearly all do
# in most texts, and not only those of ASCII: quotation marks and dashes too.
cdef uint8_t _byte_of[PLANE]
memset(_byte_of, NO_BYTE, PLANE)

cdef enum:
    # Votes are counted in bytes, so a batch holds at most 255 words.
    BATCH = 255
    ROOM = 8_192
    # Of one character: it folds to three of four bytes at most, and ends a word.
    MOST_BYTES = 16
    # Words are looked for in so many bytes at once.
    STRIDE = 64
    # What is normalised at once at least: a call costs as much as a hundred characters.
    STRETCH = 100

cdef struct Words:
    uint64_t digest
    uint64_t before
    uint64_t count
    uint64_t votes[64]
    uint64_t hashes[BATCH]
    int waiting
    # What is written down, and the hash of as much of its first word as is there no longer.
    uint64_t begun
    Py_ssize_t size
    uint8_t utf8[ROOM + MOST_BYTES + STRIDE]

ctypedef fused Code:
    uint8_t
    uint16_t
    uint32_t


def fingerprints_of(str text not None):
    """Return digest, simhash and number of the words of a text, in any Unicode form, with capitals or without."""
    cdef Words words
    if not _take_all(text, True, &words):
        _take_all(_normal(text), False, &words)
    return <int64_t> _spread(words.digest), <int64_t> _majority(&words), <int64_t> words.count


cdef bint _take_all(str text, bint only_safe, Words *words) except -1:
    """Take every word of a text; say whether that can be done: not if it has to be normalised first."""
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
    _count(words)
    return taken == len(text)


cdef str _normal(str text):
    """Normalise a text (NFKC) around its characters that are not safe: nothing is joined across a space."""
    cdef list pieces = []
    cdef Py_ssize_t done = 0, start, end
    cdef Py_ssize_t at = _first_unsafe(text, 0)
    while at < len(text):
        start = text.rfind(" ", done, at) + 1 or done
        end = text.find(" ", at + STRETCH)
        if end < 0:
            end = len(text)
        pieces += text[done:start], unicodedata.normalize("NFKC", text[start:end])
        done = end
        at = _first_unsafe(text, done)
    return "".join(pieces) + text[done:]


cdef Py_ssize_t _first_unsafe(str text, Py_ssize_t at) except -1:
    while at < len(text) and _asked(text[at]):
        at += 1
    return at


cdef inline bint _asked(uint32_t code) except -1:
    """Learn what a character is; say whether it is safe."""
    if code >= TABLE_SIZE:
        return False
    if not _is_met[code]:
        _meet(code)
    return _is_safe[code]


cdef Py_ssize_t _walk(const Code *text, Py_ssize_t length, bint only_safe, Words *words) except -1:
    """Write every word of a text down; return its length, or where a character stands that must be safe and is not."""
    cdef Py_ssize_t at = 0
    cdef uint64_t known
    while at < length:
        if words.size >= ROOM:
            _hash_words(words)
        at += _write_bytes(text + at, length - at, words)
        if at == length or words.size >= ROOM:
            continue
        if not _asked(text[at]) and only_safe:
            break
        known = _known(text[at])
        if known >> KIND_AT == UNSPACED:
            at = _take_unspaced(text, at, length, only_safe, words)
            continue
        if known >> KIND_AT == LETTER:
            _write(known, words)
        elif known >> KIND_AT == SEPARATOR:
            _end_word(words)
        at += 1
        at += _write_letters(text + at, length - at, words)
    return at


cdef inline Py_ssize_t _write_bytes(const Code *text, Py_ssize_t length, Words *words) noexcept:
    """Write characters down as long as each is a byte and there is room; return their number."""
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
    """Write safe letters down as long as each folds to one beyond ASCII and there is room; return their number."""
    cdef Py_ssize_t size = words.size, at = 0
    cdef uint64_t known
    while at < length and size < ROOM:
        known = _known(text[at])
        if known < 0x80 or known > FIRST or text[at] >= TABLE_SIZE or not _is_safe[text[at]]:
            break
        size += utf8_of(known, words.utf8 + size)
        at += 1
    words.size = size
    return at


cdef inline uint8_t _byte(Code code) noexcept:
    if Code is uint32_t:
        return _byte_of[code] if code < PLANE else NO_BYTE
    else:
        return _byte_of[code]


cdef Py_ssize_t _take_unspaced(
    const Code *text, Py_ssize_t at, Py_ssize_t length, bint only_safe, Words *words
) except -1:
    """Take every three neighbours of a run in a script without spaces, or what there is of them; return its end."""
    cdef uint64_t known, neighbours = 0
    cdef Py_ssize_t run = 0
    _end_word(words)
    _hash_words(words)
    while at < length and (_asked(text[at]) or not only_safe):
        known = _known(text[at])
        if known >> KIND_AT == UNSPACED:
            run += 1
            neighbours = neighbours << FIRST_BITS | known & FIRST
            if run >= 3:
                _take(words, _spread(neighbours & THREE))
        elif known >> KIND_AT != INVISIBLE:
            break
        at += 1
    if run < 3:
        _take(words, _spread(neighbours))
    return at


cdef inline uint64_t _known(Code code) noexcept:
    """Return what the walk knows of a character; nothing if it was never met."""
    if Code is uint32_t:
        return _known_of[code] if code < TABLE_SIZE else code
    else:
        return _known_of[code]


cdef inline void _end_word(Words *words) noexcept:
    words.utf8[words.size] = 0
    words.size += 1


cdef inline void _write(uint64_t known, Words *words) noexcept:
    """Write down the characters that a letter folds to."""
    words.size += utf8_of(known & FIRST, words.utf8 + words.size)
    known >>= FIRST_BITS
    while known:
        words.size += utf8_of(known & NEXT, words.utf8 + words.size)
        known >>= NEXT_BITS


cdef void _hash_words(Words *words) noexcept:
    """Hash the words that are written down, but for one that has no end yet."""
    cdef uint64_t letters, edges
    cdef Py_ssize_t at = 0, start = 0, edge
    cdef bint in_word = False
    memset(words.utf8 + words.size, 0, STRIDE)
    while at < words.size:
        letters = _letters(words.utf8 + at)
        edges = letters ^ (letters << 1 | in_word)
        while edges:
            edge = at + lowest_bit(edges)
            if edge == words.size:
                break
            edges &= edges - 1
            if in_word:
                _take(words, _hashed(words, start, edge))
            start = edge
            in_word = not in_word
        at += STRIDE
    if not in_word:
        start = words.size
    while words.size - start > 8:
        words.begun = _joined(words.begun, _eight(words.utf8 + start))
        start += 8
    memmove(words.utf8, words.utf8 + start, words.size - start)
    words.size -= start


cdef inline uint64_t _letters(const uint8_t *utf8) noexcept:
    """Return a bit for each of 64 bytes: whether it is a letter's."""
    cdef uint64_t eight, letters = 0
    cdef int at
    for at in range(8):
        eight = _eight(utf8 + 8 * at)
        eight = (((eight & 0x7F * EACH_BYTE) + 0x7F * EACH_BYTE) | eight) >> 7 & EACH_BYTE
        letters |= (eight * BYTES_TO_BITS >> 56) << (8 * at)
    return letters


cdef inline uint64_t _hashed(Words *words, Py_ssize_t start, Py_ssize_t end) noexcept:
    """Return the hash of a word. One of eight bytes has one of its own, so short words never share theirs."""
    cdef uint64_t word = words.begun
    words.begun = 0
    while end - start > 8:
        word = _joined(word, _eight(words.utf8 + start))
        start += 8
    return _joined(word, _eight(words.utf8 + start) << (64 - 8 * (end - start)))


cdef inline uint64_t _eight(const uint8_t *utf8) noexcept:
    cdef uint64_t eight
    memcpy(&eight, utf8, 8)
    return eight


cdef inline uint64_t _joined(uint64_t before, uint64_t after) noexcept:
    return _spread(before * GOLDEN + after)


cdef inline uint64_t _spread(uint64_t number) noexcept:
    number = (number ^ (number >> 30)) * MIX_1
    number = (number ^ (number >> 27)) * MIX_2
    return number ^ (number >> 31)


cdef inline void _take(Words *words, uint64_t word) noexcept:
    words.hashes[words.waiting] = word
    words.waiting += 1
    if words.waiting == BATCH:
        _count(words)


cdef void _count(Words *words) noexcept:
    """Let the waiting words count, and the pair that each makes with the one before."""
    cdef uint64_t digest = words.digest, before = words.before, word
    cdef int at
    for at in range(words.waiting):
        word = words.hashes[at]
        digest = (digest ^ word) * FNV_PRIME
        words.hashes[at] = _joined(before, word)
        before = word
    words.digest, words.before = digest, before
    _vote(words)
    words.count += words.waiting
    words.waiting = 0


cdef void _vote(Words *words) noexcept:
    """Count the ones of the waiting pairs at each bit: eight counters of a byte are added to at once."""
    cdef uint64_t counters
    cdef int bit, at, byte
    for bit in range(8):
        counters = 0
        for at in range(words.waiting):
            counters += (words.hashes[at] >> bit) & EACH_BYTE
        for byte in range(8):
            words.votes[8 * byte + bit] += (counters >> (8 * byte)) & 0xFF


cdef uint64_t _majority(const Words *words) noexcept:
    cdef uint64_t result = 0
    cdef int bit
    for bit in range(64):
        if 2 * words.votes[bit] > words.count:
            result |= <uint64_t> 1 << bit
    return result


cdef int _meet(uint32_t code) except -1:
    """Ask Unicode about a character."""
    kind, folded, is_safe = meaning(chr(code))
    _known_of[code] = _packed(kind, folded)
    _is_safe[code] = is_safe
    if is_safe and code < PLANE:
        _byte_of[code] = _as_byte(_known_of[code])
    _is_met[code] = True
    return 0


cdef uint64_t _packed(uint64_t kind, list folded) except? 0:
    cdef uint64_t known = kind << KIND_AT
    cdef int place = 0
    for code in folded:
        known |= <uint64_t> code << place
        place += NEXT_BITS if place else FIRST_BITS
    return known


cdef uint8_t _as_byte(uint64_t known) noexcept:
    """Return the byte that a character becomes; `NO_BYTE` if it becomes none or more."""
    if known >> KIND_AT == SEPARATOR:
        return 0
    return known if known < 0x80 else NO_BYTE

