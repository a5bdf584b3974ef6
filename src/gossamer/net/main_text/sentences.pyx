# cython: language_level=3, boundscheck=False, wraparound=False
"""Splits text into sentences, in one pass over its characters."""

# Marks that end a sentence before white space, those that need none after them, and marks of Arabic script before white space.
cdef str STOPS = ".!?…"
cdef str FULL_STOPS = "。！？｡।॥"
cdef str ARABIC_STOPS = "؟۔"
cdef str CLOSING = "\"'”’»›)]」』）"
cdef Py_ssize_t LOOK_AROUND_CHARS = 20
# Abbreviations that occur before a capital or a number, in the most frequent languages with Latin script.
cdef frozenset ABBREVIATIONS = frozenset(
    (
        "mr mrs ms dr prof st sr jr rev hon gen col lt capt sgt gov sen rep pres supt no nos vs etc al fig figs vol "
        "vols pp ed eds art inc ltd co corp bros dept est approx jan feb mar apr jun jul aug sep sept oct nov dec "
        "bzw ca usw evtl ggf nr str hr fr abs bd hrsg vgl z.b d.h u.a e.g i.e a.m p.m mme mlle cf ex av ave blvd "
        "sra dra ud uds núm pág tel"
    ).split()
)


def sentences(block_or_text) -> list[str]:
    """Split a block, or a text of several lines, into sentences.

    A sentence ends with a mark (. ! ? … and those of other scripts) and its closing quotes, or with its line.
    A full stop does not end a sentence after an abbreviation, an initial or a short number ("3. Oktober"), nor before
    a small letter. Only the white space between sentences is lost. Cost: O(characters).
    """
    cdef str text = str(block_or_text if isinstance(block_or_text, str) else block_or_text.text)
    cdef list found = []
    for line in text.splitlines():
        _split_line(line, found)
    return found


cdef int _split_line(str line, list found) except -1:
    """Add the sentences of a line."""
    cdef Py_ssize_t at = 0, start = 0, length = len(line), mark, after_marks, end
    cdef str marks
    while at < length:
        marks = _find_kind(line[at])
        if marks is None:
            at += 1
            continue
        # A row of marks is tried as a whole, so that a row without white space after it takes no quadratic time.
        mark, after_marks = at, _skip(line, at, marks)
        end = _skip(line, after_marks, CLOSING)
        at = after_marks
        if marks is not FULL_STOPS and (end == length or not line[end].isspace()):
            continue
        at = end
        if marks is not STOPS or _ends_sentence(line, mark, end):
            _add_sentence(line[start:end], found)
            start = end
    _add_sentence(line[start:], found)
    return 0


cdef inline str _find_kind(Py_UCS4 character):
    """Return the marks that a character is one of, or None."""
    if character == u"." or character == u"!" or character == u"?" or character == u"…":
        return STOPS
    if character < 0x600:
        return None
    if _is_among(character, FULL_STOPS):
        return FULL_STOPS
    return ARABIC_STOPS if _is_among(character, ARABIC_STOPS) else None


cdef inline bint _is_among(Py_UCS4 character, str some) noexcept:
    cdef Py_UCS4 one
    for one in some:
        if one == character:
            return True
    return False


cdef inline Py_ssize_t _skip(str line, Py_ssize_t at, str some) noexcept:
    """Return the place after the characters that are among some."""
    while at < len(line) and _is_among(line[at], some):
        at += 1
    return at


cdef int _add_sentence(str sentence, list found) except -1:
    sentence = sentence.strip()
    if sentence:
        found.append(sentence)
    return 0


cdef bint _ends_sentence(str line, Py_ssize_t mark, Py_ssize_t end) except -1:
    """Return whether a mark ends its sentence, judging by the word before and the letter after."""
    cdef Py_ssize_t at = end, first = mark
    while at < min(len(line), end + LOOK_AROUND_CHARS) and line[at].isspace():
        at += 1
    if at < min(len(line), end + LOOK_AROUND_CHARS) and line[at].islower():
        return False
    if line[mark] != u"." or end > mark + 1:
        return True
    while first > max(0, mark - LOOK_AROUND_CHARS) and _is_in_word(line[first - 1]):
        first -= 1
    return not _is_shortened(line[first:mark])


cdef inline bint _is_in_word(Py_UCS4 character) noexcept:
    return character.isalnum() or character == u"_" or character == u"."


cdef bint _is_shortened(str word) except -1:
    """Return whether a full stop after a word belongs to it: after short numbers, initials, abbreviations and "U.S"."""
    if word.isdigit():
        return len(word) <= 2
    if len(word) == 1 and word.isupper():
        return True
    return word.lower() in ABBREVIATIONS or ("." in word and all([len(part) == 1 for part in word.split(".")]))
