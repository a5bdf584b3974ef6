# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Records the block elements of a page and the runs of text between their edges, while the page is scanned.

The same content as `main_text.fragments.lay_out` finds in the tree of the page, which is the readable version of it; tests
compare the two. The text of a run is written to the scanner's buffer for words, one run after the other.
"""

from cpython.unicode cimport PyUnicode_DecodeUTF8

from gossamer.net.html.scanner.collect_text cimport Sink, add_raw, add_source
from gossamer.net.html.scanner.tokens cimport Attribute, Tokenizer

cdef enum:
    # What an open element means.
    NOTHING, A_BLOCK, A_LINK, A_SKIPPED
    # More elements than a tree may have; such pages are reduced before they are parsed.
    MOST_BLOCKS = 100_000
    # Attributes that matter, and perhaps others of the same length and first letter.
    MAY_NAME = 1
    MAY_HIDE = 2
    MAY_LINK = 4


cdef class LayoutRecorder:
    """The state of one pass: the current block and the unfinished run of text."""

    def __cinit__(self, rules, bint show_hidden):
        self.rules = rules
        self.kind_of_tag = rules.kind_of_tag
        self.hints_of_tag = rules.hints_of_tag
        self.show_hidden = show_hidden
        self.parents, self.tags, self.kinds, self.hints = [0], ["page"], ["paragraph"], [0]
        self.fragments, self.hrefs, self.links = [], [], []
        self.anchor = self.last_link_end = -1
        for tag in ("html", "body"):
            self.parents.append(self.container)
            self.tags.append(tag)
            self.kinds.append("paragraph")
            self.hints.append(0)
            self.container += 1

    cdef int open(self, Tokenizer page, str tag, int depth, bint is_block, bint is_unread, bint has_attributes) except -1:
        """Enter an element."""
        cdef unsigned char mark = NOTHING
        cdef int found = find_kinds(page) if has_attributes else 0
        if found & MAY_LINK and tag == "a" and page.find_attribute("href", 4) != NULL:
            mark = A_LINK
            self.hrefs.append(page.read_value(page.find_attribute("href", 4)))
        if is_unread and not (self.show_hidden and tag == "noscript"):
            mark = A_SKIPPED
        elif found & MAY_HIDE and not self.show_hidden and self.is_hidden(page):
            mark = A_SKIPPED
        if mark == A_SKIPPED:
            self.skipped += 1
        elif self.skipped:
            mark = NOTHING
        elif is_block:
            mark = A_BLOCK
            self.open_block(page, tag, found & MAY_NAME)
        elif mark == A_LINK:
            self.open_link(page)
        self.marks[depth] = mark

    cdef int close(self, Tokenizer page, int depth) except -1:
        """Leave an element."""
        cdef unsigned char mark = self.marks[depth]
        if mark == A_SKIPPED:
            self.skipped -= 1
        elif mark == A_BLOCK:
            self.close_block(&page.words)
        elif mark == A_LINK:
            self.close_link()

    cdef int add_void(self, Tokenizer page, str tag, bint has_attributes) except -1:
        """Add a block without content, or a line break."""
        if self.skipped:
            return 0
        if tag == "br":
            return self.break_line(&page.words)
        if has_attributes and not self.show_hidden and page.attribute_count and self.is_hidden(page):
            return 0
        self.open_block(page, tag, has_attributes)
        return self.close_block(&page.words)

    cdef bint is_hidden(self, Tokenizer page) except -1:
        """Return whether the attributes of a tag hide its element."""
        cdef Attribute* found
        if page.find_attribute("hidden", 6) != NULL:
            return True
        found = page.find_attribute("aria-hidden", 11)
        if found != NULL and page.read_value(found) == "true":
            return True
        found = page.find_attribute("style", 5)
        return found != NULL and self.rules.hiding_style.search(page.read_value(found)) is not None

    cdef object find_hints(self, Tokenizer page, str tag):
        """Return the hints of an element in its names and its tag."""
        cdef Attribute* name = page.find_attribute("class", 5)
        cdef Attribute* identity = page.find_attribute("id", 2)
        cdef Attribute* role = page.find_attribute("role", 4)
        cdef Attribute* item = page.find_attribute("itemprop", 8)
        if name == NULL and identity == NULL and role == NULL and item == NULL:
            return self.hints_of_tag.get(tag, 0)
        return self.rules.find_hints(
            tag,
            page.read_value(name) if name != NULL else "",
            page.read_value(identity) if identity != NULL else "",
            page.read_value(role) if role != NULL else "",
            page.read_value(item) if item != NULL else "",
        )

    cdef int open_block(self, Tokenizer page, str tag, bint has_attributes) except -1:
        cdef object hints = self.find_hints(page, tag) if has_attributes else self.hints_of_tag.get(tag, 0)
        cdef str outer = <str>self.kinds[self.container]
        cdef str kind
        self.end_run(&page.words)
        if outer == "navigation" or hints & self.rules.navigation:
            kind = "navigation"
        elif tag == "p" and outer == "table cell":  # layout tables contain paragraphs
            kind = "paragraph"
        else:
            kind = self.kind_of_tag.get(tag, outer)
        self.parents.append(self.container)
        self.tags.append(tag)
        self.kinds.append(kind)
        self.hints.append(hints)
        self.container = len(self.parents) - 1
        self.is_code = kind == "code"
        page.gives_up |= self.container >= MOST_BLOCKS

    cdef int close_block(self, Sink* words) except -1:
        self.end_run(words)
        self.container = self.parents[self.container]
        self.is_code = <str>self.kinds[self.container] == "code"

    cdef int open_link(self, Tokenizer page) except -1:
        """Start a link; two links side by side are two words even without a space."""
        if self.links and self.last_link_end == self.pieces:
            self.pieces += 1
            if self.is_code:
                add_raw(&page.words, b" ", 0, 1, False)
            else:
                page.words.space = True
        self.anchor = len(self.hrefs) - 1
        self.anchor_recorded = False

    cdef int close_link(self) except -1:
        if self.anchor >= 0 and (self.pieces or not self.anchor_recorded):
            self.links.append(self.anchor)
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
            if page.words.data[before] == c' ':
                before += 1
            self.link_chars += count_characters(page.words.data, before, page.words.size)

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
        if self.pieces or self.links:
            self.flush(words)
        else:
            words.space = False

    cdef int flush(self, Sink* words) except -1:
        """End the run of text; a link that is still open continues in the next run."""
        cdef Py_ssize_t start = self.start
        cdef str text
        if self.has_words:
            if self.anchor >= 0:
                self.links.append(self.anchor)
                self.anchor_recorded = True
            if not self.is_code and start < words.size and words.data[start] == c' ':
                start += 1
            text = decode(words.data, start, words.size)
            if self.is_code:
                text = text.strip("\n").rstrip()
            if text:
                self.fragments.append((self.container, text, min(self.link_chars, len(text)), self.links))
            self.link_chars = 0
            self.has_words = False
        self.links = []
        self.pieces = 0
        self.last_link_end = -1
        self.breaks = 0
        self.start = words.size
        words.space = words.line = False


cdef int find_kinds(Tokenizer page) noexcept:
    """Return which kinds of attributes a tag may have, by their lengths and first letters alone."""
    cdef int found = 0
    cdef int place
    cdef Py_ssize_t size
    cdef unsigned char first
    for place in range(page.attribute_count):
        size = page.attributes[place].name_end - page.attributes[place].name
        first = page.text[page.attributes[place].name] | 0x20
        if size == 5:
            found |= MAY_NAME if first == c'c' else MAY_HIDE if first == c's' else 0
        elif size == 4:
            found |= MAY_LINK if first == c'h' else MAY_NAME if first == c'r' else 0
        elif size == 2 or size == 8:
            found |= MAY_NAME if first == c'i' else 0
        elif size == 6 or size == 11:
            found |= MAY_HIDE if first == c'h' or first == c'a' else 0
    return found


cdef inline str decode(const unsigned char* text, Py_ssize_t start, Py_ssize_t end):
    return PyUnicode_DecodeUTF8(<const char*>text + start, end - start, NULL)


cdef inline Py_ssize_t count_characters(const unsigned char* text, Py_ssize_t at, Py_ssize_t end) noexcept:
    cdef Py_ssize_t count = 0
    while at < end:
        count += (text[at] & 0xC0) != 0x80
        at += 1
    return count
