"""Change the users file: add and remove users, change their roles, and give them new tokens."""

import difflib
import fcntl
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import msgspec

from gossamer.atomic_file import write_atomically
from gossamer.errors import BadInput
from gossamer.ui.access.roles import RoleName
from gossamer.ui.access.tokens import digest_token, make_token
from gossamer.ui.access.users_file import Account, check_user_name, fold_name, read_accounts

_HEAD = (
    "# The users of `gossamer serve`, written by `gossamer users`. Tokens are not here: only their digests.\n"
)
_Change = Callable[[Sequence[Account]], Sequence[Account]]


def add_user(path: Path, name: str, role: RoleName, now: datetime) -> str:
    """Add a user; return their token, which is stored nowhere."""
    token = make_token()
    new = Account(check_user_name(name), role, digest_token(token), now)

    def add(accounts: Sequence[Account]) -> Sequence[Account]:
        if any(fold_name(one.name) == fold_name(name) for one in accounts):
            raise BadInput(
                f"there is a user {name} already: `gossamer users token {name}` gives them a new token, "
                f"`gossamer users role {name} ROLE` another role"
            )
        return [*accounts, new]

    _change(path, add)
    return token


def remove_user(path: Path, name: str) -> None:
    """Remove a user; their token and their sessions end."""

    def remove(accounts: Sequence[Account]) -> Sequence[Account]:
        gone = find_account(accounts, name)
        return [one for one in accounts if one is not gone]

    _change(path, remove)


def change_role(path: Path, name: str, role: RoleName) -> None:
    """Give a user another role."""
    _change(path, lambda accounts: _replace(accounts, name, role=role))


def renew_token(path: Path, name: str) -> str:
    """Give a user a new token and return it; the old one and all sessions end."""
    token = make_token()
    _change(path, lambda accounts: _replace(accounts, name, token_sha256=digest_token(token)))
    return token


def find_account(accounts: Sequence[Account], name: str) -> Account:
    """Return the account of a user; raise BadInput if there is none."""
    for account in accounts:
        if fold_name(account.name) == fold_name(name):
            return account
    near = difflib.get_close_matches(name, [one.name for one in accounts], n=1)
    hint = f"did you mean {near[0]!r}?" if near else "`gossamer users list` shows all"
    raise BadInput(f"there is no user {name[:80]!r}; {hint}")


def _replace(accounts: Sequence[Account], name: str, **fields: str) -> list[Account]:
    chosen = find_account(accounts, name)
    return [msgspec.structs.replace(one, **fields) if one is chosen else one for one in accounts]


def _change(path: Path, change: _Change) -> None:
    """Read the file, change it and write it, while no other process does so."""
    try:
        with _lock(path):
            _write(path, change(read_accounts(path)))
    except OSError as error:
        raise BadInput(
            f"users cannot be kept in {path}: {error.strerror}; name another file with --users"
        ) from None


def _write(path: Path, accounts: Sequence[Account]) -> None:
    with write_atomically(path) as new:
        file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(file, "wb") as out:
            out.write((_HEAD + "".join(map(_format, accounts))).encode())
            out.flush()
            os.fsync(file)


def _format(account: Account) -> str:
    """Return an account as TOML; names have no characters that need an escape."""
    return (
        f'\n[[users]]\nname = "{account.name}"\nrole = "{account.role}"\n'
        f'token_sha256 = "{account.token_sha256}"\ncreated = {account.created.isoformat(timespec="seconds")}\n'
    )


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Create the folder for its owner alone, and keep other processes from writing the file."""
    if not path.parent.is_dir():
        path.parent.parent.mkdir(parents=True, exist_ok=True)
        path.parent.mkdir(mode=0o700, exist_ok=True)
    lock = os.open(path.with_name(f".{path.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)
