from datetime import UTC, datetime
from pathlib import Path

import pytest

from gossamer.errors import BadInput
from gossamer.ui.access.change_users import add_user, change_role, find_account, remove_user, renew_token
from gossamer.ui.access.roles import OPERATOR, parse_role
from gossamer.ui.access.tokens import digest_token
from gossamer.ui.access.users_file import User, UsersFile, read_accounts

NOW = datetime(2026, 5, 31, 12, tzinfo=UTC)
DIGEST = "0" * 64


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config" / "users.toml"


def write(file: Path, text: str) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    file.chmod(0o600)


def make_entry(name: str = "anna", role: str = "reader", digest: str = DIGEST) -> str:
    return f'[[users]]\nname = "{name}"\nrole = "{role}"\ntoken_sha256 = "{digest}"\ncreated = 2026-05-31T12:00:00Z\n'


def test_users_are_added_changed_and_removed(file: Path) -> None:
    token = add_user(file, "anna", "reader", NOW)
    add_user(file, "Ærik.2", "judge", NOW)
    change_role(file, "anna", "operator")
    anna, erik = read_accounts(file)
    assert (anna.user, anna.created, anna.token_sha256) == (User("anna", OPERATOR), NOW, digest_token(token))
    assert (erik.name, erik.role) == ("Ærik.2", "judge")
    assert find_account(read_accounts(file), "ANNA") == anna
    assert renew_token(file, "anna") != token
    assert read_accounts(file)[0].token_sha256 != anna.token_sha256
    remove_user(file, "anna")
    assert [one.name for one in read_accounts(file)] == ["Ærik.2"]


def test_the_file_is_private_and_has_no_token(file: Path) -> None:
    tokens = [add_user(file, name, "reader", NOW) for name in ("anna", "ben")]
    assert len(set(tokens)) == 2
    assert all(len(token) >= 32 and token not in file.read_text() for token in tokens)
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)


@pytest.mark.parametrize(
    "name", ["", "<b>bold</b>", "a b", "\x1b[31mred", "a\nb", '"', "‮evil", "x" * 65, "-rf", "../up", "a\x00"]
)
def test_hostile_names_are_refused_in_one_line(file: Path, name: str) -> None:
    with pytest.raises(BadInput, match="cannot be the name of a user") as refused:
        add_user(file, name, "reader", NOW)
    assert str(refused.value).isprintable()
    assert not file.exists()


def test_a_name_is_given_once_whatever_its_case(file: Path) -> None:
    add_user(file, "anna", "reader", NOW)
    for same in ("anna", "ANNA", "ａｎｎａ"):
        with pytest.raises(BadInput, match="there is a user"):
            add_user(file, same, "operator", NOW)
    with pytest.raises(BadInput, match="did you mean 'anna'"):
        remove_user(file, "annna")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("users = 7", "is not a users file"),
        ("[[users]", "is not a users file"),
        ("[[user]]\nname = 'a'", "unknown field `user`"),
        (make_entry(role="king"), "'king'"),
        (make_entry(role="anyone"), "'anyone'"),
        (make_entry(digest="secret"), "token_sha256"),
        (make_entry(name="<script>"), "cannot be the name of a user"),
        (make_entry(name="\\u001b[31m"), "cannot be the name of a user"),
        (make_entry() + make_entry("ANNA"), "the same name twice"),
        (make_entry() + "admin = true\n", "unknown field `admin`"),
        ("a" * 1_000_001, "more than 1,000,000 bytes"),
        (f"users = {'[' * 5000}{']' * 5000}", "is not a users file"),
    ],
)
def test_a_broken_file_gets_one_sentence(file: Path, text: str, complaint: str) -> None:
    write(file, text)
    with pytest.raises(BadInput, match="mend it, or remove it") as refused:
        read_accounts(file)
    assert complaint in str(refused.value)
    with pytest.raises(BadInput):
        add_user(file, "ben", "reader", NOW)
    assert file.read_text() == text  # nothing is lost


def test_a_file_that_others_can_write_is_refused(file: Path) -> None:
    write(file, make_entry())
    file.chmod(0o620)
    with pytest.raises(BadInput, match="chmod 600"):
        read_accounts(file)


def test_a_changed_file_is_read_again(file: Path) -> None:
    users = UsersFile(file)
    assert users.read() == ()
    add_user(file, "anna", "reader", NOW)
    assert [one.name for one in users.read()] == ["anna"]
    write(file, "broken")
    for _ in range(2):
        with pytest.raises(BadInput):
            users.read()
    write(file, make_entry("ben"))
    assert [one.name for one in users.read()] == ["ben"]
    file.unlink()
    assert users.read() == ()


def test_roles_are_written_as_people_write_them() -> None:
    assert parse_role("operator") == "operator"
    with pytest.raises(BadInput, match="did you mean 'judge'"):
        parse_role("jugde")
    for wrong in ("anyone", "", "root\x1b"):
        with pytest.raises(BadInput, match="there is no role"):
            parse_role(wrong)
