"""The crawlers that are compared, each with the command line that makes it fetch one site."""

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
    """A crawler; `command` makes its command line from start pages and a folder for its files."""

    name: str
    command: Command
    version: Callable[[], str]
    """Its version; empty if it is not installed."""
    keeps: str


def make_gossamer(*extra: str, processes: int = 1) -> Command:
    """Make a command of Gossamer that keeps everything: store, links, archive, fingerprints. Only pauses are off."""

    def command(seeds: list[str], folder: Path) -> list[str]:
        return [
            *(sys.executable, *extra, "-m", "gossamer.cli.main", "crawl", *seeds),
            *("--web", str(folder / "web"), "--scope", "host", "--json", "--processes", str(processes)),
            *("--delay", "0", "--adaptive", "0", "--allow-private", "127.0.0.0/8"),
        ]

    return command


def make_wget2_command(seeds: list[str], folder: Path) -> list[str]:
    """Make a command of wget2 that saves every page it reaches; it obeys robots.txt, as always when it recurses."""
    return [
        *("wget2", "--no-config", "--recursive", "--level=inf", f"--max-threads={WGET2_THREADS}"),
        *("--no-verbose", f"--directory-prefix={folder / 'files'}", *seeds),
    ]


def make_scrapy(script: str) -> Command:
    """Make a command of a spider in peers/ that makes an item of every page and drops it."""
    return lambda seeds, _folder: [sys.executable, str(PEERS / script), *seeds]


def make_environment() -> dict[str, str]:
    """Return the environment of all crawlers: no proxies, and Python's defaults, which cache compiled modules."""
    unwanted = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
    return {
        name: value
        for name, value in os.environ.items()
        if not name.lower().endswith("_proxy") and name not in unwanted
    }


def _find_scrapy_version() -> str:
    try:
        return f"Scrapy {importlib.metadata.version('scrapy')}"
    except importlib.metadata.PackageNotFoundError:
        return ""


def _find_wget2_version() -> str:
    if not shutil.which("wget2"):
        return ""
    output = subprocess.run(["wget2", "--version"], capture_output=True, text=True, check=True).stdout
    return " ".join(output.split()[1:3])


def _find_gossamer_version() -> str:
    command = [sys.executable, "-m", "gossamer.cli.main", "crawl", "--help"]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        return ""
    return f"Gossamer {importlib.metadata.version('gossamer')}"


TUTORIAL, TUNED, WGET2 = "Scrapy, tutorial", "Scrapy, tuned", "wget2"
GOSSAMER, GOSSAMER_TWICE = "Gossamer", "Gossamer, 2 processes"

CRAWLERS = [
    Crawler(TUTORIAL, make_scrapy("scrapy_tutorial.py"), _find_scrapy_version, "nothing"),
    Crawler(TUNED, make_scrapy("scrapy_tuned.py"), _find_scrapy_version, "nothing"),
    Crawler(WGET2, make_wget2_command, _find_wget2_version, "files"),
    Crawler(GOSSAMER, make_gossamer(), _find_gossamer_version, "all"),
    Crawler(GOSSAMER_TWICE, make_gossamer(processes=2), _find_gossamer_version, "all"),
]
