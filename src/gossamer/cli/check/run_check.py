"""Runs a check: of a site that is crawled into a web, of a web alone, or of files."""

import gc
import hashlib
import os
import re
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from gossamer.cli.run_options import Display
from gossamer.config import TaskSpec, from_options
from gossamer.errors import BadInput
from gossamer.link_check.check_options import CheckOptions
from gossamer.link_check.problem import CheckResult

_SCOPES = ("page", "directory", "host", "site")
_PROGRESS_EVERY_S = 0.5
_LINE_EVERY_S = 10.0
"""Where the output is no terminal, a line is written so often."""


class CheckRequest(msgspec.Struct, frozen=True):
    """What the user asked for."""

    addresses: list[str]
    web: Path | None
    task: dict[str, Any]
    """Options of the task that crawls the site."""
    options: CheckOptions
    now_s: float


def run_check(request: CheckRequest) -> CheckResult:
    """Check files, a site or a web, whatever was named."""
    if request.task["scope"] not in _SCOPES:
        raise BadInput(f"--scope cannot be {request.task['scope']!r}: it is one of {', '.join(_SCOPES)}")
    files = [Path(one) for one in request.addresses if _is_file(one)]
    sites = [one for one in request.addresses if not _is_file(one)]
    if files and sites:
        raise BadInput("check a site or files, not both at once: give URLs or paths")
    if files:
        return _check_paths(files, request)
    if request.options.published:
        raise BadInput("--published goes with a folder on disk: gossamer check FOLDER --published URL")
    if not sites and request.web is None:
        raise BadInput("there is nothing to check: give a URL, files or folders, or --web WEB")
    return _check_web(sites, request)


def _is_file(text: str) -> bool:
    if "://" in text:
        return False
    return Path(text).exists() or text.startswith((".", "/")) or text.lower().endswith((".md", ".markdown"))


def _check_web(sites: Sequence[str], request: CheckRequest) -> CheckResult:
    """Crawl a site and check it; without one, check what the web holds."""
    from gossamer.link_check.check_site import check_site
    from gossamer.link_check.checked_site import CheckedWeb
    from gossamer.web import Web

    site = _make_site(sites, request) if sites else None
    folder = request.web or _find_cache_folder(site.seeds if site else ())
    if site is None:
        with Web(folder, create=False) as opened:
            return check_site(CheckedWeb(opened.store, opened.folder), None, request.options, request.now_s)
    with Web(folder) as opened:
        runner = CheckRunner(opened)
        return check_site(
            CheckedWeb(opened.store, opened.folder, runner, runner.say), site, request.options, request.now_s
        )


def _make_site(sites: Sequence[str], request: CheckRequest) -> TaskSpec:
    from gossamer.cli.typed_url import complete_urls
    from gossamer.crawl.control.start_tasks import list_start_pages

    spec = from_options(seeds=complete_urls(sites), exclude=list(request.options.exclude), **request.task)
    for url in list_start_pages(spec):  # a clear sentence about what is no URL
        if not spec.fetching.hosts_file:
            _require_address(url)
    return spec


def _require_address(url: str) -> None:
    """Raise BadInput if a start page's host has no address: the crawl would try again for a minute."""
    parts = urlsplit(url)
    try:
        socket.getaddrinfo(parts.hostname or "", parts.port or 80, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise BadInput(f"{url} cannot be checked: there is no host {parts.hostname!r}") from None


def _find_cache_folder(seeds: Sequence[str]) -> Path:
    """Return where the pages of a site are kept between checks, below the cache of the user."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    name = (
        re.sub(r"[^a-z0-9.-]+", "-", seeds[0].partition("://")[2].lower())[:60].strip("-.")
        if seeds
        else "files"
    )
    digest = hashlib.sha256("\n".join(sorted(seeds)).encode()).hexdigest()[:8]
    folder = cache / "gossamer" / "check" / f"{name}-{digest}.web"
    folder.parent.mkdir(parents=True, exist_ok=True)
    return folder


def _check_paths(files: Sequence[Path], request: CheckRequest) -> CheckResult:
    """Check files; addresses of the web are asked for in a web that is kept for that."""
    from gossamer.link_check.files.check_files import check_files

    if not request.options.external:
        return check_files(files, request.options, None, request.now_s)
    from gossamer.link_check.facts.facts_file import FactsFile
    from gossamer.link_check.files.ask_urls import UrlAsker
    from gossamer.web import Web

    with Web(request.web or _find_cache_folder(())) as opened, FactsFile(opened.folder) as facts:
        task = from_options(**request.task)
        asker = UrlAsker(opened.store, facts, CheckRunner(opened), task, request.options, request.now_s)
        return check_files(files, request.options, asker.ask, request.now_s)


class CheckRunner:
    """Runs the tasks of a check and shows how far they are: in one line on a terminal, in a line now and then elsewhere."""

    def __init__(self, web: Any) -> None:
        self._web = web
        self._visited = 0
        self._is_terminal = sys.stderr.isatty()
        self._shown_s = 0.0 if self._is_terminal else time.time()

    def __call__(self, new: Sequence[Any], again: Sequence[Any], beside: Any = None) -> None:
        """Run new tasks, and stored ones again, until they have ended."""
        from gossamer.run_tasks import RunOptions, resolve_task, run_tasks

        stored = [resolve_task(self._web, one) for one in again]
        try:
            # What is loaded by now stays, so the collector can skip it.
            run_tasks(self._web, new, stored, RunOptions(self._watch, lambda _: gc.freeze(), 1, beside))
        finally:
            self._clear()

    def say(self, sentence: str) -> None:
        """Say what is done next."""
        if not Display.hidden:
            print(sentence, file=sys.stderr, flush=True)  # noqa: T201 - output of the program

    def _watch(self, event: Any) -> None:
        from gossamer.crawl.events import PageVisited

        if type(event) is not PageVisited or Display.hidden:
            return
        self._visited += 1
        if event.when_s > self._shown_s + (_PROGRESS_EVERY_S if self._is_terminal else _LINE_EVERY_S):
            self._shown_s = event.when_s
            start, end = ("\r", "") if self._is_terminal else ("", "\n")
            print(f"{start}{self._visited:,} addresses asked for", end=end, file=sys.stderr, flush=True)  # noqa: T201

    def _clear(self) -> None:
        if self._is_terminal and self._shown_s:
            print("\r\033[K", end="", file=sys.stderr, flush=True)  # noqa: T201 - output of the program
