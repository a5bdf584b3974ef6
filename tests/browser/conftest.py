"""A browser for the tests of a module, and the real program that serves a library to it."""

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
from tests.unit.ui.library import crawl_library

NAMES = ("chromium", "chromium-browser", "google-chrome")


class Site:
    """A served library: its folder, its address, and the address of its first page."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.port = port
        self.address = f"http://127.0.0.1:{port}"
        self.start = crawl_library(folder, self.address)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serve_library(tmp_path_factory.mktemp("served") / "music.web") as site:
        yield site


@contextmanager
def serve_library(folder: Path) -> Iterator[Site]:
    """Crawl the library into a folder and serve it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    site = Site(folder, port)
    command = [sys.executable, "-m", "gossamer.cli.main", "serve", "--json", "--time", "1800"]
    command += ["--port", str(port), "--web", str(site.folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ) as running:
        assert running.stdout is not None
        assert json.loads(running.stdout.readline()) == {"address": f"{site.address}/"}
        yield site
        running.terminate()
    assert running.returncode == 0


@pytest.fixture(scope="module")
def browser(site: Site) -> Iterator[Any]:
    """A browser. While it is open, an event loop runs in this thread, and code that needs its own cannot run."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("there is no chromium: apt-get install chromium")
    play_with = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (extra dev)")
    with play_with.sync_playwright() as play:
        # Without a sandbox, which root cannot have; tests in containers run as root.
        started = play.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


OpenPage = Callable[..., Any]


@pytest.fixture
def open_page(browser: Any, site: Site) -> Iterator[OpenPage]:
    """A function that opens a page of the site in a new browser context; no page may raise a script error."""
    contexts: list[Any] = []
    errors: list[str] = []

    def open_in_context(path: str, **options: Any) -> Any:
        context = browser.new_context(**options)
        context.set_default_timeout(150_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(site.address + path)
        return page

    yield open_in_context
    for context in contexts:
        context.close()
    assert errors == []
