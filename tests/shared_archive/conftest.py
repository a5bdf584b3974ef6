"""Fixtures: a shared archive in a folder and in a real S3 server; every test of this room runs over both."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.object_server import ObjectServer, find_missing_programs
from tests.shared_archive.sqlite_pack_table import SqlitePackTable

from gossamer.store.shared_archive.location import create_archive
from gossamer.store.shared_archive.object_store import ObjectStore


@pytest.fixture(scope="session")
def object_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ObjectServer]:
    """A real S3 server; tests that need it are skipped without."""
    pytest.importorskip("obstore", reason="the extra `cluster` is not installed")
    if not os.environ.get("OBJECT_SERVER"):
        pytest.skip("a real S3 server takes a while to start: `make soak` tests with it")
    if missing := find_missing_programs():
        pytest.skip(f"no S3 server: {', '.join(missing)} not installed (radosgw, ceph-mon, ceph-osd)")
    with ObjectServer(tmp_path_factory.mktemp("ceph")) as server, pytest.MonkeyPatch.context() as patch:
        for name, value in server.environment.items():
            patch.setenv(name, value)
        server.make_bucket("web-bytes")
        yield server


@pytest.fixture(params=["folder", pytest.param("s3", marks=pytest.mark.slow)])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a place for an archive."""
    if request.param == "folder":
        return str(tmp_path / "shared")
    request.getfixturevalue("object_server")
    return f"s3://web-bytes/{os.urandom(6).hex()}"


@pytest.fixture
def store(address: str) -> ObjectStore:
    """An empty archive."""
    return create_archive(address)


@pytest.fixture
def table(tmp_path: Path) -> SqlitePackTable:
    """An empty table of packs."""
    return SqlitePackTable(tmp_path / "rows")
