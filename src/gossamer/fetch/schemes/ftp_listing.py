"""Reads the listing of a folder of an FTP server: MLSD (RFC 3659), or LIST as Unix and Windows servers write it."""

import re
from collections.abc import Iterator

_UNIX = re.compile(
    rb"([-dlbcps])[rwxsStTl+.@-]{9,11}\s+\d+\s+(?:\S+\s+){1,3}?\d+\s+\w{3}\s+\d{1,2}\s+(?:\d{4}|\d{1,2}:\d{2})\s(.+)"
)
_WINDOWS = re.compile(rb"\d{2}-\d{2}-\d{2,4}\s+\d{2}:\d{2}(?:[AP]M)?\s+(<DIR>|\d+)\s+(.+)", re.IGNORECASE)


def parse_mlsd(listing: bytes) -> Iterator[tuple[bytes, bool]]:
    """Yield the names in a listing of MLSD, and whether each is a folder; other things than files are left out."""
    for line in listing.splitlines():
        facts, _, name = line.partition(b" ")
        kinds = re.search(rb"(?:^|;)type=([^;]*);", facts, re.IGNORECASE)
        kind = kinds[1].lower() if kinds else b"file"
        if kind in (b"file", b"dir") and _is_plain(name):
            yield name, kind == b"dir"


def parse_list(listing: bytes) -> Iterator[tuple[bytes, bool]]:
    """Yield the names in a listing of LIST, and whether each is a folder; what a link leads to is left to the server."""
    for line in listing.splitlines():
        if found := _UNIX.fullmatch(line.rstrip()):
            name = found[2].partition(b" -> ")[0] if found[1] == b"l" else found[2]
            if found[1] in b"-dl" and _is_plain(name):
                yield name, found[1] == b"d"
        elif (found := _WINDOWS.fullmatch(line.rstrip())) and _is_plain(found[2]):
            yield found[2], found[1].upper() == b"<DIR>"


def _is_plain(name: bytes) -> bool:
    """Say whether a name is one of this folder: a server may write anything."""
    return bool(name) and name not in (b".", b"..") and b"/" not in name and b"\0" not in name
