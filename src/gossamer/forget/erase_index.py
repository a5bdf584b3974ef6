"""Take forgotten pages out of the search index: the segments in which they stand are written anew."""

import shutil
from collections.abc import Callable, Collection
from pathlib import Path

import msgspec
import numpy as np

from gossamer.errors import MissingExtra
from gossamer.store.batch import Store

_META = "meta.json"


def erase_index(
    store: Store,
    folder: Path,
    path: Path,
    ids: Collection[int],
    related: Collection[int],
    on_progress: Callable[[float], None],
) -> None:
    """Bring the index at a path up to date, and write anew every segment that held a forgotten page or holds deleted entries.

    `related` are pages that the forgotten ones linked to: the texts of those links are indexed with them. Cost: indexing the
    pages of these segments. Without the extra `search`, an index is removed: it cannot be changed.
    """
    if not path.is_dir():
        return
    try:
        from gossamer.crawl.from_archive.archived_pages import decode_content
        from gossamer.search.index.refresh_index import Collection as Pages
        from gossamer.search.index.refresh_index import refresh
        from gossamer.search.index.search_index import Index, exists
    except MissingExtra:
        shutil.rmtree(path)
        return
    if not exists(path):
        shutil.rmtree(path)  # of another version: nothing can read it
        return
    pages = Pages(store, folder, decode_content)
    index = Index(path)
    renew = _find_neighbours(index, path, ids, related)
    if renew is None:
        return
    refresh(index, pages, on_progress, renew=renew)
    del index
    _remove_unused(path)
    if has_deletions(path):  # entries that could not be read again
        shutil.rmtree(path)
        refresh(Index(path), pages, on_progress)
        _remove_unused(path)


def has_deletions(path: Path) -> bool:
    """Say whether a segment of an index still has the bytes of deleted entries."""
    return any(deleted for _, deleted in _read_segments(path))


def _read_segments(path: Path) -> list[tuple[int, int]]:
    """Return the number of entries of each segment, and how many of them are deleted."""
    meta = msgspec.json.decode((path / _META).read_bytes())
    return [
        (int(one["max_doc"]), int((one.get("deletes") or {}).get("num_deleted_docs", 0)))
        for one in meta["segments"]
    ]


def _find_neighbours(
    index: "object", path: Path, ids: Collection[int], related: Collection[int]
) -> set[int] | None:
    """Return the pages that share a segment with what goes; None if nothing goes."""
    from gossamer.search.engine import tantivy

    hits = index.searcher.search(tantivy.Query.all_query(), limit=max(1, index.own_pages), count=False).hits  # type: ignore[attr-defined]
    places = [place for _, place in hits]
    segments = np.array([place.segment_ord for place in places], np.int64)
    pages = np.array(index.read_numbers("id", places), np.int64)  # type: ignore[attr-defined]
    touched = set(segments[np.isin(pages, np.array([*ids, *related], np.int64))].tolist())
    # The engine does not say which segment has deletions: all that have as many entries are taken.
    alive = {entries - deleted for entries, deleted in _read_segments(path) if deleted}
    counts = np.bincount(segments) if len(segments) else np.zeros(0, np.int64)
    touched |= {number for number, entries in enumerate(counts.tolist()) if entries in alive}
    if not touched and not alive:
        return None
    return set(pages[np.isin(segments, np.array(sorted(touched), np.int64))].tolist()) - set(ids)


def _remove_unused(path: Path) -> None:
    from gossamer.search.index.search_index import Index

    writer = Index(path).writer()
    writer.remove_unused_files()
    writer.close()
