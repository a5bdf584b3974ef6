"""The users file: who may use `gossamer serve`, each with a role and the digest of a token.

It is in the user's configuration folder and never in a web: a web that comes from a stranger must not bring users.
"""

import os
import re
import tomllib
import unicodedata
from datetime import datetime
from pathlib import Path
from typing import Annotated

import msgspec

from gossamer.errors import BadInput
from gossamer.fetch.credential_file import find_folder
from gossamer.ui.access.roles import Role, RoleName

FILE_NAME = "users.toml"
_MOST_BYTES = 1_000_000
_OTHERS_MAY_WRITE = 0o022
_NAME = re.compile(r"\w[\w.-]{0,63}")
Stamp = tuple[int, int, int]
"""Tells one version of the file from the next."""


class User(msgspec.Struct, frozen=True):
    """A visitor of the server, as pages see them."""

    name: str
    """ "" for visitors without a name: those of this machine, and those who share a token."""
    role: Role


class Account(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A user as the file has them."""

    name: str
    role: RoleName
    token_sha256: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}$")]
    created: datetime

    @property
    def user(self) -> User:
        """The user of this account."""
        return User(self.name, Role[self.role.upper()])


class _Content(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    users: tuple[Account, ...] = ()


class UsersFile:
    """The users of a server, read again whenever the file has changed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stamp: Stamp | None = None
        self._accounts: tuple[Account, ...] = ()
        self._error = ""

    def read(self) -> tuple[Account, ...]:
        """Return the accounts as they are now; raise BadInput if the file is broken."""
        stamp = _get_stamp(self.path)
        if stamp != self._stamp:
            try:
                self._accounts, self._error = read_accounts(self.path), ""
            except BadInput as error:
                self._accounts, self._error = (), str(error)
            self._stamp = stamp
        if self._error:
            raise BadInput(self._error)
        return self._accounts


def find_users_file() -> Path:
    """Return the path of the users file in the configuration folder."""
    return find_folder() / FILE_NAME


def read_accounts(path: Path) -> tuple[Account, ...]:
    """Return the accounts of a users file; none if there is no file."""
    try:
        with path.open("rb") as file:
            mode, data = os.fstat(file.fileno()).st_mode, file.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise BadInput(
            f"the users file {path} cannot be read: {error.strerror}; name another one with --users"
        ) from None
    if mode & _OTHERS_MAY_WRITE:
        raise BadInput(
            f"other users of this machine can write {path}: check it, and then run `chmod 600` on it"
        )
    return _parse(path, data)


def check_user_name(name: str) -> str:
    """Return the name of a user, which is also a valid name of a judge; raise BadInput if it is not valid."""
    if _NAME.fullmatch(name) is None:
        raise BadInput(
            f"{name[:80]!r} cannot be the name of a user: it has up to 64 letters, digits, dots and dashes, and begins "
            "with a letter or a digit"
        )
    return name


def fold_name(name: str) -> str:
    """Return what equal names have in common: Anna and anna are one user."""
    return unicodedata.normalize("NFKC", name).casefold()


def _parse(path: Path, data: bytes) -> tuple[Account, ...]:
    advice = "mend it, or remove it and add the users again"
    if len(data) > _MOST_BYTES:
        raise BadInput(f"{path} is not a users file: it has more than {_MOST_BYTES:,} bytes; {advice}")
    try:
        accounts = msgspec.convert(tomllib.loads(data.decode("utf-8")), _Content).users
        for account in accounts:
            check_user_name(account.name)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError, BadInput) as error:
        raise BadInput(f"{path} is not a users file: {error}; {advice}") from None
    except RecursionError:
        raise BadInput(f"{path} is not a users file: it is nested too deeply; {advice}") from None
    if len({fold_name(account.name) for account in accounts}) < len(accounts):
        raise BadInput(f"{path} has the same name twice; {advice}")
    return accounts


def _get_stamp(path: Path) -> Stamp:
    """Return the stamp of the file; zeros if there is none."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0, 0
    return found.st_mtime_ns, found.st_ino, found.st_size
