"""Read the committed files of an archive."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

from gossamer.errors import StoreFailed
from gossamer.store.archive.archive import parse_file_name

PIECE_BYTES = 4 << 20


class CommittedFiles(Protocol):
    """The files of an archive and their committed bytes."""

    def list_files(self) -> list[tuple[str, int]]:
        """Return names and committed lengths, a file before those that refer to it."""
        ...

    def read(self, name: str, length: int) -> Iterator[bytes]:
        """Yield the first bytes of a file in pieces, fewer where bytes are missing."""
        ...


class FolderFiles:
    """The WARC files of a web in a directory."""

    def __init__(self, folder: Path, committed: Mapping[str, int]) -> None:
        self._folder = folder
        self._committed = committed

    def list_files(self) -> list[tuple[str, int]]:
        """Return names and committed lengths, those of each shard in their order."""
        return sorted(
            self._committed.items(), key=lambda file: (parse_file_name(file[0]) or (0, 0))[::-1] + file
        )

    def read(self, name: str, length: int) -> Iterator[bytes]:
        """Yield the first bytes of a file in pieces."""
        try:
            with (self._folder / name).open("rb") as file:
                while length and (piece := file.read(min(length, PIECE_BYTES))):
                    length -= len(piece)
                    yield piece
        except FileNotFoundError:
            return
        except OSError as error:
            raise StoreFailed(f"{self._folder / name} could not be read: {error.strerror}") from None
