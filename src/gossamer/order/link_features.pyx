# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What can be seen of a link before it is followed, as numbers: words of its text and its URL, where it stands.

Each trait is one 32-bit number: the kind of trait in the five highest bits, the hash of what it says below. The words
are runs of letters of at least two, without capitals; a run of digits says only how long it is. Some 40 traits a link
take 2 µs.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

cdef enum:
    KIND_AT = 27
    # More traits than these say nothing new: a row of the table of waiting links has so much room.
    MOST = 80
    MOST_ANCHOR_WORDS = 10
    MOST_NEAR_WORDS = 16
    MOST_PATH_WORDS = 12
    MOST_TITLE_WORDS = 8
    LONGEST_PATH = 6
    LONGEST_NUMBER = 4

cpdef enum:
    ANY = 0
    ANCHOR = 1
    ANCHOR_PAIR = 2
    NEAR = 3
    PATH = 4
    NAME = 5
    SUFFIX = 6
    PATH_LENGTH = 7
    PERSONAL = 8
    QUERY = 9
    HOST = 10
    NEIGHBOUR = 11
    FIRST_FOLDER = 12
    FOLDER = 13
    FOLDER_AND_SHAPE = 14
    SIBLINGS = 15
    PARENT_FOLDER = 16
    PARENT_TITLE = 17
    PARENT_RELEVANCE = 18
    DEPTH = 19
    DISTANCE = 20
    WORDS_RELEVANCE = 21

cdef struct Traits:
    uint32_t numbers[MOST]
    int count

cdef struct Parts:
    # Where the parts of a URL in canonical form begin and end: host, path, name, query.
    int host, path, name, end, length


cdef inline uint64_t _step(uint64_t mix, uint8_t byte) noexcept nogil:
    return (mix ^ byte) * 0x100000001B3u


cdef inline uint64_t _begun(int kind) noexcept nogil:
    return _step(0xCBF29CE484222325u, <uint8_t> kind)


cdef inline void _add(Traits *traits, int kind, uint64_t mix, int since) noexcept nogil:
    """Append a trait unless it stands there, from `since` on."""
    cdef uint32_t number
    cdef int at
    mix ^= mix >> 29
    mix *= 0xBF58476D1CE4E5B9u
    number = (<uint32_t> kind << KIND_AT) | <uint32_t> (mix >> 37)
    for at in range(since, traits.count):
        if traits.numbers[at] == number:
            return
    if traits.count < MOST:
        traits.numbers[traits.count] = number
        traits.count += 1


cdef inline uint8_t _lower(uint8_t byte) noexcept nogil:
    return byte + 32 if 65 <= byte <= 90 else byte


cdef inline bint _is_digit(uint8_t byte) noexcept nogil:
    return 48 <= byte <= 57


cdef inline bint _is_letter(uint8_t byte) noexcept nogil:
    return 97 <= _lower(byte) <= 122 or byte >= 128


cdef void _words(Traits *traits, int kind, const uint8_t *text, int begin, int end, int most, int pairs) noexcept nogil:
    """Append the words of a text, and if `pairs` names a kind, neighbours among them."""
    cdef int at = begin, start, since = traits.count, words = 0
    cdef uint64_t mix, before = 0
    while at < end and words < most:
        start = at
        mix = _begun(kind)
        if _is_letter(text[at]):
            while at < end and _is_letter(text[at]):
                mix = _step(mix, _lower(text[at]))
                at += 1
            if at - start < 2:
                continue
        elif _is_digit(text[at]):
            while at < end and _is_digit(text[at]):
                at += 1
            mix = _step(_step(mix, 35), <uint8_t> min(at - start, LONGEST_NUMBER))
        else:
            at += 1
            continue
        words += 1
        _add(traits, kind, mix, since)
        if pairs and before:
            _add(traits, pairs, before * 31 + mix, since)
        before = mix


cdef void _whole(Traits *traits, int kind, const uint8_t *text, int begin, int end) noexcept nogil:
    """Append one trait for the whole of a text."""
    cdef uint64_t mix = _begun(kind)
    cdef int at
    for at in range(begin, end):
        mix = _step(mix, text[at])
    _add(traits, kind, mix, traits.count)


cdef void _shape(Traits *traits, const uint8_t *url, Parts parts) noexcept nogil:
    """Append the folder with the shape of the name in it: letters are all the same there, and so are digits."""
    cdef uint64_t mix = _begun(FOLDER_AND_SHAPE)
    cdef int at
    cdef uint8_t last = 0, byte
    for at in range(parts.host, parts.name):
        mix = _step(mix, url[at])
    for at in range(parts.name, parts.end):
        byte = 97 if _is_letter(url[at]) else 48 if _is_digit(url[at]) else url[at]
        if byte != last:
            mix = _step(mix, byte)
        last = byte
    _add(traits, FOLDER_AND_SHAPE, mix, traits.count)


cdef Parts _parted(const uint8_t *url, int length) noexcept nogil:
    cdef Parts parts
    cdef int at = 0, slashes = 0
    parts.length = length
    while at < length and slashes < 2:
        slashes += url[at] == 47
        at += 1
    parts.host = at
    while at < length and url[at] != 47:
        at += 1
    parts.path = parts.name = at
    while at < length and url[at] != 63:
        if url[at] == 47:
            parts.name = at + 1
        at += 1
    parts.end = at
    return parts


cdef bint _same(const uint8_t *one, const uint8_t *other, int begin, int end) noexcept nogil:
    cdef int at
    for at in range(begin, end):
        if one[at] != other[at]:
            return False
    return True


cdef int _site(const uint8_t *url, Parts parts) noexcept nogil:
    """Return where the last two names of a host begin: near enough to a site for a trait."""
    cdef int at = parts.path - 1, dots = 0
    while at >= parts.host:
        dots += url[at] == 46
        if dots == 2:
            return at + 1
        at -= 1
    return parts.host


cdef void _neighbourhood(Traits *traits, const uint8_t *url, Parts parts, const uint8_t *page, Parts on) noexcept nogil:
    """Append whether a link stays on its host or its site, and whether it stays below the folder that it stands in."""
    cdef int relation = 2, site = _site(url, parts), own = _site(page, on), at
    cdef bint below = False
    if parts.path == on.path and parts.host == on.host and _same(url, page, parts.host, parts.path):
        relation = 0
        below = on.name <= parts.length and _same(url, page, on.path, on.name)
    elif parts.path - site == on.path - own:
        relation = 1
        for at in range(parts.path - site):
            if url[site + at] != page[own + at]:
                relation = 2
                break
    _add(traits, NEIGHBOUR, <uint64_t> (1 + relation) << 40, traits.count)
    _add(traits, NEIGHBOUR, <uint64_t> (8 + below) << 40, traits.count)


cdef void _of_url(Traits *traits, const uint8_t *url, Parts parts) noexcept nogil:
    cdef int at, segments = 0, first = parts.path + 1, dot = -1
    cdef bint personal = False
    for at in range(parts.path, parts.end):
        segments += url[at] == 47
        personal |= url[at] == 126
        if at >= parts.name and url[at] == 46:
            dot = at
    while first < parts.end and url[first] != 47:
        first += 1
    _words(traits, PATH, url, parts.path, parts.end, MOST_PATH_WORDS, 0)
    _words(traits, NAME, url, parts.name, parts.end, MOST_PATH_WORDS, 0)
    _whole(traits, SUFFIX, url, dot if dot >= 0 else parts.end, parts.end)
    _add(traits, PATH_LENGTH, <uint64_t> (1 + min(segments, LONGEST_PATH) + (16 if parts.name == parts.end else 0)) << 40, 0)
    if personal:
        _add(traits, PERSONAL, 1ULL << 40, traits.count)
    if parts.end < parts.length:
        _add(traits, QUERY, 1ULL << 40, traits.count)
    _whole(traits, HOST, url, parts.host, parts.path)
    _whole(traits, FIRST_FOLDER, url, parts.host, first)
    _whole(traits, FOLDER, url, parts.host, parts.name)
    _shape(traits, url, parts)


cdef bytes _packed(Traits *traits):
    return PyBytes_FromStringAndSize(<char *> traits.numbers, traits.count * sizeof(uint32_t))


def page_traits(str url not None, str title not None, double relevance, int depth, int distance):
    """Return what all links of a page have in common: the page itself, its title and relevance, how far away it is."""
    cdef Traits traits
    cdef bytes page = url.encode("utf-8", "replace"), called = title.encode("utf-8", "replace")
    cdef const uint8_t *letters = <const uint8_t *> PyBytes_AS_STRING(page)
    cdef Parts parts = _parted(letters, <int> PyBytes_GET_SIZE(page))
    traits.count = 0
    _add(&traits, ANY, 1ULL << 40, 0)
    _whole(&traits, SIBLINGS, letters, parts.host, parts.length)
    _whole(&traits, PARENT_FOLDER, letters, parts.host, parts.name)
    _add(&traits, PARENT_RELEVANCE, <uint64_t> (1 + min(9, <int> (relevance * 10))) << 40, 0)
    _add(&traits, DEPTH, <uint64_t> (1 + min(depth, 9)) << 40, 0)
    _add(&traits, DISTANCE, <uint64_t> (1 + min(distance, 5)) << 40, 0)
    _words(&traits, PARENT_TITLE, <const uint8_t *> PyBytes_AS_STRING(called), 0, <int> PyBytes_GET_SIZE(called), MOST_TITLE_WORDS, 0)
    return _packed(&traits)


def links_traits(bytes shared not None, str page not None, list links not None, list near not None, list words not None):
    """Return the traits of each link of a page: those that all have in common, and its own.

    `near` is what stands around each, `words` are the log-odds that the topic's words give it.
    """
    cdef bytes source = page.encode("utf-8", "replace")
    cdef const uint8_t *home = <const uint8_t *> PyBytes_AS_STRING(source)
    cdef Parts home_parts = _parted(home, <int> PyBytes_GET_SIZE(source))
    cdef Traits traits
    cdef int common = <int> min(PyBytes_GET_SIZE(shared) // <Py_ssize_t> sizeof(uint32_t), MOST)
    cdef list found = []
    memcpy(traits.numbers, PyBytes_AS_STRING(shared), common * sizeof(uint32_t))
    for link, around, said in zip(links, near, words):
        traits.count = common
        _add(&traits, WORDS_RELEVANCE, <uint64_t> (20 + max(-8, min(8, <int> <double> said))) << 40, traits.count)
        _of_link(&traits, home, home_parts, link.url, link.text, around)
        found.append(_packed(&traits))
    return found


cdef _of_link(Traits *traits, const uint8_t *home, Parts home_parts, str url, str text, str near):
    """Append what a link says by itself."""
    cdef bytes target = url.encode("utf-8", "replace")
    cdef bytes anchor = text.encode("utf-8", "replace"), around = near.encode("utf-8", "replace")
    cdef const uint8_t *letters = <const uint8_t *> PyBytes_AS_STRING(target)
    cdef Parts parts = _parted(letters, <int> PyBytes_GET_SIZE(target))
    _neighbourhood(traits, letters, parts, home, home_parts)
    _of_url(traits, letters, parts)
    _words(traits, ANCHOR, <const uint8_t *> PyBytes_AS_STRING(anchor), 0, <int> PyBytes_GET_SIZE(anchor), MOST_ANCHOR_WORDS, ANCHOR_PAIR)
    _words(traits, NEAR, <const uint8_t *> PyBytes_AS_STRING(around), 0, <int> PyBytes_GET_SIZE(around), MOST_NEAR_WORDS, 0)
