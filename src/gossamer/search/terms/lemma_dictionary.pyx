# cython: language_level=3, boundscheck=False, wraparound=False
"""Look up the base forms of words in a packed dictionary of the package simplemma, without unpacking it.

Such a file holds the forms of a language in order of their bytes. Each shares a beginning with the form before it, and its base
form shares a beginning with it. One pass over the file keeps every 32nd entry; a look-up finds the last of these that is not
behind the word, and reads on from there. The German dictionary (1.1 million forms) then takes 8 MB and a tenth of a second to
load, most of it for decompressing; as a `dict` it takes 110 MB and one and a half seconds.
"""

from libc.stdint cimport uint32_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcmp, memcpy, memmove

cdef enum:
    BLOCK = 32
    LONGEST = 1024
    SAME_AS_BEFORE = 254
    WHOLE_VALUE = 255
    HEADER_BYTES = 6

cdef bytes MAGIC = b"SMFC1"


cdef struct Entry:
    # A form and its base form, and where the next entry begins.
    unsigned char key[LONGEST]
    unsigned char value[LONGEST]
    Py_ssize_t key_length
    Py_ssize_t value_length
    Py_ssize_t end


cdef struct Block:
    # The first entry of a block: its bytes are in the arena, the value behind the key.
    uint32_t at
    uint32_t key_length
    uint32_t value_length
    uint32_t end


cdef class LemmaDictionary:
    """The forms of one language with their base forms."""

    cdef bytes _data
    cdef Block *_blocks
    cdef Py_ssize_t _block_count
    cdef unsigned char *_arena
    cdef Py_ssize_t _arena_length, _arena_room
    cdef readonly Py_ssize_t forms

    def __cinit__(self):
        self._blocks = NULL
        self._arena = NULL

    def __dealloc__(self):
        free(self._blocks)
        free(self._arena)

    def __init__(self, bytes data not None):
        """Read the bytes of a decompressed file. Raise `ValueError` if they are not in this format."""
        cdef Py_ssize_t at, number = 0
        cdef Entry entry
        if len(data) < HEADER_BYTES or not data.startswith(MAGIC) or data[HEADER_BYTES - 1] != 0:
            raise ValueError("not a dictionary in the format SMFC1")
        self._data = data
        at = HEADER_BYTES
        self.forms = _read_number(data, len(data), &at)
        if not 0 <= self.forms <= len(data):
            raise ValueError("a dictionary that is damaged")
        self._blocks = <Block *>malloc((self.forms // BLOCK + 1) * sizeof(Block))
        self._arena_length, self._arena_room = 0, 1 << 16
        self._arena = <unsigned char *>malloc(self._arena_room)
        if self._blocks == NULL or self._arena == NULL:
            raise MemoryError
        entry.key_length = entry.value_length = 0
        entry.end = at
        while entry.end < len(data):
            if not _read_entry(data, len(data), &entry) or number == self.forms:
                raise ValueError("a dictionary that is damaged")
            if number % BLOCK == 0:
                self._add_block(&entry)
            number += 1
        if number != self.forms:
            raise ValueError("a dictionary that is damaged")

    cdef int _add_block(self, Entry *entry) except -1:
        cdef Block *block = &self._blocks[self._block_count]
        cdef unsigned char *arena
        if self._arena_length + 2 * LONGEST > self._arena_room:
            arena = <unsigned char *>realloc(self._arena, 2 * self._arena_room)
            if arena == NULL:
                raise MemoryError
            self._arena, self._arena_room = arena, 2 * self._arena_room
        block.at, block.end = self._arena_length, entry.end
        block.key_length, block.value_length = entry.key_length, entry.value_length
        memcpy(self._arena + self._arena_length, entry.key, entry.key_length)
        self._arena_length += entry.key_length
        memcpy(self._arena + self._arena_length, entry.value, entry.value_length)
        self._arena_length += entry.value_length
        self._block_count += 1
        return 0

    def get(self, str form not None):
        """Return the base form of a form, or None if the dictionary does not have it. Cost: a microsecond."""
        cdef bytes wanted = form.encode("utf-8", "replace")
        cdef const unsigned char *target = wanted
        cdef Py_ssize_t length = len(wanted), low = 0, high = self._block_count, middle, left
        cdef Block *block
        cdef Entry entry
        cdef int order
        while low < high:  # the number of blocks that do not begin behind the word
            middle = (low + high) // 2
            block = &self._blocks[middle]
            if _compare(self._arena + block.at, block.key_length, target, length) <= 0:
                low = middle + 1
            else:
                high = middle
        if low == 0:
            return None
        block = &self._blocks[low - 1]
        entry.key_length, entry.value_length, entry.end = block.key_length, block.value_length, block.end
        memcpy(entry.key, self._arena + block.at, block.key_length)
        memcpy(entry.value, self._arena + block.at + block.key_length, block.value_length)
        for left in range(BLOCK, 0, -1):
            order = _compare(entry.key, entry.key_length, target, length)
            if order == 0:
                return entry.value[:entry.value_length].decode("utf-8", "replace")
            if order > 0 or left == 1 or not _read_entry(self._data, len(self._data), &entry):
                return None
        return None


cdef int _compare(const unsigned char *one, Py_ssize_t length, const unsigned char *other, Py_ssize_t other_length) noexcept nogil:
    cdef int order = memcmp(one, other, min(length, other_length))
    return order if order else (length > other_length) - (length < other_length)


cdef Py_ssize_t _read_number(const unsigned char *data, Py_ssize_t length, Py_ssize_t *at) noexcept nogil:
    """Read a number of seven bits a byte, the lowest first; -1 if there is none."""
    cdef Py_ssize_t found = 0
    cdef int shift = 0
    while at[0] < length and shift < 28:
        found |= <Py_ssize_t>(data[at[0]] & 0x7F) << shift
        at[0] += 1
        if data[at[0] - 1] < 0x80:
            return found
        shift += 7
    return -1


cdef bint _read_entry(const unsigned char *data, Py_ssize_t length, Entry *entry) noexcept nogil:
    """Read the entry behind one, in its place; return False at the end and if the bytes are damaged."""
    cdef Py_ssize_t at = entry.end, shared, more, cut
    shared = _read_number(data, length, &at)
    more = _read_number(data, length, &at)
    if shared < 0 or more < 0 or shared > entry.key_length or shared + more > LONGEST or at + more >= length:
        return False
    memcpy(entry.key + shared, data + at, more)
    entry.key_length = shared + more
    at += more
    cut = data[at]
    at += 1
    if cut != SAME_AS_BEFORE:
        more = _read_number(data, length, &at)
        shared = 0 if cut == WHOLE_VALUE else entry.key_length - cut
        if more < 0 or shared < 0 or shared + more > LONGEST or at + more > length:
            return False
        memmove(entry.value, entry.key, shared)
        memcpy(entry.value + shared, data + at, more)
        entry.value_length = shared + more
        at += more
    entry.end = at
    return True
