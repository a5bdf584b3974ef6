"""What one version of a derived folder consists of."""

import hashlib
from pathlib import Path

import msgspec

MANIFEST = "version.json"
"""The name of the file in a fetched folder that lists the others; written last."""


class VersionFile(msgspec.Struct, frozen=True):
    """One file of a version."""

    path: str
    """Within the folder, with slashes."""
    size: int
    digest: str
    """SHA-256, in hexadecimal."""
    object: str = ""
    """Where its bytes are; it may have been published with an earlier version."""


class Version(msgspec.Struct, frozen=True):
    """A version of a folder: its files, as they were when it was published."""

    number: int
    files: tuple[VersionFile, ...]
    facts: dict[str, str] = {}
    """Notes of the publisher, such as the last page that an index holds."""

    def by_path(self) -> dict[str, VersionFile]:
        """Return the files by their paths."""
        return {file.path: file for file in self.files}


def decode_version(content: bytes) -> Version:
    """Decode what a manifest holds; raises msgspec.MsgspecError, also for files outside of the folder."""
    version = msgspec.json.decode(content, type=Version)
    for file in version.files:
        if not file.path or file.path.startswith("/") or ".." in file.path.split("/"):
            raise msgspec.ValidationError(f"{file.path!r} is not within the folder")
    return version


def measure_file(path: Path) -> tuple[int, str]:
    """Return the size of a file and its digest."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return file.tell(), digest
