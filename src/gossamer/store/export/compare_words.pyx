# cython: language_level=3, boundscheck=False, wraparound=False
"""Compare texts by the hashes of their words, compiled: keys of bands, and the pairs of a group that are nearly equal."""

from libc.stdint cimport uint32_t, uint64_t


def make_band_keys(const uint32_t[::1] words, const uint64_t[:, ::1] factors) -> list[int]:
    """Return a key for each band of factors, from the least products of the words; [] for no words.

    Cost: O(words · factors).
    """
    cdef Py_ssize_t band, row, at
    cdef uint64_t key, least, product
    cdef list keys = []
    if not words.shape[0]:
        return keys
    for band in range(factors.shape[0]):
        key = <uint64_t>band + 1
        for row in range(factors.shape[1]):
            least = <uint64_t>-1
            for at in range(words.shape[0]):
                product = ((<uint64_t>words[at] + 1) * factors[band, row]) >> 20
                if product < least:
                    least = product
            key = (key ^ least) * <uint64_t>0x100000001B3
            key ^= key >> 29
        keys.append(key)
    return keys


def compare_group(
    const uint64_t[::1] group,
    const uint32_t[::1] words,
    const uint64_t[::1] ends,
    double least_in_common,
    Py_ssize_t most_compared,
) -> list[tuple[int, int]]:
    """Return the pairs (later, earlier) of texts of a group that have enough of their words in common.

    `words[ends[n - 1] : ends[n]]` are the ascending word hashes of text n. Each text is compared with the first
    `most_compared` of the group. Cost: O(words) a pair, less where lengths rule it out.
    """
    cdef Py_ssize_t at, other
    cdef list pairs = []
    for at in range(1, group.shape[0]):
        for other in range(min(at, most_compared)):
            if are_alike(words, ends, group[at], group[other], least_in_common):
                pairs.append((group[at], group[other]))
    return pairs


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
