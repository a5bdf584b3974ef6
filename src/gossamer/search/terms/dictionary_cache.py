"""Keep unpacked dictionaries in the user's cache folder.

The package simplemma packs them by LZMA, and unpacking them takes most of the time of loading. The cache can be removed at any time.
"""

import lzma
import os
import zlib
from contextlib import suppress
from pathlib import Path

from gossamer.atomic_file import write_atomically

_FOLDER = "gossamer/dictionaries"
_CHECK_BYTES = 4


def read_packed(path: Path) -> bytes:
    """Return the content of a file packed by LZMA, from the cache if it is there. Raise `OSError` or `LZMAError` if it cannot be read."""
    kept = _find_place(path)
    if kept is not None:
        with suppress(OSError):  # missing
            check, content = _split(kept.read_bytes())
            if check == _compute_check(content):
                return content
    content = lzma.decompress(path.read_bytes())
    if kept is not None:
        with suppress(OSError):  # no room, no permission: then it is unpacked again the next time
            _keep(content, kept)
    return content


def _keep(content: bytes, place: Path) -> None:
    """Write a content into the cache, in place of that of other versions of its file."""
    place.parent.mkdir(0o700, parents=True, exist_ok=True)
    with write_atomically(place) as new:
        new.write_bytes(_compute_check(content) + content)
    name = place.name.partition("-")[0]
    for other in place.parent.glob(f"{name}-*"):
        if other != place:
            other.unlink(missing_ok=True)


def _split(file: bytes) -> tuple[bytes, bytes]:
    return file[:_CHECK_BYTES], file[_CHECK_BYTES:]


def _compute_check(content: bytes) -> bytes:
    """Return a checksum: an empty or damaged file does not have it."""
    return zlib.crc32(content, 1).to_bytes(_CHECK_BYTES, "little")


def _find_place(path: Path) -> Path | None:
    """Return the place of a file in the cache; None if the user has no folder for it."""
    home = os.environ.get("XDG_CACHE_HOME")
    try:
        folder = Path(home) if home and Path(home).is_absolute() else Path("~/.cache").expanduser()
    except RuntimeError:  # a user number without an account, as in containers
        return None
    file = path.stat()
    return folder / _FOLDER / f"{path.stem}-{file.st_size:x}-{file.st_mtime_ns:x}.checked"
