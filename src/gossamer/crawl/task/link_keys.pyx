# cython: language_level=3, boundscheck=False, wraparound=False
"""Compute ids and kinds for every link of a page, compiled: a hundred a page, nearly all of them known."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.dict cimport PyDict_GetItem
from cpython.object cimport PyObject
from libc.stdint cimport uint8_t

from gossamer.net.url import page_id

cdef enum:
    # The same menu stands on every page of a host: most ids are known from the page before.
    MOST_IDS = 16_384

cdef dict _ids = {}


def ids_of(list urls not None):
    """Return the page id of each distinct URL, in order of first appearance."""
    cdef dict found = {}
    cdef PyObject* known
    if len(_ids) > MOST_IDS:
        _ids.clear()
    for url in urls:
        if PyDict_GetItem(found, url) != NULL:
            continue
        known = PyDict_GetItem(_ids, url)
        if known == NULL:
            found[url] = _ids[url] = page_id(url)
        else:
            found[url] = <object> known
    return found


def targets_of(list urls not None, dict ids not None):
    """Return the id of each URL, repeated ones included."""
    cdef list targets = []
    for url in urls:
        targets.append(ids[url])
    return targets


def unknown_places(list urls not None, dict ids not None, bytes known not None):
    """Return the places of URLs that are not known; `known` has a byte for each of the ids."""
    cdef const uint8_t* is_known = <const uint8_t*> PyBytes_AS_STRING(known)
    cdef Py_ssize_t place = 0
    cdef set unknown = set()
    if len(known) != len(ids):
        raise ValueError("there is not a byte for each id")
    for url in ids:
        if not is_known[place]:
            unknown.add(url)
        place += 1
    if not unknown:
        return []
    return [place for place, url in enumerate(urls) if url in unknown]


def kinds_of(list types not None, list urls not None, list rels not None, dict kind_of_type not None,
             dict spans not None, int nofollow):
    """Return the kind of each link: that of its type, with flags for what it spans and for nofollow."""
    cdef Py_ssize_t place, count = len(urls)
    cdef bytes kinds = PyBytes_FromStringAndSize(NULL, count)
    cdef uint8_t* kind = <uint8_t*> PyBytes_AS_STRING(kinds)
    cdef PyObject* spanned
    cdef str rel
    if len(types) != count or len(rels) != count:
        raise ValueError("columns of links have one length")
    for place in range(count):
        kind[place] = kind_of_type[types[place]]
        spanned = PyDict_GetItem(spans, urls[place])
        if spanned != NULL:
            kind[place] += <int> <object> spanned
        rel = rels[place]
        if rel and "nofollow" in rel:
            kind[place] += nofollow
    return kinds
