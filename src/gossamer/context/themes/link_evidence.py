"""What links say about the theme of a page: directly, by their words, and indirectly, by the pages that they name together.

A page that links to several pages says that these have something in common. Links of templates say nothing, and
are left out. Source: Stein 1997, sections 5.2.1 and 5.3.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.context.themes.sparse_rows import Dense, SparseRows, Vectors
from gossamer.records import PageLink
from gossamer.search.index.search_index import Index
from gossamer.search.links.page_neighbours import NAMING_TYPES
from gossamer.search.terms.analysis import get_analyser, split_text
from gossamer.search.terms.stop_words import is_stop_word
from gossamer.store.batch import KIND_OF_TYPE, Store
from gossamer.store.links.template_marks import read_template_marks, read_template_targets

# Swept 1 and 3 on WebKB: both raise the agreement with the labels, by .003 to .011.
_ANCHOR_WEIGHT = 2
_MOST_LINKS = 20
"""How many links to a page are read: further ones repeat what these say."""
# Swept 0.3, 0.6 and 1 on WebKB: 0.6 is best. Links of one page to another lowered the agreement with the labels.
_LINK_WEIGHT = 0.6
_FEWEST_TARGETS, _MOST_TARGETS = 2, 300
"""A page with one link compares nothing, and a page with very many links lists everything."""
_NAMING_KINDS = np.isin(np.arange(256) & ~7, [KIND_OF_TYPE["a"], KIND_OF_TYPE["area"]])

Ids = NDArray[np.int64]


class InLinks(msgspec.Struct, frozen=True):
    """The links to a page."""

    sources: tuple[int, ...]
    terms: Mapping[str, int]
    """How much the terms of their texts count."""


def read_in_links(store: Store, index: Index, pages: Mapping[int, str]) -> dict[int, InLinks]:
    """Read the links to some pages, given the language of each: the pages that have them, and the terms of their texts.

    Each text counts once for a page, and generic texts such as “more” do not count.
    """
    links = {page: _read_naming_links(store, page) for page in pages}
    texts = list({link.text.strip().lower() for some in links.values() for link in some} - {""})
    generic = index.generic_texts.select(texts) if texts else ()
    return {
        page: InLinks(
            tuple(dict.fromkeys(link.source for link in some)),
            _count_texts({link.text.strip().lower() for link in some}.difference(generic), pages[page]),
        )
        for page, some in links.items()
    }


def _read_naming_links(store: Store, page: int) -> list[PageLink]:
    links = store.links_to(page, _MOST_LINKS)
    return [link for link in links if link.type in NAMING_TYPES and link.source != page]


def _count_texts(texts: Iterable[str], language: str) -> Mapping[str, int]:
    analyser = get_analyser(language)
    terms: Counter[str] = Counter()
    for text in texts:
        words = [word for word in split_text(text) if not word.isdigit() and not is_stop_word(word, language)]
        terms.update({analyser[word]: _ANCHOR_WEIGHT for word in words})
    return terms


def read_hubs(store: Store, ids: Ids) -> SparseRows:
    """Return which known pages each page names, a row for each page with links; links of templates are left out."""
    marks = read_template_marks(store)
    rows: list[NDArray[np.int64]] = []
    for _, source, packed, kinds, _ in store.link_rows():
        targets = np.frombuffer(packed, "<i8")
        marked = marks.of_page(source)
        wanted = _NAMING_KINDS[np.frombuffer(kinds, np.uint8)] & (targets != source)
        if len(marked) == len(targets):
            wanted = wanted & ~marked
        rows.append(_find_known(targets[wanted], ids))
    return _weigh_hubs(rows, len(ids))


def mix_links(vectors: Vectors, hubs: SparseRows) -> tuple[Dense, NDArray[np.bool_]]:
    """Move pages towards the pages that are named together with them; return them, and which ones were moved.

    A page that names few pages says more about each of them than one that names many. A page whose words and links disagree
    becomes shorter. Cost: O(links · dimensions).
    """
    middles = hubs.multiply(vectors)
    turned = hubs.turn()
    around = SparseRows(
        turned.starts, turned.columns, np.ones(len(turned.values), np.float32), turned.width
    ).multiply(middles)
    of = np.repeat(np.arange(turned.height), np.diff(turned.starts))
    own: NDArray[np.float64] = np.bincount(of, turned.values, turned.height).astype(np.float64)
    around -= vectors * own.astype(np.float32)[:, None]
    # The weight of a hub of n pages is 1 / n² for each of the n - 1 others.
    weights = np.bincount(of, np.sqrt(turned.values.astype(np.float64)), turned.height) - own
    return _add_around(vectors, around, weights)


def mix_new_links(
    vectors: Dense, sources: Iterable[Iterable[int]], ids: Ids, placed: Vectors, store: Store
) -> tuple[Dense, NDArray[np.bool_]]:
    """Do the same for some pages, given the pages that link to each; `placed` are the vectors of all pages, by `ids`."""
    around, weights = np.zeros_like(vectors), np.zeros(len(vectors))
    for row, linking in enumerate(sources):
        some = list(linking)
        ignored = read_template_targets(store, some) if some else set()
        for source in some:
            named = {link.target for link in store.links_from(source) if link.type in NAMING_TYPES}
            known = _find_known(np.array(sorted(named - ignored - {source}), np.int64), ids)
            if _FEWEST_TARGETS <= len(known) <= _MOST_TARGETS:
                total = placed[known].astype(np.float32).sum(axis=0) - vectors[row]
                around[row] += total / len(known) ** 2
                weights[row] += (len(known) - 1) / len(known) ** 2
    return _add_around(vectors, around, weights)


def _add_around(
    vectors: Vectors, around: Dense, weights: NDArray[np.float64]
) -> tuple[Dense, NDArray[np.bool_]]:
    """Return the weighed means of pages and of those that are named with them, given their weighed sums."""
    moved = (weights > 0) & (np.linalg.norm(around, axis=1) > 1e-6)
    means: Dense = around / np.where(moved, weights, 1.0).astype(np.float32)[:, None]
    own: Dense = vectors.astype(np.float32)
    # A page that is not named with others stays where it is.
    links = np.where(moved, _LINK_WEIGHT, 0.0).astype(np.float32)[:, None]
    mixed: Dense = ((own + links * means) / (1 + links)).astype(np.float32)
    return mixed, moved


def _find_known(targets: Ids, ids: Ids) -> Ids:
    """Return the numbers of those targets that are known, each once."""
    if not len(ids) or not len(targets):
        return np.empty(0, np.int64)
    at = np.minimum(np.searchsorted(ids, targets), len(ids) - 1)
    return np.unique(at[ids[at] == targets])


def _weigh_hubs(rows: list[Ids], width: int) -> SparseRows:
    """Join the rows with several targets; each target of a row weighs one by the square of their number."""
    kept = [row for row in rows if _FEWEST_TARGETS <= len(row) <= _MOST_TARGETS]
    sizes = np.array([len(row) for row in kept], np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    columns = np.concatenate([np.empty(0, np.int64), *kept]).astype(np.int32)
    values = np.repeat(1 / np.maximum(1, sizes) ** 2, sizes).astype(np.float32)
    return SparseRows(starts, columns, values, width)
