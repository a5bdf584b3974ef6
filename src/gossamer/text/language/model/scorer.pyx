"""The compiled scorer: equal to `plain_scorer` to the last bit, a hundred times as fast.

One pass counts the letters of each script, a second one scores the words of the leading script. Characters are read in
place; `scripts` is asked once for each character that occurs.
"""

cimport cython
from cpython.unicode cimport PyUnicode_1BYTE_KIND, PyUnicode_2BYTE_KIND, PyUnicode_DATA, PyUnicode_KIND
from libc.math cimport exp, pow
from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from gossamer.text.language.model import scripts
from gossamer.text.language.model.language_evidence import FARTHEST, INDEPENDENCE, LEAST_SHARE, MOST_CANDIDATES, LanguageEvidence

cdef extern from *:
    """
    static const uint64_t FNV_PRIME = 0x100000001B3u;
    static const uint64_t WORD_START = 0xCBF29CE484222325u, GRAM_START = 0x9AE16A3B2F90404Fu;
    static const uint64_t IS_WORD = 1ull << 63;
    """
    const uint64_t FNV_PRIME, WORD_START, GRAM_START, IS_WORD
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
    SPACE = 32
    WEIGHED = 120
    NONE = 0
    HEAD = 3
    MOST_WORDS = 64
    CHARACTERS = 0x110000

ctypedef fused Code:
    uint8_t
    uint16_t
    uint32_t

# Properties of characters, filled in as characters occur: a page of Chinese has a few hundred of 20,000.
cdef uint8_t _script_of[CHARACTERS]
cdef uint32_t _lower_of[CHARACTERS]
cdef uint8_t _is_junk[CHARACTERS]
cdef uint8_t _is_known[CHARACTERS]
cdef uint8_t _is_unspaced[MOST_SCRIPTS]
cdef uint8_t _weight_of[MOST_SCRIPTS]
# The only script among characters of one byte.
cdef int LATIN = scripts.NUMBER["Latn"]


def _set_up():
    for number, weight in enumerate(scripts.WEIGHT):
        _weight_of[number] = weight
        _is_unspaced[number] = number in scripts.UNSPACED


cdef int _register(uint32_t code) except -1:
    _script_of[code] = scripts.find_script(code)
    _lower_of[code] = scripts.to_lower(code)
    _is_junk[code] = scripts.is_junk(code)
    _is_known[code] = 1
    return 0


cdef struct Found:
    bint by_letters
    int script
    int letters
    int words
    int junk
    int32_t common
    int32_t penalties[MOST_LANGUAGES]
    int32_t zipf_words[MOST_LANGUAGES]


# Words that are looked up together: each begins at index 1, between the edges of a word.
cdef struct Words:
    int count
    uint32_t codes[MOST_WORDS][LONGEST_WORD + 2]
    uint8_t sizes[MOST_WORDS]


@cython.final
cdef class Scorer:
    """Scores texts with one model."""

    cdef object table
    cdef const uint32_t *starts
    cdef const uint8_t *records
    cdef uint64_t mask
    cdef uint32_t record_bytes
    cdef int language_count
    cdef int unseen_letter, gram_eighths, zipf_eighths, farthest, zipf_value
    cdef int unseen_gram[LONGEST_GRAM + 1]
    cdef uint64_t scripts_of[MOST_LANGUAGES]
    cdef int32_t handicaps[MOST_LANGUAGES]

    def __cinit__(self, table, weights, scripts_of, handicaps):
        cdef const uint32_t[::1] starts = table.starts
        cdef const uint8_t[::1] records = table.records
        cdef int at
        if not 0 < len(scripts_of) < OTHERS:
            raise ValueError("too many languages, or none")
        self.table = table  # keeps the memory mapped
        self.starts = &starts[0]
        self.records = &records[0] if records.shape[0] else NULL
        self.record_bytes = records.shape[0]
        self.mask = starts.shape[0] - 2
        self.language_count = len(scripts_of)
        for at in range(self.language_count):
            self.scripts_of[at] = scripts_of[at]
            self.handicaps[at] = handicaps[at]
        self.unseen_letter, self.gram_eighths = weights.unseen_letter, weights.gram_eighths
        self.zipf_eighths, self.zipf_value = weights.zipf_eighths, weights.zipf_value
        self.farthest = weights.farthest
        for at in range(LONGEST_GRAM + 1):
            self.unseen_gram[at] = weights.unseen_gram[at]

    def judge(self, str text not None, bytes allowed=None, int script=NONE, bint by_letters=True):
        """Return the counts of a text, and the shares of the allowed languages that it may be in.

        Only words in `script` count; by default, the leading script of the text. Words outside the lists are judged by
        their letters, or ignored.
        """
        cdef Found found
        if not 0 <= script < MOST_SCRIPTS:
            raise ValueError("no such script")
        self._score(text, script, by_letters, &found)
        return self._weigh_evidence(&found, allowed)

    def judge_sample(self, str text not None, int stretches, int characters, bytes allowed=None):
        """Return the leading script of a long text, and the evidence of known words in a few stretches."""
        cdef Found found
        if stretches < 2 or characters < 1:
            raise ValueError("a sample has at least two stretches")
        memset(&found, 0, sizeof(Found))
        if PyUnicode_KIND(text) == PyUnicode_1BYTE_KIND:
            self._judge_sample(<const uint8_t *> PyUnicode_DATA(text), len(text), stretches, characters, &found)
        elif PyUnicode_KIND(text) == PyUnicode_2BYTE_KIND:
            self._judge_sample(<const uint16_t *> PyUnicode_DATA(text), len(text), stretches, characters, &found)
        else:
            self._judge_sample(<const uint32_t *> PyUnicode_DATA(text), len(text), stretches, characters, &found)
        return found.script, self._weigh_evidence(&found, allowed)

    cdef int _judge_sample(
        self, const Code *text, Py_ssize_t length, Py_ssize_t stretches, Py_ssize_t characters, Found *found
    ) except -1:
        cdef Py_ssize_t gap, at, first, end
        cdef Words words
        words.count = 0
        if Code is uint8_t:
            found.script = LATIN
        else:
            _find_leading_script(text, length, max(1, length // WEIGHED), found)
            found.letters = found.junk = 0
        if found.script == NONE:
            return 0
        if length <= stretches * characters:
            self._collect_words(text, length, &words, found)
            self._score_words(&words, found)
            return 0
        gap = (length - characters) // (stretches - 1)
        for at in range(stretches):
            first, end = at * gap, at * gap + characters
            while first < end and text[first] != SPACE:
                first += 1
            while end > first and text[end - 1] != SPACE:
                end -= 1
            # From the first space to the last one, or the whole stretch.
            if end - first < 2:
                first, end = at * gap, at * gap + characters
            else:
                first, end = first + 1, end - 1
            self._collect_words(text + first, end - first, &words, found)
        self._score_words(&words, found)
        return 0

    def score(self, str text not None):
        """Return script, letters, words, junk, and penalties and Zipf words by language."""
        cdef Found found
        self._score(text, NONE, True, &found)
        penalties = [found.common + found.penalties[at] for at in range(self.language_count)]
        zipf_words = [found.zipf_words[at] for at in range(self.language_count)]
        return found.script, found.letters, found.words, found.junk, penalties, zipf_words

    def score_letters(self, str word not None):
        """Return the penalty of a word in each language, by its letters alone."""
        cdef uint32_t codes[LONGEST_WORD + 2]
        cdef int16_t total[MOST_LANGUAGES]
        cdef int length = 0, at
        for character in word[:LONGEST_WORD]:
            length += 1
            codes[length] = ord(character)
        codes[0], codes[length + 1] = START_OF_WORD, END_OF_WORD
        self._sum_letters(codes, 1, length + 2, total)
        return [total[at] for at in range(self.language_count)]

    cdef int _score(self, str text, int script, bint by_letters, Found *found) except -1:
        memset(found, 0, sizeof(Found))
        found.by_letters = by_letters
        if PyUnicode_KIND(text) == PyUnicode_1BYTE_KIND:
            self._score_codes(<const uint8_t *> PyUnicode_DATA(text), len(text), script, found)
        elif PyUnicode_KIND(text) == PyUnicode_2BYTE_KIND:
            self._score_codes(<const uint16_t *> PyUnicode_DATA(text), len(text), script, found)
        else:
            self._score_codes(<const uint32_t *> PyUnicode_DATA(text), len(text), script, found)
        return 0

    cdef int _score_codes(self, const Code *text, Py_ssize_t length, int script, Found *found) except -1:
        cdef Words words
        words.count = 0
        _find_leading_script(text, length, 1, found)
        if script != NONE:
            found.script = script
        if found.script != NONE:
            self._collect_words(text, length, &words, found)
            self._score_words(&words, found)
        return 0

    cdef int _collect_words(self, const Code *text, Py_ssize_t length, Words *words, Found *found) except -1:
        """Collect the words of the leading script for the next look-up."""
        cdef uint32_t *word = words.codes[words.count]
        cdef int size = 0, number
        cdef Py_ssize_t at
        cdef bint unspaced = _is_unspaced[found.script]
        for at in range(length):
            if not _is_known[text[at]]:
                _register(text[at])
            number = _script_of[text[at]]
            if number == found.script:
                if size == LONGEST_WORD and unspaced:
                    word = self._add_word(words, size, found)
                    size = 0
                if size < LONGEST_WORD:
                    size += 1
                    word[size] = _lower_of[text[at]]
            elif number != SKIPPED and size:
                word = self._add_word(words, size, found)
                size = 0
        if size:
            self._add_word(words, size, found)
        return 0

    cdef inline uint32_t *_add_word(self, Words *words, int size, Found *found) noexcept:
        """Add the last word, and return where the next one goes."""
        words.sizes[words.count] = size
        words.count += 1
        if words.count == MOST_WORDS:
            self._score_words(words, found)
        return words.codes[words.count]

    cdef void _score_words(self, Words *words, Found *found) noexcept:
        """Score the collected words; their records are prefetched together, to wait for memory only once."""
        cdef uint64_t keys[MOST_WORDS]
        cdef int number, at
        if _is_unspaced[found.script]:
            for number in range(words.count):
                self._score_unspaced(words.codes[number] + 1, words.sizes[number], found)
            words.count = 0
            return
        for number in range(words.count):
            keys[number] = WORD_START
            for at in range(1, words.sizes[number] + 1):
                keys[number] = (keys[number] ^ words.codes[number][at]) * FNV_PRIME
            keys[number] |= IS_WORD
            __builtin_prefetch(&self.starts[(keys[number] ^ (keys[number] >> 32)) & self.mask])
        for number in range(words.count):
            __builtin_prefetch(self.records + self.starts[(keys[number] ^ (keys[number] >> 32)) & self.mask])
        for number in range(words.count):
            self._score_word(keys[number], words.codes[number], words.sizes[number], found)
        words.count = 0

    cdef void _score_word(self, uint64_t key, uint32_t *word, int size, Found *found) noexcept:
        """Score a word, which begins at index 1."""
        cdef const uint8_t *entry = self._find(key)
        cdef int at, best = 255, others = 0, eighths, count
        if entry is NULL and not found.by_letters:
            return
        found.words += 1
        if entry is NULL:
            word[0], word[size + 1] = START_OF_WORD, END_OF_WORD
            self._add_letters(word, 1, size + 2, found)
            return
        count = entry[-1]
        for at in range(0, 2 * count, 2):
            if entry[at] == OTHERS:
                others = entry[at + 1]
            elif entry[at + 1] < best:
                best = entry[at + 1]
        eighths = self.zipf_eighths if best <= self.zipf_value else 8
        found.common += others * eighths
        for at in range(0, 2 * count, 2):
            if entry[at] != OTHERS:
                found.penalties[entry[at]] += (entry[at + 1] - others) * eighths
                found.zipf_words[entry[at]] += entry[at + 1] <= self.zipf_value

    cdef void _score_unspaced(self, const uint32_t *run, int size, Found *found) noexcept:
        cdef const uint8_t *entry
        cdef int at, place
        found.words += size
        self._add_letters(run, 0, size, found)
        for at in range(size):
            entry = self._find(((GRAM_START ^ run[at]) * FNV_PRIME) & ~IS_WORD)
            if entry is not NULL:
                for place in range(0, 2 * entry[-1], 2):
                    found.zipf_words[entry[place]] += entry[place + 1] <= self.zipf_value

    cdef void _add_letters(self, const uint32_t *codes, int first, int end, Found *found) noexcept:
        cdef int16_t total[MOST_LANGUAGES]
        cdef int at
        cdef int32_t farthest
        self._sum_letters(codes, first, end, total)
        farthest = total[0]
        for at in range(self.language_count):
            if total[at] < farthest:
                farthest = total[at]
        farthest += self.farthest
        for at in range(self.language_count):
            found.penalties[at] += (total[at] if total[at] < farthest else farthest) * self.gram_eighths

    cdef void _sum_letters(self, const uint32_t *codes, int first, int end, int16_t *total) noexcept:
        """Add up the penalty of each letter after those before it."""
        cdef const uint8_t *found[(LONGEST_WORD + 2) * LONGEST_GRAM]
        cdef int16_t values[MOST_LANGUAGES]
        cdef const uint8_t *entry
        cdef int end_at, length, at, count = self.language_count
        cdef int16_t unseen
        self._find_all(codes, first, end, found)
        memset(total, 0, count * sizeof(int16_t))
        for end_at in range(first, end):
            memset(values, 0, count * sizeof(int16_t))
            for length in range(1, LONGEST_GRAM + 1):
                entry = found[end_at * LONGEST_GRAM + length - 1]
                if entry is NULL:
                    break
                unseen = self.unseen_letter if length == 1 else self.unseen_gram[length]
                for at in range(count):
                    values[at] += unseen
                for at in range(0, 2 * entry[-1], 2):
                    values[entry[at]] = entry[at + 1]
            for at in range(count):
                total[at] += values[at]

    cdef void _find_all(self, const uint32_t *codes, int first, int end, const uint8_t **found) noexcept:
        """Find the n-grams that end at each letter, the shortest first; NULL after the last known one.

        Their records are prefetched together, to wait for memory only once.
        """
        cdef uint64_t keys[(LONGEST_WORD + 2) * LONGEST_GRAM]
        cdef uint64_t state
        cdef int end_at, length, at
        for end_at in range(first, end):
            state = GRAM_START
            for length in range(1, min(LONGEST_GRAM, end_at + 1) + 1):
                state = (state ^ codes[end_at - length + 1]) * FNV_PRIME
                at = end_at * LONGEST_GRAM + length - 1
                keys[at] = state & ~IS_WORD
                __builtin_prefetch(&self.starts[(keys[at] ^ (keys[at] >> 32)) & self.mask])
        for end_at in range(first, end):
            for length in range(1, min(LONGEST_GRAM, end_at + 1) + 1):
                at = end_at * LONGEST_GRAM + length - 1
                __builtin_prefetch(self.records + self.starts[(keys[at] ^ (keys[at] >> 32)) & self.mask])
        for end_at in range(first, end):
            for length in range(1, LONGEST_GRAM + 1):
                at = end_at * LONGEST_GRAM + length - 1
                found[at] = self._find(keys[at]) if length <= end_at + 1 else NULL
                if found[at] is NULL:
                    break

    cdef inline const uint8_t *_find(self, uint64_t key) noexcept:
        """Return the entries of a feature, preceded by their number, or NULL if it is not in the table.

        Nothing beyond the table is read, even if it is damaged.
        """
        cdef uint64_t bucket = (key ^ (key >> 32)) & self.mask
        cdef uint32_t place = self.starts[bucket], end = self.starts[bucket + 1], next_place
        cdef uint8_t low = <uint8_t> (key >> 48), high = <uint8_t> (key >> 56)
        if end > self.record_bytes:
            return NULL
        while <uint64_t> place + HEAD <= end:
            next_place = place + HEAD + 2 * self.records[place + 2]
            if next_place > end:
                return NULL
            if self.records[place] == low and self.records[place + 1] == high:
                return self.records + place + HEAD
            place = next_place
        return NULL

    cdef object _weigh_evidence(self, const Found *found, bytes allowed):
        """Rank the candidates and compute their shares."""
        cdef const uint8_t *is_allowed = <const uint8_t *> allowed if allowed is not None else NULL
        cdef double odds[MOST_LANGUAGES]
        cdef double penalties[MOST_LANGUAGES]
        cdef double total = 0, steepness, behind, farthest = FARTHEST
        cdef int at, best = -1
        if allowed is not None and len(allowed) < self.language_count:
            raise ValueError("allowed has fewer flags than there are languages")
        for at in range(self.language_count):
            odds[at] = -1
            if found.script == NONE or not self.scripts_of[at] >> found.script & 1:
                continue
            if is_allowed is not NULL and not is_allowed[at]:
                continue
            odds[at] = 0
            penalties[at] = (found.common + found.penalties[at]) / 8.0 + self.handicaps[at]
            if best < 0 or penalties[at] < penalties[best]:
                best = at
        if best < 0:
            return LanguageEvidence(found.letters, found.words, found.junk, 0, ())
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
        return LanguageEvidence(found.letters, found.words, found.junk, found.zipf_words[best], shares)


cdef int _find_leading_script(const Code *text, Py_ssize_t length, Py_ssize_t step, Found *found) except -1:
    """Find the leading script, and count letters and junk."""
    cdef int counts[SKIPPED + 1]
    cdef Py_ssize_t at
    cdef int number
    memset(counts, 0, sizeof(counts))
    for at in range(0, length, step):
        if not _is_known[text[at]]:
            _register(text[at])
        counts[_script_of[text[at]]] += 1
        found.junk += _is_junk[text[at]]
    counts[NONE] = 0
    for number in range(1, MOST_SCRIPTS):
        found.letters += counts[number]
        if counts[number] * _weight_of[number] > counts[found.script] * _weight_of[found.script]:
            found.script = number
    return 0


_set_up()
