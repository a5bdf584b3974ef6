"""The file with the server that this proxy asks, and its token; only its user can read it."""

import json
import os
from pathlib import Path
from typing import NamedTuple

FILE_NAME = "pairing.json"


class Pairing(NamedTuple):
    """A server, and the token that it gave."""

    server: str
    token: str


def read_pairing(path: Path) -> Pairing | None:
    """Return what a file says; None if there is none, or none that can be read."""
    try:
        found = json.loads(path.read_bytes())
        return Pairing(str(found["server"]), str(found["token"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_pairing(path: Path, pairing: Pairing) -> None:
    """Write the file; it is readable by its user alone from the moment it exists."""
    new = path.with_suffix(f".{os.getpid()}.new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump(pairing._asdict(), file)
    new.replace(path)
