"""The crawlers that are compared, each with the command line that makes it fetch one site and end."""

import importlib.metadata
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec

PEERS = Path(__file__).parent / "peers"
WGET2_THREADS = 16
"""One for each host."""

Command = Callable[[list[str], Path], list[str]]


class Crawler(msgspec.Struct, frozen=True):
    """A program that crawls; `command` makes its command line from start pages and a folder to keep things in."""

    name: str
    command: Command
    version: Callable[[], str]
    """Its version; empty if it is not here."""
    keeps: str


def gossamer(*extra: str, processes: int = 1) -> Command:
    """Let Gossamer keep everything: store, links, archive, fingerprints; only the pauses are turned off."""

    def command(seeds: list[str], folder: Path) -> list[str]:
        return [
            *(sys.executable, *extra, "-m", "gossamer.cli.main", "crawl", *seeds),
            *("--web", str(folder / "web"), "--scope", "host", "--json", "--processes", str(processes)),
            *("--delay", "0", "--adaptive", "0", "--allow-private", "127.0.0.0/8"),
        ]

    return command


def wget2(seeds: list[str], folder: Path) -> list[str]:
    """Let wget2 save every page it reaches; robots.txt is obeyed as always when it recurses."""
    return [
        *("wget2", "--no-config", "--recursive", "--level=inf", f"--max-threads={WGET2_THREADS}"),
        *("--no-verbose", f"--directory-prefix={folder / 'files'}", *seeds),
    ]


def scrapy(script: str) -> Command:
    """Let one of the spiders in peers/ make an item of every page and drop it."""
    return lambda seeds, _folder: [sys.executable, str(PEERS / script), *seeds]


def environment() -> dict[str, str]:
    """Return the environment for all crawlers: no proxy stands between them and the loopback, and Python is as users
    have it, which compiles a module once and not at every start."""
    unwanted = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
    return {
        name: value
        for name, value in os.environ.items()
        if not name.lower().endswith("_proxy") and name not in unwanted
    }


def _scrapy_version() -> str:
    try:
        return f"Scrapy {importlib.metadata.version('scrapy')}"
    except importlib.metadata.PackageNotFoundError:
        return ""


def _wget2_version() -> str:
    if not shutil.which("wget2"):
        return ""
    said = subprocess.run(["wget2", "--version"], capture_output=True, text=True, check=True).stdout
    return " ".join(said.split()[1:3])


def _gossamer_version() -> str:
    asked = [sys.executable, "-m", "gossamer.cli.main", "crawl", "--help"]
    if subprocess.run(asked, capture_output=True, check=False).returncode:
        return ""
    return f"Gossamer {importlib.metadata.version('gossamer')}"


TUTORIAL, TUNED, WGET2 = "Scrapy, tutorial", "Scrapy, tuned", "wget2"
GOSSAMER, GOSSAMER_TWICE = "Gossamer", "Gossamer, 2 processes"

CRAWLERS = [
    Crawler(TUTORIAL, scrapy("scrapy_tutorial.py"), _scrapy_version, "nothing"),
    Crawler(TUNED, scrapy("scrapy_tuned.py"), _scrapy_version, "nothing"),
    Crawler(WGET2, wget2, _wget2_version, "files"),
    Crawler(GOSSAMER, gossamer(), _gossamer_version, "all"),
    Crawler(GOSSAMER_TWICE, gossamer(processes=2), _gossamer_version, "all"),
]
