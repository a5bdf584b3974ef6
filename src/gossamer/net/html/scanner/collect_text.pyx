# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Collects the text of a page: one space for a run of white space, a line end where a block begins or ends."""

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from gossamer.net.html.scanner.character_references cimport Reference, decode_reference
from gossamer.net.eight_bytes cimport EACH_BYTE, HIGH_BITS, lowest_bit

cdef enum:
    PLAIN, SPACE, AMPERSAND, MAYBE_SPACE

cdef unsigned char[256] kinds


def _fill_kinds():
    # The white space of str.split: some of ASCII, and some characters that begin with these bytes in UTF-8.
    for byte in range(256):
        space = SPACE if byte in b" \t\n\v\f\r\x1c\x1d\x1e\x1f" else PLAIN
        kinds[byte] = MAYBE_SPACE if byte in (0xC2, 0xE1, 0xE2, 0xE3) else AMPERSAND if byte == 0x26 else space


_fill_kinds()


cdef bint add_source(Sink* sink, const unsigned char* source, Py_ssize_t at, Py_ssize_t end, bint has_references) except -1:
    """Add a piece of the source with its references decoded; return whether there was room for its greatest length."""
    cdef Reference reference
    cdef unsigned char kind
    cdef int width
    # A reference grows at most from five bytes to six.
    if sink.size + (end - at) + (end - at) // 2 + 16 > sink.room:
        return False
    while at < end:
        kind = kinds[source[at]]
        if kind == SPACE:
            sink.space = True
            at += 1
        elif kind == PLAIN:
            at = add_plain(sink, source, at, end)
        elif kind == MAYBE_SPACE:
            width = measure_space(source + at, end - at)
            if width:
                sink.space = True
                at += width
            else:
                add_bytes(sink, source + at, 1)
                at += 1
        else:
            reference.size = 0
            if has_references:
                reference = decode_reference(source, at, end, False)
            if reference.size:
                add_character(sink, reference.utf8, reference.size)
                at = reference.end
            else:
                add_bytes(sink, source + at, 1)
                at += 1
    return True


cdef inline Py_ssize_t add_plain(Sink* sink, const unsigned char* source, Py_ssize_t at, Py_ssize_t end) noexcept:
    """Add characters while they are plain or single spaces: nearly all of a text."""
    cdef unsigned char* data = sink.data
    cdef Py_ssize_t size, good
    cdef uint64_t eight, spaces, after_space = 0
    add_bytes(sink, source + at, 1)
    size = sink.size
    at += 1
    while at < end:
        eight = replace_line_ends(load_eight(source, at, end))
        spaces = find_character(eight, 0x20)
        good = min(count_plain(eight, spaces & (spaces << 8 | after_space)), end - at)
        after_space = spaces >> 56
        memcpy(data + size, &eight, 8)
        size += good
        at += good
        if good < 8 and at < end:
            if kinds[source[at]] != PLAIN:
                break
            while True:  # letters above ASCII, or a control
                data[size] = source[at]
                size += 1
                at += 1
                if at == end or source[at] < 0x80 or kinds[source[at]] != PLAIN:
                    break
            after_space = 0
    if data[size - 1] == c' ':
        sink.space = True
        size -= 1
    sink.size = size
    return at


cdef inline uint64_t load_eight(const unsigned char* source, Py_ssize_t at, Py_ssize_t end) noexcept:
    """Return the next eight characters, with NULs after the end."""
    cdef uint64_t eight = 0
    if at + 8 <= end:
        memcpy(&eight, source + at, 8)
    elif end >= 8:
        memcpy(&eight, source + end - 8, 8)
        eight >>= 8 * (at + 8 - end)
    else:
        memcpy(&eight, source + at, end - at)
    return eight


cdef inline uint64_t replace_line_ends(uint64_t eight) noexcept:
    """Replace the line ends among eight characters by spaces."""
    cdef uint64_t others = eight ^ (EACH_BYTE * c'\n')
    others = ((others & ~HIGH_BITS) + ~HIGH_BITS) | others | ~HIGH_BITS
    return eight ^ ((~others >> 7) * (c'\n' ^ c' '))


cdef inline uint64_t find_character(uint64_t eight, uint64_t character) noexcept:
    """Return the high bit of each byte that is the character, and perhaps wrongly of some bytes above one."""
    eight ^= EACH_BYTE * character
    return (eight - EACH_BYTE) & ~eight & HIGH_BITS


cdef inline int count_plain(uint64_t eight, uint64_t wrong) noexcept:
    """Return how many of eight characters come before a wrong one, a control, an ampersand or one above ASCII."""
    wrong |= (eight | (eight - EACH_BYTE * 0x20) | find_character(eight, 0x26)) & HIGH_BITS
    return lowest_bit(wrong) >> 3 if wrong else 8


cdef bint add_raw(Sink* sink, const unsigned char* source, Py_ssize_t at, Py_ssize_t end, bint has_references) except -1:
    """Add a piece of the source with its white space; return whether there was room for its greatest length."""
    cdef Reference reference
    if sink.size + (end - at) + (end - at) // 2 + 16 > sink.room:
        return False
    while at < end:
        reference.size = 0
        if has_references and source[at] == c'&':
            reference = decode_reference(source, at, end, False)
        if reference.size:
            memcpy(sink.data + sink.size, reference.utf8, reference.size)
            sink.size += reference.size
            at = reference.end
        else:
            sink.data[sink.size] = source[at]
            sink.size += 1
            at += 1
    return True


cdef bint add_separate_words(Sink* sink, str words) except -1:
    """Add words with spaces around them, such as those of an image; return whether there was room."""
    cdef bytes utf8 = " ".join(words.split()).encode()
    if sink.size + len(utf8) + 2 > sink.room:
        return False
    sink.space = True
    if utf8:
        add_bytes(sink, utf8, len(utf8))
    sink.space = True
    return True


cdef str to_text(Sink* sink):
    return PyUnicode_DecodeUTF8(<const char*>sink.data, sink.size, NULL)


cdef inline void add_bytes(Sink* sink, const unsigned char* words, Py_ssize_t size) noexcept:
    """Write the pending line end or space, and then the bytes."""
    if sink.size and (sink.line or sink.space):
        sink.data[sink.size] = c'\n' if sink.line else c' '
        sink.size += 1
    sink.line = sink.space = False
    memcpy(sink.data + sink.size, words, size)
    sink.size += size


cdef void add_character(Sink* sink, const unsigned char* character, int size) noexcept:
    """Add the character of a reference, which may be white space."""
    cdef unsigned char kind = kinds[character[0]]
    if kind == SPACE or kind == MAYBE_SPACE and measure_space(character, size) == size:
        sink.space = True
    else:
        add_bytes(sink, character, size)


cdef inline int measure_space(const unsigned char* text, Py_ssize_t left) noexcept:
    """Return the number of bytes of the non-ASCII white space that begins here; 0 if none does."""
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
