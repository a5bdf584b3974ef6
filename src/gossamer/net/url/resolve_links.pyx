# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Resolves the links of a page: most are plain paths, joined to the page's directory without a parse."""

import re
from functools import lru_cache

from cpython.dict cimport PyDict_GetItem
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_DATA

from gossamer.errors import BadUrl
from gossamer.net.url.canonical_url import canonical
from gossamer.net.url.canonical_rules import DEFAULT_RULES

cdef extern from "Python.h":
    bint PyUnicode_IS_COMPACT_ASCII(object)

# A plain path has nothing to encode, decode or drop, no dot segment, and nothing that looks like a scheme.
cdef enum:
    BEGINS_NAME = 1
    IN_NAME = 2
    IN_QUERY = 4

cdef unsigned char[256] _kinds
_other_scheme = re.compile(r"(?!https?:)[a-z][a-z0-9+.-]*+:", re.IGNORECASE).match


def _fill_kinds():
    letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    for byte in letters + b"_~!$&'()*+,=@-":
        _kinds[byte] |= BEGINS_NAME | IN_NAME
    _kinds[b"."[0]] |= IN_NAME
    for byte in letters + b"._~!$&()*+,;:=@/?%-":
        _kinds[byte] |= IN_QUERY


_fill_kinds()

cdef struct Path:
    Py_ssize_t start  # after "/" or all "../"
    Py_ssize_t end  # before the "#"
    bint has_query


cdef class LinkResolver(dict):
    """Caches `canonical(link, base)` for the links of one page; None for a link that is refused.

    Two in three links of a documentation page repeat a URL with another fragment, so keys are cut after their "#"
    (see `resolve`), and plain paths are joined to a canonical base without a parse. A key keeps its "#": a space before
    it belongs to the path, a space at the end of a link does not.
    Cost: about a tenth of a bare parse for each link.
    """

    cdef str base
    cdef object rules
    cdef Py_ssize_t max_length
    cdef dict directories

    def __init__(self, str base not None, rules=DEFAULT_RULES):
        self.base = base
        self.rules = rules
        self.max_length = rules.max_length
        self.directories = {}
        page = base.partition("#")[0]
        # Another spelling of the page may be longer than its canonical form, and so refused; URLs that options rewrote
        # are not prefixes of the URLs below them.
        if page.startswith("http") and page == self.parse(page) and not rules.rewrites:
            self[""] = self["#"] = page
            self.directories["/"] = page[: page.index("/", 8) + 1]
            self.directories[""] = page.partition("?")[0].rpartition("/")[0] + "/"

    def __missing__(self, str link not None):
        url = self.join(link)
        self[link] = url
        return url

    def resolve(self, str link not None):
        """Return the canonical URL of a link, without its fragment."""
        return self[link[: link.find("#") + 1] or link]

    def resolve_all(self, list links not None):
        """Return the canonical URL of each of these links."""
        cdef list urls = []
        cdef PyObject* known
        for link in links:
            known = PyDict_GetItem(self, link)
            urls.append(<object>known if known != NULL else self.__missing__(link))
        return urls

    cdef object join(self, str link):
        """Join a plain path to its directory; parse any other link."""
        cdef Path path
        cdef str url
        if not self.directories or not split_plain_path(link, &path):
            return None if _other_scheme(link) and not self.rules.schemes else self.parse(link)
        url = self.find_directory(link[: path.start]) + link[path.start : path.end]
        return self.parse(url) if path.has_query or len(url) > self.max_length else url

    cdef str find_directory(self, str start):
        """Return the directory that "", "/" or a number of "../" lead to, at most the root."""
        known = self.directories.get(start)
        if known is None:
            root, here = self.directories["/"], self.directories[""]
            levels = len(start) // 3
            names = here[len(root) :].rsplit("/", levels + 1)
            known = self.directories[start] = root if len(names) < levels + 2 else f"{root}{names[0]}/"
        return known

    cdef object parse(self, str link):
        if self.rules is DEFAULT_RULES and link.startswith(("http://", "https://")):
            return _resolve_absolute(link)
        try:
            return canonical(link, self.base, rules=self.rules)
        except BadUrl:
            return None


@lru_cache(maxsize=16_384)
def _resolve_absolute(link):
    """Return the canonical form of an absolute link; menus and footers repeat these on every page of a host."""
    try:
        return canonical(link)
    except BadUrl:
        return None


cdef bint split_plain_path(str link, Path* path):
    """Return whether a link is a plain path, and find its parts; a "#" at its end belongs to none."""
    cdef const unsigned char* text = <const unsigned char*>PyUnicode_DATA(link)
    cdef Py_ssize_t end = len(link)
    cdef Py_ssize_t at = 0
    if not PyUnicode_IS_COMPACT_ASCII(link):
        return False
    # After the text there is a NUL, which has no kind.
    while text[at] == c'.' and text[at + 1] == c'.' and text[at + 2] == c'/':
        at += 3
    if at == 0 and text[at] == c'/':
        at = 1
    path.start = at
    while _kinds[text[at]] & BEGINS_NAME:
        while _kinds[text[at]] & IN_NAME:
            at += 1
        if text[at] != c'/':
            break
        at += 1
    if at == path.start:
        return False
    path.has_query = text[at] == c'?'
    if path.has_query:
        at += 1
        while _kinds[text[at]] & IN_QUERY:
            at += 1
    path.end = at
    return at == end or text[at] == c'#' and at + 1 == end
