"""Open the archive of a web for reading, wherever it is."""

from pathlib import Path

from gossamer.store.archive.archive_reader import ArchiveReader

DATABASE = "database.json"


def open_reader(archive: Path) -> ArchiveReader:
    """Return a reader of the archive in this folder of a web; of a web in a database, of its shared archive."""
    web = archive.parent
    if not (web / DATABASE).exists():
        return ArchiveReader(archive)
    from gossamer.store.web_archive import open_shared_reader
    from gossamer.store.web_location import read_database

    return open_shared_reader(read_database(web), web)
