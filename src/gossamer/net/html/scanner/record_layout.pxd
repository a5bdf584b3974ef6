"""Records the block elements of a page and the runs of text between their edges, while the page is scanned."""

from gossamer.net.html.scanner.collect_text cimport Sink
from gossamer.net.html.scanner.tokens cimport Tokenizer

cdef enum:
    # As deep as the stack of open elements.
    DEEPEST_LAYOUT = 200

cdef class LayoutRecorder:
    # What is known of tags and names; see `layout_rules`.
    cdef object rules
    cdef dict kind_of_tag
    cdef dict hints_of_tag
    cdef bint show_hidden
    # What an open element means: a block, a link, or text that is not read.
    cdef unsigned char[DEEPEST_LAYOUT] marks
    cdef int skipped
    cdef readonly list parents
    cdef readonly list tags
    cdef readonly list kinds
    cdef readonly list hints
    cdef readonly list fragments
    cdef readonly list hrefs
    cdef Py_ssize_t container
    cdef bint is_code
    # The unfinished run of text: its pieces are counted, since two links side by side are two words.
    cdef Py_ssize_t start
    cdef Py_ssize_t pieces
    cdef Py_ssize_t last_link_end
    cdef Py_ssize_t link_chars
    cdef list links
    cdef int breaks
    cdef bint has_words
    cdef Py_ssize_t anchor
    cdef bint anchor_recorded

    cdef int open(self, Tokenizer page, str tag, int depth, bint is_block, bint is_unread, bint has_attributes) except -1
    cdef int close(self, Tokenizer page, int depth) except -1
    cdef int add_void(self, Tokenizer page, str tag, bint has_attributes) except -1
    cdef int add_words(self, Tokenizer page, Py_ssize_t at, Py_ssize_t end, bint has_references) except -1
    cdef int break_line(self, Sink* words) except -1
    cdef bint is_hidden(self, Tokenizer page) except -1
    cdef object find_hints(self, Tokenizer page, str tag)
    cdef int open_block(self, Tokenizer page, str tag, bint has_attributes) except -1
    cdef int close_block(self, Sink* words) except -1
    cdef int open_link(self, Tokenizer page) except -1
    cdef int close_link(self) except -1
    cdef int add_code(self, Tokenizer page, Py_ssize_t at, Py_ssize_t end, bint has_references) except -1
    cdef int end_run(self, Sink* words) except -1
    cdef int flush(self, Sink* words) except -1
