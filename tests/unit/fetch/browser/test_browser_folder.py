"""Folders of browsers: removed when their crawl is gone, and never while it lives, whatever process ids say."""

import os
import tempfile
from pathlib import Path

import pytest

from gossamer.fetch.browser.browser_folder import BrowserFolder


@pytest.fixture(autouse=True)
def _own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def _move_to_other_container(folder: BrowserFolder) -> Path:
    """Name a folder as a process would that is not seen from here."""
    moved = folder.path.with_name("gossamer-browser-99999999-x")
    folder.path.rename(moved)
    return moved


def test_the_folder_of_a_crawl_that_lives_where_its_process_is_not_seen_stays() -> None:
    other = BrowserFolder()
    moved = _move_to_other_container(other)
    own = BrowserFolder()
    assert moved.is_dir()
    os.close(other._lock)  # as the system does when the crawl ends
    other._lock = -1
    own.remove()
    BrowserFolder().remove()
    assert not moved.exists()
    assert not own.path.exists()


def test_a_folder_that_is_being_made_stays_and_an_old_one_goes(tmp_path: Path) -> None:
    young, old = tmp_path / "gossamer-browser-1-young", tmp_path / "gossamer-browser-1-old"
    for path in (young, old):
        path.mkdir()
    os.utime(old, (1.0, 1.0))
    BrowserFolder().remove()
    assert young.is_dir()
    assert not old.exists()


def test_links_and_files_of_that_name_are_left_alone(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.mkdir()
    (target / "gossamer.lock").touch()
    link, file = tmp_path / "gossamer-browser-1-link", tmp_path / "gossamer-browser-1-file"
    link.symlink_to(target)
    file.touch()
    BrowserFolder().remove()
    assert link.is_symlink()
    assert file.is_file()
    assert (target / "gossamer.lock").is_file()
