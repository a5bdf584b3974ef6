"""Read the index of a web that belongs to another user."""

import os
import shutil
import weakref
from pathlib import Path
from tempfile import mkdtemp


def is_foreign(folder: Path) -> bool:
    """Return whether a folder exists and can only be read."""
    return folder.is_dir() and not os.access(folder, os.W_OK)


def link_files(folder: Path, user: object) -> Path:
    """Return a folder of our own that links to the files of an index: the engine writes a lock file even to read.

    The folder is removed when `user` no longer exists.
    """
    own = Path(mkdtemp(prefix="gossamer-index-"))
    weakref.finalize(user, shutil.rmtree, own, ignore_errors=True)
    for path in folder.iterdir():
        if path.suffix != ".lock":
            (own / path.name).symlink_to(path.resolve())
    return own
