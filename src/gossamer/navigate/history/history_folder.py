"""The histories of the users of this machine, in the configuration folder: each person has a file of their own."""

from datetime import datetime
from pathlib import Path

from gossamer.fetch.credential_file import find_folder

FOLDER = "history"
_OWN = "own.sqlite"


def find_history_file(name: str = "", created: datetime | None = None, folder: Path | None = None) -> Path:
    """Return the file of a user; without a name, that of the person whose machine this is.

    A user who was removed and added again, or another one with the same name, has a new file: `created` tells them apart.
    """
    where = (folder if folder is not None else find_folder()) / FOLDER
    if not name:
        return where / _OWN
    stamp = f"-{created:%Y%m%d%H%M%S}" if created is not None else ""
    return where / f"user-{name}{stamp}.sqlite"
