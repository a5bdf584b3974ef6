# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Features of a link that are known before it is followed: words of its text and URL, and the page it is on.

Each feature is one 32-bit number: its kind in the five highest bits, a hash of its value below. Words are runs of at
least two letters, in lower case; of a run of digits only the length counts. Some 40 features a link take 2 µs.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

cdef enum:
    KIND_AT = 27
    # Further features say nothing new; a row of the table of waiting links has room for this many.
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

cdef struct Features:
    uint32_t numbers[MOST]
    int count

cdef struct UrlParts:
    # Where the parts of a canonical URL begin: host, path, name; and where the path and the URL end.
    int host, path, name, end, length


cdef inline uint64_t _hash_byte(uint64_t mix, uint8_t byte) noexcept nogil:
    return (mix ^ byte) * 0x100000001B3u


cdef inline uint64_t _begin_hash(int kind) noexcept nogil:
    return _hash_byte(0xCBF29CE484222325u, <uint8_t> kind)


cdef inline void _add_feature(Features *features, int kind, uint64_t mix, int since) noexcept nogil:
    """Append a feature, unless it is among those from `since` on."""
    cdef uint32_t number
    cdef int at
    mix ^= mix >> 29
    mix *= 0xBF58476D1CE4E5B9u
    number = (<uint32_t> kind << KIND_AT) | <uint32_t> (mix >> 37)
    for at in range(since, features.count):
        if features.numbers[at] == number:
            return
    if features.count < MOST:
        features.numbers[features.count] = number
        features.count += 1


cdef inline int _clamp(double value, int least, int most) noexcept nogil:
    """Return a number without its fraction, within limits; a topic may give any odds, and 1e300 fits no integer."""
    if value >= most:
        return most
    return <int> value if value > least else least


cdef inline uint8_t _to_lower(uint8_t byte) noexcept nogil:
    return byte + 32 if 65 <= byte <= 90 else byte


cdef inline bint _is_digit(uint8_t byte) noexcept nogil:
    return 48 <= byte <= 57


cdef inline bint _is_letter(uint8_t byte) noexcept nogil:
    return 97 <= _to_lower(byte) <= 122 or byte >= 128


cdef void _add_words(Features *features, int kind, const uint8_t *text, int begin, int end, int most, int pairs) noexcept nogil:
    """Append the words of a text and, if `pairs` is a kind, the pairs of neighbouring words."""
    cdef int at = begin, start, since = features.count, words = 0
    cdef uint64_t mix, before = 0
    while at < end and words < most:
        start = at
        mix = _begin_hash(kind)
        if _is_letter(text[at]):
            while at < end and _is_letter(text[at]):
                mix = _hash_byte(mix, _to_lower(text[at]))
                at += 1
            if at - start < 2:
                continue
        elif _is_digit(text[at]):
            while at < end and _is_digit(text[at]):
                at += 1
            mix = _hash_byte(_hash_byte(mix, 35), <uint8_t> min(at - start, LONGEST_NUMBER))
        else:
            at += 1
            continue
        words += 1
        _add_feature(features, kind, mix, since)
        if pairs and before:
            _add_feature(features, pairs, before * 31 + mix, since)
        before = mix


cdef void _add_text(Features *features, int kind, const uint8_t *text, int begin, int end) noexcept nogil:
    """Append one feature for a whole text."""
    cdef uint64_t mix = _begin_hash(kind)
    cdef int at
    for at in range(begin, end):
        mix = _hash_byte(mix, text[at])
    _add_feature(features, kind, mix, features.count)


cdef void _add_shape(Features *features, const uint8_t *url, UrlParts parts) noexcept nogil:
    """Append the folder with the shape of the file name: all letters are alike there, and so are all digits."""
    cdef uint64_t mix = _begin_hash(FOLDER_AND_SHAPE)
    cdef int at
    cdef uint8_t last = 0, byte
    for at in range(parts.host, parts.name):
        mix = _hash_byte(mix, url[at])
    for at in range(parts.name, parts.end):
        byte = 97 if _is_letter(url[at]) else 48 if _is_digit(url[at]) else url[at]
        if byte != last:
            mix = _hash_byte(mix, byte)
        last = byte
    _add_feature(features, FOLDER_AND_SHAPE, mix, features.count)


cdef UrlParts _split_url(const uint8_t *url, int length) noexcept nogil:
    cdef UrlParts parts
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


cdef bint _is_same(const uint8_t *one, const uint8_t *other, int begin, int end) noexcept nogil:
    cdef int at
    for at in range(begin, end):
        if one[at] != other[at]:
            return False
    return True


cdef int _find_site(const uint8_t *url, UrlParts parts) noexcept nogil:
    """Return where the last two labels of a host begin: close enough to a site for a feature."""
    cdef int at = parts.path - 1, dots = 0
    while at >= parts.host:
        dots += url[at] == 46
        if dots == 2:
            return at + 1
        at -= 1
    return parts.host


cdef void _add_neighbourhood(Features *features, const uint8_t *url, UrlParts parts, const uint8_t *page, UrlParts on) noexcept nogil:
    """Append whether a link stays on its host or site, and whether it stays below the folder of its page."""
    cdef int relation = 2, site = _find_site(url, parts), own = _find_site(page, on), at
    cdef bint below = False
    if parts.path == on.path and parts.host == on.host and _is_same(url, page, parts.host, parts.path):
        relation = 0
        below = on.name <= parts.length and _is_same(url, page, on.path, on.name)
    elif parts.path - site == on.path - own:
        relation = 1
        for at in range(parts.path - site):
            if url[site + at] != page[own + at]:
                relation = 2
                break
    _add_feature(features, NEIGHBOUR, <uint64_t> (1 + relation) << 40, features.count)
    _add_feature(features, NEIGHBOUR, <uint64_t> (8 + below) << 40, features.count)


cdef void _add_url(Features *features, const uint8_t *url, UrlParts parts) noexcept nogil:
    cdef int at, segments = 0, first = parts.path + 1, dot = -1
    cdef bint personal = False
    for at in range(parts.path, parts.end):
        segments += url[at] == 47
        personal |= url[at] == 126
        if at >= parts.name and url[at] == 46:
            dot = at
    while first < parts.end and url[first] != 47:
        first += 1
    _add_words(features, PATH, url, parts.path, parts.end, MOST_PATH_WORDS, 0)
    _add_words(features, NAME, url, parts.name, parts.end, MOST_PATH_WORDS, 0)
    _add_text(features, SUFFIX, url, dot if dot >= 0 else parts.end, parts.end)
    _add_feature(features, PATH_LENGTH, <uint64_t> (1 + min(segments, LONGEST_PATH) + (16 if parts.name == parts.end else 0)) << 40, 0)
    if personal:
        _add_feature(features, PERSONAL, 1ULL << 40, features.count)
    if parts.end < parts.length:
        _add_feature(features, QUERY, 1ULL << 40, features.count)
    _add_text(features, HOST, url, parts.host, parts.path)
    _add_text(features, FIRST_FOLDER, url, parts.host, first)
    _add_text(features, FOLDER, url, parts.host, parts.name)
    _add_shape(features, url, parts)


cdef bytes _pack(Features *features):
    return PyBytes_FromStringAndSize(<char *> features.numbers, features.count * sizeof(uint32_t))


def extract_page_features(str url not None, str title not None, double relevance, int depth, int distance):
    """Return the features that all links of a page share: the page, its title, relevance, depth and distance."""
    cdef Features features
    cdef bytes page = url.encode("utf-8", "replace"), title_bytes = title.encode("utf-8", "replace")
    cdef const uint8_t *letters = <const uint8_t *> PyBytes_AS_STRING(page)
    cdef UrlParts parts = _split_url(letters, <int> PyBytes_GET_SIZE(page))
    features.count = 0
    _add_feature(&features, ANY, 1ULL << 40, 0)
    _add_text(&features, SIBLINGS, letters, parts.host, parts.length)
    _add_text(&features, PARENT_FOLDER, letters, parts.host, parts.name)
    _add_feature(&features, PARENT_RELEVANCE, <uint64_t> (1 + _clamp(relevance * 10, 0, 9)) << 40, 0)
    _add_feature(&features, DEPTH, <uint64_t> (1 + min(depth, 9)) << 40, 0)
    _add_feature(&features, DISTANCE, <uint64_t> (1 + min(distance, 5)) << 40, 0)
    _add_words(&features, PARENT_TITLE, <const uint8_t *> PyBytes_AS_STRING(title_bytes), 0, <int> PyBytes_GET_SIZE(title_bytes), MOST_TITLE_WORDS, 0)
    return _pack(&features)


def extract_link_features(bytes shared not None, str page not None, list links not None, list near not None, list words not None):
    """Return the features of each link of a page: the shared ones and its own.

    `near` is the text around each link, `words` are the log-odds that the topic gives to its words.
    """
    cdef bytes source = page.encode("utf-8", "replace")
    cdef const uint8_t *home = <const uint8_t *> PyBytes_AS_STRING(source)
    cdef UrlParts home_parts = _split_url(home, <int> PyBytes_GET_SIZE(source))
    cdef Features features
    cdef int common = <int> min(PyBytes_GET_SIZE(shared) // <Py_ssize_t> sizeof(uint32_t), MOST)
    cdef list found = []
    memcpy(features.numbers, PyBytes_AS_STRING(shared), common * sizeof(uint32_t))
    for link, around, odds in zip(links, near, words):
        features.count = common
        _add_feature(&features, WORDS_RELEVANCE, <uint64_t> (20 + _clamp(odds, -8, 8)) << 40, features.count)
        _add_link(&features, home, home_parts, link.url, link.text, around)
        found.append(_pack(&features))
    return found


cdef _add_link(Features *features, const uint8_t *home, UrlParts home_parts, str url, str text, str near):
    """Append the features of a link itself."""
    cdef bytes target = url.encode("utf-8", "replace")
    cdef bytes anchor = text.encode("utf-8", "replace"), around = near.encode("utf-8", "replace")
    cdef const uint8_t *letters = <const uint8_t *> PyBytes_AS_STRING(target)
    cdef UrlParts parts = _split_url(letters, <int> PyBytes_GET_SIZE(target))
    _add_neighbourhood(features, letters, parts, home, home_parts)
    _add_url(features, letters, parts)
    _add_words(features, ANCHOR, <const uint8_t *> PyBytes_AS_STRING(anchor), 0, <int> PyBytes_GET_SIZE(anchor), MOST_ANCHOR_WORDS, ANCHOR_PAIR)
    _add_words(features, NEAR, <const uint8_t *> PyBytes_AS_STRING(around), 0, <int> PyBytes_GET_SIZE(around), MOST_NEAR_WORDS, 0)
