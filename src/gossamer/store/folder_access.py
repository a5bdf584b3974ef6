"""Who may enter a web: its folder is private until you say otherwise, and all files in it follow the umask."""

import os
from contextlib import suppress
from pathlib import Path

from gossamer.errors import BadInput

VARIABLE = "GOSSAMER_WEB_MODE"
"""The variable with the permissions of new webs, in octal digits such as 750."""
_PRIVATE = 0o700


def create_private_folder(folder: Path) -> None:
    """Create the folder of a web for its owner alone, or with the permissions of GOSSAMER_WEB_MODE; keep one that exists."""
    mode = _read_mode()
    if folder.is_dir():
        return
    folder.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
    if mode != _PRIVATE:
        folder.chmod(mode)  # exactly this, whatever the umask is


def share_files(folder: Path) -> None:
    """Give the files of a folder its own permissions, which follow the umask: some libraries write files as private ones."""
    wanted = folder.stat().st_mode & 0o666
    for path in folder.iterdir():
        with suppress(OSError):  # removed meanwhile, or the file of another user
            mode = path.lstat().st_mode
            if path.is_file() and not path.is_symlink() and mode & 0o666 != wanted:
                path.chmod(wanted | mode & 0o111)


def _read_mode() -> int:
    given = os.environ.get(VARIABLE, "")
    try:
        mode = int(given or "700", 8)
    except ValueError:
        mode = 0
    if mode & _PRIVATE != _PRIVATE or not 0 <= mode <= 0o7777:
        raise BadInput(f"{VARIABLE}={given} are not the permissions of a folder: write it like 750 or 755")
    return mode
