"""A segment of stored texts: their terms, dates and digests as arrays in files that are never changed.

A term is kept as 32 bits of its hash; the words themselves are in the segment that had them first. Two of ten million terms share
a hash with a probability of 1 in 400: such a word is only slightly less surprising. Arrays are mapped, not read.
"""

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from gossamer.context.hot.text_date import DATE_SOURCES, TextDate
from gossamer.errors import BadInput

Ints = NDArray[np.int64]
Hashes = NDArray[np.uint32]
_TYPES: dict[str, Any] = {
    "pages": np.int64,
    "days": np.int32,
    "sources": np.uint8,
    "sites": np.uint32,
    "languages": "S12",
    "starts": np.int64,
    "terms": np.uint32,
    "read_pages": np.int64,
    "read_digests": np.int64,
    "read_days": np.int32,
    "sentences": np.int64,
    "simhashes": np.int64,
    "word_hashes": np.uint32,
    "word_starts": np.int64,
    "letters": np.uint8,
}


class Segment(msgspec.Struct, frozen=True, eq=False):
    """Texts in the order of their days, and what was read to find them."""

    pages: Ints
    """The page of each text."""
    days: NDArray[np.int32]
    sources: NDArray[np.uint8]
    """Where each date comes from, as a place in `DATE_SOURCES`."""
    sites: Hashes
    languages: NDArray[np.bytes_]
    starts: Ints
    """Where the terms of each text begin; one more than there are texts."""
    terms: Hashes
    read_pages: Ints
    """All pages that were read, sorted; pages without new text, too."""
    read_digests: Ints
    """The version of each that was read."""
    read_days: NDArray[np.int32]
    sentences: Ints
    """The digests of all new sentences, sorted."""
    simhashes: Ints
    word_hashes: Hashes
    """The terms that no earlier segment has, sorted."""
    word_starts: Ints
    letters: NDArray[np.uint8]
    """All words in UTF-8, one after the other."""

    def __len__(self) -> int:
        return len(self.pages)

    def find_words(self, hashes: Hashes) -> dict[int, str]:
        """Return those of these terms whose words are here."""
        at = np.searchsorted(self.word_hashes, hashes)
        found = {}
        for place, hash_ in zip(at.tolist(), hashes.tolist(), strict=True):
            if place < len(self.word_hashes) and self.word_hashes[place] == hash_:
                letters = self.letters[self.word_starts[place] : self.word_starts[place + 1]]
                found[hash_] = letters.tobytes().decode("utf-8", "replace")
        return found


class TextRow(msgspec.Struct, frozen=True):
    """A text with its terms."""

    page: int
    date: TextDate
    site: str
    language: str
    terms: frozenset[str]


def hash_name(name: str) -> int:
    """Return 32 bits of the hash of a term or of the name of a site."""
    return xxh3_64_intdigest(name.encode("utf-8", "replace")) & 0xFFFFFFFF


def make_segment(
    rows: list[TextRow], read: dict[int, tuple[int, int]], sentences: set[int], simhashes: list[int]
) -> Segment:
    """Make a segment of texts; `read` has the version and the day of each page that was read. All of its words are in it."""
    ordered = sorted(rows, key=lambda row: row.date.day)
    hash_of = {term: hash_name(term) for row in ordered for term in row.terms}
    words = {hash_: term.encode("utf-8", "replace") for term, hash_ in hash_of.items()}
    known = sorted(words)
    pages = sorted(read)
    columns: dict[str, list[Any]] = {
        "pages": [row.page for row in ordered],
        "days": [row.date.day for row in ordered],
        "sources": [DATE_SOURCES.index(row.date.source) for row in ordered],
        "sites": [hash_name(row.site) for row in ordered],
        "languages": [row.language.encode("ascii", "replace") for row in ordered],
        "starts": _accumulate([len(row.terms) for row in ordered]),
        "terms": [hash_of[term] for row in ordered for term in row.terms],
        "read_pages": pages,
        "read_digests": [read[page][0] for page in pages],
        "read_days": [read[page][1] for page in pages],
        "sentences": sorted(sentences),
        "simhashes": simhashes,
        "word_hashes": known,
        "word_starts": _accumulate([len(words[hash_]) for hash_ in known]),
    }
    letters = np.frombuffer(b"".join(words[hash_] for hash_ in known), np.uint8)
    return Segment(
        **{name: np.array(column, _TYPES[name]) for name, column in columns.items()}, letters=letters
    )


def drop_known_words(segment: Segment, earlier: list[Segment]) -> Segment:
    """Return a segment without the words that earlier segments have."""
    new = np.ones(len(segment.word_hashes), np.bool_)
    for one in earlier:
        new &= ~is_member(segment.word_hashes, one.word_hashes)
    return msgspec.structs.replace(segment, **_select_words(segment, new))


def _select_words(segment: Segment, wanted: NDArray[np.bool_]) -> dict[str, Any]:
    lengths = np.diff(segment.word_starts)
    return {
        "word_hashes": segment.word_hashes[wanted],
        "word_starts": _accumulate(lengths[wanted]),
        "letters": segment.letters[np.repeat(wanted, lengths)],
    }


def is_member(values: NDArray[Any], among: NDArray[Any]) -> NDArray[np.bool_]:
    """Say which values are in a sorted array."""
    if not len(among):
        return np.zeros(len(values), np.bool_)
    at = np.minimum(np.searchsorted(among, values), len(among) - 1)
    found: NDArray[np.bool_] = among[at] == values
    return found


def write_segment(segment: Segment, folder: Path) -> None:
    """Write a segment into a new folder."""
    folder.mkdir()
    for name in _TYPES:
        np.save(folder / f"{name}.npy", getattr(segment, name))


def open_segment(folder: Path) -> Segment:
    """Open a segment; its arrays are mapped. Raise FileNotFoundError if it is gone, BadInput if it is damaged."""
    columns = {}
    for name, kind in _TYPES.items():
        path = folder / f"{name}.npy"
        try:
            try:
                columns[name] = np.load(path, mmap_mode="r")
            except ValueError:  # an empty array cannot be mapped
                columns[name] = np.load(path)
            if columns[name].dtype != np.dtype(kind):
                raise ValueError("of another type")
        except (ValueError, EOFError):
            raise BadInput(f"{path} is damaged: delete the folder {folder.parent}; it is made anew") from None
    return Segment(**columns)


def merge_segments(segments: list[Segment]) -> Segment:
    """Return the union of neighbouring segments, the oldest first. Cost: memory for the columns and one copy of the terms."""
    days = np.concatenate([one.days for one in segments])
    order = np.argsort(days, kind="stable")
    lengths = np.concatenate([np.diff(one.starts) for one in segments])
    read_pages, last = _keep_last(np.concatenate([one.read_pages for one in segments]))
    words = _merge_words(segments)
    return Segment(
        days=days[order],
        starts=np.array(_accumulate(lengths[order]), np.int64),
        terms=_gather_terms(segments, lengths, order),
        read_pages=read_pages,
        sentences=np.unique(np.concatenate([one.sentences for one in segments])),
        simhashes=np.concatenate([one.simhashes for one in segments]),
        **{
            name: np.concatenate([getattr(one, name) for one in segments])[order]
            for name in ("pages", "sources", "sites", "languages")
        },
        **{
            name: np.concatenate([getattr(one, name) for one in segments])[last]
            for name in ("read_digests", "read_days")
        },
        **words,
    )


def _gather_terms(segments: list[Segment], lengths: Ints, order: Ints) -> Hashes:
    """Return the terms of all texts in a new order."""
    starts = np.array(_accumulate(lengths), np.int64)
    terms = np.concatenate([one.terms for one in segments])
    new = np.empty(len(terms), np.uint32)
    at = 0
    # Runs of texts that stay neighbours are copied at once: segments are sorted by day already.
    breaks = np.flatnonzero(np.diff(order) != 1) + 1
    for first, end in zip([0, *breaks.tolist()], [*breaks.tolist(), len(order)], strict=True):
        if first < end:
            piece = terms[starts[order[first]] : starts[order[end - 1] + 1]]
            new[at : at + len(piece)] = piece
            at += len(piece)
    return new


def _merge_words(segments: list[Segment]) -> dict[str, Any]:
    hashes = np.concatenate([one.word_hashes for one in segments])
    lengths = np.concatenate([np.diff(one.word_starts) for one in segments])
    letters = np.concatenate([one.letters for one in segments])
    starts = np.array(_accumulate(lengths), np.int64)
    unique, first = np.unique(hashes, return_index=True)
    chosen = lengths[first]
    new_starts = np.array(_accumulate(chosen), np.int64)
    # For each letter of the result its place in the letters so far.
    places = np.repeat(starts[first] - new_starts[:-1], chosen) + np.arange(new_starts[-1])
    return {"word_hashes": unique, "word_starts": new_starts, "letters": letters[places]}


def _keep_last(pages: Ints) -> tuple[Ints, Ints]:
    """Return the sorted pages without repetitions, and the last place of each."""
    unique, first_from_end = np.unique(pages[::-1], return_index=True)
    return unique, len(pages) - 1 - first_from_end


def _accumulate(lengths: Any) -> Any:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)
