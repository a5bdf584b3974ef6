"""A real systemd as process 1 of its own namespaces, over a copy of this machine's files that is thrown away.

It has processes, mounts and control groups of its own, and the network of this machine, so that a database on a loopback
address is reached. No unit of this machine is started: only those that a test writes. Needs the rights of root.
"""

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest
from tests.cluster.database import wait_until

SYSTEMD = Path("/lib/systemd/systemd")
SOURCE = Path(__file__).resolve().parents[2] / "src"
_TARGET = "test.target"
# Python and the program are mounted below /opt: units have ProtectHome=, and a checkout may be in a home.
_BOOT = r"""
set -e
mount --make-rprivate /
mount -t tmpfs -o mode=755 tmpfs "$1"
cd "$1"
mkdir changes work root
mount -t overlay -o lowerdir=/,upperdir="$PWD/changes",workdir="$PWD/work" overlay root
cd root
mount --rbind /dev dev
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
rm -rf etc/systemd/system etc/gossamer
mkdir -p etc/systemd/system etc/gossamer opt/python opt/packages opt/source opt/gossamer/bin srv/pages
chmod 777 srv/pages
mount --bind "$2" opt/python
mount --bind "$3" opt/packages
mount --bind "$4" opt/source
printf '[Unit]\nDescription=Nothing but what a test starts\nAllowIsolate=yes\n' > etc/systemd/system/test.target
mkdir former
pivot_root . former
umount -l /former
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    /lib/systemd/systemd --system --unit=test.target --log-target=console --show-status=no
"""
_PROGRAM = f"""#!/bin/sh
LD_LIBRARY_PATH=/opt/python/lib PYTHONHOME=/opt/python PYTHONPATH=/opt/source:/opt/packages PYTHONDONTWRITEBYTECODE=1 \\
    exec /opt/python/bin/python{sys.version_info.major}.{sys.version_info.minor} -m gossamer.cli.main "$@"
"""


class RealSystemd:
    """A running systemd."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._group = _find_groups() / f"gossamer-test-{os.getpid()}"
        root = folder / "root"
        root.mkdir()
        try:
            self._process = self._boot(root)
            self._number = self._find_systemd()
        except (OSError, RuntimeError) as error:
            self.end()
            pytest.skip(f"systemd cannot be started here: {error}; {self.read_log()}")
        program = self.locate("/opt/gossamer/bin/gossamer")
        program.write_text(_PROGRAM, "utf-8")
        program.chmod(0o755)

    def locate(self, path: str) -> Path:
        """Return where a file of that system is found from here."""
        return Path(f"/proc/{self._number}/root{path}")

    def run(self, *command: str) -> str:
        """Run a program in that system; return what it prints."""
        inside = ["nsenter", f"--target={self._number}", "--all", "--wd=/"]
        return subprocess.run([*inside, *command], check=True, capture_output=True, text=True).stdout.strip()

    def show(self, unit: str, name: str) -> str:
        """Return a property of a unit."""
        return self.run("systemctl", "show", unit, f"--property={name}", "--value")

    def find_process(self, unit: str) -> int:
        """Return the number of a unit's main process, in that system."""
        return int(self.show(unit, "MainPID"))

    def read_log(self) -> str:
        """Return what was printed before systemd began."""
        return (self._folder / "log").read_text("utf-8", "replace")

    def end(self) -> None:
        """End it with all of its processes: they are killed when process 1 of their namespace is."""
        process = getattr(self, "_process", None)
        if process is not None:
            process.kill()
            process.wait()
        for group in [*sorted(self._group.rglob("*/"), reverse=True), self._group]:
            wait_until(lambda one=group: _remove_group(one))  # type: ignore[misc]

    def _boot(self, root: Path) -> "subprocess.Popen[bytes]":
        self._group.mkdir()
        namespaces = ["--pid", "--mount", "--uts", "--ipc", "--cgroup", "--fork", "--kill-child"]
        places = [str(root), sys.base_prefix, sysconfig.get_path("purelib"), str(SOURCE)]
        enter = 'echo $$ > "$0/cgroup.procs"; exec "$@"'
        with (self._folder / "log").open("wb") as log:
            return subprocess.Popen(
                [
                    *("sh", "-ec", enter, str(self._group), "unshare", *namespaces),
                    *("sh", "-c", _BOOT, "sh", *places),
                ],
                stdout=log,
                stderr=log,
            )

    def _find_systemd(self) -> int:
        """Wait until systemd has started what it starts by itself; return its process number, as seen from here."""
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        for _ in range(600):
            if self._process.poll() is not None:
                raise RuntimeError(f"it ended with code {self._process.returncode}")
            numbers = children.read_text().split()
            if numbers:
                self._number = int(numbers[0])
                asked = ["nsenter", f"--target={self._number}", "--all", "systemctl", "is-active", _TARGET]
                if subprocess.run(asked, capture_output=True, check=False).stdout == b"active\n":
                    return self._number
            time.sleep(0.1)
        raise RuntimeError("it does not answer")


def check_systemd() -> None:
    """Skip the test where systemd cannot be started."""
    for program in ("systemctl", "nsenter", "unshare"):
        if shutil.which(program) is None or not SYSTEMD.exists():
            pytest.skip("there is no systemd: apt-get install systemd")
    if os.getuid():
        pytest.skip("a systemd of its own needs the rights of root")


def kill(systemd: RealSystemd, unit: str, how: signal.Signals) -> None:
    """Send a signal to the main process of a unit, from within its system."""
    systemd.run("kill", f"-{how.name.removeprefix('SIG')}", str(systemd.find_process(unit)))


def _find_groups() -> Path:
    """Return where control groups of version 2 are mounted."""
    for line in Path("/proc/mounts").read_text("utf-8").splitlines():
        _, place, kind, *_ = line.split()
        if kind == "cgroup2":
            return Path(place)
    pytest.skip("there are no control groups of version 2")


def _remove_group(group: Path) -> bool:
    try:
        group.rmdir()
    except FileNotFoundError:
        return True
    except OSError:  # its processes have not ended yet
        return False
    return True
