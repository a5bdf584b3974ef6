"""Signs of life are shown as long as a fetcher works."""

import socket
import threading
import time
from pathlib import Path

import pytest

from gossamer.cluster.sign_of_life import show_life
from gossamer.errors import BadInput


def test_a_file_is_touched_until_the_work_hangs(tmp_path: Path) -> None:
    file, works, asked = tmp_path / "alive", threading.Event(), threading.Semaphore(0)

    def is_working() -> bool:
        asked.release()
        return works.is_set()

    with show_life(is_working, file, every_s=0.001):
        assert file.exists()
        file.unlink()
        for _ in range(3):
            asked.acquire(timeout=30)
        assert not file.exists()
        works.set()
        for _ in range(30_000):
            if file.exists():
                break
            time.sleep(0.001)
        assert file.exists()


def test_the_watchdog_of_systemd_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as watchdog:
        watchdog.bind(str(tmp_path / "notify"))
        watchdog.settimeout(30)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", "1000000")
        with show_life(lambda: True, None, every_s=0.001):
            assert [watchdog.recv(100) for _ in range(2)] == [b"WATCHDOG=1"] * 2


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with (
        pytest.raises(BadInput, match=r"none/alive cannot be written"),
        show_life(lambda: True, tmp_path / "none" / "alive"),
    ):
        pass
