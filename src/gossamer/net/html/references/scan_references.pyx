# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Lists everything that a page refers to, in one pass over the tags of its source, with the place of each address.

The pass splits the source as the tokenizer of the HTML standard does (section 13.2.5): comments, scripts and other raw text,
CDATA and the rules of drawings and formulas. It builds no tree: a tag that a parser would move stays a tag with the same
address, so only tags that a parser drops (a form in a form, most tags in a <select>) are listed here and not in a tree.
Cost: O(length) time; memory for the references, and once the length where a page has character references.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint64_t
from libc.string cimport memchr, memcmp, memcpy, memset

from gossamer.net.css_references import find_css_references
from gossamer.net.html.head_metadata import parse_refresh
from gossamer.net.html.references.page_references import PageReferences, Reference
from gossamer.net.html.references.reference_kinds import (
    ATTRIBUTE_NAMES,
    BREAKOUT_NAMES,
    TAG_NAMES,
    find_link_kind,
    find_meta_kind,
)
from gossamer.net.html.scanner.character_references cimport Reference as CharacterReference, decode_reference
from gossamer.net.html.scanner.tokens cimport Attribute, Name, read_name

cdef extern from "<strings.h>":
    int strncasecmp(const char*, const char*, size_t) noexcept

cdef enum:
    SLOTS = 512
    BREAKS_OUT = 0x100

# Codes of attributes and tags: their places in the tables, beginning with 1.
cdef struct Word:
    uint64_t begin
    uint64_t rest
    int code

cdef Word[SLOTS] attribute_words
cdef Word[SLOTS] tag_words


cdef inline Py_ssize_t find_slot(uint64_t begin, uint64_t rest) noexcept:
    return <Py_ssize_t>(((begin ^ rest) * 0x9E3779B97F4A7C15ULL) >> 55)


cdef inline int find_code(Word* words, Name name) noexcept:
    """Return the code of a name; 0 if it is not in the table."""
    cdef Py_ssize_t slot = find_slot(name.begin, name.rest)
    while words[slot].code:
        if words[slot].begin == name.begin and words[slot].rest == name.rest:
            return words[slot].code
        slot = (slot + 1) & (SLOTS - 1)
    return 0


cdef int add_word(Word* words, str text, int code) except -1:
    """Add a name to a table, or further bits to its code."""
    cdef bytes encoded = text.encode()
    cdef Name name = read_name(encoded, 0, len(encoded))
    cdef Py_ssize_t slot = find_slot(name.begin, name.rest)
    while words[slot].code and not (words[slot].begin == name.begin and words[slot].rest == name.rest):
        slot = (slot + 1) & (SLOTS - 1)
    words[slot].begin, words[slot].rest = name.begin, name.rest
    words[slot].code |= code
    return words[slot].code


cdef int fill_tables() except -1:
    memset(attribute_words, 0, sizeof(attribute_words))
    memset(tag_words, 0, sizeof(tag_words))
    for code, name in enumerate(ATTRIBUTE_NAMES, start=1):
        add_word(attribute_words, name, code)
    for code, name in enumerate(TAG_NAMES, start=1):
        add_word(tag_words, name, code)
    for name in BREAKOUT_NAMES:
        add_word(tag_words, name, BREAKS_OUT)


fill_tables()


cdef int tag(str name):
    return TAG_NAMES.index(name) + 1


cdef int attribute(str name):
    return ATTRIBUTE_NAMES.index(name) + 1


cdef int A = tag("a"), AREA = tag("area"), IMG = tag("img"), IMAGE = tag("image"), LINK = tag("link")
cdef int SCRIPT = tag("script"), FRAME = tag("frame"), IFRAME = tag("iframe"), OBJECT = tag("object")
cdef int EMBED = tag("embed"), VIDEO = tag("video"), AUDIO = tag("audio"), SOURCE = tag("source"), TRACK = tag("track")
cdef int FORM = tag("form"), INPUT = tag("input"), BUTTON = tag("button"), META = tag("meta"), BASE = tag("base")
cdef int ROOT = tag("html"), STYLE_TAG = tag("style"), TITLE = tag("title"), TEXTAREA = tag("textarea"), XMP = tag("xmp")
cdef int NOEMBED = tag("noembed"), NOFRAMES = tag("noframes"), PLAINTEXT = tag("plaintext"), TEMPLATE = tag("template")
cdef int SVG = tag("svg"), MATH = tag("math"), FOREIGN_OBJECT = tag("foreignobject"), DESC = tag("desc")
cdef int MI = tag("mi"), MTEXT = tag("mtext"), ANNOTATION = tag("annotation-xml"), USE = tag("use")
cdef int FE_IMAGE = tag("feimage"), FONT = tag("font"), PATTERN = tag("pattern"), TEXT_PATH = tag("textpath")

cdef int HREF = attribute("href"), SRC = attribute("src"), SRCSET = attribute("srcset"), ID = attribute("id")
cdef int NAME = attribute("name"), ALT = attribute("alt"), STYLE = attribute("style"), REL = attribute("rel")
cdef int TYPE = attribute("type"), CONTENT = attribute("content"), HTTP_EQUIV = attribute("http-equiv")
cdef int PROPERTY = attribute("property"), DATA = attribute("data"), POSTER = attribute("poster")
cdef int ACTION = attribute("action"), FORM_ACTION = attribute("formaction"), METHOD = attribute("method")
cdef int FORM_METHOD = attribute("formmethod"), BACKGROUND = attribute("background"), HREFLANG = attribute("hreflang")
cdef int XLINK = attribute("xlink:href"), CITE = attribute("cite"), LONGDESC = attribute("longdesc")
cdef int LANG = attribute("lang"), IMAGESRCSET = attribute("imagesrcset"), COLOR = attribute("color")
cdef int FACE = attribute("face"), SIZE = attribute("size"), ENCODING = attribute("encoding")

# What the tags with one simple attribute hold.
cdef dict SIMPLE = {
    A: (HREF, "anchor"), AREA: (HREF, "area"), SCRIPT: (SRC, "script"), FRAME: (SRC, "frame"), IFRAME: (SRC, "iframe"),
    OBJECT: (DATA, "object"), EMBED: (SRC, "embed"), VIDEO: (SRC, "video"), AUDIO: (SRC, "audio"), SOURCE: (SRC, "source"),
    TRACK: (SRC, "track"), IMG: (SRC, "image"), IMAGE: (SRC, "image"), BASE: (HREF, "base"),
}
cdef int[64] simple_attribute
cdef list simple_kind = [""] * 64
memset(simple_attribute, 0, sizeof(simple_attribute))
for _code, (_attribute, _kind) in SIMPLE.items():
    simple_attribute[_code] = _attribute
    simple_kind[_code] = _kind


cdef inline bint is_space(unsigned char c) noexcept:
    return c == c' ' or c == c'\n' or c == c'\t' or c == c'\r' or c == c'\f'


cdef class ReferenceScanner(Tokenizer):
    """Scans a page and collects its references."""

    def __cinit__(self):
        self.decoded = NULL
        self.references, self.targets, self.bare_images = [], [], []
        self.levels = self.templates = 0
        self.lists_targets = True

    def __dealloc__(self):
        PyMem_Free(self.decoded)

    cdef void add_attribute(self, Attribute* found) noexcept:
        """Keep the place of an attribute that can hold an address; of two with the same name, the first counts."""
        cdef int code = find_code(attribute_words, read_name(self.text, found.name, found.name_end))
        if code and not self.present >> code & 1:
            self.present |= <uint64_t>1 << code
            self.slots[code] = found[0]

    cdef void begin(self, bytes source) noexcept:
        self.source = source
        self.text = source
        self.length = len(source)

    cdef int walk(self) except -1:
        cdef const unsigned char* text = self.text
        cdef Py_ssize_t end = self.length
        cdef Py_ssize_t at = 0
        cdef unsigned char c
        while at < end:
            at = self.find_after(at, c'<')
            if not self.levels and not self.templates:
                at = self.skip_plain_tags(at)
            if at >= end:
                return 0
            c = text[at]
            if 65 <= (c & 0xDF) <= 90:
                at = self.read_start_tag(at)
            elif c == c'/':
                at = self.read_end_tag(at + 1)
            elif c == c'!':
                at = self.skip_declaration(at + 1)
            elif c == c'?':
                at = self.find_after(at, c'>')

    cdef Py_ssize_t skip_plain_tags(self, Py_ssize_t at) noexcept:
        """Return the place after the "<" of the next tag that may matter; `at` is after a "<".

        End tags and a <span> with at most a class never do, outside drawings and templates; source code that is highlighted
        consists of them. Any other beginning of a tag is left as it is.
        """
        cdef const unsigned char* text = self.text
        cdef Py_ssize_t end = self.length
        cdef Py_ssize_t after
        while end - at >= 16:
            after = at + 1
            if text[at] == c'/':
                if not 65 <= (text[after] & 0xDF) <= 90:
                    return at
                while c'0' <= text[after] <= c'z' and text[after] != c'>':
                    after += 1
            elif memcmp(text + at, b"span", 4) == 0:
                after = at + 4
                if memcmp(text + after, b' class="', 8) == 0:
                    after += 8
                    while text[after] != c'"' and text[after]:  # after the text there is a NUL
                        after += 1
                    after += text[after] == c'"'
            else:
                return at
            if after >= end or text[after] != c'>':
                return at
            at = self.find_after(after + 1, c'<')
        return at

    cdef Py_ssize_t skip_declaration(self, Py_ssize_t at) noexcept:
        """Return the place after a comment, a doctype or, in a drawing, CDATA; `at` is after the "<!"."""
        cdef const unsigned char* text = self.text
        if at + 1 < self.length and text[at] == c'-' and text[at + 1] == c'-':
            return self.skip_comment(at + 2)
        if self.is_foreign() and self.length - at >= 7 and memcmp(text + at, b"[CDATA[", 7) == 0:
            at += 7
            while True:
                at = self.find_after(at, c'>')
                if at >= self.length or text[at - 2] == c']' and text[at - 3] == c']':
                    return at
        return self.find_after(at, c'>')

    cdef Py_ssize_t read_end_tag(self, Py_ssize_t at) except -1:
        cdef Name name
        cdef Py_ssize_t after
        cdef int code
        if at >= self.length:
            return self.length
        if not 65 <= (self.text[at] & 0xDF) <= 90:
            return self.find_after(at, c'>')
        if not self.templates and not self.levels:  # its name has no meaning
            after = at + 1
            while c'0' <= self.text[after] <= c'z' and self.text[after] != c'>':
                after += 1
            if self.text[after] == c'>' and after < self.length:
                return after + 1
        name = read_name(self.text, at, self.length)
        self.present = 0
        after = name.end + 1 if self.text[name.end] == c'>' else self.read_attributes(name.end)
        if after < 0:
            return self.length
        if self.templates or self.levels:
            code = find_code(tag_words, name) & 0xFF
            if code == TEMPLATE and not self.is_foreign():
                self.templates -= self.templates > 0
            elif self.levels:
                self.leave_drawing(code)
        return after

    cdef Py_ssize_t read_start_tag(self, Py_ssize_t at) except -1:
        cdef Name name = read_name(self.text, at, self.length)
        cdef int code = find_code(tag_words, name)
        cdef Py_ssize_t start = at - 1
        self.present = 0
        self.self_closing = False
        at = self.skip_class(name.end)
        if not at:
            at = self.read_attributes(name.end)
        if at < 0:
            return self.length  # a tag that the page ends in is none
        if self.levels and self.is_foreign() and self.leaves_drawing(code):
            while self.is_foreign():
                self.levels -= 1
        code &= 0xFF
        if self.present:
            self.read_common(code)
        if self.is_foreign():
            self.read_drawing_tag(code)
            return at
        if code:
            if self.present:
                self.read_html_tag(code, start)
            elif (code == IMG or code == IMAGE) and not self.templates and self.lists_targets:
                self.bare_images.append(start)
            return self.enter(code, name, at)
        return at

    cdef Py_ssize_t skip_class(self, Py_ssize_t at) noexcept:
        """Return the place after a tag without attributes, or with a class alone, as most have; 0 for any other."""
        cdef const unsigned char* found
        if self.text[at] == c'>' and at < self.length:
            return at + 1
        if self.length - at < 10 or memcmp(self.text + at, b' class="', 8) != 0:
            return 0
        found = <const unsigned char*>memchr(self.text + at + 8, c'"', self.length - at - 8)
        if found == NULL or found[1] != c'>':  # after the text there is a NUL
            return 0
        return found - self.text + 2

    # Drawings and formulas

    cdef bint leaves_drawing(self, int code) noexcept:
        if code & 0xFF == FONT:
            return self.has(COLOR) or self.has(FACE) or self.has(SIZE)
        return code & BREAKS_OUT

    cdef void open_drawing(self, int code, bint holds_html) noexcept:
        if self.levels < MOST_DRAWING_LEVELS:
            self.drawing[self.levels] = code
            self.holds_html[self.levels] = holds_html
            self.levels += 1

    cdef void leave_drawing(self, int code) noexcept:
        """Close the innermost open element of this name in a drawing."""
        cdef int level = self.levels - 1
        if not code:
            # Names without a code are closed where they were opened: only the top can be one of them.
            self.levels -= self.is_foreign() and self.drawing[level] == 0
            return
        while level >= 0 and self.drawing[level] != code:
            level -= 1
        if level >= 0:
            self.levels = level

    cdef int read_drawing_tag(self, int code) except -1:
        """Read a tag within <svg> or <math>, where other tags hold addresses."""
        cdef int href = HREF if self.has(HREF) else XLINK
        if self.present and self.has(href):
            if code == A:
                self.add(href, "anchor")
            elif code == IMAGE or code == FE_IMAGE:
                self.add(href, "image")
            elif code == SCRIPT:
                self.add(href, "script")
            elif code:
                self.add(href, "use")
        if not self.self_closing:
            self.open_drawing(code, code == FOREIGN_OBJECT or code == DESC or code == TITLE or MI <= code <= MTEXT
                              or code == ANNOTATION and self.holds_html_annotation())

    cdef bint holds_html_annotation(self) except -1:
        if not self.has(ENCODING):
            return False
        return self.value(ENCODING).lower() in ("text/html", "application/xhtml+xml")

    # Tags of HTML

    cdef Py_ssize_t enter(self, int code, Name name, Py_ssize_t at) except -1:
        """Prepare for the content of an element: skip what is not mark-up, and note drawings and templates."""
        cdef Py_ssize_t stop
        if code == SVG or code == MATH:
            if not self.self_closing:
                self.open_drawing(code, False)
            return at
        if code == TEMPLATE:
            self.templates += 1
            return at
        if code == PLAINTEXT:
            return self.length
        if code == SCRIPT and memchr(self.text + at, c'!', self.length - at) != NULL:
            return self.skip_script(at, name)
        if code == SCRIPT or code == TEXTAREA or code == XMP or code == IFRAME or code == NOEMBED or code == NOFRAMES:
            return self.find_raw_end(at, name)
        if code == STYLE_TAG or code == TITLE:
            stop = self.find_raw_end(at, name)
            if code == STYLE_TAG:
                self.add_css(self.source, at, stop, "css", None)
            elif self.title is None and not self.templates:
                self.title = " ".join(self.decode(at, stop, False).split())
            return stop
        return at

    cdef Py_ssize_t find_raw_end(self, Py_ssize_t at, Name opened) noexcept:
        """Return where the end tag of the same name begins, or the end of the page."""
        cdef Name name
        while True:
            at = self.find_after(at, c'<')
            if at >= self.length:
                return self.length
            if self.text[at] == c'/':
                name = read_name(self.text, at + 1, self.length)
                if name.begin == opened.begin and name.rest == opened.rest and name.end < self.length:
                    return at - 1

    cdef Py_ssize_t skip_script(self, Py_ssize_t at, Name opened) noexcept:
        """Return where a script ends. After <!-- and <script, its first end tag does not end it (section 13.2.5.20)."""
        cdef const unsigned char* text = self.text
        cdef bint in_comment = False
        cdef bint in_script = False
        cdef Py_ssize_t end = self.length
        cdef Name name
        while at < end:
            if not in_comment:
                at = self.find_after(at, c'<') - 1
                if at >= end - 1:
                    return end
            if in_comment and text[at] == c'-' and end - at >= 3 and text[at + 1] == c'-' and text[at + 2] == c'>':
                in_comment = in_script = False
            elif text[at] == c'<' and not in_comment and end - at >= 4 and memcmp(text + at, b"<!--", 4) == 0:
                in_comment = True
                at += 1  # the dashes may also end it: <!-->
            elif text[at] == c'<' and text[at + 1] == c'/':
                name = read_name(text, at + 2, end)
                if name.begin == opened.begin and not name.rest and name.end < end:
                    if not in_script:
                        return at
                    in_script = False
            elif text[at] == c'<' and in_comment:
                name = read_name(text, at + 1, end)
                in_script |= name.begin == opened.begin and not name.rest and name.end < end
            at += 1
        return end

    cdef int read_common(self, int code) except -1:
        """Read the attributes that any tag may have."""
        if self.lists_targets and not self.templates:
            if self.has(ID) and self.slots[ID].value_end > self.slots[ID].value:
                self.targets.append(self.value(ID))
            if code == A and self.has(NAME) and self.slots[NAME].value_end > self.slots[NAME].value:
                self.targets.append(self.value(NAME))
        if self.has(STYLE):
            self.add_style()
        if self.has(BACKGROUND) and code:
            self.add(BACKGROUND, "background")
        if self.has(CITE) and code:
            self.add(CITE, "cite")

    cdef int read_html_tag(self, int code, Py_ssize_t start) except -1:
        """Read the attributes that hold addresses in this tag."""
        cdef int simple = simple_attribute[code]
        if simple and self.has(simple) and not (code == BASE and self.base is not None):
            self.add(simple, simple_kind[code])
        if self.has(SRCSET) and (code == IMG or code == IMAGE or code == SOURCE):
            self.add_srcset(SRCSET)
        if code == A:
            return 0
        if code == IMG or code == IMAGE:
            if not self.has(ALT) and not self.templates and self.lists_targets:
                self.bare_images.append(start)
            if self.has(LONGDESC):
                self.add(LONGDESC, "longdesc")
        elif code == LINK:
            self.read_link()
        elif code == META:
            self.read_meta()
        elif code == VIDEO and self.has(POSTER):
            self.add(POSTER, "poster")
        elif code == FORM and self.has(ACTION):
            self.add(ACTION, "post-form" if self.posts(METHOD) else "form")
        elif code == INPUT or code == BUTTON:
            if self.has(FORM_ACTION):
                self.add(FORM_ACTION, "post-form" if self.posts(FORM_METHOD) else "form")
            if code == INPUT and self.has(SRC) and self.has(TYPE) and self.value(TYPE).lower() == "image":
                self.add(SRC, "input")
        elif code == BASE and self.has(HREF) and self.base is None and not self.templates:
            self.base = self.value(HREF)
        elif code == ROOT and self.has(LANG) and self.language is None:
            self.language = self.value(LANG).strip()

    cdef bint posts(self, int method) except -1:
        return self.has(method) and self.value(method).strip().lower() in ("post", "dialog")

    cdef int read_link(self) except -1:
        cdef str rel = self.value(REL) if self.has(REL) else ""
        cdef str media_type = self.value(TYPE) if self.has(TYPE) else ""
        if self.has(HREF):
            self.add(HREF, find_link_kind(rel, media_type, self.has(HREFLANG)))
        if self.has(IMAGESRCSET):
            self.add_srcset(IMAGESRCSET)

    cdef int read_meta(self) except -1:
        """Read a refresh, or the address of a picture or player."""
        cdef str content
        if not self.has(CONTENT):
            return 0
        if self.has(HTTP_EQUIV):
            if self.value(HTTP_EQUIV).strip().lower() == "refresh":
                self.add_refresh()
            return 0
        if self.has(PROPERTY) or self.has(NAME):
            kind = find_meta_kind(self.value(PROPERTY if self.has(PROPERTY) else NAME))
            if kind is not None:
                self.add(CONTENT, kind)

    cdef int add_refresh(self) except -1:
        """Add the target of a refresh; its place is the part of the attribute that holds it."""
        cdef Attribute* found = &self.slots[CONTENT]
        refresh = parse_refresh(self.value(CONTENT))
        if refresh is None or not refresh[1]:
            return 0
        raw = self.source[found.value : found.value_end]
        place = raw.rfind(refresh[1].encode())
        if place < 0:  # written with character references
            self.append("refresh", refresh[1], found.value, found.value_end, self.find_quote(found), "attribute")
        else:
            place += found.value
            self.append("refresh", refresh[1], place, place + len(refresh[1].encode()), self.find_quote(found), "attribute")

    # Values

    cdef int add(self, int code, str kind) except -1:
        cdef Attribute* found = &self.slots[code]
        self.append(kind, self.value(code), found.value, found.value_end, self.find_quote(found), "attribute")

    cdef int append(self, str kind, str url, Py_ssize_t start, Py_ssize_t end, str quote, str syntax) except -1:
        self.references.append(Reference(kind, url, start, end, quote, syntax, self.templates > 0))

    cdef str find_quote(self, Attribute* found):
        cdef unsigned char c = self.text[found.value - 1]
        if found.value_end < self.length and self.text[found.value_end] == c:
            return '"' if c == c'"' else "'" if c == c"'" else ""
        return ""

    cdef int add_srcset(self, int code) except -1:
        """Add each candidate of a srcset (HTML standard, section 4.8.4.3.10)."""
        cdef const unsigned char* text = self.text
        cdef Py_ssize_t at = self.slots[code].value
        cdef Py_ssize_t end = self.slots[code].value_end
        cdef str quote = self.find_quote(&self.slots[code])
        cdef Py_ssize_t start, stop
        cdef int parentheses
        while True:
            while at < end and (is_space(text[at]) or text[at] == c','):
                at += 1
            if at >= end:
                return 0
            start = at
            while at < end and not is_space(text[at]):
                at += 1
            stop = at
            while stop > start and text[stop - 1] == c',':
                stop -= 1
            self.append("srcset", self.decode(start, stop, True), start, stop, quote, "srcset")
            if stop == at:
                parentheses = 0
                while at < end and (text[at] != c',' or parentheses):
                    parentheses += (text[at] == c'(') - (text[at] == c')' and parentheses > 0)
                    at += 1

    cdef int add_style(self) except -1:
        """Add the addresses in a style attribute, whose quotation marks are often character references."""
        cdef Attribute* found = &self.slots[STYLE]
        cdef Py_ssize_t length = found.value_end - found.value
        if length < 5 or memchr(self.text + found.value, c'(', length) == NULL:
            return 0
        if memchr(self.text + found.value, c'&', length) == NULL:
            self.add_css(self.source, found.value, found.value_end, "style", None)
            return 0
        text, places = self.decode_places(found.value, found.value_end)
        self.add_css(text, 0, len(text), "style", places)

    cdef int add_css(self, bytes text, Py_ssize_t start, Py_ssize_t end, str syntax, list places) except -1:
        for found in find_css_references(text, start, end):
            first, last = (found.start, found.end) if places is None else (places[found.start], places[found.end])
            self.append(found.kind, found.url, first, last, found.quote, syntax)

    cdef str value(self, int code):
        return self.decode(self.slots[code].value, self.slots[code].value_end, True)

    cdef str decode(self, Py_ssize_t start, Py_ssize_t end, bint in_attribute):
        """Return a part of the source with its character references decoded; bytes that are no UTF-8 are replaced."""
        cdef const unsigned char* text = self.text
        cdef CharacterReference found
        cdef Py_ssize_t size = 0
        if end <= start:
            return ""
        if memchr(text + start, c'&', end - start) == NULL:
            return PyUnicode_DecodeUTF8(<const char*>text + start, end - start, b"replace")
        if self.decoded == NULL:
            # A reference is at most a fifth longer than it is written.
            self.decoded = <unsigned char*>PyMem_Malloc(self.length + self.length // 2 + 64)
            if self.decoded == NULL:
                raise MemoryError
        while start < end:
            if text[start] == c'&':
                found = decode_reference(text, start, end, in_attribute)
                if found.size:
                    memcpy(self.decoded + size, found.utf8, found.size)
                    size += found.size
                    start = found.end
                    continue
            self.decoded[size] = text[start]
            size += 1
            start += 1
        return PyUnicode_DecodeUTF8(<const char*>self.decoded, size, b"replace")

    cdef tuple decode_places(self, Py_ssize_t start, Py_ssize_t end):
        """Return a value with its references decoded, and the place in the source of each of its bytes and of its end."""
        cdef const unsigned char* text = self.text
        cdef CharacterReference found
        cdef bytearray out = bytearray()
        cdef list places = []
        while start < end:
            if text[start] == c'&':
                found = decode_reference(text, start, end, True)
                if found.size:
                    out += found.utf8[:found.size]
                    places += [start] * found.size
                    start = found.end
                    continue
            out.append(text[start])
            places.append(start)
            start += 1
        places.append(end)
        return bytes(out), places


def read_references(bytes source not None):
    """Return everything that a page refers to. Places count the bytes of this source, whatever its encoding.

    Encodings that extend ASCII (all but UTF-16) are split correctly; addresses are decoded as UTF-8.
    """
    cdef ReferenceScanner scanner = <ReferenceScanner>ReferenceScanner.__new__(ReferenceScanner)
    scanner.begin(source)
    scanner.walk()
    return PageReferences(
        scanner.title,
        scanner.base or "",
        scanner.language or "",
        scanner.references,
        scanner.targets,
        scanner.bare_images,
    )
