import json
from pathlib import Path

import pytest

from gossamer.cli.main import run_verb
from gossamer.ui.access.tokens import digest_token
from gossamer.ui.access.users_file import read_accounts


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GOSSAMER_CONFIG", str(tmp_path / "config"))
    return tmp_path / "config" / "users.toml"


def test_a_user_is_added_listed_changed_and_removed(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_verb(["users", "list"]) == 0
    assert "There are no users in" in capsys.readouterr().out
    assert run_verb(["users", "add", "anna", "--role", "operator"]) == 0
    token = capsys.readouterr().out.split()[-1]
    assert [one.token_sha256 for one in read_accounts(file)] == [digest_token(token)]
    assert run_verb(["users", "token", "anna", "--json"]) == 0
    new = json.loads(capsys.readouterr().out)
    assert (new["name"], digest_token(new["token"])) == ("anna", read_accounts(file)[0].token_sha256)
    assert run_verb(["users", "role", "anna", "judge"]) == 0
    assert capsys.readouterr().out == "anna has the role judge now.\n"
    assert run_verb(["users", "list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert (listed["name"], listed["role"], set(listed)) == ("anna", "judge", {"name", "role", "created"})
    assert run_verb(["users", "list"]) == 0
    assert "judge" in capsys.readouterr().out
    assert run_verb(["users", "remove", "anna"]) == 0
    assert read_accounts(file) == ()


def test_a_file_can_be_named(tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other.toml"
    assert run_verb(["users", "add", "ben", "--users", str(other)]) == 0
    assert [one.role for one in read_accounts(other)] == ["reader"]
    assert not file.exists()
    assert run_verb(["serve", "--users", str(tmp_path / "none.toml")]) == 2
    assert "there is no users file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["add", "<b>\x1b[31m"], "cannot be the name of a user"),
        (["add", "anna", "--role", "oprator"], "did you mean 'operator'?"),
        (["remove", "anna"], "there is no user 'anna'"),
        (["role", "\x1b]0;x\x07", "judge"], "there is no user"),
        (["role", "anna", "\x9b31m"], "there is no role"),
        (["token", "anna"], "there is no user 'anna'"),
    ],
)
def test_wrong_use_gets_one_sentence(
    file: Path, arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_verb(["users", *arguments]) == 2
    said = capsys.readouterr()
    assert (said.out, sentence in said.err, said.err.count("\n")) == ("", True, 1)
    assert said.err.rstrip("\n").isprintable()


def test_a_broken_file_is_said(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.parent.mkdir()
    file.write_text("[[users]]\nname = 'anna'\n")
    assert run_verb(["users", "list"]) == 2
    assert "is not a users file" in capsys.readouterr().err


def test_a_web_brings_no_users(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from gossamer.web import Web

    web = tmp_path / "strange.web"
    Web(web).close()
    inside = web / "models" / "users.toml"
    assert run_verb(["users", "add", "eve", "--users", str(inside)]) == 0
    assert run_verb(["serve", "--web", str(web), "--users", str(inside)]) == 2
    assert "is in a web" in capsys.readouterr().err
