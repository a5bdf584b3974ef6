"""A real server over a web in a process of its own, and a browser that is paired with it."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from tests.crawl.harness import make_command

from gossamer.ui.access.paired_browsers import FILE_NAME, PairedBrowsers


class RunningServer(msgspec.Struct, frozen=True):
    """The address of a server, and the token of a paired browser."""

    host: str
    port: int
    token: str

    def connect(self) -> HTTPConnection:
        """Connect to it."""
        return HTTPConnection(self.host, self.port, timeout=60)

    def send(self, connection: HTTPConnection, method: str, path: str, given: object = None) -> None:
        """Send a request as an extension does."""
        body = json.dumps(given).encode() if given is not None else None
        headers = {"Authorization": f"Bearer {self.token}", "Origin": "moz-extension://one"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        connection.request(method, f"/api/navigate/{path}", body, headers)

    def ask(self, method: str, path: str, given: object = None) -> tuple[int, Any]:
        """Return the status and the JSON of an answer."""
        with closing(self.connect()) as connection:
            self.send(connection, method, path, given)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())

    def get(self, path: str) -> tuple[int, dict[str, str], str]:
        """Return status, headers and text of a page, as a person opens it."""
        with closing(self.connect()) as connection:
            connection.request("GET", path)
            answer = connection.getresponse()
            headers = {name.lower(): value for name, value in answer.getheaders()}
            return answer.status, headers, answer.read().decode()


@contextmanager
def run_server(web: Path, config: Path, *options: str) -> Iterator[RunningServer]:
    """Serve a web with a configuration folder of the test."""
    browsers = PairedBrowsers(config / FILE_NAME)
    pairing, secret = browsers.begin("a test")
    browsers.agree(pairing.code, "")
    collected = browsers.collect(pairing.code, secret)
    assert collected is not None
    command = make_command("serve", "--json", "--port", "0", "--web", str(web), *options)
    environment = {**os.environ, "GOSSAMER_CONFIG": str(config)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            parts = urlsplit(json.loads(process.stdout.readline())["address"])
            yield RunningServer(str(parts.hostname), int(parts.port or 0), collected.token)
        finally:
            process.terminate()
