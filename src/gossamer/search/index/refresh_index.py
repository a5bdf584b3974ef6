"""Bring an index up to date with its web: read new and changed pages, and remove those that are gone."""

from array import array
from collections.abc import Callable, Iterator
from collections.abc import Collection as Collection_
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path
from shutil import rmtree

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.atomic_file import make_temporary_folder
from gossamer.documents.read_document import DocumentReaders
from gossamer.graph.graph import from_edges
from gossamer.net.url.public_suffix import site
from gossamer.records import Page
from gossamer.search.index.make_entry import compute_facts_stamp, is_indexed, make_entry
from gossamer.search.index.read_archived_page import PageContent, read_page
from gossamer.search.index.search_index import Index, IndexWriter, explain_write_failure
from gossamer.search.links.anchor_texts import PageAnchors, WebAnchors, choose_anchors
from gossamer.search.links.disk_buckets import DiskBuckets
from gossamer.search.links.link_walk import NAMED, PageSites, walk_links
from gossamer.search.links.list_pages import ListPages, find_lists
from gossamer.search.links.static_rank import StaticRanks, rank_by_links
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.archive.read_exchange import Decode
from gossamer.store.batch import Store
from gossamer.store.model_folder import language_model
from gossamer.store.opening.open_archive import open_reader
from gossamer.store.reading_attempts import ReadingAttempts
from gossamer.text.language.detection.page_language import page_language
from gossamer.text.language.model.model import Model

# How many pages are lost at most when the power fails: some twenty seconds of work.
PAGES_A_COMMIT = 5_000
_PAGES_AT_ONCE = 500
_MOST_WORDS = 2**31 - 1
# Earlier versions kept links there, and left them behind when they were killed.
_OLD_TEMPORARY = ".links-*"

Ids = NDArray[np.int64]


class RefreshCounts(msgspec.Struct):
    """How many pages a refresh added, changed, removed and left."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    missing: int = 0
    """Pages that are not in the archive, or that killed their readers twice."""
    withheld: int = 0
    """Pages of earlier versions' crawls, not HTML, whose headers turned out to ask not to be indexed."""


class Collection(msgspec.Struct, frozen=True):
    """What is indexed: the store of a web, its folder, and how bodies are decoded."""

    store: Store
    folder: Path
    decode: Decode


class _PageTable(msgspec.Struct, frozen=True, eq=False):
    """All pages of a web, in order of arrival: 25 bytes each."""

    ids: Ids
    sites: NDArray[np.int32]
    stamps: Ids
    """Hashes of what the store knows about each page."""
    indexed: NDArray[np.bool_]
    words: NDArray[np.int32]


class _LinkMeasures(msgspec.Struct, frozen=True, eq=False):
    """What the links of a web say about its pages."""

    anchors: WebAnchors
    ranks: StaticRanks
    lists: ListPages


def refresh(
    index: Index,
    web: Collection,
    on_progress: Callable[[float], None] = lambda _: None,
    pages_a_commit: int = PAGES_A_COMMIT,
    renew: Collection_[int] = (),
) -> RefreshCounts:
    """Bring an index up to date with its web; call `on_progress` with the share of the work that is done.

    The index is committed every `pages_a_commit` pages, so that an interrupted run can be continued. The web may be
    crawled meanwhile. Entries of the pages in `renew` are written again even if they have not changed. Cost: a pass over all pages and links, and reading the pages that have changed.
    """
    try:
        return _refresh(index, web, on_progress, pages_a_commit, renew)
    except OSError as error:  # of temporary files, of ranks: the index stays as it was at the last commit
        raise explain_write_failure(web.folder / "index", error) from error


def _refresh(
    index: Index,
    web: Collection,
    on_progress: Callable[[float], None],
    pages_a_commit: int,
    renew: Collection_[int],
) -> RefreshCounts:
    writer = index.writer()
    pages = _read_pages(web.store)
    with _read_links(web, pages) as links:
        wanted, gone, unchanged = _compare(pages, links.anchors, index, renew)
        done = RefreshCounts(unchanged=unchanged)
        refresher = _Refresher(web, writer, done)
        try:
            for number, found in enumerate(_read_wanted(wanted, web.store, links.anchors), 1):
                is_written = refresher.index_page(*found)
                if is_written and (done.added + done.changed) % pages_a_commit == 0:
                    writer.commit()
                elif not is_written and found[0] is not None and found[0].id in renew:
                    writer.remove(found[0].id)
                on_progress(number / len(wanted))
        finally:
            refresher.close()
    for page in gone.tolist():
        writer.remove(page)
        done.removed += 1
    index.set_ranks(links.ranks)
    index.set_lists(links.lists)
    index.set_generic_texts(links.anchors.generic)
    writer.commit()
    on_progress(1.0)
    return done


def _read_pages(store: Store) -> _PageTable:
    """Read what the store knows about all pages."""
    ids, stamps, sites, words, indexed = array("q"), array("q"), array("i"), array("i"), bytearray()
    number_of: dict[str, int] = {}
    sites_of: dict[str, int] = {}
    for page in store.pages():
        if page.host not in sites_of:
            sites_of[page.host] = number_of.setdefault(site(page.host), len(number_of))
        ids.append(page.id)
        sites.append(sites_of[page.host])
        words.append(min(page.words, _MOST_WORDS))
        indexed.append(is_indexed(page))
        stamps.append(compute_facts_stamp(page) if indexed[-1] else 0)
    return _PageTable(
        np.frombuffer(ids, np.int64),
        np.frombuffer(sites, np.int32),
        np.frombuffer(stamps, np.int64),
        np.frombuffer(indexed, np.bool_),
        np.frombuffer(words, np.int32),
    )


@contextmanager
def _read_links(web: Collection, pages: _PageTable) -> Iterator[_LinkMeasures]:
    """Choose anchor texts, compute static ranks and find list pages; what does not fit into memory is written to the web's folder."""
    for left in web.folder.glob(_OLD_TEMPORARY):  # of no living process: there is one writer at a time
        rmtree(left, ignore_errors=True)
    with make_temporary_folder(web.folder) as folder:
        named = DiskBuckets(folder, "named", NAMED, web.store.counts()["links"])
        graph = from_edges(*walk_links(web.store, PageSites(pages.ids, pages.sites), named), len(pages.ids))
        yield _LinkMeasures(
            choose_anchors(web.store, named, folder, len(pages.ids)),
            rank_by_links(pages.ids, graph),
            find_lists(pages.ids, pages.sites, pages.words, graph),
        )


def _compare(
    pages: _PageTable, anchors: WebAnchors, index: Index, renew: Collection_[int] = ()
) -> tuple[dict[int, bool], Ids, int]:
    """Compare a web with its index: pages to read, with whether they are new; pages to remove; how many are unchanged."""
    ids = pages.ids[pages.indexed]
    stamps = pages.stamps[pages.indexed] + anchors.get_digests(ids)
    known, known_stamps = index.read_stamps()
    at = np.minimum(np.searchsorted(known, ids), max(0, len(known) - 1))
    there = known[at] == ids if len(known) else np.zeros(len(ids), np.bool_)
    same = there.copy()
    same[there] = known_stamps[at[there]] == stamps[there]
    if renew:
        same &= ~np.isin(ids, np.array(list(renew), np.int64))
    wanted = dict(zip(ids[~same].tolist(), (~there[~same]).tolist(), strict=True))
    return wanted, np.setdiff1d(known, ids), int(np.count_nonzero(same))


def _read_wanted(
    wanted: dict[int, bool], store: Store, anchors: WebAnchors
) -> Iterator[tuple[Page | None, PageAnchors, bool]]:
    """Yield pages, None for those that are gone, with their anchor texts and whether they are new."""
    ids = list(wanted)
    for first in range(0, len(ids), _PAGES_AT_ONCE):
        some = ids[first : first + _PAGES_AT_ONCE]
        pages, texts = store.pages_by_id(some), anchors.read(some)
        for page in some:
            yield pages.get(page), texts[page], wanted[page]


class _Refresher:
    """Indexes the new and changed pages of a web, one by one."""

    def __init__(self, web: Collection, writer: IndexWriter, done: RefreshCounts) -> None:
        self._web = web
        self._archive = open_reader(web.folder / "archive")
        self._attempts = ReadingAttempts(web.folder)
        self._documents = DocumentReaders()
        self._writer = writer
        self._done = done

    @cached_property
    def _model(self) -> Model:
        return language_model(self._web.folder)  # a fifth of a second, and seldom needed

    def index_page(self, page: Page | None, anchors: PageAnchors, is_new: bool) -> bool:
        """Index a page; return False if it is not in the archive or must not be indexed."""
        content = self._read_content(page) if page is not None and is_indexed(page) else None
        if page is None or content is None:
            self._done.missing += 1
            return False
        if page.kind != "html" and not content.directives.index:  # the crawl reads the headers of HTML only
            self._done.withheld += 1
            return False
        entry = make_entry(page, content, anchors, self._detect_language)
        if is_new:
            self._writer.add(entry)
            self._done.added += 1
        else:
            self._writer.put(entry)
            self._done.changed += 1
        return True

    def _detect_language(self, text: str) -> str:
        return page_language(text, self._model)

    def _read_content(self, page: Page) -> PageContent | None:
        if page.id in self._attempts.banned:
            return None
        exchange = self._archive.read(WarcPosition(page.warc, page.warc_offset), self._web.decode)
        if exchange is None:
            return None
        guard = partial(self._attempts.attempt, page.id)
        return read_page(page, exchange.body, exchange.headers, guard, self._documents)

    def close(self) -> None:
        """Remove the note of pages being read, and end the processes that read documents."""
        self._attempts.close()
        self._documents.close()
