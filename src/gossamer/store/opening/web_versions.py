"""The derived folders of a web: its index and its models.

Those of a web in a directory are in it. Those of a web in a database are versions in its archive: a writer changes a copy and
publishes it, and all machines read the newest version, from a cache in their working folders.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from gossamer.store.opening.open_archive import DATABASE

if TYPE_CHECKING:  # loaded for webs in a database only
    from gossamer.store.derived_versions.shared_folder import SharedFolder

INDEX = "index"
MODELS = "models"


def find_folder(folder: Path, kind: str) -> Path:
    """Return where the index or the models of a web can be read; there may be no such folder.

    A web in a database has its newest version there. Later calls return at once: a thread looks for newer versions.
    """
    if not (folder / DATABASE).exists():
        return folder / kind
    return _open_shared(folder, kind).find()


@contextmanager
def change_folder(folder: Path, kind: str) -> Iterator[Path]:
    """Yield the index or the models of a web, to be changed; those of a web in a database are published afterwards.

    Raise `WriterBusy` if another machine is changing them. What was changed before an error is not published, but is
    still there for the next writer on this machine if no other was faster.
    """
    if not (folder / DATABASE).exists():
        yield folder / kind
        return
    with _open_shared(folder, kind).change() as work:
        yield work


def drop_older_versions(folder: Path, kind: str) -> None:
    """Delete all versions of a web in a database but the newest one, in the archive and on this machine."""
    from gossamer.store.derived_versions.fetch_version import remove_older_copies
    from gossamer.store.derived_versions.publish_version import drop_old_versions
    from gossamer.store.opening.web_archive import open_writable
    from gossamer.store.opening.web_location import read_database

    drop_old_versions(open_writable(read_database(folder)), kind)
    remove_older_copies(folder / "versions" / kind)


_opened: "dict[tuple[Path, str], SharedFolder]" = {}
"""What this process has opened: all its threads use one version at a time."""


def _open_shared(folder: Path, kind: str) -> "SharedFolder":
    if (folder, kind) not in _opened:
        from gossamer.store.derived_versions.shared_folder import SharedFolder
        from gossamer.store.opening.web_archive import check_archive, open_writable
        from gossamer.store.opening.web_location import read_database

        address = read_database(folder)
        shared = SharedFolder(folder, kind, check_archive(address), lambda: open_writable(address))
        _opened.setdefault((folder, kind), shared)
    return _opened[folder, kind]
