"""A page that killed its readers is known to the next one."""

import errno
import fcntl
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gossamer.store.reading_attempts import FOLDER, ReadingAttempts, count_kills

PAGE, OTHER = -7_000_000_000_000_000_001, 12


DYING = """
import os, pathlib, signal, sys
from gossamer.store.reading_attempts import ReadingAttempts

attempts = ReadingAttempts(pathlib.Path(sys.argv[1]))
under_way = [attempts.attempt(int(page)) for page in sys.argv[2:]]
for one in under_way:
    one.__enter__()
os.kill(os.getpid(), signal.SIGKILL)
"""


def die_reading(folder: Path, *pages: int) -> None:
    """Start a process that is killed while it reads these pages."""
    command = [sys.executable, "-c", DYING, str(folder), *map(str, pages)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL


def test_a_page_is_left_alone_after_its_second_kill(tmp_path: Path) -> None:
    die_reading(tmp_path, PAGE)
    assert ReadingAttempts(tmp_path).banned == frozenset()
    assert count_kills(tmp_path) == {PAGE: 1}
    die_reading(tmp_path, OTHER, PAGE)
    assert ReadingAttempts(tmp_path).banned == {PAGE}
    assert count_kills(tmp_path) == {PAGE: 2, OTHER: 1}


def test_pages_that_were_read_are_not_counted(tmp_path: Path) -> None:
    attempts = ReadingAttempts(tmp_path)
    for page in range(1, 200):
        with attempts.attempt(page):
            pass
    with attempts.attempt(PAGE):
        other = ReadingAttempts(tmp_path)  # of another process: this one lives
    attempts.close()
    assert not other.banned
    assert not count_kills(tmp_path)
    assert not list((tmp_path / FOLDER).iterdir())


def test_more_pages_than_places_are_read(tmp_path: Path) -> None:
    attempts = ReadingAttempts(tmp_path)
    under_way = [attempts.attempt(page) for page in range(1, 100)]
    for one in under_way:
        one.__enter__()
    for one in under_way:
        one.__exit__(None, None, None)
    with attempts.attempt(PAGE):
        pass
    attempts.close()


def test_a_web_that_cannot_be_written_is_read(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("not a folder")
    attempts = ReadingAttempts(tmp_path)
    with attempts.attempt(PAGE):
        pass
    attempts.close()
    assert not attempts.banned


def test_a_note_that_cannot_be_opened_does_not_hide_the_others(tmp_path: Path) -> None:
    die_reading(tmp_path, PAGE)
    (tmp_path / FOLDER / "0-0.note").symlink_to(
        "missing"
    )  # as good as a note of another user: root may open that
    assert count_kills(tmp_path) == {}
    ReadingAttempts(tmp_path)
    assert count_kills(tmp_path) == {PAGE: 1}


def test_the_users_of_a_shared_web_may_open_the_notes_of_each_other(tmp_path: Path) -> None:
    before = os.umask(0o002)
    try:
        attempts = ReadingAttempts(tmp_path)
        with attempts.attempt(PAGE):
            [note] = (tmp_path / FOLDER).iterdir()
            assert stat.S_IMODE(note.stat().st_mode) == 0o664
        attempts.close()
    finally:
        os.umask(before)


def test_a_kill_counts_once_when_two_processes_start_at_the_same_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    die_reading(tmp_path, PAGE)
    lock, others = fcntl.flock, [ReadingAttempts]

    def lock_late(file: Any, how: int) -> None:
        if others:
            others.pop()(tmp_path)  # another process finds the note between our opening it and our lock
        lock(file, how)

    monkeypatch.setattr(fcntl, "flock", lock_late)
    ReadingAttempts(tmp_path)
    assert not others
    assert count_kills(tmp_path) == {PAGE: 1}


def test_a_disk_that_becomes_full_does_not_stop_the_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts = ReadingAttempts(tmp_path)
    with attempts.attempt(1):
        pass

    def refuse(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "pwrite", refuse)
    with attempts.attempt(2):
        pass
    attempts.close()
