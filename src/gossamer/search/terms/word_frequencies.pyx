# cython: language_level=3, boundscheck=False, wraparound=False
"""How rare the words of a language are, by the lists of the package wordfreq if it is installed.

A list is kept as one string of bytes with a hash table in it, which is looked up as it is. As a `dict`, the lists of seventeen
languages took a seventh of a second to load, whenever an index of pages in so many languages was refreshed.
"""

import gzip
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import msgspec

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH
from libc.stdint cimport uint32_t
from libc.string cimport memcmp, memcpy, memset

from gossamer.search.terms.dictionary_cache import read_prepared

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)

cdef enum:
    FORMAT = 0x47_57_46_31

MOST_COST = HIGHEST_COST
"""The rarity of words that no list has."""
_LIST = "data/small_{}.msgpack.gz"


cdef class WordCosts:
    """By word in lower case: its rarity in centibels. A word that occurs once in a million has 600, the highest in a list."""

    def __init__(self, bytes packed not None):
        """Read what `pack_costs` wrote. Raise `ValueError` for anything else."""
        cdef Header *header
        if len(packed) < <Py_ssize_t>sizeof(Header):
            raise ValueError("not a list of words with their costs")
        header = <Header *>PyBytes_AS_STRING(packed)
        if header.format != FORMAT or len(packed) != _measure(header):
            raise ValueError("not a list of words with their costs")
        self._packed, self.count, self._mask = packed, header.words, header.slots - 1
        self._slots = <const CostSlot *>(PyBytes_AS_STRING(packed) + sizeof(Header))
        self._words = <const ListedWord *>(self._slots + header.slots)
        self._text = <const unsigned char *>(self._words + header.words)

    def __len__(self):
        return self.count

    def __contains__(self, str word not None):
        return self.find(word) >= 0

    def __iter__(self):
        """Yield the words, the most frequent first."""
        cdef Py_ssize_t number
        for number in range(self.count):
            yield self._text[self._words[number].at : self._words[number].at + self._words[number].length].decode()

    def get(self, str word not None, default=None):
        """Return the cost of a word, or the default."""
        cdef int cost = self.find(word)
        return default if cost < 0 else cost

    cdef int find(self, str word) except -2:
        """Return the cost of a word; -1 if it is not listed."""
        cdef bytes encoded
        if PyUnicode_IS_ASCII(word):
            return self._find(<const unsigned char *>PyUnicode_DATA(word), PyUnicode_GET_LENGTH(word))
        encoded = word.encode("utf-8", "replace")
        return self._find(encoded, len(encoded))

    cdef int estimate(self, str word) except -2:
        """Return the cost of a word, that of unlisted words included."""
        cdef int cost = self.find(word)
        return HIGHEST_COST if cost < 0 else cost

    cdef int _find(self, const unsigned char *text, Py_ssize_t length) noexcept:
        cdef uint32_t hash = _hash(text, length)
        cdef uint32_t at = hash & self._mask
        cdef const ListedWord *word
        while self._slots[at].number:
            if self._slots[at].hash == hash:
                word = &self._words[self._slots[at].number - 1]
                if word.length == length and memcmp(self._text + word.at, text, length) == 0:
                    return word.cost
            at = (at + 1) & self._mask
        return -1


def pack_costs(dict costs not None):
    """Return the bytes of a list: a header, a hash table, the words' places with their costs, and the words."""
    cdef list words = [one.encode("utf-8", "replace") for one in costs]
    cdef uint32_t slots = 4
    while slots < 2 * len(words):
        slots *= 2
    cdef Header header = Header(FORMAT, len(words), slots, sum(map(len, words)))
    cdef bytes packed = PyBytes_FromStringAndSize(NULL, _measure(&header))
    cdef char *start = PyBytes_AS_STRING(packed)
    cdef CostSlot *table = <CostSlot *>(start + sizeof(Header))
    cdef ListedWord *listed = <ListedWord *>(table + slots)
    cdef unsigned char *text = <unsigned char *>(listed + len(words))
    cdef uint32_t used = 0, number = 0, at, hash
    cdef bytes word
    memset(start, 0, len(packed))
    memcpy(start, &header, sizeof(Header))
    for word, cost in zip(words, costs.values()):
        memcpy(text + used, PyBytes_AS_STRING(word), len(word))
        listed[number] = ListedWord(used, len(word), cost)
        hash = _hash(word, len(word))
        at = hash & (slots - 1)
        while table[at].number:
            at = (at + 1) & (slots - 1)
        number += 1
        table[at] = CostSlot(hash, number)
        used += len(word)
    return packed


@cache
def read_word_costs(str language not None):
    """Return some forty thousand words of a language; none if there is no list. Cost: 10 ms once, a tenth of it from the cache."""
    package = find_spec("wordfreq")  # located, not imported: importing takes a quarter of a second
    path = Path(package.origin).parent / _LIST.format(language) if package is not None and package.origin else None
    if path is None or not path.is_file():
        return WordCosts(pack_costs({}))
    return WordCosts(read_prepared(path, "costs", _prepare))


def _prepare(bytes packed):
    # The file has one list of words for each centibel, the most frequent first.
    _, *levels = msgspec.msgpack.decode(gzip.decompress(packed))
    return pack_costs({word: cost for cost, words in enumerate(levels) for word in words})


cdef Py_ssize_t _measure(const Header *header) noexcept:
    """Return the length that a list with this header has."""
    cdef Py_ssize_t of_words = <Py_ssize_t>header.words * sizeof(ListedWord) + header.text_bytes
    return sizeof(Header) + <Py_ssize_t>header.slots * sizeof(CostSlot) + of_words


cdef uint32_t _hash(const unsigned char *text, Py_ssize_t length) noexcept nogil:
    """FNV-1a: words are short, and no page can change the list."""
    cdef uint32_t found = 2166136261u
    cdef Py_ssize_t at
    for at in range(length):
        found = (found ^ text[at]) * 16777619u
    return found
