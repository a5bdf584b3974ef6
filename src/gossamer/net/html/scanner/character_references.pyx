# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Decodes character references such as &amp; and &#8211; by the HTML standard (section 13.2.5.72 and following)."""

from html.entities import html5

from libc.string cimport memcpy

from gossamer.net.encoding.utf8 cimport write_utf8

# The characters that the standard uses instead of the controls of windows-1252; 0 where the number is kept.
cdef unsigned short[32] WINDOWS_1252 = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
    0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
]
cdef enum:
    LONGEST_NAME = 32
    LONGEST_OLD_NAME = 6

cdef dict NAMED = {name.encode("ascii"): text.encode("utf-8") for name, text in html5.items()}


cdef inline bint is_alphanumeric(unsigned char c) noexcept:
    return 48 <= c <= 57 or 65 <= (c & 0xDF) <= 90


cdef Reference decode_reference(const unsigned char* text, Py_ssize_t at, Py_ssize_t end, bint in_attribute):
    """Decode the reference whose ampersand is at `at`; its size is 0 if the ampersand begins no reference."""
    cdef Reference found
    found.end = at + 1
    found.size = 0
    if at + 1 < end and text[at + 1] == c'#':
        decode_number(text, at, end, &found)
    else:
        decode_name(text, at, end, in_attribute, &found)
    return found


cdef void decode_name(const unsigned char* text, Py_ssize_t at, Py_ssize_t end, bint in_attribute, Reference* found):
    """Decode the longest known name; old names need no semicolon, except in attributes before a letter, digit or =."""
    cdef Py_ssize_t stop = at + 1
    cdef bytes known
    while stop < end and stop - at <= LONGEST_NAME and is_alphanumeric(text[stop]):
        stop += 1
    if stop < end and text[stop] == c';':
        stop += 1
    while stop > at + 2:
        known = <bytes>NAMED.get(text[at + 1 : stop])
        if known is not None:
            if in_attribute and text[stop - 1] != c';' and stop < end:
                if text[stop] == c'=' or is_alphanumeric(text[stop]):
                    return
            found.end = stop
            found.size = <int>len(known)
            memcpy(found.utf8, <const unsigned char*>known, len(known))
            return
        stop = min(stop - 1, at + 1 + LONGEST_OLD_NAME)


cdef void decode_number(const unsigned char* text, Py_ssize_t at, Py_ssize_t end, Reference* found):
    cdef Py_ssize_t stop = at + 2
    cdef unsigned int code = 0
    cdef unsigned int base = 10
    cdef unsigned int digit
    cdef unsigned char c
    if stop < end and (text[stop] | 0x20) == c'x':
        base = 16
        stop += 1
    cdef Py_ssize_t first = stop
    while stop < end:
        c = text[stop]
        if 48 <= c <= 57:
            digit = c - 48
        elif base == 16 and 65 <= (c & 0xDF) <= 70:
            digit = (c & 0xDF) - 55
        else:
            break
        if code <= 0x10FFFF:
            code = code * base + digit
        stop += 1
    if stop == first:
        return
    if stop < end and text[stop] == c';':
        stop += 1
    if code == 0 or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        code = 0xFFFD
    elif 0x80 <= code < 0xA0 and WINDOWS_1252[code - 0x80]:
        code = WINDOWS_1252[code - 0x80]
    found.end = stop
    found.size = write_utf8(code, found.utf8)
