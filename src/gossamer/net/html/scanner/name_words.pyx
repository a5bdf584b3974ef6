# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Finds known words in the class names and ids of elements, such as "comments" in "postComments"."""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

cdef enum:
    OTHER, SPACE, SMALL, CAPITAL, ABOVE_ASCII

cdef unsigned char[256] kinds
cdef unsigned char[256] lower


def _fill_tables():
    for byte in range(256):
        kinds[byte] = ABOVE_ASCII if byte > 127 or byte == 0x26 else OTHER  # a reference may be any character
        if byte in b" \t\n\v\f\r\x1c\x1d\x1e\x1f":
            kinds[byte] = SPACE
        elif 65 <= byte <= 90:
            kinds[byte] = CAPITAL
        elif 97 <= byte <= 122:
            kinds[byte] = SMALL
        lower[byte] = byte + 32 if 65 <= byte <= 90 else byte


_fill_tables()


cdef class NameWords:
    """The bits of each known word, and the beginnings of names that are not about the element; all in small letters."""

    def __cinit__(self, dict bits_of_word not None, modifiers, Py_ssize_t most_chars):
        cdef Py_ssize_t slot
        cdef uint64_t begin, rest
        cdef bytes name
        memset(self.bits, 0, sizeof(self.bits))
        self.most_chars = most_chars
        words = {word.encode(): bits for word, bits in bits_of_word.items() if word.isascii()}
        if len(words) > SLOTS // 2 or len(modifiers) > MOST_MODIFIERS:
            raise ValueError("too many words")
        if max(map(len, [*words, *modifiers]), default=0) > LONGEST_WORD:
            raise ValueError("a word is too long")
        for name, bits in words.items():
            pack_word(name, 0, len(name), &begin, &rest)
            slot = find_slot(begin, rest)
            while self.bits[slot]:
                slot = (slot + 1) & (SLOTS - 1)
            self.begins[slot], self.rests[slot], self.bits[slot] = begin, rest, bits
        for modifier in modifiers:
            name = modifier.encode()
            for slot in range(len(name)):
                self.modifiers[self.modifier_count][slot] = name[slot]
            self.modifier_count += 1

    cdef bint find(self, const unsigned char* text, Py_ssize_t at, Py_ssize_t end, uint32_t* found) noexcept:
        """Add the bits of the words in a name; return False, with any bits, if a character is not plain ASCII."""
        cdef bint at_part = True
        cdef unsigned char kind
        cdef Py_ssize_t start
        end = min(end, at + self.most_chars)
        while at < end:
            kind = kinds[text[at]]
            if kind == ABOVE_ASCII:
                return False
            start = at
            at += 1
            if kind == SPACE:
                at_part = True
                continue
            if at_part and self.is_modifier(text, start, end):
                while at < end and kinds[text[at]] != SPACE and kinds[text[at]] != ABOVE_ASCII:
                    at += 1
                continue
            at_part = False
            if kind == OTHER:
                continue
            if kind == CAPITAL and not (at < end and kinds[text[at]] == SMALL):
                while at < end and kinds[text[at]] == CAPITAL:
                    at += 1
            else:
                while at < end and kinds[text[at]] == SMALL:
                    at += 1
            found[0] |= self.look_up(text, start, at)
        return True

    cdef bint is_modifier(self, const unsigned char* text, Py_ssize_t at, Py_ssize_t end) noexcept:
        """Return whether a name begins as one that is about the page, not about the element."""
        cdef unsigned char first = lower[text[at]]
        cdef int place
        cdef Py_ssize_t size
        for place in range(self.modifier_count):
            if self.modifiers[place][0] != first:
                continue
            size = 1
            while self.modifiers[place][size] and at + size < end and lower[text[at + size]] == self.modifiers[place][size]:
                size += 1
            if not self.modifiers[place][size]:
                return True
        return False

    cdef uint32_t look_up(self, const unsigned char* text, Py_ssize_t at, Py_ssize_t end) noexcept:
        cdef uint64_t begin, rest
        cdef Py_ssize_t slot
        if end - at > LONGEST_WORD:
            return 0
        pack_word(text, at, end, &begin, &rest)
        slot = find_slot(begin, rest)
        while self.bits[slot]:
            if self.begins[slot] == begin and self.rests[slot] == rest:
                return self.bits[slot]
            slot = (slot + 1) & (SLOTS - 1)
        return 0


cdef inline Py_ssize_t find_slot(uint64_t begin, uint64_t rest) noexcept:
    return <Py_ssize_t>(((begin ^ (rest << 1)) * 0x9E3779B97F4A7C15ULL) >> 54)


cdef inline void pack_word(const unsigned char* text, Py_ssize_t at, Py_ssize_t end, uint64_t* begin, uint64_t* rest) noexcept:
    """Pack a word of at most sixteen letters into two numbers, in small letters."""
    cdef Py_ssize_t place
    begin[0] = rest[0] = 0
    for place in range(end - at):
        if place < 8:
            begin[0] |= <uint64_t>lower[text[at + place]] << (8 * place)
        else:
            rest[0] |= <uint64_t>lower[text[at + place]] << (8 * (place - 8))
