"""An index that follows its web: what is new or has changed since is read from the archive, and nothing else."""

from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.net.url.public_suffix import site
from gossamer.records import Page
from gossamer.search.index.make_entry import entry_of, facts_stamp, is_indexed
from gossamer.search.index.read_page import Read, read
from gossamer.search.index.search_index import Index, Writer
from gossamer.search.links.anchor_texts import Anchors, Called, anchors_of
from gossamer.search.links.disk_buckets import Drawers
from gossamer.search.links.link_walk import NAMED, Sources, walked
from gossamer.search.links.static_rank import Standing, standing_by_links
from gossamer.store.archive.archive_reader import ArchiveReader, WarcPosition
from gossamer.store.archive.read_exchange import Decode
from gossamer.store.batch import Store
from gossamer.store.model_folder import language_model
from gossamer.text.language.detection.page_language import page_language
from gossamer.text.language.model.model import Model

# So many pages are lost at most when somebody pulls the plug: some twenty seconds of work.
PAGES_A_COMMIT = 5_000
_PAGES_AT_ONCE = 500
_PART = ".links-"

Ids = NDArray[np.int64]


class Refreshed(msgspec.Struct):
    """What was done to an index, in pages."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    missing: int = 0
    """Pages that are not in the archive."""


class Collection(msgspec.Struct, frozen=True):
    """What is indexed: the state of a web, its folder, and how bodies are decoded."""

    store: Store
    folder: Path
    decode: Decode


class _Pages(msgspec.Struct, frozen=True, eq=False):
    """All pages of a web, in order of arrival: 21 bytes each."""

    ids: Ids
    sites: NDArray[np.int32]
    stamps: Ids
    """Of what the store knows of each."""
    indexed: NDArray[np.bool_]


def refresh(
    index: Index,
    web: Collection,
    told: Callable[[float], None] = lambda _: None,
    pages_a_commit: int = PAGES_A_COMMIT,
) -> Refreshed:
    """Bring an index up to date with its web; `told` hears which part is done.

    What was done is kept every so many pages, so that whoever was broken off goes on where that was. The web may be
    crawled meanwhile. Cost: a walk over all pages and links, and reading the pages that have changed.
    """
    writer = index.writer()
    pages = _read_pages(web.store)
    with _learnt(web, pages) as (anchors, standing):
        wanted, gone, unchanged = _compared(pages, anchors, index)
        done = Refreshed(unchanged=unchanged)
        refresher = _Refresher(web, writer, done)
        for number, (page, called, is_new) in enumerate(_each(wanted, anchors), 1):
            if refresher.take(page, called, is_new) and (done.added + done.changed) % pages_a_commit == 0:
                writer.commit()
            told(number / len(wanted))
    for page in gone.tolist():
        writer.remove(page)
        done.removed += 1
    index.take_standing(standing)
    index.take_empty_texts(anchors.empty)
    writer.commit()
    told(1.0)
    return done


def _read_pages(store: Store) -> _Pages:
    """Read what the store knows of all pages."""
    ids, stamps, sites, indexed = array("q"), array("q"), array("i"), bytearray()
    number_of: dict[str, int] = {}
    sites_of: dict[str, int] = {}
    for page in store.pages():
        if page.host not in sites_of:
            sites_of[page.host] = number_of.setdefault(site(page.host), len(number_of))
        ids.append(page.id)
        sites.append(sites_of[page.host])
        indexed.append(is_indexed(page))
        stamps.append(facts_stamp(page) if indexed[-1] else 0)
    return _Pages(
        np.frombuffer(ids, np.int64),
        np.frombuffer(sites, np.int32),
        np.frombuffer(stamps, np.int64),
        np.frombuffer(indexed, np.bool_),
    )


@contextmanager
def _learnt(web: Collection, pages: _Pages) -> Iterator[tuple[Anchors, Standing]]:
    """Learn from links what pages are called and how they stand; what does not fit into memory lies in the web's folder."""
    for left in web.folder.glob(f"{_PART}*"):  # by somebody who was killed: there is one writer at a time
        rmtree(left, ignore_errors=True)
    with TemporaryDirectory(prefix=_PART, dir=web.folder) as name:
        folder = Path(name)
        named = Drawers(folder, "named", NAMED, web.store.counts()["links"])
        ends = walked(web.store, Sources(pages.ids, pages.sites), named)
        yield anchors_of(web.store, named, folder, len(pages.ids)), standing_by_links(pages.ids, *ends)


def _compared(pages: _Pages, anchors: Anchors, index: Index) -> tuple[dict[int, bool], Ids, int]:
    """Compare a web with its index: pages to be read, and whether they are new; pages to be removed; how many stay."""
    ids = pages.ids[pages.indexed]
    stamps = pages.stamps[pages.indexed] + anchors.digests(ids)
    known, known_stamps = index.stamps()
    at = np.minimum(np.searchsorted(known, ids), max(0, len(known) - 1))
    there = known[at] == ids if len(known) else np.zeros(len(ids), np.bool_)
    same = there.copy()
    same[there] = known_stamps[at[there]] == stamps[there]
    wanted = dict(zip(ids[~same].tolist(), (~there[~same]).tolist(), strict=True))
    return wanted, np.setdiff1d(known, ids), int(np.count_nonzero(same))


def _each(wanted: dict[int, bool], anchors: Anchors) -> Iterator[tuple[int, Called, bool]]:
    """Return pages with what they are called, and whether they are new."""
    ids = list(wanted)
    for first in range(0, len(ids), _PAGES_AT_ONCE):
        some = ids[first : first + _PAGES_AT_ONCE]
        called = anchors.called(some)
        for page in some:
            yield page, called[page], wanted[page]


class _Refresher:
    """Takes the pages of a web that are new or have changed, one by one."""

    def __init__(self, web: Collection, writer: Writer, done: Refreshed) -> None:
        self._web = web
        self._kept = ArchiveReader(web.folder / "archive")
        self._writer = writer
        self._done = done

    @cached_property
    def _model(self) -> Model:
        return language_model(self._web.folder)  # a fifth of a second, and seldom needed

    def take(self, page_id: int, called: Called, is_new: bool) -> bool:
        """Index a page; say whether it could be."""
        page = self._web.store.page(page_id)
        found = self._read(page) if page is not None and is_indexed(page) else None
        if page is None or found is None:
            self._done.missing += 1
            return False
        if page.kind != "html" and not found.wishes.index:  # of others than HTML the crawl reads no headers
            return False
        entry = entry_of(page, found, called, self._recognised)
        if is_new:
            self._writer.add(entry)
            self._done.added += 1
        else:
            self._writer.put(entry)
            self._done.changed += 1
        return True

    def _recognised(self, text: str) -> str:
        return page_language(text, self._model)

    def _read(self, page: Page) -> Read | None:
        exchange = self._kept.read(WarcPosition(page.warc, page.warc_offset), self._web.decode)
        if exchange is None:
            return None
        return read(page, exchange.body, exchange.headers)
