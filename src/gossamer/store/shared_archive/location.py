"""Parse the address of a shared archive, `archive=…`, and open what is there.

Credentials come from the environment or from the standard files of each provider, never from the address.
"""

import os
import re
from pathlib import Path
from typing import Literal, cast
from urllib.parse import unquote, urlsplit

import msgspec

from gossamer.errors import BadInput, StoreFailed
from gossamer.store.shared_archive.folder_store import FolderStore
from gossamer.store.shared_archive.object_store import ObjectStore

MARKER = "archive.json"
"""Tells an archive from an empty folder: that of a disk that is not mounted must not be written to."""

Scheme = Literal["file", "s3", "gs", "az"]
_BUCKET_WORD = {"s3": "bucket", "gs": "bucket", "az": "container"}
_BUCKET = re.compile(r"[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]\Z")
_FORMAT = 1


class ArchiveLocation(msgspec.Struct, frozen=True):
    """Where the archive of a web is."""

    scheme: Scheme
    bucket: str = ""
    """Bucket or container; "" for a folder."""
    path: str = ""
    """The prefix of all names, without slashes at its ends; for a folder, its absolute path."""

    def __str__(self) -> str:
        return (
            self.path if self.scheme == "file" else f"{self.scheme}://{self.bucket}/{self.path}".rstrip("/")
        )


class _Marker(msgspec.Struct, frozen=True):
    format: int


def parse_location(address: str) -> ArchiveLocation:
    """Parse `s3://bucket/prefix`, `gs://…`, `az://container/prefix` or the absolute path of a shared folder."""
    if "://" not in address:
        return _parse_folder(address)
    try:
        parts = urlsplit(address)
    except ValueError:
        raise BadInput("archive= is not an address: use s3://BUCKET/PREFIX or an absolute path") from None
    if parts.scheme == "file" and not parts.netloc:
        return _parse_folder(unquote(parts.path))
    if parts.scheme not in _BUCKET_WORD:
        raise BadInput(
            f"archive={parts.scheme}://… is unknown: use s3://, gs://, az:// or the absolute path of a shared folder"
        )
    word = _BUCKET_WORD[parts.scheme]
    if "@" in parts.netloc:
        raise BadInput(
            f"archive={parts.scheme}://… must not hold a password: credentials come from the environment"
        )
    if parts.query or parts.fragment:
        raise BadInput(f"archive={parts.scheme}://… takes a {word} and a prefix, nothing after ? or #")
    if not _BUCKET.match(parts.netloc):
        raise BadInput(
            f"archive={parts.scheme}://… names no valid {word}: use {parts.scheme}://{word.upper()}/PREFIX"
        )
    return ArchiveLocation(cast("Scheme", parts.scheme), parts.netloc, _clean_prefix(unquote(parts.path)))


def open_archive(address: str) -> ObjectStore:
    """Open the archive at an address; raise BadInput if there is none, or of another format."""
    store = _open_store(parse_location(address))
    try:
        content = store.read(MARKER)
    except StoreFailed as failure:
        if failure.full:
            raise
        raise BadInput(str(failure)) from None
    if content is None:
        raise BadInput(f"there is no archive of a web at {store.address}, or its disk is not mounted")
    try:
        found = msgspec.json.decode(content, type=_Marker).format
    except msgspec.MsgspecError:
        found = 0
    if found != _FORMAT:
        raise BadInput(
            f"the archive at {store.address} has format {found}; this version reads format {_FORMAT}"
        )
    return store


def create_archive(address: str) -> ObjectStore:
    """Open the archive at an address; make it if there is none. Raise BadInput if it cannot be written."""
    location = parse_location(address)
    if location.scheme == "file":
        _make_folder(Path(location.path))
    store = _open_store(location)
    try:
        if not store.create(MARKER, msgspec.json.encode(_Marker(_FORMAT))):
            check_writable(store)
    except StoreFailed as failure:
        if failure.full:
            raise
        raise BadInput(str(failure)) from None
    return open_archive(address)


def check_writable(store: ObjectStore) -> None:
    """Write an object and delete it again; raise StoreFailed if that fails."""
    name = f"checks/{os.urandom(8).hex()}"
    store.create(name, b"")
    store.delete([name])


def _open_store(location: ArchiveLocation) -> ObjectStore:
    if location.scheme == "file":
        folder = FolderStore(Path(location.path), MARKER)
        folder.remove_abandoned_parts()
        return folder
    from gossamer.store.shared_archive.cloud_store import open_cloud_store

    return open_cloud_store(location.scheme, location.bucket, location.path, str(location))


def _parse_folder(text: str) -> ArchiveLocation:
    path = Path(text).expanduser()
    if not text:
        raise BadInput("archive= is empty: use s3://BUCKET/PREFIX or the absolute path of a shared folder")
    if not path.is_absolute():
        raise BadInput(f"archive={text} is not an absolute path: it must be the same on every machine")
    return ArchiveLocation("file", path=os.path.normpath(path))


def _clean_prefix(path: str) -> str:
    parts = [part for part in path.split("/") if part]
    if {".", ".."} & set(parts) or not path.isprintable():
        raise BadInput("the prefix of archive= must not hold . or .. as a part, or control characters")
    return "/".join(parts)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(exist_ok=True)
    except FileExistsError:
        raise BadInput(f"{folder} is a file, not a folder: an archive cannot be there") from None
    except OSError as error:
        raise BadInput(f"the archive at {folder} cannot be made: {error.strerror}") from None
