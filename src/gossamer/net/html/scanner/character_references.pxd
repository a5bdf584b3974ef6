cdef struct Reference:
    Py_ssize_t end
    int size
    unsigned char utf8[8]

cdef Reference decode_reference(const unsigned char* text, Py_ssize_t at, Py_ssize_t end, bint in_attribute)
