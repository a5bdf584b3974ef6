"""Crawl with fetchers that Ray has placed, in a thread, and look at Ray's processes from outside."""

import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from tests.cluster.database import wait_until
from tests.cluster.running_fetchers import LEASE_S
from tests.crawl.harness import make_quick_task

pytest.importorskip("ray", reason="Ray is not installed (extra ray)")

from gossamer.cluster.ray_crew import RayCrew
from gossamer.crawl.events import Notice
from gossamer.lab.server.serve_world import LabServer
from gossamer.store.opening.web_location import resolve_web
from gossamer.store.postgres.address import parse_address
from gossamer.store.postgres.coordination.leases import Leases
from gossamer.web import Web

_LISTENS = "0A"
_LOOPBACK = ("0100007F", "0000000000000000FFFF00000100007F")


class RayCrawl:
    """A crawl of a lab world by fetchers that Ray places."""

    def __init__(self, address: str, lab: LabServer, on: str, fetchers: int, **options: object) -> None:
        self.task = make_quick_task(lab, **options)
        self.crew = RayCrew(on, fetchers, cpus=0.5, lease_s=LEASE_S)
        self.events: list[Any] = []
        self._address = address
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def __enter__(self) -> "RayCrawl":
        return self

    def __exit__(self, *_: object) -> None:
        self.crew.end()
        self._thread.join()

    def wait(self) -> None:
        """Wait for the end of the crawl."""
        while self._thread.is_alive():
            self._thread.join(1.0)
        if self._error is not None:
            raise self._error

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._thread.is_alive()

    def list_notices(self) -> list[str]:
        """Return what was said to people so far."""
        return [event.text for event in list(self.events) if isinstance(event, Notice)]

    def wait_for_notice(self, text: str) -> None:
        """Wait until a notice contains this text."""
        self.wait_until(lambda: any(text in notice for notice in self.list_notices()))

    def wait_for_fetchers(self, fetchers: int) -> None:
        """Wait until as many fetchers take part."""
        self.wait_until(lambda: len(self.list_fetchers()) == fetchers)

    def wait_until(self, is_so: Callable[[], object]) -> None:
        """Wait until something is so; fail if the crawl ends before."""
        wait_until(lambda: is_so() or not self.is_running)
        if not self.is_running:
            self.wait()
            assert is_so(), "the crawl has ended"

    def list_fetchers(self) -> list[int]:
        """Return the processes of the fetchers that have joined."""
        leases = Leases(parse_address(self._address))
        try:
            return [int(note.name.rpartition("-")[2]) for note in leases.list_fetchers() if note.groups]
        finally:
            leases.close()

    def _run(self) -> None:
        try:
            with Web(resolve_web(self._address)) as web:
                web.run([self.task], watcher=self.events.append, processes=self.crew)
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            self._error = error


@contextmanager
def make_short_folder() -> Iterator[Path]:
    """Make a folder for temporary files whose path is short enough for sockets of Ray."""
    folder = Path(tempfile.mkdtemp(prefix="g", dir="/tmp"))
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        yield folder
    finally:
        tempfile.tempdir = before
        shutil.rmtree(folder, ignore_errors=True)


def list_descendants(process: int) -> dict[int, str]:
    """Return the processes that a process has started, and those that they have, with their command lines."""
    parents, lines = {}, {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(path.name)] = int(path.joinpath("stat").read_text().rpartition(")")[2].split()[1])
            lines[int(path.name)] = path.joinpath("cmdline").read_bytes().replace(b"\0", b" ").decode()
        except (OSError, IndexError):  # it has ended
            continue
    found = {process}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return {number: lines.get(number, "") for number in found}


def list_open_doors(process: int) -> list[str]:
    """Return the addresses other than loopback at which a process, and those that it has started, listen."""
    sockets = set()
    for number in list_descendants(process):
        try:
            sockets |= {os.readlink(entry) for entry in Path(f"/proc/{number}/fd").iterdir()}
        except OSError:  # it, or its file, was closed meanwhile
            continue
    doors = []
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for row in Path(table).read_text().splitlines()[1:]:
            fields = row.split()
            if fields[3] == _LISTENS and f"socket:[{fields[9]}]" in sockets:
                doors.append(fields[1].partition(":")[0])
    assert doors
    return [door for door in doors if door not in _LOOPBACK]


def find_head(process: int) -> int:
    """Return the process of Ray's head among those that a process has started."""
    [found] = [number for number, line in list_descendants(process).items() if "gcs_server" in line[:200]]
    return found


class RayHead:
    """A Ray cluster of one node, started as a person would."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port, self._client_port = _find_ports()
        self.address = f"ray://127.0.0.1:{self._client_port}"
        self.start()

    def start(self) -> None:
        """Start it, and wait until clients can connect."""
        command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block"]
        options = {
            "--port": self._port,
            "--ray-client-server-port": self._client_port,
            "--include-dashboard": "false",
            "--num-cpus": 4,
            "--object-store-memory": 80 << 20,
            "--temp-dir": self._folder,
        }
        self.process = subprocess.Popen(
            [*command, *(f"{name}={value}" for name, value in options.items()), "--disable-usage-stats"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ
            | {
                "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
                "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            },
        )
        wait_until(self._answers)

    def kill(self) -> None:
        """End all of its processes as a power failure would."""
        for number in list_descendants(self.process.pid):
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.process.wait()
        time.sleep(1.0)

    def _answers(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self._client_port), 1.0).close()
        except OSError:
            return False
        return True


def _find_ports() -> tuple[int, int]:
    """Return two free ports below those that the system gives to clients: a client that tries again might get its server's."""
    free = []
    for port in random.SystemRandom().sample(range(25_000, 32_000), 100):
        with socket.socket() as door, suppress(OSError):
            door.bind(("127.0.0.1", port))
            free.append(port)
    return free[0], free[1]
