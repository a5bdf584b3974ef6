"""Find out who sends a request: by a token, by the cookie of a session, or by the machine it comes from."""

import hashlib
import hmac
import secrets
import time
from base64 import b64decode, urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from starlette.requests import cookie_parser

from gossamer.ui.access.guard import Guard
from gossamer.ui.access.roles import JUDGE, OPERATOR
from gossamer.ui.access.tokens import digest_token
from gossamer.ui.access.users_file import Account, User
from gossamer.ui.access.visitor import Visitor

COOKIE = "gossamer"
SESSION_S = 30 * 86_400
_SHARED = ""
"""The name in sessions of those who share a token; no user can have it."""
_MOST_ENDED = 100_000
# What proxies add to requests that they pass on: these do not come from this machine, whatever their address is.
_PASSED_ON = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")


class Authenticator:
    """Knows the visitors of one server."""

    def __init__(self, guard: Guard, clock: Callable[[], float] = time.time) -> None:
        self._guard = guard
        self._clock = clock
        self._key = secrets.token_bytes(32)
        self._ended: dict[str, None] = {}
        """The sessions that were logged out, oldest first."""
        self._had_users = False
        self._read_accounts()

    def needs_login(self) -> bool:
        """Say whether visitors have to log in. A server that had users never opens itself to all, even if all were removed."""
        has_users = bool(self._read_accounts())
        return bool(self._guard.token) or has_users or self._had_users or not self._guard.names

    def has_users(self) -> bool:
        """Say whether there are users with tokens of their own."""
        return bool(self._read_accounts())

    def prove_pairing(self, name: str, digest: str) -> str:
        """Return what ties a paired browser to the token of its user, or to the shared one; "" if there is no token."""
        account = self._find_account(name) if name else None
        secret = account.token_sha256 if account is not None else "" if name else self._guard.token
        return (
            hmac.new(secret.encode(), f"paired {digest}".encode(), hashlib.sha256).hexdigest()
            if secret
            else ""
        )

    def may_still_read(self, name: str, digest: str, proof: str) -> bool:
        """Say whether what a user allowed still holds: with the token that they had, or as long as the server asks for none."""
        expected = self.prove_pairing(name, digest)
        if not expected:
            return not name and not proof and not self.needs_login()
        return hmac.compare_digest(expected, proof)

    def is_own_name(self, headers: Mapping[str, str]) -> bool:
        """Say whether a request uses a host name of a server that only this machine can reach."""
        return _strip_port(headers.get("host", "")) in self._guard.names

    def is_here(self, headers: Mapping[str, str]) -> bool:
        """Say whether a request comes from this machine, and only from it: no proxy has passed it on."""
        return self.is_own_name(headers) and not any(name in headers for name in _PASSED_ON)

    def get_created(self, name: str) -> datetime | None:
        """Return when a user was added; None if there is none with this name."""
        account = self._find_account(name)
        return account.created if account is not None else None

    def identify(self, headers: Mapping[str, str]) -> Visitor:
        """Return who sends a request; raise BadInput if the users file is broken."""
        is_here = self.is_here(headers)
        has_console = is_here or self._guard.console
        if not self.needs_login():
            return Visitor(self._get_nameless(is_here), self._make_form_key("open"), has_console=has_console)
        kind, token = _read_token(headers.get("authorization", ""))
        user = self._find_by_token(token, is_here)
        if user is not None:
            key = self._make_form_key(digest_token(token))
            return Visitor(user, key, has_console=has_console, is_program=kind == "bearer")
        cookie = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
        user = self._find_by_cookie(cookie, is_here)
        if user is not None:
            return Visitor(user, self._make_form_key(cookie), cookie, has_console)
        return Visitor(has_console=has_console)

    def log_in(self, token: str) -> str:
        """Return the cookie of a new session for a token; "" if the token is unknown."""
        user = self._find_by_token(token, is_here=False)
        if user is None:
            return ""
        name = urlsafe_b64encode(user.name.encode()).decode()
        begin = f"{name}.{int(self._clock())}.{secrets.token_urlsafe(16)}"
        return f"{begin}.{self._sign(begin, self._find_account(user.name))}"

    def log_out(self, cookie: str) -> None:
        """End the session of a cookie that was accepted."""
        self._ended[cookie] = None
        if len(self._ended) > _MOST_ENDED:
            del self._ended[next(iter(self._ended))]

    def _find_by_token(self, token: str, is_here: bool) -> User | None:
        """Return whose token this is, in a time that does not depend on it; None if the token is unknown."""
        digest, found = digest_token(token), None
        for account in self._read_accounts():
            if hmac.compare_digest(account.token_sha256, digest):
                found = account.user
        if self._guard.token and hmac.compare_digest(digest_token(self._guard.token), digest):
            found = found or self._get_nameless(is_here)
        return found

    def _find_by_cookie(self, cookie: str, is_here: bool) -> User | None:
        """Return whose session this is; None if it is unknown, has ended, or its user or token has changed."""
        begin, _, mac = cookie.rpartition(".")
        parts = begin.split(".")
        if len(parts) != 3 or cookie in self._ended or not cookie.isascii():
            return None
        try:
            name, start_s = urlsafe_b64decode(parts[0]).decode(), int(parts[1])
        except ValueError:
            return None
        account = self._find_account(name)
        if account is None and (name != _SHARED or not self._guard.token):
            return None
        if not hmac.compare_digest(mac, self._sign(begin, account)):
            return None
        if self._clock() - start_s > SESSION_S:
            return None
        return account.user if account is not None else self._get_nameless(is_here)

    def _sign(self, begin: str, account: Account | None) -> str:
        """Return the signature of a session. It ends with the token, and that of a user with the server too."""
        secret, token = (
            (self._key, account.token_sha256)
            if account is not None
            else (self._guard.token.encode(), "gossamer serve")
        )
        return hmac.new(secret, f"{token} {begin}".encode(), hashlib.sha256).hexdigest()

    def _make_form_key(self, session: str) -> str:
        return hmac.new(self._key, f"form {session}".encode(), hashlib.sha256).hexdigest()

    def _get_nameless(self, is_here: bool) -> User:
        """Return a visitor without a name: an operator at this machine, elsewhere a judge."""
        return User("", OPERATOR if is_here else JUDGE)

    def _find_account(self, name: str) -> Account | None:
        return next((one for one in self._read_accounts() if one.name == name), None)

    def _read_accounts(self) -> Sequence[Account]:
        accounts = self._guard.users.read() if self._guard.users is not None else ()
        self._had_users = self._had_users or bool(accounts)
        return accounts


def _read_token(authorization: str) -> tuple[str, str]:
    """Return the kind and the token of a header: a bearer token, or the password of basic authentication."""
    kind, _, given = authorization.partition(" ")
    kind = kind.lower()
    if kind != "basic":
        return kind, given.strip() if kind == "bearer" else ""
    try:
        return kind, b64decode(given.strip(), validate=True).decode().partition(":")[2]
    except ValueError:
        return kind, ""


def _strip_port(host: str) -> str:
    """Return a Host header without its port."""
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdecimal() else host).lower()
