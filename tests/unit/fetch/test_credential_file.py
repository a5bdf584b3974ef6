"""The credentials file belongs to its owner alone, and several processes can change it."""

import os
import threading
from pathlib import Path

import pytest

from gossamer.errors import BadInput
from gossamer.fetch import credential_file as file

LOGIN = ("https://a.example", "alice")


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GOSSAMER_CONFIG", str(tmp_path / "deep" / "config"))
    return tmp_path / "deep" / "config"


def test_only_the_owner_can_read_it(config: Path, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        file.change_passwords(tmp_path, {LOGIN: "pw"}, ())
    finally:
        os.umask(before)
    assert config.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in config.iterdir()} == {0o600}
    (config / file.FILE_NAME).chmod(0o644)
    assert file.read_passwords(tmp_path) == {LOGIN: "pw"}
    assert (config / file.FILE_NAME).stat().st_mode & 0o777 == 0o600


def test_passwords_are_kept_by_web(config: Path, tmp_path: Path) -> None:
    assert config.name == "config"
    stamp = file.get_stamp()
    one, other = tmp_path / "one", tmp_path / "other"
    file.change_passwords(one, {LOGIN: "pw"}, ())
    file.change_passwords(other, {LOGIN: "other"}, ())
    assert file.read_passwords(one) == {LOGIN: "pw"}
    assert stamp != file.get_stamp()
    stamp = file.get_stamp()
    file.change_passwords(one, {LOGIN: "pw"}, ())
    assert stamp == file.get_stamp(), "nothing changed"
    (tmp_path / "link").symlink_to(one)
    assert file.read_passwords(tmp_path / "link") == {LOGIN: "pw"}
    file.change_passwords(one, {}, {LOGIN})
    assert (file.read_passwords(one), file.read_passwords(other)) == ({}, {LOGIN: "other"})


def test_no_change_is_lost(config: Path, tmp_path: Path) -> None:
    assert not config.exists()
    threads = [
        threading.Thread(
            target=file.change_passwords, args=(tmp_path, {("https://a.example", str(user)): "pw"}, ())
        )
        for user in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(file.read_passwords(tmp_path)) == 8


def test_the_folder_follows_the_desktop_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GOSSAMER_CONFIG")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    assert file.find_folder() == tmp_path / ".config" / "gossamer"
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative")
    assert file.find_folder() == tmp_path / ".config" / "gossamer"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "x"))
    assert file.find_folder() == tmp_path / "x" / "gossamer"


def test_a_user_without_a_home_folder_is_told_to_name_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GOSSAMER_CONFIG", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)  # as for a user number without an account
    assert file.read_passwords(tmp_path) == {}
    assert file.get_stamp() == (0, 0)
    with pytest.raises(BadInput, match="GOSSAMER_CONFIG"):
        file.change_passwords(tmp_path, {LOGIN: "pw"}, ())


def test_a_file_that_cannot_be_used_is_explained(config: Path, tmp_path: Path) -> None:
    config.mkdir(parents=True)
    (config / file.FILE_NAME).write_text("S3cret", "utf-8")
    with pytest.raises(BadInput, match="is not a credentials file") as caught:
        file.read_passwords(tmp_path)
    assert "S3cret" not in str(caught.value)
