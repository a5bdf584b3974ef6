"""The folder of the proxy: its certificate authority and its token, which only its user may read."""

import os
import stat
from pathlib import Path

from gossamer.errors import BadInput
from gossamer.fetch.credential_file import find_folder

_FOLDER, _FILE = 0o700, 0o600
CERTIFICATE = "mitmproxy-ca-cert.pem"
"""What browsers import; it has no key."""


def open_private_folder() -> Path:
    """Return the folder, made if there is none; take the permissions of others away, and raise BadInput if that fails."""
    folder = find_folder() / "proxy"
    try:
        folder.mkdir(mode=_FOLDER, parents=True, exist_ok=True)
        if folder.is_symlink() or folder.stat().st_uid != os.getuid():
            raise BadInput(f"{folder} belongs to another user; remove it, or name another in GOSSAMER_CONFIG")
        _restrict(folder, _FOLDER)
        for path in folder.iterdir():
            if path.is_file() and not path.is_symlink():
                _restrict(path, _FILE)
    except OSError as error:
        raise BadInput(f"{folder} cannot be used: {error.strerror}") from None
    return folder


def _restrict(path: Path, mode: int) -> None:
    if stat.S_IMODE(path.stat().st_mode) != mode:
        path.chmod(mode)
