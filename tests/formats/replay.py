"""A running pywb, and what it answers."""

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

TOOLS = Path(sys.prefix) / "archive-tools" / "bin"
needs_tools = pytest.mark.skipif(
    not TOOLS.is_dir(), reason="no environment `archive-tools` with pywb and wacz"
)


@contextmanager
def run_wayback(folder: Path) -> Iterator[str]:
    """Run pywb over a folder with collections or a config.yaml; yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(TOOLS / "wayback"), "-b", "127.0.0.1", "-p", str(port), "-d", str(folder)]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            _wait_for(port, server)
            yield f"http://127.0.0.1:{port}/"
        finally:
            server.terminate()
            server.wait()


def fetch_replayed(collection: str, url: str, at_s: float) -> tuple[int, bytes]:
    """Return the status and the bytes of a page as they were captured, content encoding included."""
    opener = urllib.request.build_opener(_NoRedirects)
    opener.addheaders = [("Accept-Encoding", "gzip")]
    date = time.strftime("%Y%m%d%H%M%S", time.gmtime(at_s))
    try:
        answer = opener.open(f"{collection}{date}id_/{url}", timeout=200)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        return answer.status, answer.read()


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


def _wait_for(port: int, server: "subprocess.Popen[bytes]") -> None:
    for _ in range(3_000):
        assert server.poll() is None, "pywb ended by itself"
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.1)
    pytest.fail("pywb does not answer")
