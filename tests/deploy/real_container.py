"""A container of deploy/ without a container engine: the same namespaces, user, entry point, command and volume.

Its files are a copy of this machine's that is thrown away, with this Python in the place of the image's, since no image can be
fetched in a test. The container has processes and mounts of its own; its first process is the entry point. Needs the rights
of root.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest
from tests.cluster.database import wait_until

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed (extra dev)")

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
SOURCE = DEPLOY.parent / "src"
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
mount -t tmpfs -o mode=1777 tmpfs tmp
mkdir -p opt/python opt/packages opt/source opt/gossamer/bin "./$6"
mount --bind "$2" opt/python
mount --bind "$3" opt/packages
mount --bind "$4" opt/source
mount --bind "$5" "./$6"
cp "$7/read-secrets" usr/local/bin/read-secrets
cp "$8" opt/gossamer/bin/gossamer
mkdir former
pivot_root . former
umount -l /former
user="$9"
shift 9
exec env -i PATH=/opt/gossamer/bin:/usr/bin:/bin HOME=/tmp setpriv --reuid "$user" --regid "$user" --clear-groups "$@"
"""
_PROGRAM = f"""#!/bin/sh
LD_LIBRARY_PATH=/opt/python/lib PYTHONHOME=/opt/python PYTHONPATH=/opt/source:/opt/packages PYTHONDONTWRITEBYTECODE=1 \\
    exec /opt/python/bin/python{sys.version_info.major}.{sys.version_info.minor} -m gossamer.cli.main "$@"
"""


class Image:
    """What deploy/Dockerfile says about containers of its image."""

    def __init__(self) -> None:
        text = (DEPLOY / "Dockerfile").read_text("utf-8")
        self.user = int(re.findall(r"^USER (\d+)$", text, re.MULTILINE)[-1])
        self.entry_point: list[str] = json.loads(re.findall(r"^ENTRYPOINT (\[.*\])$", text, re.MULTILINE)[-1])
        if self.entry_point[0].endswith("tini") and not Path(self.entry_point[0]).exists():
            self.entry_point = self.entry_point[
                2:
            ]  # it is in the image; here the program is process 1 itself


class RealContainer:
    """A running container of a service in deploy/compose.yaml."""

    def __init__(self, service: str, folder: Path, volume: Path) -> None:
        image, described = Image(), read_service(service)
        [mounted] = described["volumes"]
        for path in (volume, *volume.rglob("*")):
            os.chown(path, image.user, image.user)
        program, root = folder / "program", folder / "root"
        root.mkdir(exist_ok=True)
        program.write_text(_PROGRAM, "utf-8")
        program.chmod(0o755)
        places = [str(root), sys.base_prefix, sysconfig.get_path("purelib"), str(SOURCE)]
        places += [str(volume), mounted.split(":")[1].lstrip("/"), str(DEPLOY), str(program), str(image.user)]
        self._user = image.user
        self._health = described["healthcheck"]["test"]
        self._log = folder / "log"
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [
                    *("unshare", "--pid", "--mount", "--uts", "--ipc", "--fork", "--kill-child"),
                    *("sh", "-c", _BOOT, "sh", *places, *image.entry_point, *described["command"]),
                ],
                stdout=log,
                stderr=log,
            )
        wait_until(lambda: self.process.poll() is not None or self._has_started())
        self._first = self._find_first()

    def is_healthy(self) -> bool:
        """Run the check of its health inside, as the engine does."""
        kind, command = (word.replace("$$", "$") for word in self._health)
        assert kind == "CMD-SHELL"
        inside = [
            "nsenter",
            f"--target={self._first}",
            "--all",
            "--wd=/",
            "setpriv",
            f"--reuid={self._user}",
            "sh",
            "-c",
        ]
        return subprocess.run([*inside, command], capture_output=True, check=False).returncode == 0

    def send(self, number: int) -> None:
        """Send a signal to its first process."""
        os.kill(self._first, number)

    def wait(self, timeout_s: float) -> int:
        """Wait for its end; return the exit code."""
        return self.process.wait(timeout_s)

    def read_log(self) -> str:
        """Return what was printed."""
        return self._log.read_text("utf-8", "replace")

    def end(self) -> None:
        """End it with all of its processes."""
        if self.process.poll() is None and (first := self._find_first()):
            os.kill(first, signal.SIGKILL)  # the others go with the first one
        self.process.kill()
        self.process.wait()

    def _has_started(self) -> bool:
        """Say whether the first process is the program, in the files of the container."""
        try:
            return b"gossamer.cli.main" in Path(f"/proc/{self._find_first()}/cmdline").read_bytes()
        except OSError:
            return False

    def _find_first(self) -> int:
        try:
            found = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        except OSError:
            return 0
        return int(found[0]) if found else 0


def read_service(name: str) -> dict[str, Any]:
    """Return the description of a service."""
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"][name]
    return found


def check_namespaces() -> None:
    """Skip the test where no namespaces can be made."""
    for program in ("unshare", "nsenter", "setpriv"):
        if shutil.which(program) is None:
            pytest.skip(f"there is no {program}: apt-get install util-linux")
    tried = subprocess.run(
        ["unshare", "--pid", "--mount", "--fork", "mount", "-t", "tmpfs", "tmpfs", "/mnt"],
        capture_output=True,
        check=False,
    )
    if tried.returncode:
        pytest.skip("containers need the rights of root, and namespaces")
