"""Choose what a web drops to fit into a number of bytes: old versions, then copies, then the least valuable pages."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput
from gossamer.forget.journal import Journal
from gossamer.forget.warc.write_anew import read_line
from gossamer.store.opening.web_versions import INDEX
from gossamer.store.sqlite.erasable_state import OldVersion
from gossamer.store.sqlite.sqlite_store import SqliteStore
from gossamer.store.tombstones import Takedown, read_takedowns

_BLOCK_BYTES = 512
# Request and metadata of a visit are not in the index of the archive.
_BESIDE_BYTES = 700
RULE = (
    "old versions of pages, the oldest first; then pages with the same text as another one; then pages with the lowest rank "
    "by links, of these the deepest, of these the oldest"
)
"""The order in which pages are dropped."""


class Drop(msgspec.Struct, frozen=True):
    """A page or an old version, with the bytes that are gained, and why it was chosen."""

    page: int
    url: str
    gain_bytes: int
    why: str
    version: OldVersion | None = None


class Drops(msgspec.Struct):
    """What is dropped, and how large the web is before."""

    used_bytes: int
    most_bytes: int
    chosen: list[Drop]
    gain_bytes: int = 0

    @property
    def pages(self) -> list[Drop]:
        """The pages among them."""
        return [one for one in self.chosen if one.version is None]


def measure_web(folder: Path) -> int:
    """Return how many bytes the files of a web take on the disk."""
    return sum(path.lstat().st_blocks * _BLOCK_BYTES for path in folder.rglob("*") if path.is_file())


def choose_drops(store: SqliteStore, folder: Path, most_bytes: int) -> Drops:
    """Choose what to drop, in the order of `RULE`. Cost: a pass over visits, pages and the indexes of the archive."""
    drops = Drops(measure_web(folder), most_bytes, [])
    need = drops.used_bytes - most_bytes
    for one in _rank_drops(store, folder):
        if drops.gain_bytes >= need:
            break
        drops.chosen.append(one)
        drops.gain_bytes += one.gain_bytes
    pages = store.counts()["pages"]
    if need > 0 and pages and len(drops.pages) >= pages:
        raise BadInput(
            f"nothing would be left: this web takes {drops.used_bytes / 1e6:,.1f} MB, and without any page still more than "
            f"{most_bytes / 1e6:,.1f} MB; keep more, or forget the web as a whole"
        )
    return drops


def make_journal(store: SqliteStore, drops: Drops, now_s: float) -> Journal:
    """Return the journal of a drop."""
    number = max((one.number for one in read_takedowns(store)), default=0) + 1
    takedown = Takedown(number, "keep bytes", str(drops.most_bytes), now_s)
    offsets: dict[str, list[int]] = {}
    versions = [one.version for one in drops.chosen if one.version is not None]
    for one in versions:
        offsets.setdefault(one.warc, []).append(one.offset)
    pages = drops.pages
    return Journal(
        "drop",
        takedown,
        [one.page for one in pages],
        offsets=offsets,
        visits=[one.number for one in versions],
        why={one.page: one.why for one in pages},
    )


def _rank_drops(store: SqliteStore, folder: Path) -> Iterator[Drop]:
    lengths = _read_lengths(folder / "archive")
    for version in store.old_versions():
        gain = lengths.get((version.warc, version.offset), 0) + _BESIDE_BYTES
        yield Drop(version.page, "", gain, "an old version of a page", version)
    yield from _rank_pages(store, folder, lengths)


def _rank_pages(store: SqliteStore, folder: Path, lengths: dict[tuple[str, int], int]) -> Iterator[Drop]:
    """Yield copies first, then pages by their value."""
    rows: list[tuple[Any, ...]] = store.page_values()
    if not rows:
        return
    ids = np.array([row[0] for row in rows], np.int64)
    ranks = _read_ranks(folder, ids)
    beside = _share_of(folder / INDEX, len(rows)) + _share_of(store.path, 2 * len(rows))
    order = sorted(range(len(rows)), key=lambda at: (float(ranks[at]), -rows[at][1], rows[at][2]))
    originals: dict[int, int] = {}
    for at in sorted(range(len(rows)), key=lambda at: (rows[at][1], rows[at][2])):
        if rows[at][3]:
            originals.setdefault(rows[at][3], at)
    copies = [at for at in order if rows[at][3] and originals[rows[at][3]] != at]
    is_copy = set(copies)
    for at in [*copies, *(one for one in order if one not in is_copy)]:
        page, depth, fetched_s, _, url, warc, offset = rows[at]
        day = time.strftime("%Y-%m-%d", time.gmtime(fetched_s))
        value = f"rank {ranks[at]:.1f} (1 is average), depth {depth}, fetched on {day}"
        why = f"the same text as another page; {value}" if at in is_copy else f"the lowest value: {value}"
        yield Drop(page, url, lengths.get((warc, offset), 0) + _BESIDE_BYTES + beside, why)


def _read_ranks(folder: Path, ids: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the rank of each page by links, as a multiple of the average; 1 for all without an index."""
    from gossamer.search.links.static_rank import read_ranks

    ranks = read_ranks(folder / INDEX)
    return ranks.to_multiples(ids) if len(ranks.rows) else np.ones(len(ids))


def _share_of(path: Path, pages: int) -> int:
    if path.is_file():
        return path.stat().st_size // max(1, pages)
    return sum(one.stat().st_size for one in path.glob("*")) // max(1, pages) if path.is_dir() else 0


def _read_lengths(archive: Path) -> dict[tuple[str, int], int]:
    """Return the packed length of each response, by its file and offset."""
    found = {}
    for path in archive.glob("*.cdxj"):
        for line in path.read_text("utf-8").splitlines():
            about = read_line(line)
            if about:
                place = about["filename"], int(about["offset"])
                found[place] = int(about.get("length", 0))
    return found
