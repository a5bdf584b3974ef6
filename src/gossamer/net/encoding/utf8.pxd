cdef inline int write_utf8(unsigned int code, unsigned char* out) noexcept:
    """Write a character as UTF-8; return the number of its bytes."""
    if code < 0x80:
        out[0] = <unsigned char>code
        return 1
    if code < 0x800:
        out[0] = <unsigned char>(0xC0 | (code >> 6))
        out[1] = <unsigned char>(0x80 | (code & 0x3F))
        return 2
    if code < 0x10000:
        out[0] = <unsigned char>(0xE0 | (code >> 12))
        out[1] = <unsigned char>(0x80 | ((code >> 6) & 0x3F))
        out[2] = <unsigned char>(0x80 | (code & 0x3F))
        return 3
    out[0] = <unsigned char>(0xF0 | (code >> 18))
    out[1] = <unsigned char>(0x80 | ((code >> 12) & 0x3F))
    out[2] = <unsigned char>(0x80 | ((code >> 6) & 0x3F))
    out[3] = <unsigned char>(0x80 | (code & 0x3F))
    return 4
