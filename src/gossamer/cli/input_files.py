"""Read files and standard input that are named on the command line."""

import sys
from pathlib import Path

from gossamer.errors import BadInput

STANDARD_INPUT = Path("-")


def check_readable(path: Path) -> None:
    """Raise `BadInput` if the path is not a file."""
    if path == STANDARD_INPUT:
        return
    if path.is_dir():
        raise BadInput(f"{path} is a folder: name files in it, such as {path}/*.txt")
    if not path.exists():
        raise BadInput(f"there is no file {path}")


def read_bytes(path: Path) -> bytes:
    """Read a file, or standard input."""
    try:
        return sys.stdin.buffer.read() if path == STANDARD_INPUT else path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from None
