"""The stored texts of a web: segments in a folder, and a list of those that count, which is replaced as a whole."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.atomic_file import make_temporary_folder, write_atomically
from gossamer.context.hot.text_segment import (
    Hashes,
    Ints,
    Segment,
    drop_known_words,
    is_member,
    merge_segments,
    open_segment,
    write_segment,
)
from gossamer.errors import BadInput
from gossamer.store.lock import Lock
from gossamer.store.opening.web_name import name_web
from gossamer.text.hot.text_memory import BAND_BITS, BANDS, NEAR_BITS, split_bands

FOLDER = "hot"
_LIST = "texts.json"
_FORMAT = 1
_TRIES = 5
# Segments of one size are merged when there are so many: each text is copied a few times in all.
_MERGED_AT_ONCE = 4
_SIZE_STEP = 4


class SegmentList(msgspec.Struct, frozen=True):
    """The content of the file that names the segments, the oldest first."""

    format: int = _FORMAT
    segments: tuple[str, ...] = ()
    """Those of the last refresh that ended: these are shown."""
    unfinished: tuple[str, ...] = ()
    """Those of a refresh that is under way or was killed, with what it has read so far; the next one continues with them."""
    next_number: int = 1
    refreshed_s: float = 0.0
    """When the last refresh that ended began; 0 if none did."""


class Versions(msgspec.Struct, frozen=True, eq=False):
    """What was read of some pages."""

    digests: Ints
    days: Ints
    """0 for pages that were not read."""


class StoredTexts:
    """The texts of a web, as they were when they were opened: a refresh does not change them."""

    def __init__(self, folder: Path, listed: SegmentList, segments: Sequence[Segment]) -> None:
        self.folder = folder
        self.listed = listed
        self.segments = tuple(segments)

    def __len__(self) -> int:
        return sum(map(len, self.segments))

    def find_versions(self, pages: Ints) -> Versions:
        """Return which version of each page was read last, and the day of that."""
        digests, days = np.zeros(len(pages), np.int64), np.zeros(len(pages), np.int64)
        for one in self.segments:
            if not len(one.read_pages):
                continue
            at = np.minimum(np.searchsorted(one.read_pages, pages), len(one.read_pages) - 1)
            there = one.read_pages[at] == pages
            digests[there], days[there] = one.read_digests[at[there]], one.read_days[at[there]]
        return Versions(digests, days)

    def find_sentences(self, digests: Sequence[int]) -> set[int]:
        """Return which of these sentences were read before."""
        wanted = np.array(digests, np.int64)
        found: set[int] = set()
        for one in self.segments:
            found.update(wanted[is_member(wanted, one.sentences)].tolist())
        return found

    def has_near_copy(self, simhash: int) -> bool:
        """Say whether a text with nearly this simhash was read before."""
        own = np.int64(simhash).astype(np.uint64)
        for band, key in enumerate(split_bands(simhash)):
            simhashes, starts = self._bands[band]
            near = simhashes[starts[key] : starts[key + 1]]
            if len(near) and int(np.bitwise_count(near ^ own).min()) <= NEAR_BITS:
                return True
        return False

    @cached_property
    def _bands(self) -> list[tuple[NDArray[np.uint64], Ints]]:
        """For each quarter of the simhashes: all simhashes, sorted by it, and where each of its values begins."""
        every = np.concatenate([np.empty(0, np.int64), *(one.simhashes for one in self.segments)])
        simhashes = every.astype(np.int64).view(np.uint64)
        bands = []
        for band in range(BANDS):
            keys = (simhashes >> np.uint64(band * BAND_BITS)).astype(np.uint16)
            order = np.argsort(keys, kind="stable")
            starts = np.searchsorted(keys[order], np.arange((1 << BAND_BITS) + 1))
            bands.append((simhashes[order], starts))
        return bands

    def find_words(self, hashes: Hashes) -> dict[int, str]:
        """Return the words of terms."""
        found: dict[int, str] = {}
        for one in self.segments:
            found |= one.find_words(hashes)
        return found


def open_texts(web: Path, unfinished: bool = False) -> StoredTexts:
    """Open the stored texts of a web; there are none if it was never read, or by an earlier version of the program.

    `unfinished` opens what a killed refresh has read, too, to continue it.
    """
    folder = web / FOLDER
    for _ in range(_TRIES):
        listed = _read_list(folder)
        names = listed.unfinished or listed.segments if unfinished else listed.segments
        try:
            return StoredTexts(folder, listed, [open_segment(folder / name) for name in names])
        except FileNotFoundError:  # a refresh has merged it meanwhile
            continue
    raise BadInput(f"{folder} is damaged: delete this folder; it is made anew")


def add_segment(texts: StoredTexts, segment: Segment) -> StoredTexts:
    """Add a segment to those of an unfinished refresh, merge segments of one size, and return the texts with it.

    The caller holds the lock.
    """
    names, segments = _list_names(texts), list(texts.segments)
    texts = _replace(texts, names, segments, slice(len(names), None), drop_known_words(segment, segments))
    while (merged := _find_merge(texts.segments)) is not None:
        whole = merge_segments(list(texts.segments[merged]))
        texts = _replace(texts, _list_names(texts), list(texts.segments), merged, whole)
    return texts


def finish_refresh(texts: StoredTexts, now_s: float) -> StoredTexts:
    """Show what the refresh has read from now on, and remove segments that do not count any more."""
    listed = SegmentList(
        segments=tuple(_list_names(texts)), next_number=texts.listed.next_number, refreshed_s=now_s
    )
    _write_list(texts.folder, listed)
    for path in texts.folder.glob("segment-*"):
        if path.name not in listed.segments:
            shutil.rmtree(path, ignore_errors=True)
    return StoredTexts(texts.folder, listed, texts.segments)


def _list_names(texts: StoredTexts) -> list[str]:
    return list(texts.listed.unfinished or texts.listed.segments)


@contextmanager
def lock_texts(web: Path) -> Iterator[None]:
    """Let one process at a time add texts."""
    folder = web / FOLDER
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise BadInput(f"{folder} cannot be made: {error.strerror}") from None
    try:
        lock = Lock(folder)
        lock.__enter__()
    except BadInput:
        raise BadInput(
            f"another process reads the texts of {name_web(web)} already: wait until it has ended"
        ) from None
    try:
        yield
    finally:
        lock.__exit__(None, None, None)


def _replace(
    texts: StoredTexts, names: list[str], segments: list[Segment], place: slice, new: Segment
) -> StoredTexts:
    """Write a segment in the place of others, which stay on disk until the refresh ends: other processes may read them."""
    name = _write_new(texts, new)
    names[place], segments[place] = [name], [open_segment(texts.folder / name)]
    listed = msgspec.structs.replace(
        texts.listed, unfinished=tuple(names), next_number=texts.listed.next_number + 1
    )
    _write_list(texts.folder, listed)
    return StoredTexts(texts.folder, listed, segments)


def _find_merge(segments: Sequence[Segment]) -> slice | None:
    """Return the last segments if enough of them are of one size or smaller."""
    sizes = [_measure_size(one) for one in segments]
    first = len(sizes)
    largest = 0
    while first > 0 and (first == len(sizes) or sizes[first - 1] <= largest):
        first -= 1
        largest = max(largest, sizes[first])
    return slice(first, len(sizes)) if len(sizes) - first >= _MERGED_AT_ONCE else None


def _measure_size(segment: Segment) -> int:
    pages, size = len(segment.read_pages), 0
    while pages >= _SIZE_STEP:
        pages //= _SIZE_STEP
        size += 1
    return size


def _write_new(texts: StoredTexts, segment: Segment) -> str:
    name = f"segment-{texts.listed.next_number}"
    try:
        with make_temporary_folder(texts.folder) as temporary:
            write_segment(segment, temporary / name)
            if (texts.folder / name).exists():  # of a process that was killed before it replaced the list
                shutil.rmtree(texts.folder / name)
            (temporary / name).replace(texts.folder / name)
    except OSError as error:
        raise BadInput(f"{texts.folder} cannot be written: {error.strerror}") from None
    return name


def _read_list(folder: Path) -> SegmentList:
    try:
        listed = msgspec.json.decode((folder / _LIST).read_bytes(), type=SegmentList)
    except FileNotFoundError:
        return SegmentList()
    except (OSError, msgspec.MsgspecError):
        raise BadInput(f"{folder / _LIST} is damaged: delete the folder {folder}; it is made anew") from None
    return listed if listed.format == _FORMAT else SegmentList()


def _write_list(folder: Path, listed: SegmentList) -> None:
    try:
        with write_atomically(folder / _LIST) as path:
            path.write_bytes(msgspec.json.encode(listed))
    except OSError as error:
        raise BadInput(f"{folder / _LIST} cannot be written: {error.strerror}") from None
