"""Logins and credentials: who a task is at which origin, and the password that is sent there and nowhere else.

A stored task has logins, which are no secret. Passwords are found when the task runs: in the variable GOSSAMER_AUTH, in
the credentials file, or in a netrc file, in this order.
"""

import os
import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote, unquote

import msgspec

from gossamer.config import Fetching
from gossamer.errors import BadInput, BadUrl
from gossamer.fetch import credential_file, netrc_file
from gossamer.fetch.proxy import Proxy, parse_proxy
from gossamer.net import url as urls

VARIABLE = "GOSSAMER_AUTH"
_LOGIN = re.compile(r"(https?://)(?:([^\s/@:]+)@)?([^\s/@]+)")


class Login(msgspec.Struct, frozen=True):
    """An origin, and the name of the user that logs in there."""

    origin: str
    """Scheme, host and port, as in a canonical URL without its path; for a proxy, always with its port."""
    user: str = ""
    """"" if the name is a secret itself: keys of programs are names without a password."""

    def __str__(self) -> str:
        return f"{self.user} at {self.origin}" if self.user else self.origin


class Credential(msgspec.Struct, frozen=True):
    """A login with its secret."""

    login: Login
    secret: str
    """The password; user:password if the login has no user."""

    def __repr__(self) -> str:
        return f"Credential({self.login!r}, …)"


class Access(msgspec.Struct, frozen=True):
    """What a running task logs in with."""

    pages: dict[str, str]
    """user:password by origin."""
    proxy: str
    """The URL of the proxy, with its password."""


def split_pair(pair: str) -> tuple[str, str]:
    """Split user:password into the user of a login and its secret; the secret is "" if there is no colon."""
    user, colon, password = pair.partition(":")
    return ("", pair) if colon and not (user and password) else (user, password)


def parse_auth(given: str, origins: Iterable[str]) -> dict[Login, str]:
    """Return the logins of what was given as `auth`, each with its secret, "" if that is still unknown.

    A user:password holds for `origins`; a list of URLs such as https://user:password@host names its own.
    """
    if not given:
        return {}
    if is_list_of_urls(given):
        return dict(parse_login_url(word) for word in given.split())
    if not given.strip(":") or given.encode("utf-8", "ignore").decode() != given:
        raise BadInput("basic authentication is given as user:password, in UTF-8")
    user, secret = split_pair(given)
    return {Login(origin, user): secret for origin in origins}


def is_list_of_urls(given: str) -> bool:
    """Return whether what was given as `auth` names its origins itself."""
    return all(word.startswith(("http://", "https://")) for word in given.split())


def parse_login_url(given: str) -> tuple[Login, str]:
    """Return the login and the secret of a URL such as https://user:password@host."""
    url, pair = urls.split_user_info(given)
    try:
        origin = urls.origin(urls.canonical(url))
    except BadUrl as error:
        raise BadInput(
            f"{urls.hide_user_info(given)!r} is not an origin to log in at ({error.reason}); write it like "
            "https://user:password@www.example.org"
        ) from None
    user, secret = split_pair(pair)
    return Login(origin, user), secret


def format_logins(logins: Iterable[Login]) -> str:
    """Return logins as a task stores them: https://user@host, with spaces between them."""
    ordered = sorted(set(logins), key=lambda login: (login.origin, login.user))
    return " ".join(_format_url(login.origin, quote(login.user, safe="")) for login in ordered)


def parse_logins(auth: str) -> list[Login]:
    """Return the logins that a task stores; none if the text is anything else."""
    found = [_LOGIN.fullmatch(word) for word in auth.split(" ")] if auth else []
    return [] if None in found else [Login(one[1] + one[3], unquote(one[2] or "")) for one in found if one]


def list_logins(fetching: Fetching) -> set[Login]:
    """Return the logins of a task, at pages and at its proxy."""
    proxy = _find_proxy_login(fetching)
    return {*parse_logins(fetching.auth), *([proxy] if proxy else [])}


def take_proxy_login(proxy: Proxy) -> tuple[str, Credential | None]:
    """Return the URL of a proxy as a task stores it, and the credential that was in it.

    An @ sign without a user says that there is a login and that its user is a secret too.
    """
    if not proxy.knows_passwords or not (proxy.user or proxy.password):
        return _format_url(proxy.url, quote(proxy.user or "", safe="")), None
    user, secret = split_pair(f"{proxy.user}:{proxy.password}")
    return proxy.url.replace("://", f"://{quote(user, safe='')}@", 1), Credential(
        Login(proxy.url, user), secret
    )


def load_access(web: Path, fetching: Fetching) -> Access:
    """Find the passwords of a task; a login whose password is unknown is left out."""
    pages = {
        login.origin: f"{login.user}:{secret}" if login.user else secret
        for login in parse_logins(fetching.auth)
        if (secret := _find_secret(web, login))
    }
    url = fetching.proxy
    if (login := _find_proxy_login(fetching)) and (secret := _find_stored_secret(web, login)):
        user, _, password = (login.user, ":", secret) if login.user else secret.partition(":")
        url = _format_url(login.origin, f"{quote(user, safe='')}:{quote(password, safe='')}")
    return Access(pages, url)


def list_missing(web: Path, fetching: Fetching, known: Iterable[Login] = ()) -> list[Login]:
    """Return the logins of a task whose passwords are unknown, besides those that are `known` to the caller."""
    given = set(known)
    missing = [
        login for login in parse_logins(fetching.auth) if login not in given and not _find_secret(web, login)
    ]
    proxy = _find_proxy_login(fetching)
    if proxy is not None and proxy not in given and not _find_stored_secret(web, proxy):
        missing.append(proxy)
    return missing


def save_credentials(web: Path, credentials: Iterable[Credential], forgotten: Iterable[Login] = ()) -> None:
    """Keep credentials of a web in the credentials file, and remove forgotten ones from it."""
    kept = {(one.login.origin, one.login.user): one.secret for one in credentials}
    gone = {(one.origin, one.user) for one in forgotten} - kept.keys()
    if kept or gone:
        credential_file.change_passwords(web, kept, gone)


def read_variable() -> str:
    """Return user:password of the variable GOSSAMER_AUTH, or of the file that it names after an @ sign; "" for none."""
    return read_given(os.environ.get(VARIABLE, ""))


def read_given(auth: str) -> str:
    """Return what was given as `auth`: the text itself, or the first line of the file that it names after an @ sign."""
    if not auth.startswith("@"):
        return auth
    try:
        lines = Path(auth[1:]).expanduser().read_text("utf-8").splitlines()
    except OSError as error:
        raise BadInput(f"cannot read user:password from {auth[1:]}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInput(f"cannot read user:password from {auth[1:]}: it is not text in UTF-8") from None
    except (RuntimeError, ValueError):  # ~user without such a user, or a name with a null character
        raise BadInput(f"cannot read user:password from {auth[1:]!r}: there is no such file") from None
    if not (given := lines[0].strip() if lines else ""):
        raise BadInput(f"the first line of {auth[1:]} is empty: write user:password there")
    return given


def _find_proxy_login(fetching: Fetching) -> Login | None:
    """Return the login of a task at its proxy; None if there is none, or none with a password."""
    proxy = parse_proxy(fetching.proxy) if "@" in fetching.proxy else None
    return (
        Login(proxy.url, proxy.user) if proxy and proxy.user is not None and proxy.password is None else None
    )


def _find_secret(web: Path, login: Login) -> str:
    """Return the secret of a login; "" if it is unknown on this machine."""
    usual = parse_auth(read_variable(), [login.origin])
    return usual.get(login) or _find_stored_secret(web, login)


def _find_stored_secret(web: Path, login: Login) -> str:
    """Return the secret of a login from a file: GOSSAMER_AUTH is meant for pages and not for a proxy."""
    found = credential_file.read_passwords(web).get((login.origin, login.user), "")
    return found or (netrc_file.find_password(login.origin, login.user) if login.user else "")


def _format_url(origin: str, user_info: str) -> str:
    return origin.replace("://", f"://{user_info}@", 1) if user_info else origin
