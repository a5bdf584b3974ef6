"""One back-up: what the web was at a moment, as a small file that names its blocks."""

import hashlib
import os
import zlib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Literal

import msgspec

from gossamer.errors import BadInput
from gossamer.store.backup.block_bundles import BlockBundles, BlockLost, sync_folder

FORMAT = 1
"""The version of the format of back-ups. A reader refuses those of later ones."""
SUFFIX = ".json"
_TIME = "%Y%m%dT%H%M%S.%fZ"
# A list of files is cut where the digest of a name says so: what is added or removed changes one block and not all later ones.
_CUT_ONE_IN = 256
_LIST_BYTES = 1 << 20
_DIGEST_AT = "sha256"


class KeptFile(msgspec.Struct, frozen=True, array_like=True):
    """A file of a web, and the blocks of which it is made."""

    name: str
    """Its path in the folder of the web; of a web in a database, `tables/NAME` or `segments/NAME`."""
    size: int
    digests: bytes
    """32 bytes for each block."""
    stamp: tuple[int, ...] = ()
    """What the system said of the file when it was read: a file of which it says the same is not read again."""
    mode: int = 0o600
    mtime_ns: int = 0


class Snapshot(msgspec.Struct, frozen=True):
    """One back-up; all times are in UTC."""

    at: str
    """When its state was read."""
    kind: Literal["directory", "database"]
    web: str
    identity: str
    """What tells webs apart: the time at which the first task was made; "" for a web without tasks."""
    program: str
    state_format: int
    counts: dict[str, int]
    state_bytes: int
    archive_bytes: int
    new_bytes: int
    """How many bytes of blocks this back-up added."""
    missing: dict[str, int]
    """Files of the archive that lacked bytes already, and how many."""
    lists: list[str]
    """The blocks that hold the list of files."""
    details: dict[str, int] = {}
    """Numbers that the restore of a database needs."""
    format: int = FORMAT


def format_time(unix_s: float) -> str:
    """Return a time as back-ups are named."""
    return datetime.fromtimestamp(unix_s, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def write_snapshot(folder: Path, snapshot: Snapshot) -> Path:
    """Write the file that makes a back-up whole, after its blocks are on the disk."""
    known = msgspec.to_builtins(snapshot)
    data = msgspec.json.encode({**known, _DIGEST_AT: hashlib.sha256(msgspec.json.encode(known)).hexdigest()})
    at = datetime.fromisoformat(snapshot.at)
    path = folder / f"{at.strftime(_TIME)}{SUFFIX}"
    new = path.with_suffix(".part")
    with new.open("wb") as file:
        file.write(msgspec.json.format(data, indent=1) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    new.rename(path)
    sync_folder(folder)
    return path


def list_snapshots(folder: Path) -> list[tuple[Path, Snapshot]]:
    """Return all back-ups, oldest first."""
    return [(path, read_snapshot(path)) for path in sorted(folder.glob(f"*{SUFFIX}"))]


def read_snapshot(path: Path) -> Snapshot:
    """Return a back-up; raise BadInput if its file is damaged or of a later version."""
    try:
        known = msgspec.json.decode(path.read_bytes(), type=dict[str, object])
        digest = known.pop(_DIGEST_AT, "")
        version = known.get("format")
        if isinstance(version, int) and version > FORMAT:
            raise BadInput(
                f"{path} is in format {version} and this Gossamer reads format {FORMAT}: "
                f"use Gossamer {known.get('program', '')} or a later one"
            )
        if hashlib.sha256(msgspec.json.encode(known)).hexdigest() != digest:
            raise ValueError
        return msgspec.convert(known, Snapshot)
    except (OSError, ValueError, msgspec.MsgspecError):
        raise BadInput(f"{path} is damaged: delete it, and restore another back-up with --at") from None


def choose_snapshot(found: list[tuple[Path, Snapshot]], at: str, folder: Path) -> Snapshot:
    """Return the newest back-up, or the newest one at a time or before."""
    if not found:
        raise BadInput(f"{folder} holds no whole back-up yet: run `gossamer backup` again")
    if not at:
        return found[-1][1]
    until = _parse_time(at)
    before = [snapshot for _, snapshot in found if datetime.fromisoformat(snapshot.at) <= until]
    if not before:
        raise BadInput(f"{folder} has no back-up of {at} or before: the oldest one is of {found[0][1].at}")
    return before[-1]


def _parse_time(given: str) -> datetime:
    """Return the end of a day, of a second, or a moment; without a zone it is in UTC, as back-ups are listed."""
    try:
        found = datetime.fromisoformat(given)
    except ValueError:
        raise BadInput(
            f"--at {given!r} is no time: write it like 2026-11-19 or 2026-11-19T03:00:00Z, as `gossamer backup --list` does"
        ) from None
    if found.tzinfo is None:
        found = found.replace(tzinfo=UTC)
    if len(given) <= len("2026-11-19") and found.time() == time():
        found += timedelta(days=1, microseconds=-1)
    return found


def write_lists(files: Iterable[KeptFile], bundles: BlockBundles) -> list[str]:
    """Store the list of files; return its blocks."""
    digests, some, size = [], [], 0
    for file in files:
        some.append(file)
        size += len(file.digests) + len(file.name)
        if size >= _LIST_BYTES or zlib.crc32(file.name.encode()) % _CUT_ONE_IN == 0:
            digests.append(bundles.add(msgspec.msgpack.encode(some)).hex())
            some, size = [], 0
    if some:
        digests.append(bundles.add(msgspec.msgpack.encode(some)).hex())
    return digests


def read_lists(snapshot: Snapshot, bundles: BlockBundles) -> Iterator[KeptFile]:
    """Yield the files of a back-up; raise BlockLost if the list is damaged."""
    for digest in snapshot.lists:
        try:
            yield from msgspec.msgpack.decode(bundles.read(bytes.fromhex(digest)), type=list[KeptFile])
        except (ValueError, msgspec.MsgspecError):
            raise BlockLost(digest) from None
