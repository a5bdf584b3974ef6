"""Find the themes of a collection from its index and its links, and add pages to them later."""

import math
import time
from collections.abc import Callable

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.context.themes.describe_themes import (
    ThemeText,
    choose_typical,
    describe,
    name_themes,
)
from gossamer.context.themes.group_vectors import assign, find_middles, sum_by_group
from gossamer.context.themes.link_evidence import mix_links, mix_new_links, read_hubs
from gossamer.context.themes.list_pages import (
    IndexPages,
    choose_sample,
    mark_copies,
    split_numbers,
)
from gossamer.context.themes.match_themes import number_themes
from gossamer.context.themes.page_terms import PageReader
from gossamer.context.themes.sparse_rows import Dense, SparseRows, Vectors, normalise
from gossamer.context.themes.term_space import TermSpace, learn_space
from gossamer.context.themes.theme_file import PAGE_ROW, ThemeState
from gossamer.context.themes.theme_map import choose_lines, find_neighbours, place_themes
from gossamer.context.themes.theme_records import FEWEST_THEMES, MOST_THEMES, Theme, Themes
from gossamer.errors import BadInput
from gossamer.store.batch import Store

_SAMPLE = 20_000
"""Of how many pages terms and themes are learnt; all pages are then sorted into them."""
_USUAL_FEWEST = 10
_PAGES_A_THEME = 5
_ROOT_SHARE = 5
# Swept 0.7 to 0.85: from .75 on, themes agree with the labels of WebKB better than k-means in all three measures.
_LEAST_LENGTH = 0.75
_MOST_ALONE = 0.25
"""At most this share of the pages stands alone."""
_AT_ONCE = 2_000
_NAMING = 60

Progress = Callable[[float], None]


def choose_number(pages: int) -> int:
    """Return how many themes a collection of this size has: a fifth of the root of its pages, from 10 to 200.

    On WebKB (8,214 pages: 18) and news (17,431 stories: 26) more themes agree less with the labels of people.
    """
    number = round(math.sqrt(pages) / _ROOT_SHARE)
    return max(FEWEST_THEMES, min(max(number, _USUAL_FEWEST), pages // _PAGES_A_THEME, MOST_THEMES))


def build(
    listed: IndexPages,
    store: Store | None,
    number: int | None = None,
    before: ThemeState | None = None,
    on_progress: Progress = lambda _: None,
) -> ThemeState:
    """Find the themes of all pages of an index; with themes of `before`, begin with those, and keep their numbers.

    Without `store`, links do not count. Cost: reading the beginning of each page, some 0.3 ms each; memory: measured 655 MB
    for 100,000 pages.
    """
    read = _read_all(listed, store, on_progress)
    pages, vectors, sample = read.pages, read.vectors, read.sample
    mixed: Vectors = vectors
    if store is not None:
        mixed, pages["linked"] = mix_links(vectors, read_hubs(store, listed.ids))
    least = _choose_least(mixed[sample])
    alone = _find_alone(mixed, pages["linked"], least)
    usable = sample[~alone[sample] & mixed[sample].any(axis=1)]
    if len(usable) < FEWEST_THEMES:
        raise BadInput("the pages have too few words in common for themes")
    start = _find_start(before, listed, mixed) if before is not None else None
    wanted = number or choose_number(len(sample) if len(pages) <= _SAMPLE else len(pages))
    directions = normalise(mixed[usable].astype(np.float32))
    middles = find_middles(directions, min(wanted, len(usable)), start)
    pages["theme"], pages["likeness"] = assign(mixed, middles)
    pages["theme"][alone], pages["likeness"][alone] = -1, 0.0
    typical = choose_typical(pages, read.is_copy, len(middles), _NAMING)
    texts = name_themes(read.rows, pages["theme"][sample].astype(np.int64), read.space.terms, typical, listed)
    now_s = time.time()
    state = ThemeState(
        Themes(themes=(), pages=0, built_s=now_s, built_pages=len(pages)),
        pages,
        vectors,
        middles,
        number_themes(pages, len(middles), before),
        read.space,
        *(list(read.reader.sites), list(read.reader.languages)),
        least,
    )
    return _summarise(state, texts, listed, now_s)


def _choose_least(vectors: Vectors) -> float:
    """Return how long the place of a page with links is at least if it has a theme; in a shorter one, words and links disagree."""
    lengths = np.linalg.norm(vectors.astype(np.float32), axis=1)
    placed = lengths[lengths > 0]
    return min(_LEAST_LENGTH, float(np.quantile(placed, _MOST_ALONE))) if len(placed) else _LEAST_LENGTH


def _find_alone(places: Vectors, linked: NDArray[np.uint8], least: float) -> NDArray[np.bool_]:
    """Say which pages stand alone: their words and the pages that are named with them disagree."""
    alone = linked > 0
    for some in split_numbers(np.flatnonzero(alone), _AT_ONCE):
        alone[some] = np.linalg.norm(places[some].astype(np.float32), axis=1) < least
    return alone


class _PagesRead(msgspec.Struct, frozen=True, eq=False):
    """All pages of an index, placed in a space of terms that was learnt from a sample of them."""

    pages: NDArray[np.void]
    vectors: NDArray[np.float16]
    is_copy: NDArray[np.bool_]
    sample: NDArray[np.int64]
    rows: SparseRows
    """The weighed terms of the sample."""
    space: TermSpace
    reader: PageReader


def _read_all(listed: IndexPages, store: Store | None, on_progress: Progress) -> _PagesRead:
    """Learn a space of terms from a sample, and place all pages in it; each page is read once."""
    everything = np.arange(len(listed.ids))
    simhashes, words = listed.read_fingerprints(everything)
    is_copy = mark_copies(simhashes, words)
    sample = choose_sample(listed.ids, ~is_copy, _SAMPLE)
    if len(sample) < FEWEST_THEMES:
        raise BadInput("themes need at least two pages with different texts")
    reader = PageReader(listed, store)
    pages = _make_rows(listed, simhashes, words)
    space, rows = learn_space(
        [one for some in split_numbers(sample, _AT_ONCE) for one in reader.read_terms(some, pages)]
    )
    vectors = np.zeros((len(pages), space.places.shape[1]), np.float16)
    vectors[sample] = space.place_rows(rows)
    others = np.setdiff1d(everything, sample)
    for done, some in enumerate(split_numbers(others, _AT_ONCE)):
        reader.sources.clear()
        vectors[some] = reader.place(some, space, pages)
        on_progress(0.9 * min(1.0, (done + 1) * _AT_ONCE / len(others)))
    return _PagesRead(pages, vectors, is_copy, sample, rows, space, reader)


def add_pages(state: ThemeState, listed: IndexPages, store: Store | None) -> ThemeState:
    """Bring themes up to date with an index: read new and changed pages only, and forget those that are gone.

    Cost: some microseconds for each page of the index, and a millisecond for each page that is read.
    """
    at = np.minimum(np.searchsorted(state.pages["id"], listed.ids), max(0, len(state.pages) - 1))
    same = (state.pages["id"][at] == listed.ids) & (state.pages["stamp"][at] == listed.stamps)
    fresh = np.flatnonzero(~same)
    pages = np.zeros(len(listed.ids), PAGE_ROW)
    pages[same] = state.pages[at[same]]
    vectors = np.zeros((len(pages), state.vectors.shape[1]), np.float16)
    vectors[same] = state.vectors[at[same]]
    reader = PageReader(listed, store, state)
    fingerprints = listed.read_fingerprints(fresh)
    pages["id"], pages["stamp"] = listed.ids, listed.stamps
    pages["simhash"][fresh], pages["words"][fresh] = fingerprints
    for some in split_numbers(fresh, _AT_ONCE):
        reader.sources.clear()
        vectors[some] = reader.place(some, state.space, pages)
        own: Dense = vectors[some].astype(np.float32)
        if store is not None:
            linking = [reader.sources.get(number, ()) for number in some.tolist()]
            own, pages["linked"][some] = mix_new_links(own, linking, listed.ids, vectors, store)
        pages["theme"][some], pages["likeness"][some] = assign(own, state.middles)
        alone = some[_find_alone(own, pages["linked"][some], state.least)]
        pages["theme"][alone], pages["likeness"][alone] = -1, 0.0
    texts = {theme.number: ThemeText(theme.name, theme.words) for theme in state.themes.themes}
    new = ThemeState(
        state.themes,
        pages,
        vectors,
        state.middles,
        state.numbers,
        state.space,
        *(list(reader.sites), list(reader.languages)),
        state.least,
    )
    return _summarise(new, [texts[number] for number in state.numbers.tolist()], listed, time.time())


def _make_rows(
    listed: IndexPages, simhashes: NDArray[np.int64], words: NDArray[np.int32]
) -> NDArray[np.void]:
    rows = np.zeros(len(listed.ids), PAGE_ROW)
    rows["id"], rows["stamp"], rows["simhash"], rows["words"] = listed.ids, listed.stamps, simhashes, words
    return rows


def _find_start(before: ThemeState, listed: IndexPages, vectors: Vectors) -> Dense:
    """Return the middles of earlier themes in a new space: the means of their pages that are still there."""
    _, old, new = np.intersect1d(before.pages["id"], listed.ids, assume_unique=True, return_indices=True)
    sums = sum_by_group(vectors[new], before.pages["theme"][old].astype(np.int64), len(before.middles))
    return normalise(sums[sums.any(axis=1)])


def _summarise(state: ThemeState, texts: list[ThemeText], listed: IndexPages, now_s: float) -> ThemeState:
    """Describe the themes of a state: sizes, pages, languages, sites, neighbours and places on the map."""
    described = describe(state.pages, state.numbers, texts, (state.sites, state.languages), listed)
    sizes = np.array([theme.size for theme in described], np.int64)
    neighbours = find_neighbours(state.middles, sizes, state.numbers)
    places = {theme.number: (theme.x, theme.y) for theme in state.themes.themes}
    if not places:
        lines = choose_lines(neighbours, state.numbers.tolist())
        spots = place_themes(lines, sizes).tolist()
        places = {number: (x, y) for number, (x, y) in zip(state.numbers.tolist(), spots, strict=True)}
    whole: list[Theme] = [
        msgspec.structs.replace(
            theme,
            neighbours=near,
            x=round(places[theme.number][0], 4),
            y=round(places[theme.number][1], 4),
        )
        for theme, near in zip(described, neighbours, strict=True)
    ]
    themes = msgspec.structs.replace(
        state.themes,
        themes=tuple(sorted(whole, key=lambda theme: (-theme.size, theme.number))),
        pages=len(state.pages),
        without=int(np.count_nonzero(state.pages["theme"] < 0)),
        linked=int(np.count_nonzero(state.pages["linked"])),
        refreshed_s=now_s,
    )
    return msgspec.structs.replace(state, themes=themes)
