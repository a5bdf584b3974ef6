"""What a crawl needs of an archive: write visits, and read them again."""

from collections.abc import Mapping
from typing import Protocol

from gossamer.records import Exchange, Page
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.archive.read_exchange import Decode


class VisitArchive(Protocol):
    """Keeps the bytes of visits: in WARC files of a folder (`archive.py`), or in an object store."""

    about: Mapping[str, str]
    """Fields of the warcinfo record of each WARC file."""

    def write(
        self, exchange: Exchange, digest: str, same: Page | None = ..., facts: Mapping[str, str] = ...
    ) -> WarcPosition:
        """Write an exchange, or a revisit if page `same` has its bytes; return where it will be after a flush."""
        ...

    def flush(self) -> dict[str, int]:
        """Have everything written; return the files that changed, and the length of each that may be relied on."""
        ...

    def rewind(self, committed: Mapping[str, int]) -> None:
        """Cut off what was written beyond these lengths."""
        ...

    def read(self, place: WarcPosition, decode: Decode | None = None) -> Exchange | None:
        """Return the exchange at a position; None if there is none."""
        ...

    def close(self) -> None:
        """Finish and close the files."""
        ...
