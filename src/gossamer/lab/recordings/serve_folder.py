"""Folders served as hosts: index pages, content types, conditional requests, and no way out of the folder."""

import itertools
import mimetypes
import os
import stat
from collections.abc import Container, Sequence
from email.utils import formatdate, parsedate_to_datetime
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
    """Each folder is a host: named like the folder, the first at 127.0.0.1, the next at 127.0.0.2, …"""

    def __init__(self, folders: Sequence[Path], port: int = 80) -> None:
        if not folders:
            raise BadInput("There is no folder to serve.")
        self._port = port
        self._roots: dict[str, Path] = {}
        for folder in folders:
            if not folder.is_dir():
                raise BadInput(f"{folder} is not a folder.")
            if not os.access(folder, os.R_OK | os.X_OK):
                raise BadInput(f"{folder} may not be read.")
            root = folder.resolve()
            self._roots[_free_name(root.name.lower() or "root", self._roots)] = root

    def answer(self, request: LabRequest, now_s: float) -> LabAnswer:  # noqa: ARG002 - files have real times
        """Answer with a file of the folder that the host stands for."""
        if request.method not in ("GET", "HEAD"):
            return answer_with_text(405, "Folders answer GET and HEAD.")
        root = self._roots.get(request.host.partition(":")[0])
        if root is None:
            return answer_with_text(404, "No folder is served under this name.")
        path, _, query = request.target.partition("?")
        try:
            file = _inside(root, root / os.fsdecode(unquote_to_bytes(path)).lstrip("/"))
            if file.is_dir() and not path.endswith("/"):
                return _moved(path, query)
            return _contents(_page_of(root, file) if path.endswith("/") else file, request)
        except PermissionError:
            return answer_with_text(403, "This file may not be read.")
        except (OSError, ValueError, RuntimeError):  # not there, a NUL, a name too long, a ring of links
            return answer_with_text(404, "There is no such page.")

    def hosts(self) -> list[str]:
        """Return the names of the folders."""
        return list(self._roots)

    def host_map(self) -> dict[str, str]:
        """Give each folder an address, in order."""
        return {name: loopback_address(number) for number, name in enumerate(self._roots)}

    def with_port(self, port: int) -> Self:
        """Return the same folders, to be served on this port."""
        return type(self)(list(self._roots.values()), port)

    def seeds(self) -> list[str]:
        """Return each folder's front page, by address."""
        return [f"http://{address}:{self._port}/" for address in self.host_map().values()]


def _free_name(name: str, taken: Container[str]) -> str:
    numbered = (f"{name}-{number}" for number in itertools.count(2))
    return next(free for free in itertools.chain([name], numbered) if free not in taken)


def _inside(root: Path, path: Path) -> Path:
    """Follow dots and links, and refuse what leads out of the folder."""
    real = path.resolve()
    if not real.is_relative_to(root):
        raise FileNotFoundError(path)
    return real


def _page_of(root: Path, folder: Path) -> Path:
    pages = (_inside(root, folder / name) for name in _INDEX_PAGES if (folder / name).exists())
    page = next(pages, None)
    if page is None:
        raise FileNotFoundError(folder)
    return page


def _moved(path: str, query: str) -> LabAnswer:
    """Send the client to the folder with its slash; two slashes at the start would name another host."""
    target = "/" + quote_from_bytes(unquote_to_bytes(path.lstrip("/"))) + "/"
    moved = answer_with_text(301, "This folder is found with a slash at its end.")
    location = ("Location", f"{target}?{query}" if query else target)
    return msgspec.structs.replace(moved, headers=(*moved.headers, location))


def _contents(file: Path, request: LabRequest) -> LabAnswer:
    found = file.stat()
    if not stat.S_ISREG(found.st_mode):
        raise FileNotFoundError(file)
    if found.st_size > _LARGEST_FILE_BYTES:
        return answer_with_text(403, f"Files above {_LARGEST_FILE_BYTES >> 20} MiB are not served.")
    tag = f'"{found.st_mtime_ns:x}-{found.st_size:x}"'
    headers = (("ETag", tag), ("Last-Modified", formatdate(found.st_mtime, usegmt=True)))
    if _known(request.headers, tag, found.st_mtime):
        return LabAnswer(304, headers)
    content_type, coding = _TYPES.guess_type(file.name)
    if coding is not None:  # a file that is compressed is served as such, not as a page sent compressed
        content_type = f"application/{coding}"
    return LabAnswer(200, (("Content-Type", content_type or _UNKNOWN_TYPE), *headers), file.read_bytes())


def _known(headers: dict[str, str], tag: str, changed_s: float) -> bool:
    """Tell whether the client has this version, by tag or else by time (RFC 9110, section 13.2.2)."""
    if (tags := headers.get("if-none-match")) is not None:
        return any(known.strip().removeprefix("W/") in (tag, "*") for known in tags.split(","))
    try:
        since = parsedate_to_datetime(headers.get("if-modified-since", ""))
    except (ValueError, TypeError):
        return False
    return int(changed_s) <= since.timestamp()
