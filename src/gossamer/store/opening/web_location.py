"""Where a web is: in a directory, or in a database, with a working folder on this machine.

The working folder of a web in a database holds what this machine needs beside it: a file that says where the database is, a
cache of the archive, a copy of the index, and credentials.
"""

import hashlib
import os
from pathlib import Path

import msgspec

from gossamer.atomic_file import write_atomically
from gossamer.errors import BadInput
from gossamer.store.folder_access import create_private_folder
from gossamer.store.opening.open_archive import DATABASE
from gossamer.store.postgres.address import Address, is_address, parse_address


class DatabaseLink(msgspec.Struct, frozen=True):
    """The content of the file in a working folder."""

    web: str
    """The address of the web; it never holds a password."""


def resolve_web(given: str | Path) -> Path:
    """Return the folder of a web: the directory itself, or the working folder of a web in a database."""
    text = str(given)
    if not is_address(text):
        return Path(given)
    address = parse_address(text)
    folder = _find_working_folder(address, text)
    if not (folder / DATABASE).exists():
        try:
            create_private_folder(folder)
            with write_atomically(folder / DATABASE) as path:
                path.write_bytes(msgspec.json.encode(DatabaseLink(text)))
        except OSError as error:
            raise BadInput(
                f"a working folder for {address} cannot be made at {folder}: {error.strerror}; "
                "set XDG_DATA_HOME to a folder that can be written"
            ) from None
    return folder


def find_database(folder: Path) -> Address | None:
    """Return the address of the database to which a working folder belongs; None for a web in a directory."""
    return read_database(folder) if (folder / DATABASE).exists() else None


def read_database(folder: Path) -> Address:
    """Return the parsed address of the database to which a working folder belongs."""
    return parse_address(read_address(folder))


def read_address(folder: Path) -> str:
    """Return the address of the web to which a working folder belongs, as it was given."""
    return read_link(folder).web


def read_link(folder: Path) -> DatabaseLink:
    """Return what the file in a working folder says."""
    try:
        return msgspec.json.decode((folder / DATABASE).read_bytes(), type=DatabaseLink)
    except (OSError, msgspec.MsgspecError):
        raise BadInput(
            f"{folder / DATABASE} is damaged: delete it, and give the address with --web"
        ) from None


def _find_working_folder(address: Address, text: str) -> Path:
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    name = "".join(char if char.isalnum() else "-" for char in address.parameters.get("dbname", "web"))[:40]
    return Path(home) / "gossamer" / "webs" / f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
