"""Publish a folder, such as the index, as the next version: first its files, then the manifest that names them.

Files that did not change since the version before are not uploaded again. The names of objects are never used twice, so
what a publisher deletes late is no longer needed by any reader.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from gossamer.atomic_file import is_temporary
from gossamer.errors import StoreFailed
from gossamer.store.derived_versions.numbered_objects import NumberedObjects
from gossamer.store.derived_versions.version_manifest import (
    MANIFEST,
    Version,
    VersionFile,
    decode_version,
    measure_file,
)
from gossamer.store.derived_versions.writer_lease import WriterLease
from gossamer.store.shared_archive.object_store import ObjectStore

KEPT_VERSIONS = 2
_PIECE_BYTES = 8 << 20
# A publisher that uploads now must not lose files to one that cleans up: nothing younger than a day is deleted.
_YOUNG_S = 86_400.0
_NO_FACTS: Mapping[str, str] = {}


class VersionConflict(StoreFailed):
    """Another writer published a version meanwhile, or holds the lease; nothing was published."""


def find_current_version(store: ObjectStore, kind: str, after: int = 0) -> Version | None:
    """Return the current version of a kind if its number is higher than `after`; one request if it is not."""
    newest = NumberedObjects(store, _locate_manifests(kind)).find_newest(after)
    return _decode(newest.content, kind) if newest is not None else None


def publish_version(
    store: ObjectStore,
    kind: str,
    folder: Path,
    lease: WriterLease,
    base: int,
    facts: Mapping[str, str] = _NO_FACTS,
    young_s: float = _YOUNG_S,
) -> Version:
    """Publish a folder as the version after `base`, from which it was made (0: the first); return it.

    If nothing has changed, there is no new version, and the current one is returned. Raises VersionConflict if `base` is not the current version, or the lease is lost. The folder must not change meanwhile.
    """
    current = find_current_version(store, kind)
    if (current.number if current else 0) != base:
        raise VersionConflict(f"another writer has published the {kind}")
    token = os.urandom(8).hex()
    before = current.by_path() if current else {}
    files = [_publish_file(store, kind, token, folder, path, before) for path in _list_files(folder)]
    if not lease.held and not lease.renew():
        raise VersionConflict(f"another writer has the lease of the {kind}")
    if current is not None and current.files == tuple(files):
        return current
    version = Version(base + 1, tuple(files), dict(facts))
    series = NumberedObjects(store, _locate_manifests(kind))
    if not series.add(version.number, msgspec.json.encode(version)):
        raise VersionConflict(f"another writer has published the {kind}")
    _remove_old(store, kind, series, version, current, young_s)
    return version


def drop_old_versions(store: ObjectStore, kind: str) -> None:
    """Delete all versions but the current one with their files, however young: pages were forgotten, and no writer is at work."""
    series = NumberedObjects(store, _locate_manifests(kind))
    current = find_current_version(store, kind)
    if current is None:
        return
    series.drop_before(current.number)
    needed = {file.object for file in current.files}
    store.delete(each.name for each in list(store.list(_locate_files(kind))) if each.name not in needed)


def _publish_file(
    store: ObjectStore, kind: str, token: str, folder: Path, path: str, before: Mapping[str, VersionFile]
) -> VersionFile:
    size, digest = measure_file(folder / path)
    known = before.get(path)
    if known is not None and (known.size, known.digest) == (size, digest):
        return known
    name = f"{_locate_files(kind)}/{token}/{path}"
    if size <= _PIECE_BYTES:
        store.create(name, (folder / path).read_bytes())
    else:
        store.upload(name, _read_pieces(folder / path))
    return VersionFile(path, size, digest, name)


def _read_pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_PIECE_BYTES):
            yield piece


def _list_files(folder: Path) -> list[str]:
    """Return the files of a folder, without locks and what is being written."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(str(path) for path in found if not _is_left_out(path))


def _is_left_out(path: Path) -> bool:
    return (
        path.suffix == ".lock" or path.name.startswith(".tmp") or path.name == MANIFEST or is_temporary(path)
    )


def _remove_old(
    store: ObjectStore,
    kind: str,
    series: NumberedObjects,
    version: Version,
    before: Version | None,
    young_s: float,
) -> None:
    """Delete all but the last two versions, and files that neither of them has."""
    series.drop_before(version.number - KEPT_VERSIONS + 1)
    needed = {file.object for each in (version, before) if each is not None for file in each.files}
    found = list(store.list(_locate_files(kind)))
    # The newest object is as good as a clock: it was written just now, or nothing was.
    now_s = max((each.written_s for each in found), default=0.0)
    store.delete(each.name for each in found if each.name not in needed and now_s - each.written_s >= young_s)


def _decode(content: bytes, kind: str) -> Version:
    try:
        return decode_version(content)
    except msgspec.MsgspecError:
        raise StoreFailed(f"the current version of the {kind} in the archive cannot be read") from None


def _locate_manifests(kind: str) -> str:
    return f"derived/{kind}/versions"


def _locate_files(kind: str) -> str:
    return f"derived/{kind}/files"
