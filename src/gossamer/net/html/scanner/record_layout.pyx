# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Records the block elements of a page and the runs of text between their edges, while the page is scanned.

The same content as `main_text.fragments.lay_out` finds in the tree of the page, which is the readable version of it; tests
compare the two. The text of a run is written to the scanner's buffer for words, one run after the other.
"""

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint32_t
from libc.string cimport memcmp, memset

from gossamer.net.html.scanner.collect_text cimport Sink, add_raw, add_source
from gossamer.net.html.scanner.layout_rules cimport CODE, NAVIGATION, PARAGRAPH, TABLE_CELL, LayoutRules
from gossamer.net.html.scanner.tokens cimport Attribute, Tokenizer

cdef enum:
    # What an open element means.
    NOTHING, A_BLOCK, A_LINK, A_SKIPPED
    # More elements than a tree may have; such pages are reduced before they are parsed.
    MOST_BLOCKS = 100_000

cdef tuple NO_LINKS = ()


cdef class LayoutRecorder:
    """The state of one pass: the current block and the unfinished run of text."""

    def __cinit__(self, LayoutRules rules not None, bint show_hidden):
        self.rules = rules
        self.show_hidden = show_hidden
        self.parents, self.tags, self.hints = [0, 0, 1], ["page", "html", "body"], [0, 0, 0]
        self.kinds = ["paragraph", "paragraph", "paragraph"]
        self.places, self.texts, self.link_sizes, self.links, self.hrefs, self.run_links = [], [], [], [], [], []
        self.anchor = self.last_link_end = -1
        self.container, self.kind = 2, PARAGRAPH

    cdef int open(self, Tokenizer page, int number, int depth, bint is_block, bint is_unread, bint has_attributes) except -1:
        """Enter an element."""
        cdef unsigned char mark = NOTHING
        cdef Named named
        self.continues = False
        if has_attributes and page.attribute_count:
            find_named(page, &named)
        else:
            memset(&named, 0, sizeof(named))
        if number == self.rules.a and named.href != NULL:
            mark = A_LINK
            self.hrefs.append(page.read_value(named.href))
        if is_unread:
            self.has_hidden |= number == self.rules.noscript
            if not (self.show_hidden and number == self.rules.noscript):
                mark = A_SKIPPED
        if mark != A_SKIPPED and not self.show_hidden and self.is_hidden(page, &named):
            mark = A_SKIPPED
        if mark == A_SKIPPED:
            self.skipped += 1
        elif self.skipped:
            mark = NOTHING
        elif is_block:
            mark = A_BLOCK
            self.outer_containers[depth], self.outer_kinds[depth] = self.container, self.kind
            self.open_block(page, number, &named)
        elif mark == A_LINK:
            self.open_link(page)
        self.marks[depth] = mark

    cdef int close(self, Tokenizer page, int depth) except -1:
        """Leave an element."""
        cdef unsigned char mark = self.marks[depth]
        self.continues = False
        if mark == A_SKIPPED:
            self.skipped -= 1
        elif mark == A_BLOCK:
            self.end_run(&page.words)
            self.container, self.kind = self.outer_containers[depth], self.outer_kinds[depth]
            self.is_code = self.kind == CODE
        elif mark == A_LINK:
            self.close_link()

    cdef int add_void(self, Tokenizer page, int number, bint has_attributes) except -1:
        """Add a block without content, or a line break."""
        cdef Named named
        cdef Py_ssize_t container = self.container
        cdef unsigned char kind = self.kind
        self.continues = False
        if self.skipped:
            return 0
        if number == self.rules.br:
            return self.break_line(&page.words)
        if has_attributes and page.attribute_count:
            find_named(page, &named)
        else:
            memset(&named, 0, sizeof(named))
        if not self.show_hidden and self.is_hidden(page, &named):
            return 0
        self.open_block(page, number, &named)
        self.end_run(&page.words)
        self.container, self.kind = container, kind
        self.is_code = kind == CODE

    cdef bint is_hidden(self, Tokenizer page, Named* named) except -1:
        """Return whether the attributes of a tag hide its element."""
        cdef Attribute* style = named.style
        cdef bint hides = named.hidden != NULL
        if not hides and named.unheard != NULL:
            hides = page.read_value(named.unheard) == "true"
        if not hides and style != NULL and self.rules.may_hide(page.text, style.value, style.value_end):
            hides = self.rules.hiding_style.search(page.read_value(style)) is not None
        self.has_hidden |= hides
        return hides

    cdef uint32_t find_hints(self, Tokenizer page, int number, Named* named) except? 0:
        """Return the hints of an element in its names and its tag."""
        cdef uint32_t found = self.rules.hints[number]
        if named.role == NULL and named.item == NULL:
            if named.name == NULL or self.rules.words.find(page.text, named.name.value, named.name.value_end, &found):
                if named.identity == NULL:
                    return found
                if self.rules.words.find(page.text, named.identity.value, named.identity.value_end, &found):
                    return found
        return self.rules.find_hints(
            self.rules.names[number],
            page.read_value(named.name) if named.name != NULL else "",
            page.read_value(named.identity) if named.identity != NULL else "",
            page.read_value(named.role) if named.role != NULL else "",
            page.read_value(named.item) if named.item != NULL else "",
        )

    cdef int open_block(self, Tokenizer page, int number, Named* named) except -1:
        cdef uint32_t hints = self.find_hints(page, number, named)
        self.end_run(&page.words)
        if self.kind == NAVIGATION or hints & self.rules.navigation:
            self.kind = NAVIGATION
        elif number == self.rules.p and self.kind == TABLE_CELL:  # layout tables contain paragraphs
            self.kind = PARAGRAPH
        elif self.rules.kinds[number]:
            self.kind = self.rules.kinds[number]
        self.parents.append(self.container)
        self.tags.append(<str>self.rules.names[number])
        self.kinds.append(<str>self.rules.kind_names[self.kind])
        self.hints.append(hints)
        self.container = len(self.parents) - 1
        self.is_code = self.kind == CODE
        page.gives_up |= self.container >= MOST_BLOCKS

    cdef int open_link(self, Tokenizer page) except -1:
        """Start a link; two links side by side are two words even without a space."""
        if self.run_links and self.last_link_end == self.pieces:
            self.pieces += 1
            if self.is_code:
                add_raw(&page.words, b" ", 0, 1, False)
            else:
                page.words.space = True
        self.anchor = len(self.hrefs) - 1
        self.anchor_recorded = False

    cdef int close_link(self) except -1:
        if self.anchor >= 0 and (self.pieces or not self.anchor_recorded):
            self.run_links.append(self.anchor)
            self.last_link_end = self.pieces
        self.anchor = -1

    cdef int add_words(self, Tokenizer page, Py_ssize_t at, Py_ssize_t end, bint has_references) except -1:
        """Add a text to the run; half of all texts are white space between blocks, where the run is empty."""
        cdef Py_ssize_t before = page.words.size
        if self.skipped or at >= end:
            return 0
        if self.is_code:
            return self.add_code(page, at, end, has_references)
        page.words.line = False  # blocks are told apart by runs
        if not add_source(&page.words, page.text, at, end, has_references):
            page.gives_up = True
            return 0
        if page.words.size == before:
            if self.pieces:
                self.pieces += 1
            else:
                page.words.space = False
            return 0
        self.pieces += 1
        self.breaks = 0
        self.has_words = True
        if self.anchor >= 0:
            if page.words.data[before] == c' ' and not self.continues:
                before += 1
            self.link_chars += count_characters(page.words.data, before, page.words.size)
        self.continues = True

    cdef int add_code(self, Tokenizer page, Py_ssize_t at, Py_ssize_t end, bint has_references) except -1:
        """Add a text with its white space."""
        cdef Py_ssize_t before = page.words.size
        cdef str text
        if not add_raw(&page.words, page.text, at, end, has_references):
            page.gives_up = True
            return 0
        text = decode(page.words.data, before, page.words.size)
        if text.isspace():
            if self.pieces:
                self.pieces += 1
            else:
                page.words.size = before
            return 0
        self.pieces += 1
        self.breaks = 0
        self.has_words = True
        if self.anchor >= 0:
            self.link_chars += len(" ".join(text.split()))

    cdef int break_line(self, Sink* words) except -1:
        """Add a line break; the second in a row ends a paragraph, but not a piece of code."""
        self.breaks += 1
        if self.breaks > 1 and not self.is_code:
            return self.flush(words)
        self.pieces += 1
        if self.is_code:
            add_raw(words, b"\n", 0, 1, False)
        else:
            words.space = True

    cdef int end_run(self, Sink* words) except -1:
        if self.pieces or self.run_links:
            self.flush(words)
        else:
            words.space = False

    cdef int flush(self, Sink* words) except -1:
        """End the run of text; a link that is still open continues in the next run."""
        cdef Py_ssize_t start = self.start
        cdef str text
        if self.has_words:
            if self.anchor >= 0:
                self.run_links.append(self.anchor)
                self.anchor_recorded = True
            if not self.is_code and start < words.size and words.data[start] == c' ':
                start += 1
            text = decode(words.data, start, words.size)
            if self.is_code:
                text = text.strip("\n").rstrip()
            if text:
                self.places.append(self.container)
                self.texts.append(text)
                self.link_sizes.append(min(self.link_chars, len(text)))
                self.links.append(self.run_links or NO_LINKS)
            self.link_chars = 0
            self.has_words = False
        if self.run_links:
            self.run_links = []
        self.pieces = 0
        self.last_link_end = -1
        self.breaks = 0
        self.start = words.size
        words.space = words.line = False


cdef void find_named(Tokenizer page, Named* named) noexcept:
    """Find the attributes that matter; of two with the same name, the first counts."""
    cdef int place
    cdef Attribute* found
    cdef Attribute** wanted
    memset(named, 0, sizeof(named[0]))
    for place in range(page.attribute_count):
        found = &page.attributes[place]
        wanted = choose_place(page.text + found.name, found.name_end - found.name, named)
        if wanted != NULL and wanted[0] == NULL:
            wanted[0] = found


cdef inline Attribute** choose_place(const unsigned char* name, Py_ssize_t size, Named* named) noexcept:
    """Return where an attribute of this name is noted; NULL if it does not matter."""
    cdef unsigned char first = name[0] | 0x20
    if size == 5:
        if first == c'c':
            return &named.name if is_named(name, b"class", 5) else NULL
        return &named.style if first == c's' and is_named(name, b"style", 5) else NULL
    if size == 4:
        if first == c'h':
            return &named.href if is_named(name, b"href", 4) else NULL
        return &named.role if first == c'r' and is_named(name, b"role", 4) else NULL
    if size == 2:
        return &named.identity if first == c'i' and is_named(name, b"id", 2) else NULL
    if size == 6:
        return &named.hidden if first == c'h' and is_named(name, b"hidden", 6) else NULL
    if size == 8:
        return &named.item if first == c'i' and is_named(name, b"itemprop", 8) else NULL
    return &named.unheard if size == 11 and first == c'a' and is_named(name, b"aria-hidden", 11) else NULL


cdef inline bint is_named(const unsigned char* name, const char* wanted, Py_ssize_t size) noexcept:
    cdef Py_ssize_t at
    cdef unsigned char c
    if memcmp(name, wanted, size) == 0:
        return True
    for at in range(size):
        c = name[at]
        if (c + 32 if 65 <= c <= 90 else c) != <unsigned char>wanted[at]:
            return False
    return True


cdef inline str decode(const unsigned char* text, Py_ssize_t start, Py_ssize_t end):
    return PyUnicode_DecodeUTF8(<const char*>text + start, end - start, NULL)


cdef inline Py_ssize_t count_characters(const unsigned char* text, Py_ssize_t at, Py_ssize_t end) noexcept:
    cdef Py_ssize_t count = 0
    while at < end:
        count += (text[at] & 0xC0) != 0x80
        at += 1
    return count
