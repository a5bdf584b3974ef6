"""The WARC files of a web, as forgetting reads them and writes them anew: here those of a web in a directory."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

from gossamer.forget.warc.plan_edits import Edit
from gossamer.forget.warc.write_anew import SUFFIX, read_line, write_anew, write_index
from gossamer.store.archive import cdxj_index
from gossamer.store.archive.archive_reader import ArchiveReader, WarcPosition
from gossamer.store.archive.warc_records import WarcRecord

IsGone = Callable[[str, int], bool]
"""Says of a URL and an offset whether a file has no such record any more."""


class WarcFiles(Protocol):
    """The WARC files of a web, wherever they are."""

    @property
    def ends(self) -> Mapping[str, int]:
        """The files that the state names, and the committed length of each."""
        ...

    def clean_up(self) -> None:
        """Remove what a killed process has left."""
        ...

    def find(self, name: str) -> Path | None:
        """Return a file on this machine, until the next call; None if there is none."""
        ...

    def read_record(self, place: WarcPosition) -> WarcRecord | None:
        """Return the record at a position; None if there is none."""
        ...

    def find_revisits(self, digests: Collection[str]) -> Iterator[tuple[str, int]]:
        """Yield files and offsets of the revisits of responses with these digests. Cost: a pass over all indexes."""
        ...

    def group(self, names: Iterable[str]) -> Iterator[list[str]]:
        """Yield the files that are put in their places together."""
        ...

    def change(self, name: str, edits: Collection[Edit], is_gone: IsGone) -> None:
        """Write a file anew."""
        ...

    def put_back(self) -> None:
        """Put the files of a group that were changed in their places."""
        ...


class LocalWarcs:
    """The files in the folder `archive` of a web, each with its index beside it."""

    def __init__(self, folder: Path, ends: Mapping[str, int]) -> None:
        self.ends = ends
        self._folder = folder
        self._reader = ArchiveReader(folder)
        self.read_record = self._reader.read_record

    def clean_up(self) -> None:
        """Remove what a killed process has left."""
        for left in self._folder.glob(f"*{SUFFIX}"):
            left.unlink()

    def find(self, name: str) -> Path | None:
        """Return a file; None if there is none."""
        path = self._folder / name
        return path if name in self.ends and path.is_file() else None

    def find_revisits(self, digests: Collection[str]) -> Iterator[tuple[str, int]]:
        """Yield files and offsets of the revisits of responses with these digests. Cost: a pass over all indexes."""
        for name in sorted(self.ends):
            path = self.find(name)
            if path is None:
                continue
            if cdxj_index.is_fresh(path):
                lines: Iterable[str] = cdxj_index.index_path(path).read_text("utf-8").splitlines()
            else:
                lines = cdxj_index.index_warc(path, self.ends[name])
            yield from ((name, offset) for offset in list_revisits(lines, digests))

    def group(self, names: Iterable[str]) -> Iterator[list[str]]:
        """Yield each file alone."""
        return ([name] for name in names)

    def change(self, name: str, edits: Collection[Edit], is_gone: IsGone) -> None:
        """Write a file anew, and its index; the index alone if a killed process has written the file only."""
        path = self._folder / name
        if edits:
            write_anew(path, self.ends[name], edits)
        if edits or _lists_gone(path, is_gone):
            write_index(path, self.ends[name], is_gone, [one.offset for one in edits if one.records])

    def put_back(self) -> None:
        """Do nothing: each file is in its place as soon as it is written."""


def list_revisits(lines: Iterable[str], digests: Collection[str]) -> Iterator[int]:
    """Yield the offsets of the revisits of responses with these digests, by the lines of an index."""
    found = (read_line(line) for line in lines if '"warc/revisit"' in line)
    return (int(one["offset"]) for one in found if one.get("digest") in digests)


def _lists_gone(path: Path, is_gone: IsGone) -> bool:
    index = cdxj_index.index_path(path)
    if not index.is_file():
        return False
    lines = map(read_line, index.read_text("utf-8").splitlines())
    return any(is_gone(one.get("url", ""), -1) for one in lines)
