"""The words of a text, hashed and counted in compiled code: what `fingerprint` is made of.

The walk reads the characters where Python keeps them and folds capitals on its way. Both fingerprints come from it.
"""

import unicodedata

from cpython.unicode cimport PyUnicode_1BYTE_KIND, PyUnicode_2BYTE_KIND, PyUnicode_DATA, PyUnicode_KIND
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cdef enum:
    LETTER, SEPARATOR, UNSPACED, INVISIBLE

# What the walk knows of a character is one number: the characters it folds to, at most three, the second and third
# a bit narrower, then its kind, then whether a text of such characters only is in normal form.
cdef enum:
    FIRST_BITS = 21
    NEXT_BITS = 20
    KIND_AT = 61
    NORMAL_AT = 63
    BLOCK_SIZE = 256
    BLOCKS = 0x400

cdef uint64_t FIRST = (1 << FIRST_BITS) - 1
cdef uint64_t NEXT = (1 << NEXT_BITS) - 1
cdef uint64_t ALL_NEXT = (<uint64_t> 1 << (2 * NEXT_BITS)) - 1

# Code points above are letters as they stand: private use, variation selectors, tags.
cdef uint32_t TABLE_SIZE = BLOCKS * BLOCK_SIZE

# Made when the first character of a block is met: asking Unicode about all would cost each start 30 ms.
cdef uint64_t *_blocks[BLOCKS]

# FNV-1a for words, splitmix64 to spread: short, and good enough that unrelated texts differ in 32 bits of 64.
cdef uint64_t FNV_START = 0xCBF29CE484222325
cdef uint64_t FNV_PRIME = 0x100000001B3
cdef uint64_t MIX_1 = 0xBF58476D1CE4E5B9
cdef uint64_t MIX_2 = 0x94D049BB133111EB
cdef uint64_t GOLDEN = 0x9E3779B97F4A7C15

# Votes are counted in bytes, so a batch holds at most 255 words.
cdef enum:
    BATCH = 255

cdef uint64_t LOW_BIT_OF_EACH_BYTE = 0x0101010101010101

ctypedef fused Code:
    uint8_t
    uint16_t
    uint32_t

cdef struct Words:
    uint64_t digest
    uint64_t before
    uint64_t count
    uint64_t votes[64]
    int waiting
    uint64_t hashes[BATCH]

# Scripts that put no space between words: Thai and its neighbours, kana, Han with its extensions.
_UNSPACED = [
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x3005, 0x3007),
    (0x3041, 0x30FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F),
    (0x20000, 0x3FFFF),
]
_INVISIBLE = {0xAD, *range(0x200B, 0x2010), 0x2060, 0xFEFF}
_HANGUL_JAMO = range(0x1100, 0x1200)


def fingerprints_of(str text not None):
    """Return digest and simhash of a text in normal form, capitals or not."""
    cdef Words words
    cdef int form = PyUnicode_KIND(text)
    cdef void *start = PyUnicode_DATA(text)
    memset(&words, 0, sizeof(words))
    if form == PyUnicode_1BYTE_KIND:
        _walk(<const uint8_t *> start, len(text), &words)
    elif form == PyUnicode_2BYTE_KIND:
        _walk(<const uint16_t *> start, len(text), &words)
    else:
        _walk(<const uint32_t *> start, len(text), &words)
    _count_batch(&words)
    return <int64_t> words.digest, <int64_t> _majority(&words)


def is_surely_normal(str text not None):
    """Say whether every character is one that NFKC leaves alone whatever stands beside it."""
    cdef int form = PyUnicode_KIND(text)
    cdef void *start = PyUnicode_DATA(text)
    if form == PyUnicode_1BYTE_KIND:
        return text.isascii() or _all_normal(<const uint8_t *> start, len(text))
    if form == PyUnicode_2BYTE_KIND:
        return _all_normal(<const uint16_t *> start, len(text))
    return _all_normal(<const uint32_t *> start, len(text))


cdef bint _all_normal(const Code *text, Py_ssize_t length) except -1:
    cdef Py_ssize_t at
    for at in range(length):
        if text[at] >= 0x80 and not _known(text[at]) >> NORMAL_AT:
            return False
    return True


cdef int _walk(const Code *text, Py_ssize_t length, Words *words) except -1:
    """Walk over a text once. In a script without spaces every three neighbours are a word, or what there is of them."""
    cdef uint64_t known, code, before_1 = 0, before_2 = 0, word = FNV_START
    cdef int kind, run = 0
    cdef bint in_word = False
    cdef Py_ssize_t at
    for at in range(length):
        known = _known(text[at])
        kind = (known >> KIND_AT) & 3
        if kind == LETTER and run == 0:
            word = _with_all(word, known)
            in_word = True
            continue
        if kind == INVISIBLE:
            continue
        if in_word:
            _take(words, word)
            word, in_word = FNV_START, False
        if kind == UNSPACED:
            code = known & FIRST
            run += 1
            if run >= 3:
                _take(words, _with(_with(_with(FNV_START, before_2), before_1), code))
            before_2, before_1 = before_1, code
            continue
        _take_short_run(words, run, before_2, before_1)
        run = 0
        if kind == LETTER:
            word, in_word = _with_all(FNV_START, known), True
    if in_word:
        _take(words, word)
    _take_short_run(words, run, before_2, before_1)
    return 0


cdef inline void _take_short_run(Words *words, int run, uint64_t before_2, uint64_t before_1) noexcept:
    if run == 1:
        _take(words, _with(FNV_START, before_1))
    elif run == 2:
        _take(words, _with(_with(FNV_START, before_2), before_1))


cdef inline uint64_t _with(uint64_t word, uint64_t code) noexcept:
    return (word ^ code) * FNV_PRIME


cdef inline uint64_t _with_all(uint64_t word, uint64_t known) noexcept:
    """Add the characters that one folds to."""
    cdef uint64_t more = (known >> FIRST_BITS) & ALL_NEXT
    word = _with(word, known & FIRST)
    while more:
        word = _with(word, more & NEXT)
        more >>= NEXT_BITS
    return word


cdef inline uint64_t _spread(uint64_t number) noexcept:
    number = (number ^ (number >> 30)) * MIX_1
    number = (number ^ (number >> 27)) * MIX_2
    return number ^ (number >> 31)


cdef inline void _take(Words *words, uint64_t word) noexcept:
    words.hashes[words.waiting] = word
    words.waiting += 1
    if words.waiting == BATCH:
        _count_batch(words)


cdef void _count_batch(Words *words) noexcept:
    """Let the waiting words, and the pair that each makes with the one before, count."""
    cdef uint64_t word, before = words.before, digest = words.digest
    cdef int at
    for at in range(words.waiting):
        word = _spread(words.hashes[at])
        words.hashes[at] = _spread(before * GOLDEN + word)
        digest = _spread(digest * FNV_PRIME + word)
        before = word
    words.before = before
    words.digest = digest
    _vote(words)
    words.count += words.waiting
    words.waiting = 0


cdef void _vote(Words *words) noexcept:
    """Count the ones of the waiting pairs bit by bit: eight counters of a byte are added to at once."""
    cdef uint64_t counters
    cdef int bit, at, byte
    for bit in range(8):
        counters = 0
        for at in range(words.waiting):
            counters += (words.hashes[at] >> bit) & LOW_BIT_OF_EACH_BYTE
        for byte in range(8):
            words.votes[8 * byte + bit] += (counters >> (8 * byte)) & 0xFF


cdef uint64_t _majority(const Words *words) noexcept:
    cdef uint64_t result = 0
    cdef int bit
    for bit in range(64):
        if 2 * words.votes[bit] > words.count:
            result |= <uint64_t> 1 << bit
    return result


cdef inline uint64_t _known(Code code) except? 1:
    """Return what the walk knows of a character."""
    if Code is uint8_t:
        return _blocks[0][code]
    elif Code is uint16_t:
        return _known_in_block(code)
    else:
        return _known_in_block(code) if code < TABLE_SIZE else code


cdef inline uint64_t _known_in_block(uint32_t code) except? 1:
    cdef uint64_t *block = _blocks[code >> 8]
    if block == NULL:
        block = _make_block(code >> 8)
    return block[code & 0xFF]


cdef uint64_t *_make_block(int number) except NULL:
    cdef uint64_t *block = <uint64_t *> malloc(BLOCK_SIZE * sizeof(uint64_t))
    cdef int low
    if block == NULL:
        raise MemoryError
    try:
        for low in range(BLOCK_SIZE):
            block[low] = _ask(chr(BLOCK_SIZE * number + low))
    except BaseException:
        free(block)
        raise
    if _blocks[number] == NULL:  # another thread may have made it meanwhile
        _blocks[number] = block
    else:
        free(block)
    return _blocks[number]


def _ask(character):
    """Return what Unicode says of a character, as one number."""
    first, *others = (ord(folded) for folded in character.casefold())
    known = first | _kind(first) << KIND_AT | _is_always_normal(character) << NORMAL_AT
    for place, code in enumerate(others):
        known |= code << (FIRST_BITS + NEXT_BITS * place)
    return known


def _kind(code):
    """Return what a code point is to the walk. Signs such as + and € belong to words."""
    if code in _INVISIBLE:
        return INVISIBLE
    # Beyond the first plane only a few marks of ancient scripts separate.
    if code < 0x10000 and _separates(unicodedata.category(chr(code))):
        return SEPARATOR
    return UNSPACED if any(first <= code <= last for first, last in _UNSPACED) else LETTER


def _separates(category):
    return category[0] in "PZ" or category in ("Cc", "Cf", "Cs")


def _is_always_normal(character):
    """Say whether NFKC leaves a character alone whatever stands beside it: no mark, no part of a Hangul syllable.

    A few letters of rare scripts beyond the first plane join with others, so only signs count there: emoji.
    """
    category = unicodedata.category(character)
    return (
        category[0] != "M"
        and not unicodedata.combining(character)
        and ord(character) not in _HANGUL_JAMO
        and (ord(character) < 0x10000 or category == "So")
        and unicodedata.is_normalized("NFKC", character)
    )


_make_block(0)
