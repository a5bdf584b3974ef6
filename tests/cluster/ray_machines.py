"""A Ray cluster on several machines: each has a network, a name and a folder for temporary files of its own.

A machine is a network namespace on a bridge, with a host name and mounts of its own. Its processors, memory and the other files are
those of this machine. A lab that is served here is found at the same loopback addresses there.
"""

import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from tests.cluster.database import wait_until
from tests.cluster.network_cut import NAME, remove_abandoned, run_command
from tests.cluster.running_ray import list_descendants

_HEAD_PORT, _CLIENT_PORT = 6379, 10001
_STORE_BYTES = 80 << 20
_CPUS = 2
_SETUP = 'hostname "$1"; mount --bind "$2" "$3"; shift 3; exec "$@"'


class Machine:
    """One machine with a cable that can be cut, and a node of Ray."""

    def __init__(self, network: str, number: int, bridge: str, folder: Path, ray_folder: Path) -> None:
        letter = "abcdef"[number]
        self.name = f"machine-{letter}"
        self.ip = f"{network}.{number + 2}"
        self._folder, self._ray_folder = folder / self.name, ray_folder
        self._namespace = f"{NAME}{os.getpid()}{letter}"
        self._cable = f"gsm{os.getpid()}{letter}"
        self._inside = ["ip", "netns", "exec", self._namespace]
        self._processes: list[subprocess.Popen[bytes]] = []
        for part in ("tmp", "home"):
            (self._folder / part).mkdir(parents=True)
        run_command("ip", "netns", "add", self._namespace)
        run_command(
            "ip", "link", "add", self._cable, "type", "veth", "peer", "name", "eth0", "netns", self._namespace
        )
        run_command("ip", "link", "set", self._cable, "master", bridge, "up")
        for command in (f"address add {self.ip}/24 dev eth0", "link set eth0 up", "link set lo up"):
            run_command(*self._inside, "ip", *command.split())

    def relay(self, port: int) -> None:
        """Have a port of the loopback addresses of this machine found at the same addresses of that one."""
        command = [sys.executable, "-m", "tests.cluster.loopback_relay", self._namespace, str(port)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        self._processes.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"

    def start_ray(self, *options: str) -> None:
        """Start a node."""
        ray = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--disable-usage-stats"]
        settings = [
            f"--node-ip-address={self.ip}",
            f"--num-cpus={_CPUS}",
            f"--object-store-memory={_STORE_BYTES}",
        ]
        setup = ["sh", "-ec", _SETUP, "sh", self.name, str(self._folder / "tmp"), str(self._ray_folder)]
        environment = {
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "XDG_DATA_HOME": str(self._folder / "home"),
        }
        with (self._folder / "log").open("wb") as log:
            self._processes.append(
                subprocess.Popen(
                    [*self._inside, "unshare", "--uts", "--mount", *setup, *ray, *settings, *options],
                    stdout=log,
                    stderr=log,
                    env=os.environ | environment,
                )
            )

    def read_log(self) -> str:
        """Return what Ray has printed there."""
        return (self._folder / "log").read_text()

    def kill(self) -> None:
        """End the machine as a power failure would: its network first, then everything that runs there."""
        run_command("ip", "link", "set", self._cable, "down")
        self.end()

    def end(self) -> None:
        """End all of its processes."""
        for process in self._processes:
            for number in list_descendants(process.pid):
                with suppress(ProcessLookupError):
                    os.kill(number, signal.SIGKILL)
            process.wait()
            if process.stdout is not None:
                process.stdout.close()
        self._processes = []

    def remove(self) -> None:
        """Remove everything."""
        self.end()
        subprocess.run(["ip", "netns", "del", self._namespace], stderr=subprocess.DEVNULL, check=False)


class RayMachines:
    """Machines on one network, with the head of Ray on the first. Needs the rights of root."""

    def __init__(self, count: int, folder: Path, ray_folder: Path) -> None:
        number = os.getpid() % 16_000
        self._network = f"10.{180 + number // 250}.{number % 250}"
        self._bridge = f"gsm{os.getpid()}"
        self._ray_folder = ray_folder
        self.machines: list[Machine] = []
        self.address = f"ray://{self._network}.2:{_CLIENT_PORT}"
        try:
            remove_abandoned()
            run_command("ip", "link", "add", self._bridge, "type", "bridge")
            run_command("ip", "address", "add", f"{self._network}.1/24", "dev", self._bridge)
            run_command("ip", "link", "set", self._bridge, "up")
            for each in range(count):
                self.machines.append(Machine(self._network, each, self._bridge, folder, ray_folder))
        except (OSError, subprocess.CalledProcessError) as error:
            self.close()
            pytest.skip(f"network namespaces cannot be made here: {error}")

    def serve(self, port: int) -> None:
        """Have a port of this machine found at the loopback addresses of all machines."""
        for machine in self.machines:
            machine.relay(port)

    def start_ray(self) -> None:
        """Start the head and the other nodes, and wait until clients can connect."""
        head, *others = self.machines
        head.start_ray(
            *("--head", f"--port={_HEAD_PORT}", f"--ray-client-server-port={_CLIENT_PORT}"),
            *("--include-dashboard=false", f"--temp-dir={self._ray_folder}"),
        )
        wait_until(lambda: self._answers(_HEAD_PORT) and self._answers(_CLIENT_PORT))
        for machine in others:
            machine.start_ray(f"--address={head.ip}:{_HEAD_PORT}")
            wait_until(lambda one=machine: "Ray runtime started" in one.read_log())  # type: ignore[misc]

    def close(self) -> None:
        """Remove everything."""
        for machine in reversed(self.machines):
            machine.remove()
        subprocess.run(["ip", "link", "del", self._bridge], stderr=subprocess.DEVNULL, check=False)

    def _answers(self, port: int) -> bool:
        try:
            socket.create_connection((self.machines[0].ip, port), 1.0).close()
        except OSError:
            return False
        return True
