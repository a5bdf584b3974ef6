"""Keep dictionaries in the user's cache folder, packed so that they are read quickly.

The package simplemma packs them by LZMA, and unpacking these takes most of the time of loading. Packed by gzip they are as large, and
take a fifth of that time. The cache can be removed at any time.
"""

import lzma
import os
from contextlib import suppress
from pathlib import Path

from isal import igzip_lib

from gossamer.atomic_file import write_atomically

_FOLDER = "gossamer/dictionaries"
_LEVEL = 1


def read_packed(path: Path) -> bytes:
    """Return the content of a file packed by LZMA, from the cache if it is there. Raise `OSError` or `LZMAError` if it cannot be read."""
    kept = _find_place(path)
    if kept is not None:
        try:
            return igzip_lib.decompress(kept.read_bytes(), igzip_lib.DECOMP_GZIP)
        except (OSError, EOFError, igzip_lib.error):  # type: ignore[misc]  # missing, damaged; its stub declares an instance
            pass
    content = lzma.decompress(path.read_bytes())
    if kept is not None:
        with suppress(OSError):  # no room, no permission: then it is unpacked again the next time
            _keep(content, kept)
    return content


def _keep(content: bytes, place: Path) -> None:
    """Write a content into the cache, in place of that of other versions of its file."""
    place.parent.mkdir(0o700, parents=True, exist_ok=True)
    with write_atomically(place) as new:
        new.write_bytes(igzip_lib.compress(content, _LEVEL, igzip_lib.COMP_GZIP))
    name = place.name.partition("-")[0]
    for other in place.parent.glob(f"{name}-*"):
        if other != place:
            other.unlink(missing_ok=True)


def _find_place(path: Path) -> Path | None:
    """Return the place of a file in the cache; None if the user has no folder for it."""
    home = os.environ.get("XDG_CACHE_HOME")
    try:
        folder = Path(home) if home and Path(home).is_absolute() else Path("~/.cache").expanduser()
    except RuntimeError:  # a user number without an account, as in containers
        return None
    file = path.stat()
    return folder / _FOLDER / f"{path.stem}-{file.st_size:x}-{file.st_mtime_ns:x}.gz"
