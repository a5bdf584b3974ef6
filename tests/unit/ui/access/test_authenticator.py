from datetime import UTC, datetime
from pathlib import Path

import pytest

from gossamer.ui.access.authenticator import SESSION_S, Authenticator
from gossamer.ui.access.change_users import add_user
from gossamer.ui.access.guard import Guard
from gossamer.ui.access.roles import ANYONE, JUDGE, OPERATOR, READER
from gossamer.ui.access.users_file import User, UsersFile

NOW = datetime(2026, 5, 31, 12, tzinfo=UTC)
NOBODY = User("", ANYONE)


class Clock:
    def __init__(self) -> None:
        self.now_s = 1_000_000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "users.toml"


def find(authenticator: Authenticator, cookie: str, host: str = "search.example") -> User:
    return authenticator.identify({"cookie": f"gossamer={cookie}", "host": host}).user


def test_a_session_ends_after_a_month_and_with_the_server(file: Path) -> None:
    token, clock = add_user(file, "anna", "reader", NOW), Clock()
    authenticator = Authenticator(Guard(names=(), users=UsersFile(file)), clock)
    cookie = authenticator.log_in(token)
    assert token not in cookie
    clock.now_s += SESSION_S
    assert find(authenticator, cookie) == User("anna", READER)
    clock.now_s += 1
    assert find(authenticator, cookie) == NOBODY
    assert find(Authenticator(Guard(names=(), users=UsersFile(file)), Clock()), cookie) == NOBODY


def test_no_part_of_a_cookie_can_be_changed(file: Path) -> None:
    token = add_user(file, "anna", "reader", NOW)
    add_user(file, "ben", "operator", NOW)
    authenticator = Authenticator(Guard("a shared secret of all", names=(), users=UsersFile(file)))
    cookie = authenticator.log_in(token)
    name, start, nonce, mac = cookie.split(".")
    forged = [
        f"YmVu.{start}.{nonce}.{mac}",
        f".{start}.{nonce}.{mac}",
        f"{name}.{int(start) + 1}.{nonce}.{mac}",
    ]
    forged += [
        f"{name}.{start}.x.{mac}",
        f"{name}.{start}.{nonce}.",
        f"{name}..{nonce}.{mac}",
        "",
        "...",
        "é.1.2.3",
    ]
    forged += [f"=.{start}.{nonce}.{mac}", f"{name}.{start}.{nonce}.x.{mac}", cookie.upper(), "_w==.1.2.3"]
    assert [find(authenticator, one) for one in forged] == [NOBODY] * len(forged)
    assert find(authenticator, cookie).name == "anna"


def test_each_session_has_a_form_key_of_its_own(file: Path) -> None:
    token = add_user(file, "anna", "reader", NOW)
    authenticator = Authenticator(Guard(names=(), users=UsersFile(file)))
    cookies = [authenticator.log_in(token) for _ in range(2)]
    keys = {authenticator.identify({"cookie": f"gossamer={one}"}).form_key for one in cookies}
    keys.add(authenticator.identify({"authorization": f"Bearer {token}"}).form_key)
    assert len(keys) == 3
    assert authenticator.identify({}).form_key == ""


def test_users_that_come_later_close_an_open_server_and_keep_it_closed(file: Path) -> None:
    authenticator = Authenticator(Guard(users=UsersFile(file)))
    here = {"host": "127.0.0.1:8080"}
    assert authenticator.identify(here).user == User("", OPERATOR)
    token = add_user(file, "anna", "judge", NOW)
    assert authenticator.identify(here).user == NOBODY
    assert authenticator.identify({**here, "authorization": f"Bearer {token}"}).user == User("anna", JUDGE)
    file.unlink()
    assert authenticator.identify(here).user == NOBODY


@pytest.mark.parametrize(
    "given", ["", "Bearer", "Bearer  ", "Basic !!", "Basic Og==", "Digest x", "Bearer é"]
)
def test_an_empty_or_odd_header_is_nobodys(given: str) -> None:
    authenticator = Authenticator(Guard(names=()))
    assert authenticator.identify({"authorization": given}).user == NOBODY
    assert authenticator.log_in("") == ""
