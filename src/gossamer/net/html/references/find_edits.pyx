# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Finds which addresses of a page have to change, in one pass over its tags: most of them are known from other pages.

Only addresses that are not known are listed as references. Of those that are known, only the ones that change are listed.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.dict cimport PyDict_GetItem
from cpython.object cimport PyObject
from libc.string cimport memchr

from gossamer.net.html.references.scan_references cimport ReferenceScanner, attribute, tag

cdef int META = tag("meta"), HTTP_EQUIV = attribute("http-equiv")
cdef int INTEGRITY = attribute("integrity"), CROSSORIGIN = attribute("crossorigin")


cdef class EditScanner(ReferenceScanner):
    """Scans a page and compares its addresses with those that are known."""

    cdef dict known
    cdef list edits
    cdef bint is_harmful
    cdef bint has_base

    cdef int read_html_tag(self, int code, Py_ssize_t start) except -1:
        if self.has(INTEGRITY) or self.has(CROSSORIGIN):
            self.is_harmful = True
        elif code == META and self.has(HTTP_EQUIV) and "security-policy" in self.value(HTTP_EQUIV).lower():
            self.is_harmful = True
        ReferenceScanner.read_html_tag(self, code, start)

    cdef int add(self, int code, str kind) except -1:
        """Add the edit of an address that is known; any other becomes a reference."""
        cdef Py_ssize_t start = self.slots[code].value
        cdef Py_ssize_t size = self.slots[code].value_end - start
        cdef const unsigned char* text = self.text + start
        cdef const unsigned char* stop
        cdef PyObject* new
        if size and text[0] != c'?' and memchr(text, c'&', size) == NULL:
            stop = <const unsigned char*>memchr(text, c'#', size)
            if stop != NULL:
                size = stop - text
                if not size and not self.has_base:
                    return 0  # a place of the same page
            new = PyDict_GetItem(self.known[kind], PyBytes_FromStringAndSize(<const char*>text, size))
            if new != NULL:
                if <object>new is not None:
                    self.edits.append((start, start + size, <object>new))
                return 0
        return ReferenceScanner.add(self, code, kind)


def find_edits(bytes source not None, dict known not None, bint has_base=False):
    """Return the edits of known addresses, the other references, the base, and whether an attribute may be harmful.

    `known` has for each kind what addresses become, both up to the "#" and as bytes of an attribute; None if they stay.
    Addresses with character references are never known, and those that begin with "?" are not either. Fragments alone stay,
    unless the page has a base.
    """
    cdef EditScanner scanner = <EditScanner>EditScanner.__new__(EditScanner)
    scanner.begin(source)
    scanner.lists_targets = False
    scanner.known = known
    scanner.edits = []
    scanner.has_base = has_base
    scanner.walk()
    return scanner.edits, scanner.references, scanner.base or "", scanner.is_harmful
