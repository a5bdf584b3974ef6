"""The real `gossamer serve`, with clients that do not send what they began, or do not read what they asked for."""

import json
import os
import resource
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote, urlsplit
from urllib.request import urlopen

import pytest
from tests.crawl.harness import Toy, make_quick_task

from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import serving
from gossamer.web import Web

HOST = "127.9.7.5"
LARGE_BYTES = 6_000_000
HANGS_S = 100
"""An answer takes less than a second."""


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A web with one large page of plain text."""
    folder = tmp_path_factory.mktemp("slow") / "large.web"
    text = LabAnswer(200, (("Content-Type", "text/plain"),), b"All work and no play. " * (LARGE_BYTES // 22))
    with serving(Toy({HOST: {"/robots.txt": LabAnswer(404), "/": text}})) as running, Web(folder) as web:
        web.run([make_quick_task(running, seeds=[f"http://{HOST}:{running.port}/"], kinds=["text"])])
        web.index()
    return folder


@contextmanager
def run_serve(web: Path, descriptors: int = 0) -> Iterator[tuple[int, tuple[str, int]]]:
    """Run the program, perhaps with few descriptors; return its process id and address."""

    def limit() -> None:
        if descriptors:
            resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

    command = [sys.executable, "-m", "gossamer.cli.main", "serve", "--json", "--port", "0", "--time", "900"]
    with subprocess.Popen(
        [*command, "--web", str(web)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limit
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        address = urlsplit(json.loads(running.stdout.readline())["address"])
        assert address.hostname
        assert address.port
        try:
            yield running.pid, (address.hostname, address.port)
        finally:
            running.terminate()
        assert running.stderr.read() == b""
    assert running.returncode == 0


@contextmanager
def hold_connections(
    address: tuple[str, int], begins: list[bytes], more: bytes = b""
) -> Iterator[list[socket.socket]]:
    """Open connections that send a request, and then perhaps some bytes every second, until the end of the block."""
    clients = [socket.socket() for _ in begins]
    ended = threading.Event()

    def send_more() -> None:
        while not ended.wait(1.0):
            for client in clients:
                with suppress(OSError):
                    client.send(more)

    for client, begin in zip(clients, begins, strict=True):
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(HANGS_S)
        client.connect(address)
        with suppress(OSError):
            client.sendall(begin)
    sender = threading.Thread(target=send_more)
    sender.start()
    try:
        yield clients
    finally:
        ended.set()
        sender.join()
        for client in clients:
            client.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("begin", "more"),
    [
        (b"POST /submit HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90000\r\n\r\n", b"a"),
        (b"GET /help HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90000\r\n\r\n", b"a"),
        (
            b"POST /opened HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n",
            b"1\r\na\r\n",
        ),
    ],
    ids=["form", "page", "chunks"],
)
def test_new_clients_are_served_while_slow_ones_would_use_up_the_descriptors(
    web: Path, begin: bytes, more: bytes
) -> None:
    with run_serve(web, descriptors=256) as (_, address), hold_connections(address, [begin] * 300, more):
        for _ in range(20):
            with urlopen(f"http://{address[0]}:{address[1]}/help", timeout=HANGS_S) as answer:
                assert answer.status == 200


@pytest.mark.slow
def test_the_server_ends_without_an_error_while_clients_are_slow(web: Path) -> None:
    with Web(web) as opened:
        url = next(iter(opened.store.pages())).url
    begins = [
        b"",
        b"GET /help HTTP/1.1\r\n",
        b"POST /submit HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90000\r\n\r\n",
        f"GET /cached/page?url={quote(url, safe='')} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode(),
    ]
    with ExitStack() as held, run_serve(web) as (_, address):
        clients = held.enter_context(hold_connections(address, begins))
        assert clients[-1].recv(12) == b"HTTP/1.1 200"


def read_memory_mb(pid: int) -> int:
    """Return the resident memory of a process."""
    return int(Path(f"/proc/{pid}/status").read_text().split("VmRSS:")[1].split()[0]) // 1024


@pytest.mark.slow
@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="memory is read from /proc")
def test_copies_that_are_not_read_cost_little_memory(web: Path) -> None:
    with Web(web) as opened:
        url = next(iter(opened.store.pages())).url
    path = f"/cached/page?url={quote(url, safe='')}"
    # Different addresses, so that no answer is used twice.
    asked = [f"GET {path}&{number} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() for number in range(30)]
    with run_serve(web) as (pid, address), urlopen(f"http://{address[0]}:{address[1]}/help"):
        before_mb = read_memory_mb(pid)
        with hold_connections(address, asked) as clients:
            assert all(client.recv(12) == b"HTTP/1.1 200" for client in clients)
            used_mb = read_memory_mb(pid) - before_mb
    assert used_mb < 90, "30 copies of 6 MB are 180 MB"
