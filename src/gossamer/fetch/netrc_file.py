"""Finds passwords in a netrc file, as curl and ftp have them: `machine HOST login USER password PASSWORD`."""

import os
from pathlib import Path
from urllib.parse import urlsplit

from gossamer.errors import BadInput


def find_password(origin: str, user: str) -> str:
    """Return the password of a user at the host of an origin; "" if the file does not name both.

    The file is $NETRC, else ~/.netrc. Its `default` entry is not used: it would hold for every host.
    """
    try:
        path = Path(os.environ.get("NETRC") or "~/.netrc").expanduser()
    except RuntimeError:  # there is no such user, or no home folder
        return ""
    if not path.is_file():
        return ""
    _check_access(path)
    import netrc  # late: few crawls log in

    try:
        machines = netrc.netrc(str(path)).hosts
    except (OSError, UnicodeDecodeError, netrc.NetrcParseError):
        # The parser's own message may quote a password.
        raise BadInput(f"{path} is not a netrc file that can be read: mend it") from None
    login, _, password = machines.get(urlsplit(origin).hostname or "", ("", "", ""))
    return password or "" if login == user else ""


def _check_access(path: Path) -> None:
    """Raise BadInput if others could have read or written the file."""
    found = path.stat()
    if found.st_uid not in (os.getuid(), 0) or found.st_mode & 0o077:
        raise BadInput(f"{path} holds passwords and others can read it: run chmod 600 {path}")
