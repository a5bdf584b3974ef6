"""Fetches files of this machine, from folders that the user named and from nowhere else."""

import asyncio
import mimetypes
import os
import stat
import time
from pathlib import Path
from urllib.parse import quote_from_bytes, unquote_to_bytes

from gossamer.fetch.fetcher import FetchOptions
from gossamer.fetch.schemes.listing_page import MOST_ENTRIES, make_listing
from gossamer.net.dates import parse_date
from gossamer.records import Exchange, Failed, Fetched, NotModified, Outcome, Redirected, Refused

FILE_HOST = "localhost"
_BEFORE_PATH = "file://localhost"
_TYPES = mimetypes.MimeTypes()  # the same on every machine: system tables are not read
_NOT_FOUND = "404"
_OPEN = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK  # a named pipe must not hold us up


async def fetch_file(url: str, options: FetchOptions) -> Outcome:
    """Read a file below the folders that the settings allow; a folder becomes an index page of links."""
    return await asyncio.to_thread(read_file_url, url, options)


def read_file_url(url: str, options: FetchOptions) -> Outcome:
    """Read the file that a URL names. Links of the file system count as what they lead to, so none leads out."""
    began_s = time.time()
    wanted = unquote_to_bytes(url.removeprefix(_BEFORE_PATH))
    try:
        real = os.path.realpath(wanted)
        if not _is_allowed(real, options.settings.allow_files):
            return Refused("folder", "--allow-files names the folders that may be read")
        is_folder = os.path.isdir(real)
        proper = _make_url(real, is_folder)
        if proper != url:
            return Redirected(_make_exchange(url, 301, b"", began_s), proper)
        if is_folder:
            return Fetched(_make_exchange(url, 200, _list_folder(real), began_s, "text/html; charset=utf-8"))
        return _read_file(real, url, options, began_s)
    except (OSError, ValueError) as error:  # missing, forbidden, a NUL in the name, too long
        why = error.strerror if isinstance(error, OSError) and error.strerror else "no such file"
        return Failed(
            "status", _NOT_FOUND, exchange=_make_exchange(url, 404, why.encode(), began_s, "text/plain")
        )


def _is_allowed(real: bytes, folders: tuple[str, ...]) -> bool:
    """Say whether a path without symbolic links lies in one of these folders."""
    for folder in folders:
        root = os.path.realpath(os.fsencode(Path(folder).absolute()))
        if real == root or real.startswith(root.rstrip(b"/") + b"/"):
            return True
    return False


def _make_url(real: bytes, is_folder: bool) -> str:
    """Return the canonical URL of a path: a folder ends in a slash."""
    from gossamer.net.url import TYPED_RULES, canonical

    path = quote_from_bytes(real.rstrip(b"/"), safe="/")
    return canonical(f"{_BEFORE_PATH}{path}{'/' if is_folder else ''}", rules=TYPED_RULES)


def _list_folder(folder: bytes) -> bytes:
    """Return the index page of a folder; hidden files and what is neither file nor folder are left out."""
    with os.scandir(folder) as found:
        entries = sorted(
            (entry.name, entry.is_dir())
            for entry in found
            if not entry.name.startswith(b".") and (entry.is_dir() or entry.is_file())
        )
    return make_listing(
        folder.decode("utf-8", "replace"), entries[:MOST_ENTRIES], len(entries) > MOST_ENTRIES
    )


def _read_file(path: bytes, url: str, options: FetchOptions, began_s: float) -> Outcome:
    file = os.open(path, _OPEN)
    with os.fdopen(file, "rb") as opened:
        facts = os.fstat(file)
        if not stat.S_ISREG(facts.st_mode):
            return Refused("folder", "it is not a plain file")
        changed = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(facts.st_mtime))
        if options.last_modified and parse_date(options.last_modified) == parse_date(changed):
            return NotModified(_make_exchange(url, 304, b"", began_s, changed=changed))
        most = options.settings.page_bytes
        body = b"" if options.method == "HEAD" else opened.read(most + 1)
    kind = _TYPES.guess_type(url)[0] or "application/octet-stream"
    exchange = _make_exchange(url, 200, body[:most], began_s, kind, changed, cut=len(body) > most)
    return Fetched(exchange)


def _make_exchange(
    url: str, status: int, body: bytes, began_s: float, kind: str = "", changed: str = "", cut: bool = False
) -> Exchange:
    """Return what was read as an exchange without HTTP: its heads are empty."""
    headers = [("content-type", kind), ("last-modified", changed)]
    took_s = max(0.0, time.time() - began_s)
    return Exchange(
        url=url,
        status=status,
        request_head=b"",
        response_head=b"",
        payload=body,
        body=body,
        headers=tuple((name, value) for name, value in headers if value),
        address="",
        began_s=began_s,
        first_byte_s=took_s,
        took_s=took_s,
        cut="length" if cut else "",
    )
