"""Eight bytes as one number, looked at together."""

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #ifndef EACH_BYTE
    #define EACH_BYTE 0x0101010101010101u
    #define HIGH_BITS 0x8080808080808080u
    #ifdef __GNUC__
    #define lowest_bit __builtin_ctzll
    #else
    static int lowest_bit(uint64_t number) { int at = 0; while (!(number >> at & 1)) at++; return at; }
    #endif
    #endif
    """
    const uint64_t EACH_BYTE, HIGH_BITS
    int lowest_bit(uint64_t number) noexcept
