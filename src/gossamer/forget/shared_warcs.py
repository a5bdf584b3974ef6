"""The segments of a shared archive, as forgetting reads them and writes them anew."""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from gossamer.forget.warc.plan_edits import Edit
from gossamer.forget.warc.write_anew import write_anew
from gossamer.forget.warc_files import IsGone, list_revisits
from gossamer.store.opening.changing_segments import ChangingSegments


class SharedWarcs:
    """The committed segments of a web in a database; those of one pack are put in their places together."""

    def __init__(self, segments: ChangingSegments) -> None:
        self._segments = segments
        self._changed: dict[str, Path] = {}
        self.ends = segments.ends
        self.clean_up = segments.pack_all
        self.read_record = segments.read_record

    def find(self, name: str) -> Path | None:
        """Return a segment as a file, until the next call; None if there is none."""
        return self._changed.get(name) or self._segments.fetch(name)

    def find_revisits(self, digests: Collection[str]) -> Iterator[tuple[str, int]]:
        """Yield segments and offsets of the revisits of responses with these digests. Cost: a pass over the indexes of all packs."""
        for segments, lines in self._segments.read_indexes():
            for offset in list_revisits(lines, digests):
                at = next(one for one in reversed(segments) if one.base <= offset)
                yield at.name, offset - at.base

    def group(self, names: Iterable[str]) -> Iterator[list[str]]:
        """Yield the segments of each pack together."""
        return self._segments.group(names)

    def change(self, name: str, edits: Collection[Edit], is_gone: IsGone) -> None:  # noqa: ARG002 - a pack brings its index
        """Write a segment anew on this machine."""
        if edits:
            self._changed[name] = self._segments.take_out(name)
            write_anew(self._changed[name], self.ends[name], edits)

    def put_back(self) -> None:
        """Replace the pack of the segments that were changed."""
        if self._changed:
            self._segments.replace(self._changed)
        for path in self._changed.values():
            path.unlink()
        self._changed.clear()
