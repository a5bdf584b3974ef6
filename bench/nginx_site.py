"""Run nginx for benchmarks: many loopback addresses on one port, its own folder, a log of requests."""

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

# One process of our own user: no privileges to drop, one process to end. Without gzip, so that all crawlers get the same
# bytes regardless of Accept-Encoding; the log is not buffered, so that it is complete when a crawler ends.
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


class LoggedAnswer(msgspec.Struct, frozen=True):
    """One line of the log."""

    when_s: float
    status: int
    place: str
    """Host and path, as in 127.0.16.1/index.html."""


class NginxLog:
    """The requests that nginx has answered since the log was last cleared."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def answers(self) -> list[LoggedAnswer]:
        """Read the log."""
        lines = (line.split(" ", 2) for line in self._path.read_text("utf-8", "replace").splitlines())
        return [LoggedAnswer(float(when_s), int(status), place) for when_s, status, place in lines]

    def clear(self) -> None:
        """Empty the log; nginx appends to it, so it may be truncated."""
        self._path.write_bytes(b"")


def find_free_port(addresses: list[str]) -> int:
    """Find a port that is free on the first address; it is most probably free on all of them."""
    with socket.socket() as probe:
        probe.bind((addresses[0], 0))
        return int(probe.getsockname()[1])


def write_servers(addresses: list[str], port: int, root: Path) -> str:
    """Return the nginx configuration of a site that serves `root`/ADDRESS at each address."""
    listens = " ".join(f"listen {address}:{port};" for address in addresses)
    return f"server {{ {listens} root {root}/$server_addr; }}"


@contextmanager
def run_nginx(site: str, address: str, port: int, folder: Path) -> Iterator[NginxLog]:
    """Serve a site, given as nginx configuration, until the block ends; wait until it answers at `address`."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if program is None:
        raise BadInput("nginx is not installed: install nginx-light")
    folder.mkdir(parents=True, exist_ok=True)
    configuration = folder / "nginx.conf"
    configuration.write_text(CONFIGURATION.format(folder=folder, site=site), "utf-8")
    command = [program, "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(configuration)]
    # Its own session, so that Ctrl-C reaches only the benchmark, which then ends it.
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
    log = errors.read_text("utf-8", "replace").strip() if errors.is_file() else "empty"
    raise BadInput(f"nginx did not start; its error log: {log}")
