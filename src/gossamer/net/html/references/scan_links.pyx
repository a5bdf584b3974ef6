# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Lists where a page leads and what it needs to be shown, in one pass over its tags, without its text.

A page is read so for a mirror, which asks for no words: this takes a third of the time of a whole reading. Each address is
listed once, since a page of documentation repeats its menu and its index a hundred times.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.dict cimport PyDict_Contains
from libc.string cimport memchr

from gossamer.net.html.outline import OUTLINED_TAGS, Outline, Tag
from gossamer.net.html.references.reference_kinds import ATTRIBUTE_NAMES
from gossamer.net.html.references.scan_references cimport ReferenceScanner, attribute, tag

cdef enum:
    # Metas and other tags without links may come in front of as many tags with links as are read.
    FREE_TAGS = 1_000

cdef int A = tag("a"), HREF = attribute("href"), REL = attribute("rel")
cdef dict OUTLINED = {tag(name): name for name in OUTLINED_TAGS}


cdef class LinkScanner(ReferenceScanner):
    """Scans a page and collects its links, and the addresses of what it needs."""

    cdef list hrefs
    cdef list rels
    cdef list tags
    # The addresses of each kind that a page needs to be shown, and whether an address is listed.
    cdef object needed_kinds
    cdef dict needs
    cdef dict known
    cdef Py_ssize_t most_links
    cdef Py_ssize_t links_cut

    cdef int read_html_tag(self, int code, Py_ssize_t start) except -1:
        if code == A:
            if self.has(HREF) and not self.templates:
                self.add_anchor()
            return 0
        if code in OUTLINED and not self.templates:
            self.add_tag(OUTLINED[code])
        ReferenceScanner.read_html_tag(self, code, start)

    cdef int add_anchor(self) except -1:
        """List a link, unless the page has one of the same address and rel already; fragments make no difference."""
        cdef const unsigned char* text = self.text + self.slots[HREF].value
        cdef Py_ssize_t size = self.slots[HREF].value_end - self.slots[HREF].value
        cdef const unsigned char* stop
        cdef str rel = ""
        cdef object key
        if size and memchr(text, c'&', size) == NULL:
            stop = <const unsigned char*>memchr(text, c'#', size)
            key = PyBytes_FromStringAndSize(<const char*>text, size if stop == NULL else stop - text + 1)
        else:
            key = self.value(HREF)
            key = key[: key.find("#") + 1] or key
        if self.has(REL):
            rel = " ".join(self.value(REL).split()).lower()
            key = key, rel
        if PyDict_Contains(self.known, key):
            return 0
        self.known[key] = True
        if len(self.hrefs) >= self.most_links:
            self.links_cut += 1
            return 0
        if type(key) is tuple:
            key = key[0]
        self.hrefs.append(key.decode("utf-8", "replace") if type(key) is bytes else key)
        self.rels.append(rel)

    cdef int add_tag(self, str name) except -1:
        """List a rare tag with those of its attributes that have a meaning here."""
        cdef int code
        if len(self.tags) >= self.most_links + FREE_TAGS:
            self.links_cut += 1
            return 0
        self.tags.append((
            len(self.hrefs),
            Tag(name, {ATTRIBUTE_NAMES[code - 1]: self.value(code) for code in range(1, len(ATTRIBUTE_NAMES) + 1)
                       if self.has(code)}),
        ))

    cdef int add(self, int code, str kind) except -1:
        if kind in self.needed_kinds:
            ReferenceScanner.add(self, code, kind)

    cdef int append(self, str kind, str url, Py_ssize_t start, Py_ssize_t end, str quote, str syntax) except -1:
        if kind in self.needed_kinds and not self.templates:
            self.needs[url] = True


def scan_links(bytes source not None, Py_ssize_t most_links, needed_kinds not None):
    """Return the outline of a page without its text, and the addresses of these kinds in it, each once, as written.

    Links beyond `most_links` are counted and not listed.
    """
    cdef LinkScanner scanner = <LinkScanner>LinkScanner.__new__(LinkScanner)
    scanner.begin(source)
    scanner.lists_targets = False
    scanner.hrefs, scanner.rels, scanner.tags, scanner.needs, scanner.known = [], [], [], {}, {}
    scanner.needed_kinds = needed_kinds
    scanner.most_links = most_links
    scanner.walk()
    blank = [""] * len(scanner.hrefs)
    outline = Outline(
        scanner.title or "", "", scanner.hrefs, blank, scanner.rels, blank, [], scanner.tags, scanner.links_cut
    )
    return outline, list(scanner.needs)
