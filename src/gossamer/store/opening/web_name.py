"""What messages call a web: its directory, or the address of its database and not the working folder on this machine."""

import shlex
from pathlib import Path

from gossamer.errors import GossamerError
from gossamer.store.opening.open_archive import DATABASE


def name_web(folder: Path) -> str:
    """Return the directory of a web, or its address."""
    if not (folder / DATABASE).exists():
        return str(folder)
    from gossamer.store.opening.web_location import read_link

    try:
        return read_link(folder).web
    except GossamerError:
        return str(folder)  # the file is damaged, and what opens the web says so


def quote_web(folder: Path) -> str:
    """Return what to write after `--web` on a command line."""
    return shlex.quote(name_web(folder))


def name_file(path: Path) -> str:
    """Return what messages call a file of a web: its path, or its name and the web's address."""
    for folder in path.parents:
        if (folder / DATABASE).exists():
            return f"{path.name} of {name_web(folder)}"
    return str(path)


def label_web(folder: Path) -> str:
    """Return a short name of a web: that of its directory or of its database."""
    if not (folder / DATABASE).exists():
        return folder.name
    from gossamer.store.opening.web_location import read_database

    address = read_database(folder)
    return address.parameters.get("dbname") or address.parameters.get("service") or folder.name
