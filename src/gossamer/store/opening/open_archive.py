"""Open the archive of a web, wherever it is."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from gossamer.store.archive.archive import Archive
from gossamer.store.archive.archive_reader import ArchiveReader
from gossamer.store.archive.visit_archive import VisitArchive

DATABASE = "database.json"


def open_import_archive(web: Path, committed: Mapping[str, int]) -> VisitArchive:
    """Return an archive to which an import writes; the caller holds the web's lock."""
    if not (web / DATABASE).exists():
        return Archive(web / "archive", committed)
    from gossamer.store.opening.web_archive import open_import_writer
    from gossamer.store.opening.web_location import read_database

    return open_import_writer(read_database(web), web)


CommittedFile = tuple[str, Path | None, int, int]
"""The name of a WARC file, where it is on this machine, its length, and the length that was committed."""


def list_committed_files(archive: Path, committed: Mapping[str, int]) -> Iterator[CommittedFile]:
    """Yield the committed WARC files of a web; those that are missing have no path, or no bytes.

    A file of a shared archive is fetched, and removed when the next one is.
    """
    if (archive.parent / DATABASE).exists():
        from gossamer.store.opening.web_archive import fetch_web_segments

        for segment in fetch_web_segments(archive.parent, sorted(committed.items())):
            has = segment.path.stat().st_size
            yield segment.path.name, segment.path if has else None, has, segment.committed
        return
    for name, upto in sorted(committed.items()):
        path = archive / name
        yield name, path, path.stat().st_size if path.is_file() else 0, upto


def open_reader(archive: Path) -> ArchiveReader:
    """Return a reader of the archive in this folder of a web; of a web in a database, of its shared archive."""
    web = archive.parent
    if not (web / DATABASE).exists():
        return ArchiveReader(archive)
    from gossamer.store.opening.web_archive import open_shared_reader
    from gossamer.store.opening.web_location import read_database

    return open_shared_reader(read_database(web), web)
