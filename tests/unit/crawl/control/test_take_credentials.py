"""A task can be stored once its passwords are taken out of it; they belong to the origins of its start pages."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from gossamer.config import from_options, from_toml, replace_options
from gossamer.crawl.control.check_task import check_task
from gossamer.crawl.control.take_credentials import (
    TakenCredentials,
    ask_for_missing,
    change_credentials,
    take_credentials,
)
from gossamer.errors import BadInput
from gossamer.fetch.credentials import Credential, Login

A, B = "https://a.example", "http://b.example:8080"
SEEDS = [f"{A}/x", f"{B}/y", f"{A}/z"]


def take(**options: Any) -> tuple[str, dict[str, str]]:
    """Return what is stored as `auth`, and the passwords by origin and user."""
    taken = take_credentials(from_options(**options))
    check_task(taken.spec)
    assert "S3cret" not in repr(taken.spec)
    assert not (known := take_credentials(taken.spec, new=False)).credentials
    assert known.spec == taken.spec, "taking twice changes nothing"
    return taken.spec.fetching.auth, {str(one.login): one.secret for one in taken.credentials}


def test_a_task_without_passwords_stays_as_it_is() -> None:
    spec = from_options(seeds=[f"{A}/@x"], proxy="http://p.example:1")
    assert take_credentials(spec).spec == spec


def test_a_password_belongs_to_the_origins_of_the_start_pages() -> None:
    auth, secrets = take(seeds=SEEDS, sitemaps=["https://c.example/s.xml"], auth="alice:S3cret")
    assert auth == "http://alice@b.example:8080 https://alice@a.example https://alice@c.example"
    assert secrets == {f"alice at {origin}": "S3cret" for origin in (A, B, "https://c.example")}


def test_a_password_in_a_url_comes_first() -> None:
    auth, secrets = take(
        seeds=["https://bob:S3cret%201@a.example/", f"{B}/"],
        auth="alice:S3cret",
        sitemaps=["http://c:S3cret@c.example/"],
    )
    assert auth == "http://alice@b.example:8080 http://c@c.example https://bob@a.example"
    assert secrets == {
        f"bob at {A}": "S3cret 1",
        f"alice at {B}": "S3cret",
        "c at http://c.example": "S3cret",
    }


def test_a_password_may_be_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "auth").write_text("alice:S3cret \n", "utf-8")
    seeds = f"# pages\n{A}/\nhttp://bob:S3cret@b.example:8080/x\n"
    (tmp_path / "seeds").write_text(seeds, "utf-8")
    auth, secrets = take(seed_files=[str(tmp_path / "seeds")], auth=f"@{tmp_path / 'auth'}")
    assert auth == "http://bob@b.example:8080 https://alice@a.example"
    assert secrets == {f"bob at {B}": "S3cret", f"alice at {A}": "S3cret"}
    (tmp_path / "task.toml").write_text(f'seeds = ["{A}/"]\n[fetching]\nauth = "alice:S3cret"\n', "utf-8")
    assert take_credentials(from_toml(tmp_path / "task.toml")).spec.fetching.auth == "https://alice@a.example"


def test_the_password_of_a_proxy_is_taken_and_its_user_stays() -> None:
    spec = from_options(seeds=[f"{A}/"], proxy="http://bob:S3cret@p.example:3128")
    taken = take_credentials(spec)
    assert taken.spec.fetching.proxy == "http://bob@p.example:3128"
    assert taken.credentials == (Credential(Login("http://p.example:3128", "bob"), "S3cret"),)


@pytest.mark.parametrize(
    ("given", "stored", "secret"),
    [
        ("http://S3cret:@p.example:3128", "http://@p.example:3128", "S3cret:"),
        ("http://:S3cret@p.example:3128", "http://@p.example:3128", ":S3cret"),
        ("socks5h://:S3c%40ret@p.example", "socks5h://@p.example:1080", ":S3c@ret"),
        ("http://:@p.example:3128", "http://p.example:3128", None),
        ("socks4://bob:S3cret@p.example", "socks4://bob@p.example:1080", None),
        ("socks4a://:S3cret@p.example", "socks4a://p.example:1080", None),
        ("http://bob@p.example:3128", "http://bob@p.example:3128", None),
        ("http://@p.example:3128", "http://@p.example:3128", None),
    ],
)
def test_half_a_login_at_a_proxy_is_a_secret(given: str, stored: str, secret: str | None) -> None:
    taken = take_credentials(from_options(seeds=[f"{A}/"], proxy=given))
    assert taken.spec.fetching.proxy == stored
    login = Login(stored.replace("@", ""))
    assert taken.credentials == ((Credential(login, secret),) if secret else ())
    assert take_credentials(taken.spec, new=False) == TakenCredentials(taken.spec, ())


def test_the_variable_gives_a_login_to_new_tasks_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOSSAMER_AUTH", "alice:S3cret")
    assert take(seeds=[f"{A}/"]) == ("https://alice@a.example", {}), "its password is not kept"
    assert take(seeds=[f"{A}/"], auth="bob:S3cret")[0] == "https://bob@a.example"
    stored = from_options(seeds=[f"{A}/", "http://submitted.example/"])
    assert take_credentials(stored, new=False).spec.fetching.auth == ""


def test_a_stored_password_belongs_to_the_first_origin() -> None:
    stored = from_options(seeds=[f"{A}/", "http://submitted.example/"], auth="alice:S3cret")
    taken = take_credentials(stored, new=False)
    assert taken.spec.fetching.auth == "https://alice@a.example"
    assert taken.credentials == (Credential(Login(A, "alice"), "S3cret"),)


def test_a_key_that_is_a_user_name_is_no_part_of_the_login() -> None:
    assert take(seeds=[f"{A}/"], auth="S3cret:") == (A, {A: "S3cret:"})


def test_a_file_without_a_login_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "auth"
    for text in ("", "\nalice:S3cret\n", "  \n"):
        path.write_text(text, "utf-8")
        with pytest.raises(BadInput, match=r"the first line of .* is empty: write user:password there"):
            take(seeds=[f"{A}/"], auth=f"@{path}")
        with pytest.raises(BadInput, match="is empty"):
            change("https://alice@a.example", [f"{A}/"], auth=f"@{path}")


@pytest.mark.parametrize(
    "auth", ["@/no/such/file", "@~no-such-user/x", "@\0", ":", "https://alice:S3cret@:x/"]
)
def test_wrong_input_is_refused_without_showing_it(auth: str) -> None:
    with pytest.raises(BadInput) as caught:
        take(seeds=[f"{A}/"], auth=auth)
    assert "S3cret" not in str(caught.value)


def change(before: str, seeds: list[str], **options: Any) -> tuple[str, dict[str, str]]:
    spec = from_options(seeds=seeds, auth=before)
    taken = change_credentials(spec, replace_options(spec, **options))
    return taken.spec.fetching.auth, {str(one.login): one.secret for one in taken.credentials}


def test_a_changed_password_belongs_to_the_origins_of_the_old_one() -> None:
    seeds = [f"{A}/", "http://submitted.example/"]
    login = "https://alice@a.example"
    assert change(login, seeds, auth="alice:new") == (login, {f"alice at {A}": "new"})
    assert change(login, seeds, auth="bob:new") == ("https://bob@a.example", {f"bob at {A}": "new"})
    assert change(login, seeds, pages=3) == (login, {})
    assert change(login, seeds, auth="") == ("", {})
    assert change(login, seeds, auth="http://carol:new@c.example") == (
        "http://carol@c.example",
        {"carol at http://c.example": "new"},
    )


def test_a_first_password_needs_an_origin_if_there_are_several() -> None:
    assert change("", [f"{A}/", f"{A}/x"], auth="alice:new")[0] == "https://alice@a.example"
    with pytest.raises(BadInput, match="name the one that the password is for, as in --auth https://user@a"):
        change("", [f"{A}/", "http://submitted.example/"], auth="alice:new")


def test_a_missing_password_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOSSAMER_CONFIG", str(tmp_path))
    fetching = take_credentials(from_options(seeds=SEEDS, auth="alice")).spec.fetching
    asked: list[Login] = []

    def ask(login: Login) -> str:
        asked.append(login)
        return "S3cret"

    known = Credential(Login(A, "alice"), "known")
    found = ask_for_missing(tmp_path, fetching, [known], ask)
    assert (found[0], asked) == (known, [Login(B, "alice")])
    assert found[1] == Credential(Login(B, "alice"), "S3cret")
    for nothing in (None, lambda _: ""):
        with pytest.raises(
            BadInput, match=r"the password of alice at .* is not known here: give it as --auth"
        ):
            ask_for_missing(tmp_path, fetching, (), nothing)
    assert ask_for_missing(tmp_path, msgspec.structs.replace(fetching, auth=""), (), None) == ()
