# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Words on their way out of a page: one space for a run of white space, a line end where a block begins or ends."""

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from gossamer.net.scanning.references cimport Reference, decoded

cdef enum:
    PLAIN, SPACE, AMPERSAND, MAYBE_SPACE

cdef unsigned char[256] kinds

cdef extern from *:
    """
    static const uint64_t EACH_BYTE = 0x0101010101010101u, HIGH_BITS = 0x8080808080808080u;
    """
    const uint64_t EACH_BYTE, HIGH_BITS


def _fill_kinds():
    # What str.split takes for space: some of ASCII, and some of what begins with these bytes in UTF-8.
    for byte in range(256):
        space = SPACE if byte in b" \t\n\v\f\r\x1c\x1d\x1e\x1f" else PLAIN
        kinds[byte] = MAYBE_SPACE if byte in (0xC2, 0xE1, 0xE2, 0xE3) else AMPERSAND if byte == 0x26 else space


_fill_kinds()


cdef bint feed(Sink* sink, const unsigned char* source, Py_ssize_t at, Py_ssize_t end, bint has_references) except -1:
    """Add a piece of a page, its references decoded; say whether there was room for it, the longest it can get."""
    cdef Reference reference
    cdef unsigned char kind
    cdef int width
    # The longest that a reference grows is from five bytes to six.
    if sink.size + (end - at) + (end - at) // 2 + 16 > sink.room:
        return False
    while at < end:
        kind = kinds[source[at]]
        if kind == SPACE:
            sink.space = True
            at += 1
        elif kind == PLAIN:
            at = put_plain(sink, source, at, end)
        elif kind == MAYBE_SPACE:
            width = space_width(source + at, end - at)
            if width:
                sink.space = True
                at += width
            else:
                put(sink, source + at, 1)
                at += 1
        else:
            reference.size = 0
            if has_references:
                reference = decoded(source, at, end, False)
            if reference.size:
                put_character(sink, reference.utf8, reference.size)
                at = reference.end
            else:
                put(sink, source + at, 1)
                at += 1
    return True


cdef inline Py_ssize_t put_plain(Sink* sink, const unsigned char* source, Py_ssize_t at, Py_ssize_t end) noexcept:
    """Add characters as long as they are plain, and single spaces between them: nearly all of a text."""
    cdef unsigned char* data = sink.data
    cdef Py_ssize_t size
    cdef uint64_t eight
    put(sink, source + at, 1)
    size = sink.size
    at += 1
    while at < end:
        while at + 9 <= end:
            memcpy(&eight, source + at, 8)
            if not is_plain(eight) or source[at] == c' ' or source[at + 7] == c' ':
                break
            memcpy(data + size, &eight, 8)
            size += 8
            at += 8
        if kinds[source[at]] != PLAIN:
            if source[at] != c' ' or at + 1 >= end or kinds[source[at + 1]] != PLAIN:
                break
        data[size] = source[at]
        size += 1
        at += 1
    sink.size = size
    return at


cdef inline bint is_plain(uint64_t eight) noexcept:
    """Whether eight characters are ASCII without controls and ampersands, and no two spaces side by side."""
    cdef uint64_t spaces = eight ^ (EACH_BYTE * 0x20)
    cdef uint64_t ampersands = eight ^ (EACH_BYTE * 0x26)
    cdef uint64_t wrong = eight | (eight - EACH_BYTE * 0x20) | ((ampersands - EACH_BYTE) & ~ampersands)
    spaces = (spaces - EACH_BYTE) & ~spaces & HIGH_BITS
    return not (wrong & HIGH_BITS) and not (spaces & (spaces << 8))


cdef bint feed_words(Sink* sink, str words) except -1:
    """Add words that stand by themselves, such as those of an image; say whether there was room for them."""
    cdef bytes utf8 = " ".join(words.split()).encode()
    if sink.size + len(utf8) + 2 > sink.room:
        return False
    sink.space = True
    if utf8:
        put(sink, utf8, len(utf8))
    sink.space = True
    return True


cdef str words_of(Sink* sink):
    return PyUnicode_DecodeUTF8(<const char*>sink.data, sink.size, NULL)


cdef inline void put(Sink* sink, const unsigned char* words, Py_ssize_t size) noexcept:
    """Write the line end or the space that is due, and then words."""
    if sink.size and (sink.line or sink.space):
        sink.data[sink.size] = c'\n' if sink.line else c' '
        sink.size += 1
    sink.line = sink.space = False
    memcpy(sink.data + sink.size, words, size)
    sink.size += size


cdef void put_character(Sink* sink, const unsigned char* character, int size) noexcept:
    """Add what a reference stands for, which may be white space."""
    cdef unsigned char kind = kinds[character[0]]
    if kind == SPACE or kind == MAYBE_SPACE and space_width(character, size) == size:
        sink.space = True
    else:
        put(sink, character, size)


cdef inline int space_width(const unsigned char* text, Py_ssize_t left) noexcept:
    """How many bytes the white space beyond ASCII takes that begins here; 0 if none does."""
    if text[0] == 0xC2:
        return 2 if left > 1 and (text[1] == 0xA0 or text[1] == 0x85) else 0
    if left < 3:
        return 0
    if text[0] == 0xE2:
        if text[1] == 0x80:
            return 3 if 0x80 <= text[2] <= 0x8A or text[2] == 0xA8 or text[2] == 0xA9 or text[2] == 0xAF else 0
        return 3 if text[1] == 0x81 and text[2] == 0x9F else 0
    if text[0] == 0xE3:
        return 3 if text[1] == 0x80 and text[2] == 0x80 else 0
    return 3 if text[1] == 0x9A and text[2] == 0x80 else 0
