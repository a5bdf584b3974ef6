"""The credentials file: passwords by web, origin and user, in a file that only its owner can read.

It is in the user's configuration folder and not in the web, which people copy, export and share.
"""

import fcntl
import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from gossamer.atomic_file import write_atomically
from gossamer.errors import BadInput

FILE_NAME = "credentials.json"
Stamp = tuple[int, int]
"""Tells one version of the file from the next."""
Passwords = dict[tuple[str, str], str]
"""Passwords by origin and user."""


class _Entry(msgspec.Struct, frozen=True):
    origin: str
    user: str
    password: str


_DECODER = msgspec.json.Decoder(dict[str, list[_Entry]])


def find_folder() -> Path:
    """Return the configuration folder: $GOSSAMER_CONFIG, else gossamer in $XDG_CONFIG_HOME or in ~/.config."""
    if chosen := os.environ.get("GOSSAMER_CONFIG"):
        return Path(chosen)
    home = os.environ.get("XDG_CONFIG_HOME")
    try:
        folder = Path(home) if home and Path(home).is_absolute() else Path("~/.config").expanduser()
    except RuntimeError:  # a user number without an account, as in containers
        raise BadInput(
            "passwords and users need a folder, and this user has no home folder: name one in the variable GOSSAMER_CONFIG"
        ) from None
    return folder / "gossamer"


def read_passwords(web: Path) -> Passwords:
    """Return the passwords of a web; none if there is no file."""
    try:
        path = find_folder() / FILE_NAME
    except BadInput:
        return {}
    entries = _read_file(path).get(_make_key(web), [])
    return {(one.origin, one.user): one.password for one in entries}


def change_passwords(
    web: Path, kept: Mapping[tuple[str, str], str], gone: Collection[tuple[str, str]]
) -> None:
    """Add passwords of a web to the file and remove others from it, in one step."""
    path = find_folder() / FILE_NAME
    try:
        with _lock_folder(path.parent):
            content = _read_file(path)
            key = _make_key(web)
            before = {(one.origin, one.user): one.password for one in content.get(key, [])}
            after = {login: password for login, password in before.items() if login not in gone}
            after.update(kept)
            if after == before:
                return
            content[key] = [_Entry(origin, user, after[origin, user]) for origin, user in sorted(after)]
            _write_file(path, {name: entries for name, entries in content.items() if entries})
    except OSError as error:
        raise BadInput(
            f"passwords cannot be kept in {path}: {error.strerror}; name another folder in the variable "
            "GOSSAMER_CONFIG, or give user:password in the variable GOSSAMER_AUTH instead"
        ) from None


def get_stamp() -> Stamp:
    """Return the stamp of the file; zeros if there is none."""
    try:
        found = (find_folder() / FILE_NAME).stat()
    except (OSError, BadInput):
        return 0, 0
    return found.st_mtime_ns, found.st_ino


def _make_key(web: Path) -> str:
    return os.fsencode(web.resolve()).decode("utf-8", "backslashreplace")


def _read_file(path: Path) -> dict[str, list[_Entry]]:
    try:
        data = path.read_bytes()
        if path.stat().st_mode & 0o077:
            with suppress(OSError):
                path.chmod(0o600)  # a copy or a restored backup may have lost it
        return _DECODER.decode(data)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise BadInput(f"{path} is not a credentials file: mend it or remove it") from None


def _write_file(path: Path, content: dict[str, list[_Entry]]) -> None:
    with write_atomically(path) as new:
        new.unlink(missing_ok=True)  # of a killed process that had the same number
        file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(file, "wb") as out:
            out.write(msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n")
            out.flush()
            os.fsync(file)


@contextmanager
def _lock_folder(folder: Path) -> Iterator[None]:
    """Create the folder for its owner alone, and keep other processes from writing the file."""
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    lock = os.open(folder / f".{FILE_NAME}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)
