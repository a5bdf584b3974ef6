"""A real S3 server for tests: Ceph's object gateway over one monitor and one disk, on loopback.

    with ObjectServer(folder) as server:
        server.make_bucket("web-bytes")
        patch.setenv(*…) for each of server.environment

docs/decisions/0029 says why it is this one. It takes ten seconds to start; tests share one.
"""

import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
import uuid
from datetime import timedelta
from pathlib import Path

PROGRAMS = ("ceph", "ceph-authtool", "ceph-mon", "ceph-osd", "monmaptool", "radosgw", "radosgw-admin")
_KEY, _SECRET = "test-key", "test-secret"
_STARTING_S = 120
# Reads the same words as a ceph.conf of a large cluster; sizes and checks are those of a toy.
_SETTINGS = """
[global]
fsid = {cluster}
mon host = [v2:127.0.0.1:{monitor_port}/0]
public network = 127.0.0.0/8
ms bind msgr1 = false
run dir = {folder}/run
log file = {folder}/log/$name.log
admin socket = {folder}/run/$name.asok
crash dir = {folder}/run
keyring = {folder}/keyring
mon data = {folder}/mon
osd data = {folder}/osd
mon allow pool size one = true
mon data avail crit = 1
osd crush chooseleaf type = 0
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd objectstore = bluestore
bluestore block size = 21474836480
osd memory target = 939524096
[client.rgw]
rgw data = {folder}/gateway
rgw frontends = beast endpoint=127.0.0.1:{port} tcp_nodelay=1
"""
_ENTITIES = {
    "mon.": ("mon", "allow *"),
    "client.admin": ("mon", "allow *", "osd", "allow *"),
    "osd.0": ("mon", "allow profile osd", "osd", "allow *"),
    "client.rgw": ("mon", "allow rw", "osd", "allow rwx"),
}


def find_missing_programs() -> list[str]:
    """Return the programs of Ceph that are not installed; the Makefile names the packages."""
    return [program for program in PROGRAMS if shutil.which(program) is None]


class ObjectServer:
    """Ceph in a folder. Its parts can be killed and started again; what they acknowledged is still there."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.port, self._monitor_port = find_free_ports(2)
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self.environment = {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.port}",
            "AWS_ACCESS_KEY_ID": _KEY,
            "AWS_SECRET_ACCESS_KEY": _SECRET,
            "AWS_REGION": "default",
        }

    def __enter__(self) -> "ObjectServer":
        try:
            self._make_cluster()
            self.start_gateway()
            self._run(
                *("radosgw-admin", "user", "create", "--uid=test", "--display-name=test"),
                *(f"--access-key={_KEY}", f"--secret-key={_SECRET}"),
            )
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for name in reversed(list(self._processes)):
            self.kill(name)

    def start_gateway(self) -> None:
        """Start the part that speaks S3, and wait until it answers."""
        self._start("gateway", "radosgw", "-n", "client.rgw")
        until_s = time.monotonic() + _STARTING_S
        while not self._answers():
            if time.monotonic() > until_s or self._processes["gateway"].poll() is not None:
                raise RuntimeError("the object gateway did not start")
            time.sleep(0.1)

    def start_disk(self) -> None:
        """Start the part that keeps the bytes."""
        self._start("disk", "ceph-osd", "-i", "0")

    def kill(self, name: str = "gateway", number: int = signal.SIGKILL) -> None:
        """Kill a part: the gateway, or the disk."""
        process = self._processes.pop(name)
        process.send_signal(number)
        process.wait(60)

    def make_bucket(self, bucket: str) -> None:
        """Make a bucket."""
        import obstore
        from obstore.store import S3Store

        store = S3Store(
            bucket,
            endpoint=self.environment["AWS_ENDPOINT_URL"],
            access_key_id=_KEY,
            secret_access_key=_SECRET,
            region=self.environment["AWS_REGION"],
            client_options={"allow_http": True},
        )
        address = obstore.sign(store, "PUT", "", timedelta(minutes=1))
        urllib.request.urlopen(urllib.request.Request(address, method="PUT"), timeout=60).close()  # noqa: S310

    def _make_cluster(self) -> None:
        folder, cluster = self._folder, str(uuid.uuid4())
        for name in ("run", "log", "mon", "osd", "gateway"):
            (folder / name).mkdir(parents=True)
        settings = _SETTINGS.format(
            folder=folder, cluster=cluster, port=self.port, monitor_port=self._monitor_port
        )
        (folder / "ceph.conf").write_text(settings, "utf-8")
        self._write_keys()
        monitor = f"[v2:127.0.0.1:{self._monitor_port}]"
        self._run("monmaptool", "--create", "--fsid", cluster, "--addv", "a", monitor, str(folder / "map"))
        keys, disk = str(folder / "keyring"), str(uuid.uuid4())
        self._run("ceph-mon", "-i", "a", "--mkfs", "--monmap", str(folder / "map"), "--keyring", keys)
        shutil.copy(folder / "keyring", folder / "mon" / "keyring")
        self._start("monitor", "ceph-mon", "-i", "a")
        self._run("ceph", "osd", "new", disk)
        self._run("ceph-osd", "-i", "0", "--mkfs", "--osd-uuid", disk)
        self.start_disk()

    def _write_keys(self) -> None:
        text = ""
        for entity, caps in _ENTITIES.items():
            text += f"[{entity}]\nkey = {self._run('ceph-authtool', '--gen-print-key').strip()}\n"
            for which, what in zip(caps[::2], caps[1::2], strict=True):
                text += f'caps {which} = "{what}"\n'
        (self._folder / "keyring").write_text(text, "utf-8")

    def _answers(self) -> bool:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{self.port}/", timeout=5).close()
        except urllib.error.HTTPError:
            return True
        except OSError:
            return False
        return True

    def _start(self, name: str, *command: str) -> None:
        with (self._folder / "log" / f"{name}.out").open("ab") as out:
            self._processes[name] = subprocess.Popen(
                [*command, "-f"], env=self._environment(), stdout=out, stderr=out, stdin=subprocess.DEVNULL
            )

    def _run(self, *command: str) -> str:
        done = subprocess.run(
            command, env=self._environment(), capture_output=True, text=True, timeout=_STARTING_S
        )
        if done.returncode:
            raise RuntimeError(f"{command[0]} failed: {done.stderr[-500:]}")
        return done.stdout

    def _environment(self) -> dict[str, str]:
        return os.environ | {"CEPH_CONF": str(self._folder / "ceph.conf")}


def find_free_ports(number: int) -> list[int]:
    """Return free ports of loopback."""
    sockets = [socket.socket() for _ in range(number)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()
