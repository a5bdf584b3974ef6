"""Passwords of a netrc file are used if it is private and names host and user."""

from pathlib import Path

import pytest

from gossamer.errors import BadInput
from gossamer.fetch.netrc_file import find_password

TEXT = "machine a.example login alice password S3cret\nmachine b.example login bob\ndefault login any password all\n"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "netrc"
    path.write_text(TEXT, "utf-8")
    path.chmod(0o600)
    monkeypatch.setenv("NETRC", str(path))
    return path


@pytest.mark.usefixtures("file")
@pytest.mark.parametrize(
    ("origin", "user", "password"),
    [
        ("https://a.example", "alice", "S3cret"),
        ("http://a.example:8080", "alice", "S3cret"),
        ("https://a.example", "bob", ""),
        ("https://b.example", "bob", ""),
        ("https://c.example", "any", ""),
        ("https://www.a.example", "alice", ""),
    ],
)
def test_host_and_user_must_be_named(origin: str, user: str, password: str) -> None:
    assert find_password(origin, user) == password


def test_the_usual_file_is_in_the_home_folder(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NETRC")
    monkeypatch.setenv("HOME", str(file.parent))
    assert find_password("https://a.example", "alice") == ""
    file.rename(file.parent / ".netrc")
    assert find_password("https://a.example", "alice") == "S3cret"


def test_a_file_of_an_unknown_user_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NETRC", "~no-such-user/.netrc")
    assert find_password("https://a.example", "alice") == ""


def test_a_file_that_others_can_read_is_refused(file: Path) -> None:
    file.chmod(0o640)
    with pytest.raises(BadInput, match="chmod 600"):
        find_password("https://a.example", "alice")


def test_a_malformed_file_is_explained_without_its_content(file: Path) -> None:
    file.write_text("S3cret", "utf-8")
    with pytest.raises(BadInput, match="is not a netrc file") as caught:
        find_password("https://a.example", "alice")
    assert "S3cret" not in str(caught.value)
