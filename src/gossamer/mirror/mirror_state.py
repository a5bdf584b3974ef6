"""What a mirror remembers of its files: which URL each stands for, and a digest of what was written."""

from pathlib import Path

import msgspec
from xxhash import xxh3_128_hexdigest

from gossamer.atomic_file import write_atomically
from gossamer.errors import BadInput

HIDDEN = ".gossamer"
"""The folder of a mirror that holds its state and, unless it was made from another web, its own web."""
STATE_FILE = "mirror.json"
_VERSION = 1


class MirrorFile(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One file of a mirror."""

    path: str
    digest: str = ""
    """Of the bytes that were written; "" if none were written yet."""


class MirrorState(msgspec.Struct):
    """All files of a mirror by what they hold: a URL, or what the mirror wrote for itself."""

    start: str
    """The URL that the mirror begins at."""
    files: dict[str, MirrorFile] = {}
    version: int = _VERSION


def digest_content(content: bytes) -> str:
    """Return the digest of a file's content: it tells versions of one file apart, and proves nothing."""
    return xxh3_128_hexdigest(content)


def find_state(folder: Path) -> Path:
    """Return where the state of a mirror is."""
    return folder / HIDDEN / STATE_FILE


def load_state(folder: Path) -> MirrorState | None:
    """Return the state of a mirror; None if there is no mirror in this folder."""
    try:
        stored = find_state(folder).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise BadInput(f"{find_state(folder)} cannot be read: {error.strerror}") from None
    try:
        state = msgspec.json.decode(stored, type=MirrorState)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise BadInput(
            f"{find_state(folder)} is damaged; remove {folder} and mirror the site anew, or name another folder"
        ) from None
    if state.version != _VERSION:
        raise BadInput(f"{folder} is a mirror of another version of Gossamer; name another folder")
    return state


def save_state(folder: Path, state: MirrorState) -> None:
    """Write the state of a mirror, whole or not at all."""
    with write_atomically(find_state(folder)) as new:
        new.write_bytes(msgspec.json.encode(state))
