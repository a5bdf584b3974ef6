"""Keep dictionaries, prepared for look-ups, in the user's cache folder.

Packages ship them packed; unpacking and preparing them takes nearly all of the time of loading. The cache can be removed at any time.
"""

import os
import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from gossamer.atomic_file import write_atomically

_FOLDER = "gossamer/dictionaries"
_CHECK_BYTES = 4


def read_prepared(path: Path, kind: str, prepare: Callable[[bytes], bytes]) -> bytes:
    """Return what `prepare` makes of a file, from the cache if it is there. Raise `OSError` if the file cannot be read.

    `kind` names what is made of it, and its version.
    """
    kept = _find_place(path, kind)
    if kept is not None:
        with suppress(OSError):  # missing
            if (content := _read_checked(kept)) is not None:
                return content
    content = prepare(path.read_bytes())
    if kept is not None:
        with suppress(OSError):  # no room, no permission: then it is prepared again the next time
            _keep(content, kept)
    return content


def _read_checked(place: Path) -> bytes | None:
    """Return the content of a file in the cache; None if it is damaged."""
    with place.open("rb", buffering=0) as file:
        check = file.read(_CHECK_BYTES)
        content = file.read()  # apart from the checksum, so that megabytes need not be copied
    return content if check == _compute_check(content) else None


def _keep(content: bytes, place: Path) -> None:
    """Write a content into the cache, in place of that of other versions of its file."""
    place.parent.mkdir(0o700, parents=True, exist_ok=True)
    with write_atomically(place) as new:
        new.write_bytes(_compute_check(content) + content)
    name = place.name.partition("-")[0]
    for other in place.parent.glob(f"{name}-*"):
        if other != place:
            other.unlink(missing_ok=True)


def _compute_check(content: bytes) -> bytes:
    """Return a checksum: an empty or damaged file does not have it."""
    return zlib.crc32(content, 1).to_bytes(_CHECK_BYTES, "little")


def _find_place(path: Path, kind: str) -> Path | None:
    """Return the place of a file in the cache; None if the user has no folder for it."""
    home = os.environ.get("XDG_CACHE_HOME")
    try:
        folder = Path(home) if home and Path(home).is_absolute() else Path("~/.cache").expanduser()
    except RuntimeError:  # a user number without an account, as in containers
        return None
    file = path.stat()
    # Numbers in it have the order of bytes of this machine.
    version = f"{file.st_size:x}-{file.st_mtime_ns:x}-{sys.byteorder}"
    return folder / _FOLDER / f"{path.stem.partition('.')[0]}.{kind}-{version}.checked"
