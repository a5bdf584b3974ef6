"""Settings of S3 come from the environment first, then from the files of AWS."""

from pathlib import Path

import pytest

from gossamer.store.shared_archive.aws_settings import read_aws_settings


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / ".aws"
    folder.mkdir()
    (folder / "credentials").write_text(
        "[default]\naws_access_key_id = file-key\naws_secret_access_key = file%secret\naws_session_token = token\n"
        "[work]\naws_access_key_id = work-key\naws_secret_access_key = work-secret\n",
        "utf-8",
    )
    (folder / "config").write_text(
        "[default]\nregion = eu-central-1\n[profile work]\nregion = eu-west-3\nendpoint_url = https://s3.example.org\n",
        "utf-8",
    )
    return tmp_path


def test_files_are_read(home: Path) -> None:
    assert read_aws_settings({"HOME": str(home)}) == {
        "access_key_id": "file-key",
        "secret_access_key": "file%secret",
        "session_token": "token",
        "region": "eu-central-1",
    }


def test_a_profile_is_chosen(home: Path) -> None:
    assert read_aws_settings({"HOME": str(home), "AWS_PROFILE": "work"}) == {
        "access_key_id": "work-key",
        "secret_access_key": "work-secret",
        "region": "eu-west-3",
        "endpoint": "https://s3.example.org",
    }


def test_the_environment_wins_and_takes_no_token_of_other_keys(home: Path) -> None:
    environment = {
        "HOME": str(home),
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "us-west-2",
        "AWS_ENDPOINT_URL": "http://127.0.0.1:1",
        "AWS_ENDPOINT_URL_S3": "http://127.0.0.1:2",
    }
    assert read_aws_settings(environment) == {
        "access_key_id": "key",
        "secret_access_key": "secret",
        "region": "us-west-2",
        "endpoint": "http://127.0.0.1:2",
    }


@pytest.mark.parametrize("content", [b"no section\n", b"\xff\xfe\n", b"[default]\n[default]\n"])
def test_damaged_or_missing_files_are_ignored(tmp_path: Path, content: bytes) -> None:
    assert read_aws_settings({"HOME": str(tmp_path)}) == {}
    (tmp_path / "credentials").write_bytes(content)
    assert read_aws_settings({"AWS_SHARED_CREDENTIALS_FILE": str(tmp_path / "credentials")}) == {}
