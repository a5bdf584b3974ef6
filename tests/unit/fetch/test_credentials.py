"""Logins are stored with a task, and their passwords are found elsewhere."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.config import Fetching
from gossamer.errors import BadInput
from gossamer.fetch.credentials import (
    Credential,
    Login,
    format_logins,
    list_missing,
    load_access,
    parse_auth,
    parse_logins,
    save_credentials,
)
from gossamer.fetch.proxy import parse_proxy

A, B = "https://a.example", "http://b.example:8080"


@pytest.fixture(autouse=True)
def _config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOSSAMER_CONFIG", str(tmp_path / "config"))


@given(st.lists(st.builds(Login, st.sampled_from([A, B, "http://[::1]:1"]), st.text()), max_size=4))
def test_logins_survive_being_stored(logins: list[Login]) -> None:
    assert set(parse_logins(format_logins(logins))) == set(logins)


@pytest.mark.parametrize(
    "auth", ["alice:S3cret", "alice", "@file", "alice:S3 cret", "https://a:S3cret@a.example"]
)
def test_what_an_older_version_stored_is_no_login(auth: str) -> None:
    assert parse_logins(auth) == []


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("", {}),
        ("alice:pw:x", {Login(A, "alice"): "pw:x"}),
        ("alice", {Login(A, "alice"): ""}),
        ("key:", {Login(A): "key:"}),
        (":pw", {Login(A): ":pw"}),
        ("https://alice:pw@B.example/x http://bob@c.example", {
            Login("https://b.example", "alice"): "pw",
            Login("http://c.example", "bob"): "",
        }),
        ("https://key:@b.example", {Login("https://b.example"): "key:"}),
    ],
)  # fmt: skip
def test_what_can_be_given(given: str, expected: dict[Login, str]) -> None:
    assert parse_auth(given, [A]) == expected


def test_wrong_input_is_explained_without_the_password() -> None:
    for wrong in (":", "alice:\udcff"):
        with pytest.raises(BadInput, match="user:password"):
            parse_auth(wrong, [A])
    with pytest.raises(BadInput, match="not an origin") as caught:
        parse_auth("https://alice:S3cret@a.example:x", [A])
    assert "S3cret" not in str(caught.value)


def test_passwords_are_found_for_their_web_origin_and_user(tmp_path: Path) -> None:
    login, key, proxy = Login(A, "alice"), Login(B), Login("http://p.example:3128", "bob")
    save_credentials(tmp_path, [Credential(login, "pw"), Credential(key, "key:"), Credential(proxy, "p@s")])
    fetching = Fetching(auth=format_logins([login, key]), proxy="http://bob@p.example:3128")
    access = load_access(tmp_path, fetching)
    assert access.pages == {A: "alice:pw", B: "key:"}
    assert access.proxy == "http://bob:p%40s@p.example:3128"
    assert list_missing(tmp_path, fetching) == []
    elsewhere = tmp_path / "elsewhere"
    assert load_access(elsewhere, fetching).pages == {}
    assert list_missing(elsewhere, fetching) == [key, login, proxy]
    assert list_missing(elsewhere, fetching, [key]) == [login, proxy]
    other = Fetching(auth=format_logins([Login(A, "carol"), Login("http://a.example", "alice")]))
    assert load_access(tmp_path, other).pages == {}
    save_credentials(tmp_path, [], [login])
    assert load_access(tmp_path, fetching).pages == {B: "key:"}


def test_the_variable_is_used_for_pages_of_its_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    login, proxy = Login(A, "alice"), "http://alice@p.example:3128"
    save_credentials(tmp_path, [Credential(login, "old")])
    fetching = Fetching(auth=format_logins([login, Login(B, "bob")]), proxy=proxy)
    monkeypatch.setenv("GOSSAMER_AUTH", "alice:new")
    assert load_access(tmp_path, fetching) == type(load_access(tmp_path, fetching))({A: "alice:new"}, proxy)
    (tmp_path / "file").write_text("alice:newer\nmore\n", "utf-8")
    monkeypatch.setenv("GOSSAMER_AUTH", f"@{tmp_path / 'file'}")
    assert load_access(tmp_path, fetching).pages == {A: "alice:newer"}
    monkeypatch.setenv("GOSSAMER_AUTH", f"{B}/".replace("://", "://bob:pw@"))
    assert load_access(tmp_path, fetching).pages == {A: "alice:old", B: "bob:pw"}
    monkeypatch.setenv("GOSSAMER_AUTH", "@missing")
    with pytest.raises(BadInput, match="cannot read user:password from missing"):
        load_access(tmp_path, fetching)


@pytest.mark.parametrize(
    "proxy", ["http://p.example:1", "socks4://bob@p.example:1", "http://bob:@p.example:1"]
)
def test_a_proxy_without_a_password_asks_for_none(tmp_path: Path, proxy: str) -> None:
    assert list_missing(tmp_path, Fetching(proxy=proxy)) == []
    assert load_access(tmp_path, Fetching(proxy=proxy)).proxy == proxy


def test_a_credential_does_not_show_its_password() -> None:
    assert "S3cret" not in repr(Credential(Login(A, "alice"), "S3cret"))


@pytest.mark.parametrize("secret", ["key:", ":p@s", "key:p@s"])
def test_a_login_at_a_proxy_may_be_a_secret_as_a_whole(tmp_path: Path, secret: str) -> None:
    login, fetching = Login("http://p.example:3128"), Fetching(proxy="http://@p.example:3128")
    assert list_missing(tmp_path, fetching) == [login]
    assert load_access(tmp_path, fetching).proxy == fetching.proxy
    save_credentials(tmp_path, [Credential(login, secret)])
    assert list_missing(tmp_path, fetching) == []
    proxy = parse_proxy(load_access(tmp_path, fetching).proxy)
    assert (proxy.url, f"{proxy.user}:{proxy.password}") == (login.origin, secret)
