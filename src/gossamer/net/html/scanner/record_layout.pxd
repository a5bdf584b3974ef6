"""Records the block elements of a page and the runs of text between their edges, while the page is scanned."""

from libc.stdint cimport uint32_t

from gossamer.net.html.scanner.collect_text cimport Sink
from gossamer.net.html.scanner.layout_rules cimport LayoutRules
from gossamer.net.html.scanner.tokens cimport Attribute, Tokenizer

cdef enum:
    # As deep as the stack of open elements.
    DEEPEST_LAYOUT = 200

cdef struct Named:
    # The attributes of a tag that matter; NULL for those that it does not have.
    Attribute* name
    Attribute* identity
    Attribute* role
    Attribute* item
    Attribute* hidden
    Attribute* unheard
    Attribute* style
    Attribute* href

cdef class LayoutRecorder:
    cdef LayoutRules rules
    cdef bint show_hidden
    # Whether an element was left out that would not be with `show_hidden`.
    cdef readonly bint has_hidden
    # What an open element means: a block, a link, or text that is not read; and for a block, the block around it.
    cdef unsigned char[DEEPEST_LAYOUT] marks
    cdef Py_ssize_t[DEEPEST_LAYOUT] outer_containers
    cdef unsigned char[DEEPEST_LAYOUT] outer_kinds
    cdef int skipped
    cdef readonly list parents
    cdef readonly list tags
    cdef readonly list kinds
    cdef readonly list hints
    cdef readonly list places
    cdef readonly list texts
    cdef readonly list link_sizes
    cdef readonly list links
    cdef readonly list hrefs
    cdef Py_ssize_t container
    cdef unsigned char kind
    cdef bint is_code
    # The unfinished run of text: its pieces are counted, since two links side by side are two words.
    cdef Py_ssize_t start
    cdef Py_ssize_t pieces
    cdef Py_ssize_t last_link_end
    cdef Py_ssize_t link_chars
    cdef list run_links
    cdef int breaks
    cdef bint has_words
    # Whether a text that comes next continues the text before: only ignored tags are between them.
    cdef bint continues
    cdef Py_ssize_t anchor
    cdef bint anchor_recorded

    cdef int open(self, Tokenizer page, int number, int depth, bint is_block, bint is_unread, bint has_attributes) except -1
    cdef int close(self, Tokenizer page, int depth) except -1
    cdef int add_void(self, Tokenizer page, int number, bint has_attributes) except -1
    cdef int add_words(self, Tokenizer page, Py_ssize_t at, Py_ssize_t end, bint has_references) except -1
    cdef int break_line(self, Sink* words) except -1
    cdef bint is_hidden(self, Tokenizer page, Named* named) except -1
    cdef uint32_t find_hints(self, Tokenizer page, int number, Named* named) except? 0
    cdef int open_block(self, Tokenizer page, int number, Named* named) except -1
    cdef int open_link(self, Tokenizer page) except -1
    cdef int close_link(self) except -1
    cdef int add_code(self, Tokenizer page, Py_ssize_t at, Py_ssize_t end, bint has_references) except -1
    cdef int end_run(self, Sink* words) except -1
    cdef int flush(self, Sink* words) except -1
