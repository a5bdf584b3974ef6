"""What links say about the theme of a page: directly, by their words, and indirectly, by the pages that they name together.

A page that links to several pages says that these have something in common. Links of templates say nothing, and
are left out. Source: Stein 1997, sections 5.2.1 and 5.3.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.context.themes.sparse_rows import Dense, SparseRows, Vectors
from gossamer.records import PageLink
from gossamer.search.index.search_index import Index
from gossamer.search.links.page_neighbours import NAMING_TYPES
from gossamer.search.terms.analysis import get_analyser, split_text
from gossamer.search.terms.stop_words import is_stop_word
from gossamer.store.batch import KIND_OF_TYPE, LinkRow, Store
from gossamer.store.links.template_marks import TemplateMarks, read_template_marks, read_template_targets

# Swept 1 and 3 on WebKB: both raise the agreement with the labels, by .003 to .011.
_ANCHOR_WEIGHT = 2
_MOST_LINKS = 20
"""How many links to a page are read: further ones repeat what these say."""
# Swept 0.3, 0.6 and 1 on WebKB: 0.6 is best. Links of one page to another lowered the agreement with the labels.
_LINK_WEIGHT = 0.6
_FEWEST_TARGETS, _MOST_TARGETS = 2, 300
"""A page with one link compares nothing, and a page with very many links lists everything."""
_NAMING_KINDS = np.isin(np.arange(256) & ~7, [KIND_OF_TYPE["a"], KIND_OF_TYPE["area"]])
_ROWS_AT_ONCE, _PAGES_AT_ONCE = 5_000, 50_000

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


def read_hubs(store: Store, ids: Ids) -> Iterator[SparseRows]:
    """Yield which known pages each page names, a row for each page that names several; links of templates are left out.

    The rows come some thousand at a time, since those of a large web would not fit. A target of a row weighs one by the
    square of their number.
    """
    marks = read_template_marks(store)
    rows = store.link_rows()
    while some := list(islice(rows, _ROWS_AT_ONCE)):
        yield _make_hubs(some, marks, ids)


def _make_hubs(rows: Sequence[LinkRow], marks: TemplateMarks, ids: Ids) -> SparseRows:
    wanted: list[Ids] = []
    for _, source, packed, kinds, _ in rows:
        targets = np.frombuffer(packed, "<i8")
        marked = marks.of_page(source)
        naming = _NAMING_KINDS[np.frombuffer(kinds, np.uint8)] & (targets != source)
        wanted.append(targets[naming & ~marked] if len(marked) == len(targets) else targets[naming])
    row_of = np.repeat(np.arange(len(wanted)), [len(targets) for targets in wanted])
    at, is_known = _look_up(np.concatenate(wanted), ids)
    named = np.unique(row_of[is_known] * max(1, len(ids)) + at[is_known])
    hub_of, columns = np.divmod(named, max(1, len(ids)))
    sizes = np.bincount(hub_of, minlength=len(wanted))
    fits = (sizes >= _FEWEST_TARGETS) & (sizes <= _MOST_TARGETS)
    chosen, kept = fits[hub_of], sizes[fits]
    starts = np.concatenate([[0], np.cumsum(kept)]).astype(np.int64)
    values = np.repeat(1 / kept.astype(np.float64) ** 2, kept).astype(np.float32)
    return SparseRows(starts, columns[chosen].astype(np.int32), values, len(ids))


def mix_links(vectors: Vectors, hubs: Iterable[SparseRows]) -> tuple[Dense, NDArray[np.bool_]]:
    """Move pages towards the pages that are named together with them; return them, and which ones were moved.

    A page that names few pages says more about each of them than one that names many. A page whose words and links disagree
    becomes shorter. Cost: O(links · dimensions). Memory: four bytes for each page and dimension.
    """
    around = np.zeros(vectors.shape, np.float32)
    own, weights = np.zeros(len(vectors)), np.zeros(len(vectors))
    for some in hubs:
        turned = some.turn()
        named = np.flatnonzero(np.diff(turned.starts))
        starts = np.append(turned.starts[named], turned.starts[-1])
        of = np.repeat(np.arange(len(named)), np.diff(starts))
        equal = SparseRows(starts, turned.columns, np.ones(len(turned.values), np.float32), turned.width)
        around[named] += equal.multiply(some.multiply(vectors))
        values = turned.values.astype(np.float64)
        own[named] += np.bincount(of, values, len(named))
        # The weight of a hub of n pages is 1 / n² for each of the n - 1 others.
        weights[named] += np.bincount(of, np.sqrt(values) - values, len(named))
    moved = np.zeros(len(vectors), np.bool_)
    for first in range(0, len(vectors), _PAGES_AT_ONCE):
        part = slice(first, first + _PAGES_AT_ONCE)
        others = around[part] - vectors[part] * own[part].astype(np.float32)[:, None]
        around[part], moved[part] = _add_around(vectors[part], others, weights[part])
    return around, moved


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
    at, is_known = _look_up(targets, ids)
    return np.unique(at[is_known])


def _look_up(targets: Ids, ids: Ids) -> tuple[Ids, NDArray[np.bool_]]:
    """Return the number of each target among known pages, and whether it is one."""
    if not len(ids):
        return np.zeros(len(targets), np.int64), np.zeros(len(targets), np.bool_)
    at = np.minimum(np.searchsorted(ids, targets), len(ids) - 1)
    return at, ids[at] == targets
