"""A second crawl is refused with the process id of the first, and a dead crawl holds no lock."""

import multiprocessing
import os
import signal
import time
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from gossamer.errors import BadInput
from gossamer.store.lock import Lock

FORK = multiprocessing.get_context("fork")


def hold(folder: Path, sender: Connection) -> None:
    with Lock(folder):
        sender.send(os.getpid())
        time.sleep(60)


def test_a_second_holder_gets_the_process_id_of_the_first(tmp_path: Path) -> None:
    receiver, sender = FORK.Pipe(duplex=False)
    holder = FORK.Process(target=hold, args=(tmp_path, sender))
    holder.start()
    pid = receiver.recv()
    with pytest.raises(BadInput, match=rf"^\S+ is in use by process {pid};"), Lock(tmp_path):
        pass
    os.kill(pid, signal.SIGKILL)
    holder.join()
    with Lock(tmp_path):
        assert (tmp_path / "lock").read_text() == f"{os.getpid()}\n"


def test_the_lock_can_be_taken_again_after_release(tmp_path: Path) -> None:
    for _ in range(3):
        with Lock(tmp_path), pytest.raises(BadInput, match=f"process {os.getpid()}"), Lock(tmp_path):
            pass


def test_a_shorter_process_id_replaces_a_longer_one(tmp_path: Path) -> None:
    (tmp_path / "lock").write_text("123456789012345\n")
    with Lock(tmp_path):
        assert (tmp_path / "lock").read_text() == f"{os.getpid()}\n"


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"lock cannot be created: No such file"), Lock(tmp_path / "none"):
        pass


def test_a_failed_attempt_leaks_no_descriptor(tmp_path: Path) -> None:
    with Lock(tmp_path):
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(5):
            with pytest.raises(BadInput), Lock(tmp_path):
                pass
        assert len(os.listdir("/proc/self/fd")) == before
