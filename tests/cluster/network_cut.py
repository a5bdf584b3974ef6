"""A network between a fetcher and its database that can be cut: the database gets a network namespace of its own."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PORT = 5432
NAME = "gossamer"
"""Names of namespaces: this, the process that made it, and a letter if it made several."""


class NetworkCut:
    """A namespace with a relay to the database, and a pair of virtual cables to it. Needs the rights of root."""

    def __init__(self, socket: Path) -> None:
        number = os.getpid() % 64_000
        self._namespace = f"{NAME}{os.getpid()}"
        self._here, self._there = f"gsm{os.getpid()}a", f"gsm{os.getpid()}b"
        network = f"10.{200 + number // 16_000}.{number // 64 % 250}.{4 * (number % 64)}".rpartition(".")
        self._own = f"{network[0]}.{int(network[2]) + 1}"
        self.address = f"{network[0]}.{int(network[2]) + 2}"
        """Where the database is found."""
        self._relay: subprocess.Popen[bytes] | None = None
        try:
            remove_abandoned()
            self._make(socket)
        except (OSError, subprocess.CalledProcessError) as error:
            self.close()
            pytest.skip(f"network namespaces cannot be made here: {error}")

    def cut(self) -> None:
        """Let everything that is sent vanish."""
        run_command("ip", "link", "set", self._here, "down")

    def mend(self) -> None:
        """Connect both sides again."""
        run_command("ip", "link", "set", self._here, "up")

    def close(self) -> None:
        """Remove everything."""
        if self._relay is not None:
            self._relay.kill()
            self._relay.wait()
            assert self._relay.stdout is not None
            self._relay.stdout.close()
        for command in (["ip", "link", "del", self._here], ["ip", "netns", "del", self._namespace]):
            subprocess.run(command, stderr=subprocess.DEVNULL, check=False)

    def _make(self, socket: Path) -> None:
        inside = ["ip", "netns", "exec", self._namespace]
        run_command("ip", "netns", "add", self._namespace)
        run_command("ip", "link", "add", self._here, "type", "veth", "peer", "name", self._there)
        run_command("ip", "link", "set", self._there, "netns", self._namespace)
        run_command("ip", "address", "add", f"{self._own}/30", "dev", self._here)
        run_command("ip", "link", "set", self._here, "up")
        run_command(*inside, "ip", "address", "add", f"{self.address}/30", "dev", self._there)
        run_command(*inside, "ip", "link", "set", self._there, "up")
        relay = [sys.executable, "-m", "tests.cluster.relay", self.address, str(PORT), str(socket)]
        self._relay = subprocess.Popen([*inside, *relay], stdout=subprocess.PIPE)
        assert self._relay.stdout is not None
        if self._relay.stdout.readline() != b"ready\n":
            raise OSError("the relay did not start")


def remove_abandoned() -> None:
    """Remove what tests left that were killed; with a namespace, its end of the cable goes, and so the other one."""
    listed = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True).stdout
    for name in [line.split()[0] for line in listed.splitlines() if line.strip()]:
        found = re.fullmatch(rf"{NAME}(\d+)[a-z]?", name)
        if found and not Path("/proc", found[1]).exists():
            subprocess.run(["ip", "netns", "del", name], stderr=subprocess.DEVNULL, check=False)


def check_namespaces() -> None:
    """Skip the test where there are no namespaces."""
    if shutil.which("ip") is None:
        pytest.skip("network namespaces need the program ip (iproute2)")
    if os.getuid():
        pytest.skip("network namespaces need the rights of root")


def run_command(*command: str) -> None:
    """Run a program; raise an exception if it fails."""
    subprocess.run(command, check=True, capture_output=True)
