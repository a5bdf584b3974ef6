"""Serve folders as hosts: index pages, content types, conditional requests, nothing outside the folder."""

import itertools
import mimetypes
import os
import stat
from collections.abc import Container, Sequence
from email.utils import formatdate
from pathlib import Path
from typing import Self
from urllib.parse import quote_from_bytes, unquote_to_bytes

import msgspec

from gossamer.errors import BadInput
from gossamer.lab.server.answer import LabAnswer, LabRequest, answer_with_text
from gossamer.lab.server.loopback_sockets import loopback_address

_LARGEST_FILE_BYTES = 512 * 1024 * 1024
_INDEX_PAGES = ("index.html", "index.htm")
_UNKNOWN_TYPE = "application/octet-stream"
_TYPES = mimetypes.MimeTypes()  # the same on every machine: system tables are not read


class Folders:
    """A world in which each folder is a host of the same name, the first at 127.0.0.1, the next at 127.0.0.2, …"""

    def __init__(self, folders: Sequence[Path], port: int = 80) -> None:
        if not folders:
            raise BadInput("Name at least one folder to serve.")
        self._port = port
        self._roots: dict[str, Path] = {}
        for folder in folders:
            if not folder.is_dir():
                raise BadInput(f"{folder} is not a folder.")
            if not os.access(folder, os.R_OK | os.X_OK):
                raise BadInput(f"You may not read {folder}.")
            root = folder.resolve()
            self._roots[_choose_name(root.name.lower() or "root", self._roots)] = root

    def answer(self, request: LabRequest, now_s: float) -> LabAnswer:  # noqa: ARG002 - files have real times
        """Answer with a file of the host's folder."""
        if request.method not in ("GET", "HEAD"):
            return answer_with_text(405, "Folders answer only GET and HEAD.")
        root = self._roots.get(request.host.partition(":")[0])
        if root is None:
            return answer_with_text(404, "No folder has this name.")
        path, _, query = request.target.partition("?")
        try:
            file = _resolve_inside(root, root / os.fsdecode(unquote_to_bytes(path)).lstrip("/"))
            if file.is_dir() and not path.endswith("/"):
                return _redirect_to_folder(path, query)
            return _answer_with_file(_find_index_page(root, file) if path.endswith("/") else file, request)
        except PermissionError:
            return answer_with_text(403, "This file is not readable.")
        except (OSError, ValueError, RuntimeError):  # missing, NUL in the name, name too long, circular links
            return answer_with_text(404, "There is no such page.")

    def hosts(self) -> list[str]:
        """Return the names of the folders."""
        return list(self._roots)

    def host_map(self) -> dict[str, str]:
        """Map each folder to an address, in order."""
        return {name: loopback_address(number) for number, name in enumerate(self._roots)}

    def with_port(self, port: int) -> Self:
        """Return the same folders with this port in their URLs."""
        return type(self)(list(self._roots.values()), port)

    def seeds(self) -> list[str]:
        """Return each folder's front page, by address."""
        return [f"http://{address}:{self._port}/" for address in self.host_map().values()]


def _choose_name(name: str, taken: Container[str]) -> str:
    numbered = (f"{name}-{number}" for number in itertools.count(2))
    return next(free for free in itertools.chain([name], numbered) if free not in taken)


def _resolve_inside(root: Path, path: Path) -> Path:
    """Resolve dots and symbolic links; raise FileNotFoundError if the result is outside the folder."""
    real = path.resolve()
    if not real.is_relative_to(root):
        raise FileNotFoundError(path)
    return real


def _find_index_page(root: Path, folder: Path) -> Path:
    pages = (_resolve_inside(root, folder / name) for name in _INDEX_PAGES if (folder / name).exists())
    page = next(pages, None)
    if page is None:
        raise FileNotFoundError(folder)
    return page


def _redirect_to_folder(path: str, query: str) -> LabAnswer:
    """Redirect to the folder with a final slash; two slashes at the start would name another host."""
    target = "/" + quote_from_bytes(unquote_to_bytes(path.lstrip("/"))) + "/"
    moved = answer_with_text(301, "The URL of this folder ends with a slash.")
    location = ("Location", f"{target}?{query}" if query else target)
    return msgspec.structs.replace(moved, headers=(*moved.headers, location))


def _answer_with_file(file: Path, request: LabRequest) -> LabAnswer:
    found = file.stat()
    if not stat.S_ISREG(found.st_mode):
        raise FileNotFoundError(file)
    if found.st_size > _LARGEST_FILE_BYTES:
        return answer_with_text(403, f"Files above {_LARGEST_FILE_BYTES >> 20} MiB are not served.")
    tag = f'"{found.st_mtime_ns:x}-{found.st_size:x}"'
    last_modified = formatdate(found.st_mtime, usegmt=True)
    headers = (("ETag", tag), ("Last-Modified", last_modified))
    if request.has_version(tag, last_modified):
        return LabAnswer(304, headers)
    content_type, coding = _TYPES.guess_type(file.name)
    if coding is not None:  # serve a compressed file as what it is, not as a page with Content-Encoding
        content_type = f"application/{coding}"
    return LabAnswer(200, (("Content-Type", content_type or _UNKNOWN_TYPE), *headers), file.read_bytes())
