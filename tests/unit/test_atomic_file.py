"""Files and folders that appear whole or not at all."""

import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gossamer.atomic_file import make_temporary_folder, write_atomically


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


KILLED = """
import os, signal, sys
from pathlib import Path
from gossamer.atomic_file import write_atomically

with write_atomically(Path(sys.argv[1])) as new:
    if sys.argv[2] == "folder":
        new.mkdir()
    (new / "file" if new.is_dir() else new).write_text("a part")
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("kind", ["file", "folder"])
@pytest.mark.parametrize("next_name", ["out", "another"])
def test_the_next_writer_removes_what_a_killed_one_left(tmp_path: Path, kind: str, next_name: str) -> None:
    ran = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "out"), kind], timeout=60)
    assert ran.returncode == -signal.SIGKILL
    assert len(list(tmp_path.iterdir())) == 1
    with write_atomically(tmp_path / next_name) as new:
        new.write_text("whole")
    assert [path.name for path in tmp_path.iterdir()] == [next_name]


def test_the_part_of_a_living_writer_stays(tmp_path: Path) -> None:
    with write_atomically(tmp_path / "one") as one, make_temporary_folder(tmp_path) as folder:
        one.write_text("first")
        with write_atomically(tmp_path / "one") as other:
            other.write_text("second")
        assert one.read_text() == "first"
        assert folder.is_dir()
        assert (tmp_path / "one").read_text() == "second"
    assert (tmp_path / "one").read_text() == "first"
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


def test_a_part_whose_process_id_is_in_use_again_is_removed(tmp_path: Path) -> None:
    left = tmp_path / f".gossamer-{os.getpid()}-0123abcd.part"
    left.mkdir()
    (left / "out").write_text("a part")
    with write_atomically(tmp_path / "out") as new:
        new.write_text("whole")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_parts_of_earlier_versions_are_removed_if_their_process_is_gone(tmp_path: Path) -> None:
    kept = [
        ".out.1.part",
        f".out.{os.getpid()}.part",
        ".other.999999999.part",
        ".gossamer-1-x.part",
        "out.part",
    ]
    for name in [*kept, ".out.999999999.part"]:
        (tmp_path / name).write_text("a part")
    (tmp_path / ".out.999999998.part").mkdir()
    with write_atomically(tmp_path / "out") as new:
        new.write_text("whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*kept, "out"])


def test_a_name_may_be_as_long_as_the_file_system_allows(tmp_path: Path) -> None:
    with write_atomically(tmp_path / ("n" * 255)) as new:
        new.write_text("whole")
    assert (tmp_path / ("n" * 255)).read_text() == "whole"


def test_a_folder_that_another_process_took_for_abandoned_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = fcntl.flock
    removed: list[Path] = []

    def lose_once(file: int, how: int) -> None:
        if not removed:
            removed.append(next(tmp_path.iterdir()))
            removed[0].rmdir()
        lock(file, how)

    monkeypatch.setattr("gossamer.atomic_file.fcntl.flock", lose_once)
    with make_temporary_folder(tmp_path) as folder:
        assert folder.is_dir()
        assert folder != removed[0]
    assert list(tmp_path.iterdir()) == []
