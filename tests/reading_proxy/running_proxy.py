"""Start the real proxy and the real server, pair them as a person does, and ask through the proxy."""

import http.client
import json
import os
import re
import ssl
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPCookieProcessor, ProxyHandler, Request, build_opener

CLI = (sys.executable, "-m", "gossamer.cli.main")
PAGE = {"accept": "text/html", "sec-fetch-dest": "document", "accept-encoding": "gzip, br"}


class Reply(NamedTuple):
    """An answer that came through the proxy."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class RunningProxy(NamedTuple):
    """A proxy that runs, and where its files are."""

    address: str
    folder: Path
    authority: Path
    output: "subprocess.Popen[bytes]"

    def ask(self, url: str, method: str = "GET", body: bytes | None = None, **headers: Any) -> Reply:
        """Ask for a page as a browser does that was told to use the proxy."""
        parts, target = urlsplit(url), url
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection(self.address, timeout=60)
        if parts.scheme == "https":
            trusting = ssl.create_default_context(cafile=self.folder / "mitmproxy-ca-cert.pem")
            connection = http.client.HTTPSConnection(self.address, timeout=60, context=trusting)
            connection.set_tunnel(parts.hostname or "", parts.port or 443)
            target = parts.path or "/"
        try:
            connection.request(method, target, body, PAGE | named)
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Reply(answer.status, found, answer.read())
        finally:
            connection.close()


@contextmanager
def run_server(web: Path, environment: Mapping[str, str]) -> Iterator[str]:
    """Serve a web; yield the address without a slash."""
    command = [*CLI, "serve", "--json", "--port", "0", "--time", "900", "--web", str(web)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as server:
        assert server.stdout is not None
        yield json.loads(server.stdout.readline())["address"].rstrip("/")
        server.terminate()


def pair(server: str, environment: Mapping[str, str]) -> None:
    """Let the proxy ask for a token, and press the button on the page of the server."""
    command = [*CLI, "proxy", "--pair", "--json", "--server", server]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as asking:
        assert asking.stdout is not None
        shown = json.loads(asking.stdout.readline())
        press_button(server, shown["page"], shown["code"])
        assert asking.wait(60) == 0


def press_button(server: str, page: str, code: str) -> None:
    """Open the page, compare the code, and agree."""
    opener = build_opener(ProxyHandler({}), HTTPCookieProcessor(CookieJar()))
    text = opener.open(page, timeout=60).read().decode()
    assert f"<code>{code}</code>" in text
    keys = re.findall(r'name="form_key" value="([^"]*)"', text)
    form = urlencode({"form_key": keys[0], "code": code}).encode()
    agreeing = Request(f"{server}/pair", form, {"Origin": server})  # noqa: S310 - the address of our own server
    opener.open(agreeing, timeout=60).read()


@contextmanager
def run_proxy(authority: Path, environment: Mapping[str, str], *options: str) -> Iterator[RunningProxy]:
    """Start the proxy at a free port; yield it when it listens."""
    command = [
        *CLI,
        "proxy",
        "--json",
        "--port",
        "0",
        "--time",
        "900",
        "--authority",
        str(authority),
        *options,
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as running:
        assert running.stdout is not None
        address = json.loads(running.stdout.readline())["proxy"]
        folder = Path(environment["GOSSAMER_CONFIG"]) / "proxy"
        yield RunningProxy(address, folder, authority, running)
        running.terminate()
    assert running.returncode is not None


def make_environment(folder: Path) -> dict[str, str]:
    """Return variables with a configuration folder of the tests."""
    return os.environ | {"GOSSAMER_CONFIG": str(folder)}
