# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Compiled parsers for the lines of node and edge files: a hundred megabytes in a fifth of a second.

Both functions parse whole lines from a piece of a file and return a code that says why they stopped. They always stop
at the beginning of a line, so the caller can report its number, show it, or continue with more text.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

cdef enum:
    _DONE, _BAD, _WIDE, _FULL, _OPEN

DONE = _DONE
BAD = _BAD
WIDE = _WIDE
FULL = _FULL
OPEN = _OPEN

ctypedef fused Number:
    int32_t
    int64_t

cdef struct Reader:
    const uint8_t *text
    const uint8_t *at
    const uint8_t *begin  # of the current line
    const uint8_t *end  # just after a newline
    int64_t line


def parse_edges(
    const uint8_t[::1] text not None,
    Number[::1] sources not None,
    Number[::1] targets not None,
    Py_ssize_t count,
    int64_t line,
):
    """Append lines `from,to` to `count` edges; return the code, the position, the new count, and the line number.

    The numbers are separated by a comma, a semicolon, or blanks. Empty lines and lines that begin with # or % are
    skipped. BAD: not two whole numbers of 64 bits. WIDE: a number does not fit into these arrays. FULL: the arrays are full.
    """
    cdef Reader reader = _start_reader(text, line)
    cdef int64_t source = 0, target = 0
    cdef int ended = _DONE
    with nogil:
        while _find_line(&reader):
            if not (_read_number(&reader, &source) and _skip_separator(&reader) and _read_number(&reader, &target) and _skip_line_end(&reader)):
                ended = _BAD
                break
            if Number is int32_t:
                if source != <int32_t> source or target != <int32_t> target:
                    ended = _WIDE
                    break
            if count == len(sources) or count == len(targets):
                ended = _FULL
                break
            sources[count] = <Number> source
            targets[count] = <Number> target
            count += 1
            reader.line += 1
    return ended, reader.begin - reader.text, count, reader.line


def parse_nodes(
    const uint8_t[::1] text not None,
    int64_t[::1] ids not None,
    int64_t[::1] starts not None,
    uint8_t[::1] names not None,
    Py_ssize_t count,
    int64_t line,
):
    """Append lines `id,"name"`; the name of node v is names[starts[v]:starts[v + 1]].

    A name without quotes is the rest of its line. OPEN: the piece ends inside quotes. `ids` and `names` must be large
    enough for the text.
    """
    cdef Reader reader = _start_reader(text, line)
    cdef int64_t number = 0, lines_within = 0, used = starts[count]
    cdef int ended = _DONE
    if len(names) - used < len(text) or len(ids) - count < len(text) // 3 or len(starts) <= len(ids):
        raise ValueError("the arrays are too small for these nodes")
    with nogil:
        while _find_line(&reader):
            if not (_read_number(&reader, &number) and _skip_separator(&reader)):
                ended = _BAD
                break
            if reader.at[0] == c'"':
                ended = _copy_quoted_name(&reader, &names[0], &used, &lines_within)
                if ended != _DONE:
                    break
            else:
                lines_within = 0
                _copy_bare_name(&reader, &names[0], &used)
            ids[count] = number
            count += 1
            starts[count] = used
            reader.line += 1 + lines_within
    return ended, reader.begin - reader.text, count, reader.line


cdef Reader _start_reader(const uint8_t[::1] text, int64_t line) except *:
    """Return a reader at the first of some whole lines, with its line number."""
    cdef Reader reader
    if len(text) == 0 or text[len(text) - 1] != c"\n":
        raise ValueError("the text must end with a newline")
    reader.text = reader.at = reader.begin = &text[0]
    reader.end = reader.at + len(text)
    reader.line = line
    return reader


cdef inline bint _find_line(Reader *reader) noexcept nogil:
    """Go to the next line that is not empty or a comment; return whether there is one."""
    reader.begin = reader.at
    while reader.at < reader.end:
        if not _skip_empty_line(reader):
            return True
        reader.line += 1
        reader.begin = reader.at
    return False


cdef inline bint _skip_empty_line(Reader *reader) noexcept nogil:
    """Skip an empty line or a comment; return whether the line is one."""
    _skip_blanks(reader)
    if reader.at[0] == c"#" or reader.at[0] == c"%":
        while reader.at[0] != c"\n":
            reader.at += 1
    return _skip_line_end(reader)


cdef inline void _skip_blanks(Reader *reader) noexcept nogil:
    while reader.at[0] == c" " or reader.at[0] == c"\t":
        reader.at += 1


cdef inline bint _read_number(Reader *reader, int64_t *number) noexcept nogil:
    """Read a whole number of 64 bits."""
    cdef uint64_t sum = 0, most = 0x7FFFFFFFFFFFFFFFu
    cdef bint negative = reader.at[0] == c"-"
    cdef const uint8_t *begin
    cdef unsigned int digit
    reader.at += negative
    begin = reader.at
    digit = <unsigned int> reader.at[0] - c"0"
    while digit < 10:
        sum = sum * 10 + digit
        reader.at += 1
        digit = <unsigned int> reader.at[0] - c"0"
        if reader.at - begin >= 19 and digit < 10:
            return False
    if reader.at == begin or sum > most + negative:
        return False
    number[0] = <int64_t> (0 - sum) if negative else <int64_t> sum
    return True


cdef inline bint _skip_separator(Reader *reader) noexcept nogil:
    """Skip the separator of two fields; return whether there is one."""
    cdef const uint8_t *begin = reader.at
    _skip_blanks(reader)
    if reader.at[0] == c"," or reader.at[0] == c";":
        reader.at += 1
        _skip_blanks(reader)
    return reader.at != begin


cdef inline bint _skip_line_end(Reader *reader) noexcept nogil:
    """Skip the end of a line; return whether the line ends here."""
    if reader.at[0] == c"\n":
        reader.at += 1
        return True
    _skip_blanks(reader)
    reader.at += reader.at[0] == c"\r"
    if reader.at[0] != c"\n":
        return False
    reader.at += 1
    return True


cdef inline void _copy_bare_name(Reader *reader, uint8_t *names, int64_t *used) noexcept nogil:
    """Copy a name without quotes."""
    cdef const uint8_t *begin = reader.at
    while reader.at[0] != c"\n":
        names[used[0]] = reader.at[0]
        used[0] += 1
        reader.at += 1
    if reader.at != begin and (reader.at - 1)[0] == c"\r":
        used[0] -= 1
    reader.at += 1


cdef inline int _copy_quoted_name(Reader *reader, uint8_t *names, int64_t *used, int64_t *lines_within) noexcept nogil:
    """Copy a name in quotes; a doubled quote is a quote in the name."""
    cdef const uint8_t *begin = reader.at
    lines_within[0] = 0
    reader.at += 1
    while reader.at < reader.end:
        if reader.at[0] == c'"':
            reader.at += 1
            if reader.at[0] != c'"':
                return _DONE if _skip_line_end(reader) else _BAD
        lines_within[0] += reader.at[0] == c"\n"
        names[used[0]] = reader.at[0]
        used[0] += 1
        reader.at += 1
    return _OPEN
