"""The scorer, compiled: what `plain.py` does in plain Python, equal to the last bit, a hundred times as fast.

A walk counts the letters of each script, a second one takes the words of the script that leads. Characters are read
where Python keeps them; what they are is asked of `scripts` once for each block of 256 that is met.
"""

cimport cython
from cpython.unicode cimport PyUnicode_1BYTE_KIND, PyUnicode_2BYTE_KIND, PyUnicode_DATA, PyUnicode_KIND
from libc.math cimport exp, pow
from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from gossamer.text.language import scripts
from gossamer.text.language.judgement import FARTHEST, INDEPENDENCE, LEAST_SHARE, MOST_CANDIDATES, Judgement

cdef extern from *:
    """
    static const uint64_t FNV_PRIME = 0x100000001B3u;
    static const uint64_t WORD_START = 0xCBF29CE484222325u, GRAM_START = 0x9AE16A3B2F90404Fu;
    """
    const uint64_t FNV_PRIME, WORD_START, GRAM_START
    void __builtin_prefetch(const void *address) noexcept

cdef enum:
    MOST_LANGUAGES = 256
    MOST_SCRIPTS = 64
    LONGEST_WORD = 40
    LONGEST_GRAM = 5
    START_OF_WORD = 1
    END_OF_WORD = 2
    OTHERS = 255
    SKIPPED = 255
    NONE = 0
    BLOCK_SIZE = 0x100
    BLOCKS = 0x1100

ctypedef fused Code:
    uint8_t
    uint16_t
    uint32_t

# What the walks know of a character: filled block by block when one of its characters is met.
cdef uint8_t _script_of[BLOCK_SIZE * BLOCKS]
cdef uint32_t _small_of[BLOCK_SIZE * BLOCKS]
cdef uint8_t _is_junk[BLOCK_SIZE * BLOCKS]
cdef uint8_t _is_filled[BLOCKS]
cdef uint8_t _is_unspaced[MOST_SCRIPTS]
cdef uint8_t _weight_of[MOST_SCRIPTS]


def _set_up():
    for number, weight in enumerate(scripts.WEIGHT):
        _weight_of[number] = weight
        _is_unspaced[number] = number in scripts.UNSPACED


cdef int _fill(uint32_t block) except -1:
    cdef uint32_t code
    for code in range(block * BLOCK_SIZE, (block + 1) * BLOCK_SIZE):
        _script_of[code] = scripts.script_number(code)
        _small_of[code] = scripts.lower(code)
        _is_junk[code] = scripts.is_junk(code)
    _is_filled[block] = 1
    return 0


cdef struct Found:
    int script
    int letters
    int words
    int junk
    int32_t penalties[MOST_LANGUAGES]
    int32_t zipf_words[MOST_LANGUAGES]


# A place and its entries are what every look-up reads: each lies together, so that memory is waited for twice.
cdef struct Place:
    uint32_t first
    uint16_t fingerprint
    uint16_t count

cdef struct Entry:
    uint8_t language
    uint8_t value


@cython.final
cdef class Scorer:
    """Scores texts with one model."""

    cdef Place *places
    cdef Entry *entries
    cdef uint64_t mask
    cdef int language_count
    cdef int unseen_letter, gram_eighths, zipf_eighths, farthest, zipf_value
    cdef int unseen_gram[LONGEST_GRAM + 1]
    cdef uint64_t scripts_of[MOST_LANGUAGES]
    cdef int32_t handicaps[MOST_LANGUAGES]

    def __cinit__(self, parts, weights, scripts_of, handicaps):
        fingerprints, counts, languages, values = parts
        cdef const uint8_t *count_of = counts
        cdef const uint8_t *prints = fingerprints
        cdef const uint8_t *language_of = languages
        cdef const uint8_t *value_of = values
        cdef Py_ssize_t size = len(counts), at, empty = 0
        cdef uint32_t first = 0
        if len(fingerprints) != 2 * size or size & (size - 1) or not 0 < len(scripts_of) < OTHERS:
            raise ValueError("parts that do not fit each other")
        self.mask = size - 1
        self.places = <Place *> malloc(max(size, 1) * sizeof(Place))
        self.entries = <Entry *> malloc(max(len(values), 1) * sizeof(Entry))
        if self.places is NULL or self.entries is NULL:
            raise MemoryError
        for at in range(size):
            self.places[at].first = first
            self.places[at].fingerprint = prints[2 * at] | prints[2 * at + 1] << 8
            self.places[at].count = count_of[at]
            first += count_of[at]
            empty += count_of[at] == 0
        # An empty place ends each search.
        if first != len(languages) or first != len(values) or not empty:
            raise ValueError("parts that do not fit each other")
        self.language_count = len(scripts_of)
        for at in range(len(values)):
            if language_of[at] >= self.language_count and language_of[at] != OTHERS:
                raise ValueError("a language without a name")
            self.entries[at].language = language_of[at]
            self.entries[at].value = value_of[at]
        for at in range(self.language_count):
            self.scripts_of[at] = scripts_of[at]
            self.handicaps[at] = handicaps[at]
        self.unseen_letter, self.gram_eighths = weights.unseen_letter, weights.gram_eighths
        self.zipf_eighths, self.zipf_value = weights.zipf_eighths, weights.zipf_value
        self.farthest = weights.farthest
        for at in range(LONGEST_GRAM + 1):
            self.unseen_gram[at] = weights.unseen_gram[at]

    def __dealloc__(self):
        free(self.places)
        free(self.entries)

    def judge(self, str text not None, bytes allowed=None, int script=NONE):
        """Say what there is in a text, and which of the allowed languages it may be in, with their shares.

        A script tells which words count; without one, that which leads in the text.
        """
        cdef Found found
        if not 0 <= script < MOST_SCRIPTS:
            raise ValueError("no such script")
        self._score(text, script, &found)
        return self._judged(&found, allowed)

    def leading_script(self, str text not None, Py_ssize_t step=1):
        """Return the number of the script that leads in a text, by every character at a step from the one before."""
        cdef Found found
        if step < 1:
            raise ValueError("a step leads on")
        memset(&found, 0, sizeof(Found))
        if PyUnicode_KIND(text) == PyUnicode_1BYTE_KIND:
            _lead(<const uint8_t *> PyUnicode_DATA(text), len(text), step, &found)
        elif PyUnicode_KIND(text) == PyUnicode_2BYTE_KIND:
            _lead(<const uint16_t *> PyUnicode_DATA(text), len(text), step, &found)
        else:
            _lead(<const uint32_t *> PyUnicode_DATA(text), len(text), step, &found)
        return found.script

    def score(self, str text not None):
        """Return script, letters, words, junk, and penalties and Zipf words by language."""
        cdef Found found
        self._score(text, NONE, &found)
        penalties = [found.penalties[at] for at in range(self.language_count)]
        zipf_words = [found.zipf_words[at] for at in range(self.language_count)]
        return found.script, found.letters, found.words, found.junk, penalties, zipf_words

    def letters(self, str word not None):
        """Return how unlikely a word is by its letters alone, in each language."""
        cdef uint32_t codes[LONGEST_WORD + 2]
        cdef int16_t total[MOST_LANGUAGES]
        cdef int length = 0, at
        for character in word[:LONGEST_WORD]:
            length += 1
            codes[length] = ord(character)
        codes[0], codes[length + 1] = START_OF_WORD, END_OF_WORD
        self._letters(codes, 1, length + 2, total)
        return [total[at] for at in range(self.language_count)]

    cdef int _score(self, str text, int script, Found *found) except -1:
        memset(found, 0, sizeof(Found))
        if PyUnicode_KIND(text) == PyUnicode_1BYTE_KIND:
            self._walk(<const uint8_t *> PyUnicode_DATA(text), len(text), script, found)
        elif PyUnicode_KIND(text) == PyUnicode_2BYTE_KIND:
            self._walk(<const uint16_t *> PyUnicode_DATA(text), len(text), script, found)
        else:
            self._walk(<const uint32_t *> PyUnicode_DATA(text), len(text), script, found)
        return 0

    cdef int _walk(self, const Code *text, Py_ssize_t length, int script, Found *found) except -1:
        _lead(text, length, 1, found)
        if script != NONE:
            found.script = script
        if found.script == NONE:
            return 0
        cdef uint32_t word[LONGEST_WORD + 2]
        cdef int size = 0
        cdef Py_ssize_t at
        cdef int number
        cdef bint unspaced = _is_unspaced[found.script]
        for at in range(length):
            number = _script_of[text[at]]
            if number == found.script:
                if size < LONGEST_WORD:
                    size += 1
                    word[size] = _small_of[text[at]]
                elif unspaced:
                    self._take_unspaced(word + 1, size, found)
                    size = 1
                    word[1] = _small_of[text[at]]
            elif number != SKIPPED and size:
                self._take(word, size, unspaced, found)
                size = 0
        if size:
            self._take(word, size, unspaced, found)
        return 0

    cdef inline void _take(self, uint32_t *word, int size, bint unspaced, Found *found) noexcept:
        if unspaced:
            self._take_unspaced(word + 1, size, found)
        else:
            self._take_word(word, size, found)

    cdef void _take_word(self, uint32_t *word, int size, Found *found) noexcept:
        """Take a word, which stands from the second place on."""
        cdef uint64_t state = WORD_START
        cdef const Place *place
        cdef const Entry *entry
        cdef int at, best = 255, others = 0, eighths
        found.words += 1
        for at in range(1, size + 1):
            state = (state ^ word[at]) * FNV_PRIME
        place = self._find(state)
        if place is NULL:
            word[0], word[size + 1] = START_OF_WORD, END_OF_WORD
            self._take_letters(word, 1, size + 2, found)
            return
        entry = self.entries + place.first
        for at in range(place.count):
            if entry[at].language == OTHERS:
                others = entry[at].value
            elif entry[at].value < best:
                best = entry[at].value
        eighths = self.zipf_eighths if best <= self.zipf_value else 8
        for at in range(self.language_count):
            found.penalties[at] += others * eighths
        for at in range(place.count):
            if entry[at].language != OTHERS:
                found.penalties[entry[at].language] += (entry[at].value - others) * eighths
                found.zipf_words[entry[at].language] += entry[at].value <= self.zipf_value

    cdef void _take_unspaced(self, const uint32_t *run, int size, Found *found) noexcept:
        cdef const Place *place
        cdef const Entry *entry
        cdef int at, number
        found.words += size
        self._take_letters(run, 0, size, found)
        for at in range(size):
            place = self._find((GRAM_START ^ run[at]) * FNV_PRIME)
            if place is not NULL:
                entry = self.entries + place.first
                for number in range(place.count):
                    found.zipf_words[entry[number].language] += entry[number].value <= self.zipf_value

    cdef void _take_letters(self, const uint32_t *codes, int first, int end, Found *found) noexcept:
        cdef int16_t total[MOST_LANGUAGES]
        cdef int at
        cdef int32_t farthest
        self._letters(codes, first, end, total)
        farthest = total[0]
        for at in range(self.language_count):
            if total[at] < farthest:
                farthest = total[at]
        farthest += self.farthest
        for at in range(self.language_count):
            found.penalties[at] += (total[at] if total[at] < farthest else farthest) * self.gram_eighths

    cdef void _letters(self, const uint32_t *codes, int first, int end, int16_t *total) noexcept:
        """Add up how unlikely each letter is after those before it."""
        cdef const Place *places[(LONGEST_WORD + 2) * LONGEST_GRAM]
        cdef int16_t values[MOST_LANGUAGES]
        cdef const Place *place
        cdef const Entry *entry
        cdef int end_at, length, at, count = self.language_count
        cdef int16_t unseen
        self._find_all(codes, first, end, places)
        memset(total, 0, count * sizeof(int16_t))
        for end_at in range(first, end):
            memset(values, 0, count * sizeof(int16_t))
            for length in range(1, LONGEST_GRAM + 1):
                place = places[end_at * LONGEST_GRAM + length - 1]
                if place is NULL:
                    break
                unseen = self.unseen_letter if length == 1 else self.unseen_gram[length]
                for at in range(count):
                    values[at] += unseen
                entry = self.entries + place.first
                for at in range(place.count):
                    values[entry[at].language] = entry[at].value
            for at in range(count):
                total[at] += values[at]

    cdef void _find_all(self, const uint32_t *codes, int first, int end, const Place **places) noexcept:
        """Find the n-grams that end at each letter, the shortest first; NULL after the last that is known.

        All are asked of memory before the first is looked at, so that they are waited for together.
        """
        cdef uint64_t states[(LONGEST_WORD + 2) * LONGEST_GRAM]
        cdef uint64_t state
        cdef int end_at, length, at
        for end_at in range(first, end):
            state = GRAM_START
            for length in range(1, min(LONGEST_GRAM, end_at + 1) + 1):
                state = (state ^ codes[end_at - length + 1]) * FNV_PRIME
                states[end_at * LONGEST_GRAM + length - 1] = state
                __builtin_prefetch(&self.places[(state ^ (state >> 32)) & self.mask])
        for end_at in range(first, end):
            for length in range(1, LONGEST_GRAM + 1):
                at = end_at * LONGEST_GRAM + length - 1
                places[at] = self._find(states[at]) if length <= end_at + 1 else NULL
                if places[at] is NULL:
                    break
                __builtin_prefetch(self.entries + places[at].first)

    cdef inline const Place *_find(self, uint64_t state) noexcept:
        """Return the place of a feature, or NULL when the table does not know it."""
        cdef uint64_t at = (state ^ (state >> 32)) & self.mask
        cdef uint16_t wanted = <uint16_t> (state >> 48)
        while self.places[at].count:
            if self.places[at].fingerprint == wanted:
                return &self.places[at]
            at = (at + 1) & self.mask
        return NULL

    cdef object _judged(self, const Found *found, bytes allowed):
        """Rank the candidates and give each its share."""
        cdef const uint8_t *is_allowed = <const uint8_t *> allowed if allowed is not None else NULL
        cdef double odds[MOST_LANGUAGES]
        cdef double penalties[MOST_LANGUAGES]
        cdef double total = 0, steepness, behind, farthest = FARTHEST
        cdef int at, best = -1
        if allowed is not None and len(allowed) < self.language_count:
            raise ValueError("not as many as there are languages")
        for at in range(self.language_count):
            odds[at] = -1
            if found.script == NONE or not self.scripts_of[at] >> found.script & 1:
                continue
            if is_allowed is not NULL and not is_allowed[at]:
                continue
            odds[at] = 0
            penalties[at] = found.penalties[at] / 8.0 + self.handicaps[at]
            if best < 0 or penalties[at] < penalties[best]:
                best = at
        if best < 0:
            return Judgement(found.letters, found.words, found.junk, 0, ())
        steepness = 1 / (10 * pow(max(1, found.words), <double> INDEPENDENCE))
        for at in range(self.language_count):
            if odds[at] >= 0:
                behind = (penalties[at] - penalties[best]) * steepness
                odds[at] = exp(-behind) if behind <= farthest else 0
                total += odds[at]
        cdef double least = <double> LEAST_SHARE * total
        named = []
        for at in range(self.language_count):
            if odds[at] >= least and odds[at] > 0:
                named.append((penalties[at], at, odds[at] / total))
        named.sort()
        shares = tuple([(number, share) for _, number, share in named[:MOST_CANDIDATES]])
        return Judgement(found.letters, found.words, found.junk, found.zipf_words[best], shares)


cdef int _lead(const Code *text, Py_ssize_t length, Py_ssize_t step, Found *found) except -1:
    """Find the script that leads, and count letters and junk."""
    cdef int counts[BLOCK_SIZE]
    cdef Py_ssize_t at
    cdef int number
    memset(counts, 0, sizeof(counts))
    for at in range(0, length, step):
        if not _is_filled[text[at] // BLOCK_SIZE]:
            _fill(text[at] // BLOCK_SIZE)
        counts[_script_of[text[at]]] += 1
        found.junk += _is_junk[text[at]]
    counts[NONE] = 0
    for number in range(1, MOST_SCRIPTS):
        found.letters += counts[number]
        if counts[number] * _weight_of[number] > counts[found.script] * _weight_of[found.script]:
            found.script = number
    return 0


_set_up()
_fill(0)
