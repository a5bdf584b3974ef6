"""Pairings at once, and what ends them: a new token, new users, a removed user."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gossamer.errors import BadInput
from gossamer.ui.access.authenticator import Authenticator
from gossamer.ui.access.change_users import add_user, remove_user
from gossamer.ui.access.guard import Guard
from gossamer.ui.access.paired_browsers import PairedBrowser, PairedBrowsers
from gossamer.ui.access.users_file import UsersFile

NOW = datetime(2026, 5, 31, 12, tzinfo=UTC)
FIRST, SECOND = "a shared token of many characters", "another shared token of many characters"


@pytest.fixture
def browsers(tmp_path: Path) -> PairedBrowsers:
    return PairedBrowsers(tmp_path / "browsers.json")


def _pair(browsers: PairedBrowsers, authenticator: Authenticator, user: str = "") -> PairedBrowser:
    pairing, _ = browsers.begin("a browser")
    return browsers.agree(pairing.code, user, authenticator.prove_pairing)


def _may_read(authenticator: Authenticator, one: PairedBrowser) -> bool:
    return authenticator.may_still_read(one.user, one.token_sha256, one.proof)


def test_of_many_clicks_at_once_one_pairs(browsers: PairedBrowsers) -> None:
    pairing, secret = browsers.begin("a browser")

    def click(_: int) -> bool:
        try:
            browsers.agree(pairing.code, "")
        except BadInput:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(click, range(32))) == 1
    (browser,) = browsers.list_browsers()
    collected = browsers.collect(pairing.code, secret)
    assert collected is not None
    assert browsers.find(collected.token) == browser


def test_browsers_that_begin_at_once_are_all_kept(browsers: PairedBrowsers) -> None:
    for _ in range(40):
        with ThreadPoolExecutor(5) as threads:
            begun = list(threads.map(browsers.begin, ["a browser"] * 5))
        for pairing, secret in begun:
            browsers.agree(pairing.code, "")
            assert browsers.collect(pairing.code, secret) is not None


def test_a_pairing_ends_with_the_shared_token_under_which_it_was_made(browsers: PairedBrowsers) -> None:
    nameless = _pair(browsers, Authenticator(Guard()))
    shared = _pair(browsers, Authenticator(Guard(FIRST)))
    assert _may_read(Authenticator(Guard()), nameless)
    assert not _may_read(Authenticator(Guard(FIRST)), nameless)
    assert _may_read(Authenticator(Guard(FIRST)), shared)
    assert not _may_read(Authenticator(Guard(SECOND)), shared)
    assert not _may_read(Authenticator(Guard()), shared)


def test_a_nameless_pairing_does_not_return_when_all_users_are_removed(
    browsers: PairedBrowsers, tmp_path: Path
) -> None:
    users = tmp_path / "users.toml"
    authenticator = Authenticator(Guard(users=UsersFile(users)))
    nameless = _pair(browsers, authenticator)
    assert _may_read(authenticator, nameless)
    add_user(users, "anna", "reader", NOW)
    assert not _may_read(authenticator, nameless)
    remove_user(users, "anna")
    assert not _may_read(authenticator, nameless)


def test_a_pairing_ends_with_the_token_of_its_user(browsers: PairedBrowsers, tmp_path: Path) -> None:
    users = tmp_path / "users.toml"
    authenticator = Authenticator(Guard(FIRST, users=UsersFile(users)))
    add_user(users, "anna", "reader", NOW)
    hers, shared = _pair(browsers, authenticator, "anna"), _pair(browsers, authenticator)
    assert _may_read(authenticator, hers)
    assert _may_read(authenticator, shared)  # the shared token lets visitors in beside users
    remove_user(users, "anna")
    add_user(users, "anna", "reader", NOW)
    assert not _may_read(authenticator, hers)
