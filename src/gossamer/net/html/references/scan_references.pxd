"""Lists what a page refers to; the scanners of addresses are built on it."""

from libc.stdint cimport int8_t, uint64_t

from gossamer.net.html.scanner.tokens cimport Attribute, Name, Tokenizer

cdef enum:
    MOST_SLOTS_OF_A_TAG = 40
    # Deeper drawings than these are not followed: what is in them counts as part of the deepest one.
    MOST_DRAWING_LEVELS = 200

cdef int tag(str name)
cdef int attribute(str name)

cdef class ReferenceScanner(Tokenizer):
    cdef bytes source
    # The attributes of the current tag by their codes, and a bit for each that it has.
    cdef Attribute[MOST_SLOTS_OF_A_TAG] slots
    cdef uint64_t present
    # The open elements of drawings and formulas: their codes, and whether their content is HTML again.
    cdef int[MOST_DRAWING_LEVELS] drawing
    cdef int8_t[MOST_DRAWING_LEVELS] holds_html
    cdef int levels
    cdef int templates
    cdef unsigned char* decoded
    cdef str title
    cdef str base
    cdef str language
    # Whether ids and images without a text are listed.
    cdef bint lists_targets
    cdef list references
    cdef list targets
    cdef list bare_images

    cdef inline bint has(self, int code) noexcept:
        return self.present >> code & 1

    cdef void begin(self, bytes source) noexcept
    cdef int walk(self) except -1
    cdef Py_ssize_t skip_plain_tags(self, Py_ssize_t at) noexcept
    cdef Py_ssize_t skip_declaration(self, Py_ssize_t at) noexcept
    cdef Py_ssize_t read_end_tag(self, Py_ssize_t at) except -1
    cdef Py_ssize_t read_start_tag(self, Py_ssize_t at) except -1
    cdef Py_ssize_t skip_class(self, Py_ssize_t at) noexcept
    cdef inline bint is_foreign(self) noexcept:
        return self.levels and not self.holds_html[self.levels - 1]

    cdef bint leaves_drawing(self, int code) noexcept
    cdef void open_drawing(self, int code, bint holds_html) noexcept
    cdef void leave_drawing(self, int code) noexcept
    cdef int read_drawing_tag(self, int code) except -1
    cdef bint holds_html_annotation(self) except -1
    cdef Py_ssize_t enter(self, int code, Name name, Py_ssize_t at) except -1
    cdef Py_ssize_t find_raw_end(self, Py_ssize_t at, Name opened) noexcept
    cdef Py_ssize_t skip_script(self, Py_ssize_t at, Name opened) noexcept
    cdef int read_common(self, int code) except -1
    cdef int read_html_tag(self, int code, Py_ssize_t start) except -1
    cdef bint posts(self, int method) except -1
    cdef int read_link(self) except -1
    cdef int read_meta(self) except -1
    cdef int add_refresh(self) except -1
    cdef int add(self, int code, str kind) except -1
    cdef int append(self, str kind, str url, Py_ssize_t start, Py_ssize_t end, str quote, str syntax) except -1
    cdef str find_quote(self, Attribute* found)
    cdef int add_srcset(self, int code) except -1
    cdef int add_style(self) except -1
    cdef int add_css(self, bytes text, Py_ssize_t start, Py_ssize_t end, str syntax, list places) except -1
    cdef str value(self, int code)
    cdef str decode(self, Py_ssize_t start, Py_ssize_t end, bint in_attribute)
    cdef tuple decode_places(self, Py_ssize_t start, Py_ssize_t end)
