"""Browsers whose extension may read: each has a token of its own, which a person gave it with one click.

The file is in the user's configuration folder, and has digests only. A pairing that has begun is kept in memory, and ends after
minutes: the extension shows a code, the page of this server shows the same code, and the person who compares them presses the button.
"""

import fcntl
import hmac
import os
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from gossamer.atomic_file import write_atomically
from gossamer.errors import BadInput
from gossamer.fetch.credential_file import find_folder
from gossamer.ui.access.tokens import digest_token, make_token

FILE_NAME = "browsers.json"
EXPIRES_S = 300
_MOST_OPEN, _MOST_PAIRED = 5, 50
_LETTERS = "bcdfghjkmnpqrstvwxz23456789"
_CODE_LETTERS = 8
_MOST_NAME = 60


class PairedBrowser(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A browser that may read."""

    name: str
    """As its extension called itself."""
    token_sha256: str
    user: str
    """Who paired it; "" on a server without users."""
    created_s: float
    proof: str = ""
    """What ties it to the token of its user, or to the shared one: it ends with that token."""

    @property
    def number(self) -> str:
        """What a form calls it: the token stays secret."""
        return self.token_sha256[:16]


class OpenPairing(msgspec.Struct):
    """A pairing that waits for a person."""

    name: str
    code: str
    secret_sha256: str
    expires_s: float
    token: str = ""
    """Made when the person agreed; given to the extension once."""


class PairedBrowsers:
    """The browsers of one server, and the pairings that have begun."""

    def __init__(self, path: Path | None = None, clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._clock = clock
        self._open = dict[str, OpenPairing]()
        self._lock = threading.RLock()
        """Held while pairings are looked up and changed: pages run in threads, and the API in the loop."""
        self._read: tuple[tuple[int, int, int], tuple[PairedBrowser, ...]] | None = None

    @property
    def path(self) -> Path:
        """Where the browsers are kept."""
        return self._path if self._path is not None else find_folder() / FILE_NAME

    def list_browsers(self) -> Sequence[PairedBrowser]:
        """Return the paired browsers, oldest first; raise `BadInput` if the file cannot be read."""
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return ()
        stamp = found.st_ino, found.st_size, found.st_mtime_ns
        if self._read is None or self._read[0] != stamp:
            self._read = stamp, _read_browsers(self.path)
        return self._read[1]

    def find(self, token: str) -> PairedBrowser | None:
        """Return the browser with this token, in a time that does not depend on it; None if it is unknown or revoked."""
        digest, found = digest_token(token), None
        for one in self.list_browsers():
            if hmac.compare_digest(one.token_sha256, digest):
                found = one
        return found

    def begin(self, name: str) -> tuple[OpenPairing, str]:
        """Begin a pairing; return it with the secret that collects its token. Only a few can be open."""
        secret = make_token()
        code = "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LETTERS))
        shown = " ".join(name.split())[:_MOST_NAME] or "a browser"
        pairing = OpenPairing(shown, code, digest_token(secret), self._clock() + EXPIRES_S)
        with self._lock:
            self._drop_old()
            if len(self._open) >= _MOST_OPEN:
                raise BadInput(
                    "too many browsers ask to be paired at once; wait for five minutes and try again"
                )
            self._open[code] = pairing
        return pairing, secret

    def find_open(self, code: str) -> OpenPairing | None:
        """Return the pairing with this code that waits for a person; None if there is none, or no longer."""
        with self._lock:
            self._drop_old()
            found = self._open.get(code)
            return found if found is not None and not found.token else None

    def agree(self, code: str, user: str, prove: Callable[[str, str], str] | None = None) -> PairedBrowser:
        """Pair the browser with this code; raise `BadInput` if it no longer waits.

        `prove` returns, for the user and the digest of the new token, what ties the pairing to the token of the user.
        """
        # Of two clicks at once, the second finds no pairing that waits.
        with self._lock:
            pairing = self.find_open(code)
            if pairing is None:
                raise BadInput("no browser waits with this code; press “Pair” in the extension again")
            token = make_token()
            digest = digest_token(token)
            proof = prove(user, digest) if prove is not None else ""
            browser = PairedBrowser(pairing.name, digest, user, self._clock(), proof)
            self._change(lambda known: [*known, browser][-_MOST_PAIRED:])
            pairing.token = token
        return browser

    def collect(self, code: str, secret: str) -> OpenPairing | None:
        """Return a pairing to the extension that began it, with its token once a person agreed; None if there is none."""
        with self._lock:
            self._drop_old()
            found = self._open.get(code)
            if found is None or not hmac.compare_digest(found.secret_sha256, digest_token(secret)):
                return None
            if found.token:
                del self._open[code]
            return found

    def revoke(self, number: str) -> None:
        """Take the token from a browser; it holds at once."""
        self._change(lambda known: [one for one in known if one.number != number])

    def _drop_old(self) -> None:
        now_s = self._clock()
        self._open = {code: one for code, one in self._open.items() if one.expires_s > now_s}

    def _change(self, change: Callable[[Sequence[PairedBrowser]], Sequence[PairedBrowser]]) -> None:
        try:
            with self._lock, _lock_file(self.path):
                changed = change(self.list_browsers())
                with write_atomically(self.path) as new:
                    new.touch(0o600)
                    new.write_bytes(msgspec.json.encode(changed))
        except OSError as error:
            raise BadInput(f"paired browsers cannot be kept in {self.path}: {error.strerror}") from None


def _read_browsers(path: Path) -> tuple[PairedBrowser, ...]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=tuple[PairedBrowser, ...])
    except (OSError, msgspec.DecodeError) as error:
        raise BadInput(
            f"the paired browsers in {path} cannot be read: {error}; remove the file and pair them again"
        ) from None


@contextmanager
def _lock_file(path: Path) -> Iterator[None]:
    """Keep other processes from changing a file meanwhile."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with path.with_suffix(".lock").open("w") as lock:
        os.fchmod(lock.fileno(), 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
