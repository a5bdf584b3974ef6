"""Which links of a web does a template repeat? Marks for all links, computed from the order of the links on pages.

Two ways lead to the same marks: `read_snapshot_marks` for a graph, in the order in which its links are read, and
`read_template_marks` for programs that look at single pages or go through the rows of links. `read_template_targets` judges a
sample of pages, for programs that must answer at once in a web of any size.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from gossamer.errors import make_damage_error
from gossamer.graph.number_ids import Numbering
from gossamer.graph.templates.find_template_links import LinksOfPages, Marks, find_template_links
from gossamer.graph.templates.page_directories import PageDirectories
from gossamer.store.batch import LinkRow, Store
from gossamer.store.links.snapshot import Snapshot

Ids = NDArray[np.int64]
_ROWS_AT_ONCE = 2_000


class TemplateMarks:
    """The template links of a web, page by page."""

    def __init__(self, sources: Ids, sizes: Ids, marks: Marks) -> None:
        self._numbers = Numbering(len(sources))
        number_of = self._numbers.add(sources)
        if len(self._numbers) < len(sources):  # a page with several rows: its links follow each other
            marks = marks[np.argsort(np.repeat(number_of, sizes), kind="stable")]
        count = np.bincount(number_of, sizes, len(self._numbers)).astype(np.int64)
        self._starts = np.concatenate([[0], np.cumsum(count)])
        self._bits = np.packbits(marks)
        self.links = int(np.count_nonzero(marks))
        """The number of template links."""

    def of_page(self, page_id: int) -> Marks:
        """Return for each link of a page, in the order of `Store.links_from`, whether a template repeats it."""
        number = int(self._numbers.find(np.array([page_id], np.int64))[0])
        if number < 0:
            return np.empty(0, np.bool_)
        start, end = int(self._starts[number]), int(self._starts[number + 1])
        first = start // 8
        bits = np.unpackbits(self._bits[first : -(-end // 8)])
        return bits[start - 8 * first : end - 8 * first].astype(np.bool_)


_known_marks: "WeakKeyDictionary[Store, tuple[int, TemplateMarks]]" = WeakKeyDictionary()


def read_template_marks(store: Store) -> TemplateMarks:
    """Return the template links of a web; they are computed at the first call, and again after further visits.

    Cost: a walk over all links, about a microsecond each; 1 bit a link and 40 bytes a page are kept while the store is.
    """
    last = store.last_visit()
    known = _known_marks.get(store)
    if known is None or known[0] != last:
        known = _known_marks[store] = last, _compute_marks(store)
    return known[1]


def _compute_marks(store: Store) -> TemplateMarks:
    read, marks = _mark_rows(store)
    return TemplateMarks(
        np.concatenate([np.empty(0, np.int64), *(links.pages for links in read)]),
        np.concatenate([np.empty(0, np.int64), *(np.diff(links.starts) for links in read)]),
        np.concatenate([np.empty(0, np.bool_), *marks]),
    )


def read_content_targets(store: Store) -> Iterator[Ids]:
    """Yield the targets of all links that no template repeats, an array for some pages at a time."""
    for links, marked in zip(*_mark_rows(store), strict=True):
        yield links.targets[~marked]


def read_template_targets(store: Store, pages: Sequence[int]) -> set[int]:
    """Return the pages to which the template links of some pages lead, judged by the links of these pages alone.

    Cost: a look-up for each of the pages, whatever the size of the web.
    """
    rows = [np.array([link.target for link in store.links_from(page)], np.int64) for page in pages]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    links = LinksOfPages(np.array(pages, np.int64), starts, np.concatenate([np.empty(0, np.int64), *rows]))
    directories = PageDirectories()
    _add_directories(directories, store.page_urls(pages))
    return set(links.targets[find_template_links([links], directories)[0]].tolist())


def _mark_rows(store: Store) -> tuple[list[LinksOfPages], list[Marks]]:
    """Read all rows of links, and mark the template links among them."""
    directories = PageDirectories()
    read: list[LinksOfPages] = []
    rows = store.link_rows()
    while some := list(islice(rows, _ROWS_AT_ONCE)):
        read.append(_join_rows(some))
        _add_directories(directories, store.page_urls(read[-1].pages.tolist()))
    return read, find_template_links(read, directories)


def _join_rows(rows: Sequence[LinkRow]) -> LinksOfPages:
    targets = np.frombuffer(b"".join(row[2] for row in rows), "<i8").astype(np.int64)
    starts = np.concatenate([[0], np.cumsum([len(row[3]) for row in rows])]).astype(np.int64)
    return LinksOfPages(np.array([row[1] for row in rows], np.int64), starts, targets)


def _add_directories(directories: PageDirectories, urls: dict[int, str]) -> None:
    texts = [url.encode("utf-8", "replace") for url in urls.values()]
    starts = np.concatenate([[0], np.cumsum([len(text) for text in texts])]).astype(np.int64)
    directories.add(np.array(list(urls), np.int64), np.frombuffer(b"".join(texts), np.uint8), starts)


def read_snapshot_marks(state: Snapshot) -> Marks:
    """Return for each link, in the order of the rows of links, whether a template repeats it."""
    directories = PageDirectories()
    for ids, (urls, starts) in state.read_batches("select id, url from page", "nb"):
        directories.add(ids, urls, starts)
    marks = find_template_links(_read_snapshot_links(state), directories)
    return np.concatenate([np.empty(0, np.bool_), *marks])


def _read_snapshot_links(state: Snapshot) -> Iterator[LinksOfPages]:
    for pages, (packed, starts) in state.read_batches(
        "select source, targets from link order by number", "nb"
    ):
        if (starts % 8).any():
            raise make_damage_error("the links of a page")
        yield LinksOfPages(pages, starts // 8, packed.view("<i8").astype(np.int64, copy=False))
