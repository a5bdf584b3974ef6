"""A real nginx for benchmarks: many loopback addresses on one port, its own folder, a log that counts requests."""

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from gossamer.errors import BadInput

START_SECONDS = 10.0

# One process of our own user: nothing to hand privileges to, one id to end. Without gzip, so that all crawlers get
# the same bytes whatever they say they accept; the log is not buffered, so that it is whole when a crawler ends.
CONFIGURATION = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 4096; }}
http {{
    types {{ text/html html; text/plain txt; }}
    log_format plain "$msec $status $server_addr$request_uri";
    access_log {folder}/access.log plain;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    sendfile on;
    tcp_nopush on;
    gzip off;
    keepalive_requests 1000000;
    open_file_cache max=20000 inactive=600s;
    {site}
}}
"""


class Answered(msgspec.Struct, frozen=True):
    """One line of the log."""

    when_s: float
    status: int
    place: str
    """Host and path, as in 127.0.16.1/index.html."""


class NginxLog:
    """What nginx was asked for since it was last told to forget."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def answers(self) -> list[Answered]:
        """Read the log."""
        lines = (line.split(" ", 2) for line in self._path.read_text("utf-8", "replace").splitlines())
        return [Answered(float(when_s), int(status), place) for when_s, status, place in lines]

    def forget(self) -> None:
        """Begin anew; nginx appends, so a shorter file does not confuse it."""
        self._path.write_bytes(b"")


def free_port(addresses: list[str]) -> int:
    """Find a port that is free on the first address, as good a sign as any that it is free on all."""
    with socket.socket() as probe:
        probe.bind((addresses[0], 0))
        return int(probe.getsockname()[1])


def folder_for_each(addresses: list[str], port: int, root: Path) -> str:
    """Describe to nginx a site that serves `root`/ADDRESS at each address."""
    listens = " ".join(f"listen {address}:{port};" for address in addresses)
    return f"server {{ {listens} root {root}/$server_addr; }}"


@contextmanager
def nginx(site: str, address: str, port: int, folder: Path) -> Iterator[NginxLog]:
    """Serve a site, described as nginx wants it, until the block ends; `address` is one that it must answer at."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if program is None:
        raise BadInput("there is no nginx: install nginx-light")
    folder.mkdir(parents=True, exist_ok=True)
    configuration = folder / "nginx.conf"
    configuration.write_text(CONFIGURATION.format(folder=folder, site=site), "utf-8")
    command = [program, "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(configuration)]
    # A session of its own: Ctrl-C reaches the benchmark alone, which then ends it in order.
    server = subprocess.Popen(command, start_new_session=True)
    try:
        _wait_until_up(server, address, port, folder / "error.log")
        yield NginxLog(folder / "access.log")
    finally:
        server.terminate()
        server.wait()


def _wait_until_up(server: subprocess.Popen[bytes], address: str, port: int, errors: Path) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and server.poll() is None:
        try:
            socket.create_connection((address, port), timeout=1.0).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    said = errors.read_text("utf-8", "replace").strip() if errors.is_file() else "nothing"
    raise BadInput(f"nginx did not start; it said: {said}")
