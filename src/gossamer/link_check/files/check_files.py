"""Checks HTML and Markdown files on disk: relative links, fragments, and links to the web."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from urllib.parse import unquote

import msgspec

from gossamer.errors import BadInput, BadUrl
from gossamer.link_check.check_options import CheckOptions
from gossamer.link_check.facts.page_facts import normalise_fragment
from gossamer.link_check.files.markdown_page import FileLinks, WrittenLink, read_markdown
from gossamer.link_check.judge_pages import merge_problems
from gossamer.link_check.problem import CheckResult, Problem
from gossamer.link_check.target_outcomes import TargetOutcome
from gossamer.net import url as urls
from gossamer.net.encoding import as_utf8
from gossamer.net.html.references import find_place, read_references
from gossamer.net.url.url_pattern import compile_pattern

HTML_SUFFIXES = frozenset((".html", ".htm", ".xhtml"))
MARKDOWN_SUFFIXES = frozenset((".md", ".markdown"))
_INDEX_NAMES = ("index.html", "index.htm", "README.md", "index.md")
_NOT_CHECKED = frozenset(("base", "hint", "post-form", "form"))
_MOST_BYTES = 50_000_000

AskUrls = Callable[[Sequence[str]], Callable[[str], TargetOutcome]]
"""Asks for addresses of the web; returns what came of each."""


class _Link(msgspec.Struct, frozen=True, gc=False):
    """A link of a file that leads to the web."""

    source: Path
    written: WrittenLink
    url: str


def list_files(paths: Iterable[Path]) -> list[Path]:
    """Return the HTML and Markdown files that are named, or that are in folders that are named."""
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            inside = sorted(one for one in path.rglob("*") if _is_page(one) and one.is_file())
            if not inside:
                raise BadInput(f"{path} has no HTML or Markdown files to check")
            found.update(dict.fromkeys(inside))
        elif path.is_file():
            found[path] = None
        else:
            raise BadInput(f"there is no file {path}; a URL begins with http:// or https://")
    return list(found)


def _is_page(path: Path) -> bool:
    return path.suffix.lower() in HTML_SUFFIXES | MARKDOWN_SUFFIXES


def check_files(
    paths: Sequence[Path], options: CheckOptions, ask: AskUrls | None, now_s: float = 0.0
) -> CheckResult:
    """Check the links of files; without `ask`, links to the web are left out."""
    folder = _Folder(options)
    problems: list[Problem] = []
    outside: list[_Link] = []
    addresses: set[str] = set()
    links = 0
    for path in list_files(paths):
        found = folder.read(path)
        for written in found.links:
            if written.kind in _NOT_CHECKED or not folder.is_wanted(written.address):
                continue
            links += 1
            addresses.add(written.address if ":" in written.address else f"{path.parent}/{written.address}")
            problems += folder.judge(path, written, found.base, outside)
    if ask is not None and outside:
        problems += folder.judge_web(outside, ask)
    kept = [one for one in merge_problems(problems) if one.problem not in options.skip]
    return CheckResult(kept, len(addresses), len(folder.read_paths), links, now_s)


class _Folder:
    """Reads each file once."""

    def __init__(self, options: CheckOptions) -> None:
        self._include = [compile_pattern(one, "include") for one in options.include]
        self._exclude = [compile_pattern(one, "exclude") for one in options.exclude]
        self._links: dict[Path, FileLinks] = {}
        self._sources: dict[Path, bytes] = {}
        self.read_paths: set[Path] = set()

    def is_wanted(self, address: str) -> bool:
        """Say whether the options ask for a link."""
        if self._include and not any(one.search(address) for one in self._include):
            return False
        return not any(one.search(address) for one in self._exclude)

    def read(self, path: Path) -> FileLinks:
        """Return the links and fragments of a file."""
        real = path.resolve()
        self.read_paths.add(path)
        if real not in self._links:
            source = self._read_source(path)
            if path.suffix.lower() in HTML_SUFFIXES:
                self._links[real] = _read_html(source)
            else:
                self._links[real] = read_markdown(source.decode("utf-8", "replace"))
        return self._links[real]

    def _read_source(self, path: Path) -> bytes:
        real = path.resolve()
        if real not in self._sources:
            try:
                with path.open("rb") as file:
                    body = file.read(_MOST_BYTES)
            except OSError as error:
                raise BadInput(f"{path} cannot be read: {error.strerror}") from None
            self._sources[real] = as_utf8(body, None)[0]
        return self._sources[real]

    def judge(self, path: Path, link: WrittenLink, base: str, outside: list[_Link]) -> Iterator[Problem]:
        """Yield the problem of a link to a file; collect links to the web."""
        address = link.address.strip()
        if address.lower().startswith(("http://", "https://", "//")):
            yield from self._collect(path, link, address, outside)
            return
        if _has_scheme(address) or not address or base:
            return  # mailto: and such; with a <base> it is not known where the file will be
        name, _, fragment = address.partition("#")
        name = unquote(name.partition("?")[0])
        target = self._find_file(path, name)
        if target is None:
            yield self._make(path, link, "broken", "there is no such file")
        elif (wanted := normalise_fragment(fragment)) and _is_page(target):
            targets = self.read(target).targets
            if wanted not in targets and (
                target.suffix.lower() in HTML_SUFFIXES or wanted.lower() not in targets
            ):
                yield self._make(path, link, "fragment", f"{target.name} has no such anchor")

    def _collect(
        self, path: Path, link: WrittenLink, address: str, outside: list[_Link]
    ) -> Iterator[Problem]:
        try:
            outside.append(_Link(path, link, urls.canonical(address, "https://localhost/")))
        except BadUrl as error:
            yield self._make(path, link, "invalid-address", str(error.reason))

    def _find_file(self, path: Path, name: str) -> Path | None:
        """Return the file or folder that a relative address names; None if there is none."""
        if not name:
            return path
        if "\0" in name:
            return None
        root = _find_root(path) if name.startswith("/") else path.parent
        target = root / name.lstrip("/")
        try:
            if target.is_dir():
                return next((target / one for one in _INDEX_NAMES if (target / one).is_file()), target)
            return target if target.exists() else None
        except OSError:
            return None

    def judge_web(self, outside: Sequence[_Link], ask: AskUrls) -> Iterator[Problem]:
        """Yield the problems of links to the web."""
        find = ask(sorted({one.url for one in outside}))
        for one in outside:
            outcome = find(one.url)
            if outcome.state not in ("ok", "unasked"):
                made = self._make(one.source, one.written, outcome.state, outcome.detail)
                yield msgspec.structs.replace(made, status=outcome.status)
            elif outcome.state == "ok" and outcome.permanent:
                made = self._make(one.source, one.written, "permanent-redirect", "")
                yield msgspec.structs.replace(made, status=outcome.status)

    def _make(self, path: Path, link: WrittenLink, problem: str, detail: str) -> Problem:
        place = find_place(self._read_source(path), link.offset)
        return Problem(problem, link.address, str(path), 0, link.kind, place.line, place.column, detail)


def _read_html(source: bytes) -> FileLinks:
    found = read_references(source)
    links = [WrittenLink(one.url, one.start, one.kind) for one in found.references if not one.inert]
    return FileLinks(links, frozenset(found.targets), found.base)


def _has_scheme(address: str) -> bool:
    scheme, colon, _ = address.partition(":")
    return bool(colon) and scheme[:1].isalpha() and all(char.isalnum() or char in "+.-" for char in scheme)


def _find_root(path: Path) -> Path:
    """Return where absolute paths begin: the folder of the repository, else the working directory."""
    for folder in path.resolve().parents:
        if (folder / ".git").exists():
            return folder
    return Path.cwd()
