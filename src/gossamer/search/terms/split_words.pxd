# What a character is to the splitting of words: between words, a word of its own, or a letter or digit of one.
cdef enum:
    BETWEEN, WHOLE, LETTER, CAPITAL

cdef int classify_character(Py_UCS4 character) noexcept
