"""Take the passwords out of a task before it is stored: what stays are its logins, which are no secret."""

from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from gossamer.config import Fetching, TaskSpec
from gossamer.crawl.control.start_tasks import list_start_pages, read_seed_files
from gossamer.errors import BadInput
from gossamer.fetch.credentials import (
    Credential,
    Login,
    format_logins,
    is_list_of_urls,
    list_missing,
    parse_auth,
    parse_login_url,
    parse_logins,
    read_given,
    read_variable,
    take_proxy_login,
)
from gossamer.fetch.proxy import parse_proxy
from gossamer.net import url as urls

Ask = Callable[[Login], str]
"""Asks a person for the secret of a login."""
_Secrets = dict[Login, str]
_replace = msgspec.structs.replace


class TakenCredentials(msgspec.Struct, frozen=True):
    """A task that can be stored, and the passwords that were in it."""

    spec: TaskSpec
    credentials: tuple[Credential, ...]


def take_credentials(spec: TaskSpec, new: bool = True) -> TakenCredentials:
    """Take the passwords out of a task's options and start pages.

    A user:password belongs to the origins of the start pages that are given with it; that of a stored task, which an
    older version left there, to the first origin, since others may have submitted the rest. A new task also gets the user
    of the variable GOSSAMER_AUTH; its password is read again whenever the task runs, and is not kept.
    """
    spec, in_urls = _take_user_info(spec)
    given = read_given(spec.fetching.auth)
    usual = read_variable() if new and not given else ""
    origins = _list_origins(spec) if given + usual and not is_list_of_urls(given + usual) else []
    origins = origins if new else origins[:1]
    others = dict.fromkeys(parse_auth(usual, origins), "")
    return _bind(spec, others | parse_auth(given, origins) | in_urls)


def change_credentials(before: TaskSpec, changed: TaskSpec) -> TakenCredentials:
    """Take the passwords out of a stored task whose options were changed.

    A user:password belongs to the origins of the task's logins. If it has none, its start pages must have one origin: of
    several, some may have been submitted by others.
    """
    given = read_given(changed.fetching.auth)
    origins = [login.origin for login in parse_logins(before.fetching.auth)]
    if given and not origins and not is_list_of_urls(given):
        origins = _list_origins(before)
        if len(origins) > 1:
            raise BadInput(
                f"the start pages have {len(origins)} origins: name the one that the password is for, as in "
                f"--auth {format_logins([Login(origins[0], 'user')])}"
            )
    return _bind(changed, parse_auth(given, origins))


def bind_credentials(spec: TaskSpec, origins: Iterable[str]) -> TakenCredentials:
    """Take the passwords out of a task's options; a user:password belongs to these origins."""
    return _bind(spec, parse_auth(spec.fetching.auth, origins))


def ask_for_missing(
    web: Path, fetching: Fetching, credentials: Iterable[Credential], ask: Ask | None
) -> tuple[Credential, ...]:
    """Return the credentials with those that a person was asked for; raise BadInput if a password is missing."""
    found = list(credentials)
    for login in list_missing(web, fetching, {one.login for one in found}):
        secret = ask(login) if ask is not None else ""
        if not secret:
            raise BadInput(
                f"the password of {login} is not known here: give it as --auth user:password or --auth @FILE "
                "(to `gossamer change`, if the task exists), in the variable GOSSAMER_AUTH, or in a netrc file"
            )
        found.append(Credential(login, secret))
    return tuple(found)


def _bind(spec: TaskSpec, secrets: _Secrets) -> TakenCredentials:
    """Return a task with these logins, one for each origin; of several, the last."""
    logins = {login.origin: login for login in secrets}
    kept = [Credential(login, secrets[login]) for login in logins.values() if secrets[login]]
    fetching, at_proxy = _take_proxy_password(spec.fetching)
    fetching = _replace(fetching, auth=format_logins(logins.values()))
    return TakenCredentials(_replace(spec, fetching=fetching), (*kept, *at_proxy))


def _list_origins(spec: TaskSpec) -> list[str]:
    return list(dict.fromkeys(map(urls.origin, list_start_pages(spec))))


def _take_user_info(spec: TaskSpec) -> tuple[TaskSpec, _Secrets]:
    """Take users and passwords out of the URLs of start pages."""
    in_files = read_seed_files(spec)
    given = [*spec.seeds, *spec.sitemaps, *in_files]
    if not any("@" in url for url in given):
        return spec, {}
    secrets = dict(parse_login_url(url) for url in given if urls.split_user_info(url)[1])
    if any(urls.split_user_info(url)[1] for url in in_files):
        spec = _replace(spec, seeds=(*spec.seeds, *in_files), seed_files=())
    seeds, sitemaps = (
        tuple(urls.split_user_info(url)[0] for url in these) for these in (spec.seeds, spec.sitemaps)
    )
    return _replace(spec, seeds=seeds, sitemaps=sitemaps), secrets


def _take_proxy_password(fetching: Fetching) -> tuple[Fetching, tuple[Credential, ...]]:
    """Take the password out of the URL of a proxy; its user stays, unless that is all there is."""
    proxy = parse_proxy(fetching.proxy) if "@" in fetching.proxy else None
    if proxy is None or proxy.user is None or proxy.password is None:
        return fetching, ()
    stored, credential = take_proxy_login(proxy)
    return _replace(fetching, proxy=stored), (credential,) if credential else ()
