"""A web is private unless it is asked otherwise, and its files agree with each other."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.errors import BadInput
from gossamer.store.folder_access import create_private_folder, share_files


def mode_of(path: Path) -> int:
    return path.stat().st_mode & 0o7777


@pytest.fixture(autouse=True)
def _umask() -> Iterator[None]:
    before = os.umask(0o027)
    yield
    os.umask(before)


def test_a_new_folder_is_private(tmp_path: Path) -> None:
    create_private_folder(tmp_path / "deep" / "a.web")
    assert mode_of(tmp_path / "deep" / "a.web") == 0o700
    assert mode_of(tmp_path / "deep") == 0o750, "only the web itself"


def test_a_folder_that_exists_keeps_its_permissions(tmp_path: Path) -> None:
    (tmp_path / "a.web").mkdir(mode=0o755)
    before = mode_of(tmp_path / "a.web")
    create_private_folder(tmp_path / "a.web")
    assert mode_of(tmp_path / "a.web") == before


def test_other_permissions_can_be_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOSSAMER_WEB_MODE", "2775")
    create_private_folder(tmp_path / "a.web")
    assert mode_of(tmp_path / "a.web") == 0o2775
    for wrong in ("rwx", "888", "077", "77777", "-1"):
        monkeypatch.setenv("GOSSAMER_WEB_MODE", wrong)
        with pytest.raises(BadInput, match="GOSSAMER_WEB_MODE"):
            create_private_folder(tmp_path / "b.web")
    assert not (tmp_path / "b.web").exists()


def test_files_get_the_permissions_of_their_folder(tmp_path: Path) -> None:
    folder, outside = tmp_path / "index", tmp_path / "outside"
    folder.mkdir()
    for path, mode in ((folder / "private", 0o600), (folder / "open", 0o666), (outside, 0o600)):
        path.touch()
        path.chmod(mode)
    (folder / "link").symlink_to(outside)
    share_files(folder)
    assert (mode_of(folder / "private"), mode_of(folder / "open"), mode_of(outside)) == (0o640, 0o640, 0o600)
