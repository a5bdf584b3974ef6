"""Gives each file a URL, as if a server showed it, so that files are checked by the same code as pages.

The URL has the path of the file on this machine, on a host that cannot exist. So a relative link may leave the folder that was
named, as it may when the files are opened from disk; a link that begins with `/` starts at the root of the file.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import quote, unquote_to_bytes

from gossamer.errors import BadInput, BadUrl
from gossamer.link_check.facts.page_facts import MakeResolver, Resolver
from gossamer.net import url as urls
from gossamer.net.url.resolve_links import LinkResolver

HTML_SUFFIXES = frozenset((".html", ".htm", ".xhtml"))
MARKDOWN_SUFFIXES = frozenset((".md", ".markdown"))
_PAGE_SUFFIXES = HTML_SUFFIXES | MARKDOWN_SUFFIXES
INDEX_NAMES = ("index.html", "index.htm", "index.xhtml", "README.md", "index.md")
_HOST = "files.invalid"


def list_files(paths: Iterable[Path]) -> list[Path]:
    """Return the HTML and Markdown files that are named, or that are in folders that are named."""
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            inside = sorted(
                one for one in path.rglob("*") if one.suffix.lower() in _PAGE_SUFFIXES and one.is_file()
            )
            if not inside:
                raise BadInput(f"{path} has no HTML or Markdown files to check")
            found.update(dict.fromkeys(inside))
        elif path.is_file():
            found[path] = None
        else:
            raise BadInput(f"there is no file {path}; a URL begins with http:// or https://")
    return list(found)


class FileTree:
    """The files that a check was asked for, their URLs and what `/` means for them."""

    def __init__(self, paths: Sequence[Path], published: str = "") -> None:
        self.files = list_files(paths)
        self.folders = [path for path in paths if path.is_dir()]
        self._texts = {_absolute(path) for path in self.files if path.suffix.lower() not in _PAGE_SUFFIXES}
        self._published = _read_published(published, self.folders)
        self._origin = f"{'http' if self._published.startswith('http:') else 'https'}://{_HOST}"
        self._shown = {_absolute(path): str(path) for path in (*paths, *self.files)}
        self._is_relative = not any(path.is_absolute() for path in paths)
        self._repositories: dict[Path, Path | None] = {}

    def is_markdown(self, path: Path) -> bool:
        """Say whether a file is Markdown: by its name, or since the user named it and it is not HTML."""
        return path.suffix.lower() in MARKDOWN_SUFFIXES or _absolute(path) in self._texts

    def is_page(self, path: Path) -> bool:
        """Say whether a file is HTML or Markdown."""
        return path.suffix.lower() in HTML_SUFFIXES or self.is_markdown(path)

    def url(self, path: Path) -> str:
        """Return the URL of a file."""
        try:
            return urls.canonical(self._origin + quote(os.fsencode(_absolute(path))))
        except BadUrl:
            short = self._shown.get(_absolute(path), str(path))[:100]
            raise BadInput(
                f"the path {short}… is too long to be checked: as a URL it has more than 2,000 characters"
            ) from None

    def path(self, url: str) -> Path | None:
        """Return the file that a URL means; None for a URL of the web."""
        if not url.startswith(f"{self._origin}/"):
            return None
        path = url[len(self._origin) :].partition("?")[0]
        return Path(os.fsdecode(unquote_to_bytes(path)))

    def name(self, url: str) -> str:
        """Return what people call a URL: the path of a file as they would type it, or the URL itself."""
        path = self.path(url)
        if path is None:
            return url
        shown = self._shown.get(str(path))
        if shown is None:
            shown = os.path.relpath(path) if self._is_relative else str(path)
        shown = os.fsencode(shown).decode("utf-8", "replace")  # reports cannot hold other names
        return f"{shown.rstrip('/')}/" if url.endswith("/") else shown

    def make_resolver(self, source: Path) -> MakeResolver:
        """Return what makes the resolvers of the links of a file."""
        return _MakeFileResolver(self._origin, self._origin + quote(os.fsencode(self._find_root(source))), self._published, self._folder_url())  # fmt: skip

    def _folder_url(self) -> str:
        return f"{self.url(self.folders[0]).rstrip('/')}/" if self._published else ""

    def _find_root(self, path: Path) -> str:
        """Return where links that begin with `/` start, without a slash at its end.

        For pages and style sheets, it is the folder that was named; for Markdown, that of the repository. Without one, it
        is the other of both, else the working directory.
        """
        folder = Path(_absolute(path)).parent
        named = next((one for one in map(_absolute, self.folders) if folder.is_relative_to(one)), None)
        repository = self._find_repository(folder)
        choices = (repository, named) if self.is_markdown(path) else (named, repository)
        return str(next((one for one in choices if one is not None), Path.cwd())).rstrip("/")

    def _find_repository(self, folder: Path) -> Path | None:
        if folder not in self._repositories:
            parents = (folder, *folder.parents)
            self._repositories[folder] = next((one for one in parents if (one / ".git").exists()), None)
        return self._repositories[folder]


class _MakeFileResolver:
    """Makes resolvers of the links of one file, relative to it or to the <base> that it has."""

    def __init__(self, origin: str, root: str, published: str, folder: str) -> None:
        self._origin, self._root, self._published, self._folder = origin, root, published, folder

    def __call__(self, base: str) -> Resolver:
        root = self._root if base.startswith(f"{self._origin}/") else ""
        return _FileResolver(LinkResolver(base), root, self._published, self._folder)


class _FileResolver(dict[str, str | None]):
    """Resolves links as `LinkResolver` does, but begins with `/` at a root, and knows where the files are published."""

    def __init__(self, resolver: LinkResolver, root: str, published: str, folder: str) -> None:
        self._resolver, self._root, self._published, self._folder = resolver, root, published, folder

    def __missing__(self, link: str) -> str | None:
        text = link.strip()
        is_rooted = self._root and text.startswith("/") and not text.startswith(("//", "/\\"))
        found = self._resolver[self._root + text if is_rooted else link]
        if found is not None and self._published and f"{found}/".startswith(self._published):
            found = self._folder + found[len(self._published) :]
        self[link] = found
        return found


def _read_published(text: str, folders: Sequence[Path]) -> str:
    """Return the URL of the folder on the web, with a slash at its end; "" if none was given."""
    if not text:
        return ""
    if len(folders) != 1:
        raise BadInput("--published says where one folder will be on the web: name that folder, and no other")
    try:
        return urls.canonical(text).partition("?")[0].rstrip("/") + "/"
    except BadUrl:
        raise BadInput(f"--published {text!r} is no URL: write it as https://www.example.org/docs/") from None


def _absolute(path: Path) -> str:
    """Return the path from the root of the machine, without `..`; links of the file system stay."""
    return os.path.abspath(path)
