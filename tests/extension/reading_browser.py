"""A real Chromium with the unpacked extension, the real program that serves a collection to it, and the web that it reads."""

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.browser.pictures import find_browser
from tests.conftest import REPOSITORY
from tests.crawl.harness import Toy, make_quick_task
from tests.extension.music_world import ENGLISH, make_world

from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.web import Web

EXTENSION = REPOSITORY / "extension"
VIEWPORT = {"width": 1000, "height": 800}
ALL_ON = ("--previews", "--history")
RENDERED = {"render": "always", "screenshots": True, "delay_s": 0.0}
FORGET_SETTINGS = "server => chrome.storage.local.set({settings: {server}})"


class Collection:
    """A collection, the lab web it was crawled from, and the server that answers the extension."""

    def __init__(self, folder: Path, lab: LabServer, port: int) -> None:
        self.folder = folder
        self.lab = lab
        self.port = port
        self.address = f"http://127.0.0.1:{port}"
        self.start = lab.url(ENGLISH)

    def url(self, path: str, host: str = ENGLISH) -> str:
        """Return the address of a page of the lab web."""
        return self.lab.url(host, path)

    @contextmanager
    def serve(self, *options: str) -> Iterator[None]:
        """Run `gossamer serve` over the collection during the block."""
        command = [sys.executable, "-m", "gossamer.cli.main", "serve", "--json", "--time", "1800"]
        command += ["--port", str(self.port), "--web", str(self.folder), *(options or ALL_ON)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ) as running:
            assert running.stdout is not None
            assert json.loads(running.stdout.readline()) == {"address": f"{self.address}/"}
            try:
                yield
            finally:
                running.terminate()


def find_free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@contextmanager
def collect(
    folder: Path, make: Callable[[int], Toy] = make_world, rendered: str = ""
) -> Iterator[Collection]:
    """Serve the lab web, crawl and index it, one page with a picture; the lab stays, so that a browser can read it."""
    lab_port = find_free_port()
    with serving(make(lab_port), port=lab_port) as lab:
        with Web(folder) as web:
            paths = ("/", "/letters", "/attacker", "/login")
            seeds = [lab.url(ENGLISH, path) for path in paths] + [
                lab.url(host) for host in lab.world.hosts()[1:2]
            ]
            skip = {"exclude": ["/symphony/", r"127\.9\.10\.3"]}
            web.run([make_quick_task(lab, seeds=seeds, delay_s=0.0, name="music", kinds=["html"], **skip)])
            if rendered:
                pictured = lab.url(ENGLISH, rendered)
                web.run([make_quick_task(lab, seeds=[pictured], name="pictures", depth=0, **RENDERED)])
            web.index()
        yield Collection(folder, lab, find_free_port())


class Browser:
    """A Chromium with the extension, and its pages."""

    def __init__(self, play: Any, program: str, context: Any) -> None:
        self.play = play
        self.program = program
        self.context = context
        self.worker = (
            context.service_workers[0] if context.service_workers else context.wait_for_event("serviceworker")
        )
        self.origin = self.worker.url.split("/background/")[0]
        self._wait_for_options()

    def _wait_for_options(self) -> None:
        """Wait for the page that opens when the extension is installed: it takes the first empty tab."""
        while not (found := [one for one in self.context.pages if one.url.endswith("/options.html")]):
            self.context.pages[0].wait_for_timeout(50)
        found[0].locator("#mark-dead").wait_for()

    def open(self, address: str) -> Any:
        page = self.context.new_page()
        page.goto(address)
        return page

    def open_own(self, path: str) -> Any:
        """Open a page of the extension in a tab."""
        return self.open(f"{self.origin}/pages/{path}")

    def change(self, **settings: Any) -> None:
        """Change settings as the options do, and wait until they are kept."""
        page = self.open_own("options.html")
        answer = page.evaluate("settings => chrome.runtime.sendMessage({ask: 'change', settings})", settings)
        assert "error" not in answer
        page.close()

    def pair(self, address: str) -> None:
        """Pair as a person does: one click in the options, one on the page of the server."""
        self.change(server=address)
        options = self.open_own("options.html")
        with self.context.expect_page() as opened:
            options.click("#pair")
        opened.value.get_by_role("button", name="Pair this browser").click()
        options.get_by_text("is paired").wait_for()
        options.close()


@contextmanager
def open_browser(folder: Path, *options: str, extension: Path = EXTENSION) -> Iterator[Browser]:
    """Start Chromium with the unpacked extension; its network log lies in the folder."""
    play_with = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (extra dev)")
    found = find_browser()
    if found is None:
        pytest.skip("there is no chromium: apt-get install chromium")
    net_log = folder / "net-log.json"
    # Without a sandbox, which root cannot have; tests in containers run as root.
    arguments = ["--no-sandbox", "--disable-gpu", f"--log-net-log={net_log}", *options]
    arguments += [f"--disable-extensions-except={extension}", f"--load-extension={extension}"]
    with play_with.sync_playwright() as play:
        context = play.chromium.launch_persistent_context(
            str(folder / "profile"),
            executable_path=found,
            args=arguments,
            ignore_default_args=["--disable-extensions"],
            viewport=VIEWPORT,
        )
        context.set_default_timeout(60_000)
        yield Browser(play, found, context)
        context.close()
    shutil.rmtree(folder / "profile", ignore_errors=True)
