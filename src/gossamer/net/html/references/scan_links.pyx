# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Lists where a page leads and what it needs to be shown, in one pass over its tags, without its text.

A page is read so for a mirror, which asks for no words: this takes a third of the time of a whole reading. Each address is
listed once, since a page of documentation repeats its menu and its index a hundred times. If wanted, the same pass notes the
place of every address, so that a mirror need not scan the page again to rewrite it.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.dict cimport PyDict_Contains, PyDict_GetItem
from cpython.mem cimport PyMem_Free, PyMem_Realloc
from cpython.object cimport PyObject
from libc.stdint cimport INT32_MAX, int32_t
from libc.string cimport memchr

from gossamer.net.html.outline import OUTLINED_TAGS, Outline, Tag
from gossamer.net.html.references.page_references import AddressPlaces
from gossamer.net.html.references.reference_kinds import ATTRIBUTE_NAMES
from gossamer.net.html.references.scan_references cimport ReferenceScanner, attribute, tag

cdef enum:
    # Metas and other tags without links may come in front of as many tags with links as are read.
    FREE_TAGS = 1_000
    # An address is listed as a link without a fragment, or with one.
    PLAIN = 1
    WITH_FRAGMENT = 2

# Where an address begins in the source, how long it is up to its fragment, and its number in the list of addresses.
cdef struct Spot:
    int32_t start
    int32_t size
    int32_t number

cdef int A = tag("a"), META = tag("meta"), HREF = attribute("href"), REL = attribute("rel")
cdef int HTTP_EQUIV = attribute("http-equiv"), INTEGRITY = attribute("integrity")
cdef int CROSSORIGIN = attribute("crossorigin")
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
    # For the places of addresses: a table of numbers by address for each kind, shared by kinds that are treated alike.
    cdef dict numbers
    cdef dict anchor_numbers
    cdef list addresses
    cdef bytearray listed
    cdef Spot* spots
    cdef Py_ssize_t spots_used
    cdef Py_ssize_t spots_room
    cdef bint lists_own_fragments
    cdef bint is_harmful

    def __dealloc__(self):
        PyMem_Free(self.spots)

    cdef int read_html_tag(self, int code, Py_ssize_t start) except -1:
        if self.numbers is not None:
            self.look_for_harm(code)
        if code == A:
            if self.has(HREF):
                self.add_anchor()
            return 0
        if code in OUTLINED and not self.templates:
            self.add_tag(OUTLINED[code])
        ReferenceScanner.read_html_tag(self, code, start)

    cdef int look_for_harm(self, int code) except -1:
        """Note that the page has an attribute that may keep a copy of it from working."""
        if self.has(INTEGRITY) or self.has(CROSSORIGIN):
            self.is_harmful = True
        elif code == META and self.has(HTTP_EQUIV) and "security-policy" in self.value(HTTP_EQUIV).lower():
            self.is_harmful = True

    cdef int add_anchor(self) except -1:
        """List a link, unless the page has one of the same address and rel already; fragments make no difference."""
        cdef const unsigned char* text = self.text + self.slots[HREF].value
        cdef Py_ssize_t size = self.slots[HREF].value_end - self.slots[HREF].value
        cdef const unsigned char* stop
        cdef Py_ssize_t number = -1
        cdef int form
        cdef str rel = ""
        cdef object key
        if size and memchr(text, c'&', size) == NULL:
            stop = <const unsigned char*>memchr(text, c'#', size)
            if self.numbers is not None and text[0] != c'?' and stop != text:
                number = self.add_spot(self.anchor_numbers, "anchor", self.slots[HREF].value,
                                       size if stop == NULL else stop - text)
            if self.templates:
                if number < 0 and stop != text:
                    self.refer(HREF, "anchor")
                return 0
            if not self.has(REL):
                form = PLAIN if stop == NULL else WITH_FRAGMENT
                if number >= 0:
                    if self.listed[number] & form:
                        return 0
                    self.listed[number] |= form
                elif stop == text:
                    if self.lists_own_fragments:
                        return 0
                    self.lists_own_fragments = True
            if number < 0 and stop != text:
                self.refer(HREF, "anchor")
            key = PyBytes_FromStringAndSize(<const char*>text, size if stop == NULL else stop - text + 1)
        else:
            self.refer(HREF, "anchor")
            if self.templates:
                return 0
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

    cdef int refer(self, int code, str kind) except -1:
        """List an address whose meaning depends on its page, or that has character references, if places are wanted."""
        if self.numbers is not None:
            ReferenceScanner.add(self, code, kind)

    cdef Py_ssize_t add_spot(self, dict numbers, str kind, Py_ssize_t start, Py_ssize_t size) except -1:
        """Note the place of an address; return its number."""
        cdef bytes address = PyBytes_FromStringAndSize(<const char*>self.text + start, size)
        cdef PyObject* found = PyDict_GetItem(numbers, address)
        cdef Py_ssize_t number
        if found == NULL:
            number = len(self.addresses)
            numbers[address] = number
            self.addresses.append((kind, address))
            self.listed.append(0)
        else:
            number = <object>found
        if self.spots_used == self.spots_room:
            self.spots_room = 2 * self.spots_room + 64
            self.spots = <Spot*>PyMem_Realloc(self.spots, self.spots_room * sizeof(Spot))
            if self.spots == NULL:
                raise MemoryError
        self.spots[self.spots_used] = Spot(<int32_t>start, <int32_t>size, <int32_t>number)
        self.spots_used += 1
        return number

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
        if self.numbers is not None:
            self.add_place(code, kind)
        elif kind in self.needed_kinds:
            ReferenceScanner.add(self, code, kind)

    cdef int add_place(self, int code, str kind) except -1:
        """Note the place of an address that means the same on every page of a folder; list any other as a reference."""
        cdef Py_ssize_t start = self.slots[code].value
        cdef Py_ssize_t size = self.slots[code].value_end - start
        cdef const unsigned char* text = self.text + start
        cdef const unsigned char* stop
        cdef PyObject* numbers = PyDict_GetItem(self.numbers, kind)
        if numbers == NULL or not size or text[0] == c'?' or memchr(text, c'&', size) != NULL:
            return ReferenceScanner.add(self, code, kind)
        stop = <const unsigned char*>memchr(text, c'#', size)
        if stop != text:
            self.add_spot(<dict>numbers, kind, start, size if stop == NULL else stop - text)
        if kind in self.needed_kinds and not self.templates:
            self.needs[self.value(code)] = True

    cdef int append(self, str kind, str url, Py_ssize_t start, Py_ssize_t end, str quote, str syntax) except -1:
        if self.numbers is not None:
            ReferenceScanner.append(self, kind, url, start, end, quote, syntax)
        if kind in self.needed_kinds and not self.templates:
            self.needs[url] = True


def scan_links(bytes source not None, Py_ssize_t most_links, needed_kinds not None, dict groups=None):
    """Return the outline of a page without its text, the addresses of these kinds in it, each once, as written, and places.

    Links beyond `most_links` are counted and not listed. The places of addresses are found if `groups` is given: it has the
    kinds of references whose addresses may be told by their bytes, and a number for each; kinds with the same number are
    treated alike. There are none of a page with a base, which gives its addresses other meanings.
    """
    cdef LinkScanner scanner = <LinkScanner>LinkScanner.__new__(LinkScanner)
    scanner.begin(source)
    scanner.lists_targets = False
    scanner.hrefs, scanner.rels, scanner.tags, scanner.needs, scanner.known = [], [], [], {}, {}
    scanner.needed_kinds = needed_kinds
    scanner.most_links = most_links
    if groups is not None and len(source) < INT32_MAX:
        tables = {number: {} for number in groups.values()}
        scanner.numbers = {kind: tables[number] for kind, number in groups.items()}
        scanner.anchor_numbers = scanner.numbers["anchor"]
        scanner.addresses, scanner.listed = [], bytearray()
    scanner.walk()
    blank = [""] * len(scanner.hrefs)
    outline = Outline(
        scanner.title or "", "", scanner.hrefs, blank, scanner.rels, blank, [], scanner.tags, scanner.links_cut
    )
    places = None
    if scanner.numbers is not None and not scanner.base:
        spots = PyBytes_FromStringAndSize(<const char*>scanner.spots, scanner.spots_used * sizeof(Spot))
        places = AddressPlaces(spots, scanner.addresses, scanner.references, scanner.is_harmful)
    return outline, list(scanner.needs), places


def list_changes(bytes spots not None, list new not None):
    """Return the edits of addresses that change: `new` has what each becomes, by number; None if it stays."""
    cdef const Spot* each = <const Spot*><const char*>spots
    cdef Py_ssize_t place
    cdef list edits = []
    for place in range(len(spots) // <Py_ssize_t>sizeof(Spot)):
        becomes = new[each[place].number]
        if becomes is not None:
            edits.append((each[place].start, each[place].start + each[place].size, becomes))
    return edits
