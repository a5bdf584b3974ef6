# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Decides which fragments of a page are main text, compiled.

`choose_main_text.flag_main_text` is the readable version, with all reasons; tests compare the two.
"""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport uint32_t

from gossamer.net.eight_bytes cimport lowest_bit
from gossamer.net.html.block_tags import HEADING_TAGS
from gossamer.net.main_text import choose_main_text, class_name_hints, element_context, main_region
from gossamer.net.main_text.class_name_hints import ElementHint
from gossamer.net.main_text.evidence_weights import BIAS, WEIGHTS
from gossamer.net.main_text.measure_text cimport begins_with_cue, ends_sentence, has_date, has_sentences, measure_length

cdef enum:
    IS_HEADING = 1
    IS_H1 = 2
    IS_PRE = 4
    IS_DIV = 8
    IS_LI = 16
    HOLDS_TEXT = 32
    TABLE_PART = 64
    IS_CELL = 128
    HINTS = 32

cdef struct Block:
    int parent
    int home
    int fullest
    int wrappers
    uint32_t own
    uint32_t tag
    uint32_t hints
    bint around
    bint inside
    bint has_children
    double running
    double below
    double home_running

cdef struct Run:
    int block
    int home
    int sum
    Py_ssize_t chars
    double size
    double density
    double running
    bint strong
    bint cue
    bint kept

cdef dict _TAGS = {}


def _fill_tags():
    for tag in main_region.TEXT_HOLDERS:
        _TAGS[tag] = HOLDS_TEXT
    for tag in element_context.TABLE_PARTS:
        _TAGS[tag] = TABLE_PART
    for tag in element_context.CELLS:
        _TAGS[tag] |= IS_CELL
    for tag in HEADING_TAGS:
        _TAGS[tag] |= IS_HEADING
    _TAGS["h1"] |= IS_H1
    _TAGS["pre"] |= IS_PRE
    _TAGS["li"] |= IS_LI
    _TAGS["div"] = IS_DIV


_fill_tags()


cdef int weigh(str name):
    """Return a weight in tenths, so that sums are exact."""
    return round(10 * WEIGHTS.get(name, 0.0))


cdef int[4] DENSITY_WEIGHTS
cdef double[4] DENSITIES = [0.15, 0.3, 0.5, 0.8]
cdef int[HINTS] HINT_WEIGHTS
cdef int START = round(10 * BIAS)
cdef int ENDS_SENTENCE = weigh("ends a sentence")
cdef int H1 = weigh("h1")
cdef int PRE = weigh("pre")
cdef int DIV = weigh("div")
cdef int LI = weigh("li")
cdef int RUNNING = weigh("running")
cdef int DATE = weigh("date")
cdef int CUE = weigh("cue")
cdef int UNDER_CUE = weigh("under cue heading")
cdef int HOME_SOME = weigh("home over 0.4")
cdef int HOME_MOST = weigh("home over 0.8")
cdef int WRAPPED = weigh("wrapped")
cdef int WRAPPED_TWICE = weigh("wrapped twice")
cdef int AFTER_ALL = weigh("after all")
cdef int OUTSIDE = weigh("outside")
cdef int OUTSIDE_LONG = weigh("outside running long")
cdef int BEFORE = weigh("before")
cdef int AFTER_TITLE = weigh("after title")
cdef int BEFORE_TITLE = weigh("before title")
cdef int AFTER_RUNNING = weigh("after running")
cdef int BEFORE_RUNNING = weigh("before running")
cdef int AFTER_LINKS = weigh("after links")
cdef int BEFORE_LINKS = weigh("before links")
cdef int NAMED_SO = weigh("named so itself")
cdef int NAMED_META = weigh("named meta itself")
cdef int PATIENCE = round(10 * choose_main_text.HEADING_PATIENCE)
cdef int LONG_HEADING = choose_main_text.LONG_HEADING
cdef double CUE_SIZE = choose_main_text.CUE_SIZE
cdef int DATE_SIZE = choose_main_text.DATE_SIZE
cdef uint32_t UNFAVOURABLE = class_name_hints.UNFAVOURABLE
cdef uint32_t OTHER_TEXT = class_name_hints.NAMES_OF_OTHER_TEXT
cdef uint32_t FIRM = class_name_hints.FIRM
cdef uint32_t DOUBTFUL = class_name_hints.DOUBTFUL_TAGS
cdef uint32_t COMMENT = ElementHint.COMMENT
cdef uint32_t META = ElementHint.META
cdef uint32_t ITEM_BODY = ElementHint.ITEM_BODY
cdef uint32_t NOT_MAIN = element_context.NOT_MAIN
cdef double REGION_SHARE = main_region.REGION_SHARE
cdef int DISCOUNTS = len(main_region.DISCOUNTS)
cdef uint32_t[HINTS] DISCOUNT_BITS
cdef double[HINTS] DISCOUNT_SHARES

for _place, (_, _name) in enumerate(choose_main_text.DENSITIES):
    DENSITY_WEIGHTS[_place] = weigh(_name)
for _place, (_bits, _share) in enumerate(main_region.DISCOUNTS):
    DISCOUNT_BITS[_place], DISCOUNT_SHARES[_place] = _bits, _share
for _hint, _name in choose_main_text.HINT_NAMES.items():
    HINT_WEIGHTS[_hint.bit_length() - 1] = weigh(_name)


cdef class FragmentWeigher:
    """The blocks and runs of one page."""

    cdef Block* blocks
    cdef Run* runs
    cdef int block_count
    cdef int run_count
    cdef int region
    cdef int usual
    cdef int first_strong
    cdef int last_strong
    cdef int title

    def __cinit__(self, list parents, list tags, list hints, list places, list texts, list link_chars):
        cdef int place
        cdef Block* block
        self.block_count, self.run_count = len(parents), len(texts)
        self.blocks = <Block*>PyMem_Calloc(self.block_count + 1, sizeof(Block))
        self.runs = <Run*>PyMem_Calloc(self.run_count + 1, sizeof(Run))
        if self.blocks == NULL or self.runs == NULL:
            raise MemoryError
        for place in range(self.block_count):
            block = &self.blocks[place]
            block.parent, block.own = parents[place], hints[place]
            block.tag = _TAGS.get(tags[place], 0)
            block.home = -1
        for place in range(1, self.block_count):
            self.blocks[self.blocks[place].parent].has_children = True
        for place in range(self.run_count):
            self.measure(&self.runs[place], places[place], texts[place], link_chars[place])

    def __dealloc__(self):
        PyMem_Free(self.blocks)
        PyMem_Free(self.runs)

    cdef int measure(self, Run* run, int block, str text, Py_ssize_t link_chars) except -1:
        """Measure a text, and weigh the evidence in it."""
        cdef uint32_t tag = self.blocks[block].tag
        cdef int place
        run.block, run.chars = block, len(text)
        run.size = measure_length(text)
        run.density = <double>link_chars / run.chars
        if run.size >= 60 and run.density < 0.5 and not tag & IS_HEADING and has_sentences(text):
            run.running = run.size * (1 - 2 * run.density)
        run.cue = run.size < CUE_SIZE and begins_with_cue(text)
        run.sum = START
        for place in range(4):
            if run.density > DENSITIES[place]:
                run.sum += DENSITY_WEIGHTS[place]
        run.sum += ENDS_SENTENCE * ends_sentence(text) + RUNNING * (run.running > 0) + CUE * run.cue
        if tag & (IS_H1 | IS_PRE | IS_DIV | IS_LI):
            run.sum += H1 if tag & IS_H1 else PRE if tag & IS_PRE else DIV if tag & IS_DIV else LI
        if run.chars < DATE_SIZE and has_date(text):
            run.sum += DATE

    cdef int find_region(self) except -1:
        """Find the region, as `main_region.find_region` does."""
        cdef Block* blocks = self.blocks
        cdef Block* block
        cdef Run* run
        cdef int place, rival
        cdef bint any_running = False
        cdef uint32_t hints
        cdef double share, page
        for place in range(self.run_count):
            any_running |= self.runs[place].running != 0
        for place in range(self.run_count):
            run = &self.runs[place]
            blocks[run.block].running += run.running if any_running else run.size * (1 - run.density)
        for place in range(self.block_count):
            blocks[place].below = blocks[place].running
        for place in range(self.block_count - 1, 0, -1):
            blocks[blocks[place].parent].below += blocks[place].below
        page = blocks[0].below or 1.0
        for place in range(1, self.block_count):
            block = &blocks[place]
            hints = block.own
            share = block.below / page
            if share >= 0.9:
                hints &= ~(UNFAVOURABLE | DOUBTFUL) | COMMENT
            elif share >= 0.5:
                hints &= ~(UNFAVOURABLE | DOUBTFUL) | FIRM
            block.hints = blocks[block.parent].hints | hints
        for place in range(self.block_count):
            block = &blocks[place]
            block.below = block.running * compute_discount(block.hints) if block.running else 0.0
        for place in range(self.block_count - 1, 0, -1):
            blocks[blocks[place].parent].below += blocks[place].below
        for place in range(self.block_count - 1, 0, -1):
            rival = blocks[blocks[place].parent].fullest
            if not rival or blocks[place].below >= blocks[rival].below:
                blocks[blocks[place].parent].fullest = place
        self.region = 0
        while blocks[self.region].below > 0:
            place = blocks[self.region].fullest
            if not place or blocks[place].below < REGION_SHARE * blocks[self.region].below or blocks[place].tag & HOLDS_TEXT:
                break
            self.region = place

    cdef int pass_down(self) except -1:
        """Pass hints and depth down, as `PageContext` does."""
        cdef Block* blocks = self.blocks
        cdef Block* block
        cdef Block* outer
        cdef int place = self.region
        cdef double top = blocks[self.region].below
        cdef uint32_t hints
        cdef uint32_t item = 0
        cdef bint large
        while True:
            blocks[place].around = True
            blocks[place].hints = 0
            if not place:
                break
            item |= blocks[place].own & ITEM_BODY
            place = blocks[place].parent
        blocks[self.region].inside = True
        blocks[self.region].hints = item
        for place in range(1, self.block_count):
            block = &blocks[place]
            if block.around:
                continue
            outer = &blocks[block.parent]
            block.inside = outer.inside
            hints = block.own
            large = block.below >= 0.5 * top and 0.5 * top > 0
            if large:
                hints &= ~UNFAVOURABLE | (FIRM if block.below < 0.9 * top else COMMENT)
            block.hints = outer.hints | hints
            block.wrappers = outer.wrappers + (not large and not block.tag & (HOLDS_TEXT | TABLE_PART))

    cdef int find_homes(self) except -1:
        cdef Run* run
        cdef int place, index
        cdef double most = 0
        for index in range(self.run_count):
            run = &self.runs[index]
            place = run.block
            if self.blocks[place].tag & IS_CELL:
                while place and self.blocks[place].tag & TABLE_PART:
                    place = self.blocks[place].parent
            elif not self.blocks[place].has_children and not self.blocks[place].tag & HOLDS_TEXT:
                place = self.blocks[place].parent
            run.home = self.climb(place)
            self.blocks[run.home].home_running += run.running
        for index in range(self.run_count):
            run = &self.runs[index]
            if self.blocks[run.block].inside:
                most = max(most, self.blocks[run.home].home_running)
        most = most or 1.0
        self.first_strong = self.last_strong = -1
        for index in range(self.run_count):
            run = &self.runs[index]
            run.strong = (
                self.blocks[run.block].inside
                and run.running > 0
                and self.blocks[run.home].home_running / most >= 0.15
                and not self.blocks[run.block].hints & NOT_MAIN
            )
            if run.strong:
                self.last_strong = index
                if self.first_strong < 0:
                    self.first_strong = index
            run.sum += HOME_SOME * (self.blocks[run.home].home_running / most > 0.4)
            run.sum += HOME_MOST * (self.blocks[run.home].home_running / most > 0.8)

    cdef int climb(self, int place) noexcept:
        """Return the element outside paragraphs, lists and quotes; remember it, so that deep nesting costs nothing."""
        cdef int start = place
        cdef int home, following
        while place and self.blocks[place].tag & HOLDS_TEXT and self.blocks[place].home < 0:
            place = self.blocks[place].parent
        home = self.blocks[place].home if self.blocks[place].home >= 0 else place
        while start != place:
            following = self.blocks[start].parent
            self.blocks[start].home = home
            start = following
        return home

    cdef int find_bounds(self) except -1:
        """Find the usual depth of strong text, where it begins, and the title before it."""
        cdef dict amounts = {}
        cdef Run* run
        cdef int index
        cdef double half
        for index in range(self.run_count):
            run = &self.runs[index]
            if run.strong:
                depth = self.blocks[run.home].wrappers
                amounts[depth] = amounts.get(depth, 0.0) + run.running
        half = 0.5 * sum(amounts.values())
        for depth in sorted(amounts):
            half -= amounts[depth]
            if half <= 0:
                self.usual = depth
                break
        if self.first_strong < 0:
            self.first_strong = 0
            for index in range(self.run_count):
                if self.blocks[self.runs[index].block].inside:
                    self.first_strong = index
                    break
        self.title = -1
        for index in range(self.first_strong):
            if self.blocks[self.runs[index].block].tag & IS_H1:
                self.title = index

    cdef int weigh_places(self) except -1:
        """Add the weights of the evidence around each text."""
        cdef Run* run
        cdef Block* block
        cdef int index, wrappers
        cdef uint32_t hints
        cdef bint under_cue = False
        for index in range(self.run_count):
            run = &self.runs[index]
            block = &self.blocks[run.block]
            wrappers = self.blocks[run.home].wrappers - (self.usual if block.inside else 0)
            run.sum += WRAPPED * (wrappers > 0) + WRAPPED_TWICE * (wrappers > 1) + AFTER_ALL * (index > self.last_strong)
            hints = block.hints
            while hints:
                run.sum += HINT_WEIGHTS[lowest_bit(hints)]
                hints &= hints - 1
            if block.own & OTHER_TEXT:
                run.sum += NAMED_SO + NAMED_META * (block.own & META != 0)
            if not block.inside:
                run.sum += OUTSIDE + OUTSIDE_LONG * (run.running > 200)
                if index < self.first_strong:
                    run.sum += BEFORE
                    if self.title >= 0:
                        run.sum += AFTER_TITLE if index > self.title else BEFORE_TITLE
            if block.tag & IS_HEADING:
                under_cue = run.cue
            elif under_cue:
                run.sum += UNDER_CUE
            if index:
                run.sum += AFTER_RUNNING * ((run - 1).running > 0) + AFTER_LINKS * ((run - 1).density > 0.5)
            if index + 1 < self.run_count:
                run.sum += BEFORE_RUNNING * ((run + 1).running > 0) + BEFORE_LINKS * ((run + 1).density > 0.5)

    cdef list choose(self):
        """Return for each run whether it is main text."""
        cdef Run* run
        cdef int index, choice
        cdef bint is_heading, text_below_kept = False, below_heading = False, any_kept = False
        for index in range(self.run_count - 1, -1, -1):
            run = &self.runs[index]
            is_heading = self.blocks[run.block].tag & (IS_HEADING | IS_H1) == IS_HEADING and run.chars < LONG_HEADING
            if is_heading:
                run.kept = text_below_kept and run.sum > -PATIENCE
                below_heading = True
            else:
                run.kept = run.sum > 0
                text_below_kept = run.kept or (text_below_kept and not below_heading)
                below_heading = False
            any_kept |= run.kept
        choice = 0
        while not any_kept and choice < 4:
            for index in range(self.run_count):
                run = &self.runs[index]
                run.kept = (
                    run.strong
                    if choice == 0
                    else choice == 3 or run.density <= 0.5 and (choice == 2 or self.blocks[run.block].inside)
                )
                any_kept |= run.kept
            choice += 1
        return [self.runs[index].kept != 0 for index in range(self.run_count)]


def weigh_fragments(list parents, list tags, list hints, list places, list texts, list link_chars):
    """Return for each fragment whether it is main text, given the blocks of a page and its fragments as lists."""
    cdef FragmentWeigher weigher = FragmentWeigher(parents, tags, hints, places, texts, link_chars)
    weigher.find_region()
    weigher.pass_down()
    weigher.find_homes()
    weigher.find_bounds()
    weigher.weigh_places()
    return weigher.choose()


cdef double compute_discount(uint32_t hints) noexcept:
    cdef double factor = 1.0
    cdef int place
    for place in range(DISCOUNTS):
        if hints & DISCOUNT_BITS[place]:
            factor *= DISCOUNT_SHARES[place]
    return factor
