"""Files and folders that appear whole or not at all."""

from pathlib import Path

import pytest

from gossamer.atomic_file import write_atomically


def test_the_old_file_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with write_atomically(path) as new:
        new.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_is_written_like_a_file(tmp_path: Path) -> None:
    with write_atomically(tmp_path / "folder") as new:
        new.mkdir()
        (new / "file").write_text("content")
    assert (tmp_path / "folder" / "file").read_text() == "content"
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize("folder", [False, True])
def test_an_error_leaves_nothing_behind(tmp_path: Path, folder: bool) -> None:
    def fail() -> None:
        with write_atomically(tmp_path / "out") as new:
            if folder:
                new.mkdir()
            (new / "file" if folder else new).write_text("a part")
            raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        fail()
    assert list(tmp_path.iterdir()) == []
