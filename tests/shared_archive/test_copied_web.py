"""`gossamer export web` copies a web into a database with a shared archive, and back: nothing is lost."""

from pathlib import Path

import pytest
from tests.postgres_server import PostgresServer

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")

from tests.cluster.whole_state import make_web, read_all
from tests.shared_archive.exchanges import make_exchange

from gossamer.cli.main import run_verb
from gossamer.net.fingerprint import digest
from gossamer.records import Page
from gossamer.store.batch import Batch
from gossamer.store.opening.open_store import open_store
from gossamer.store.opening.web_archive import WebArchive
from gossamer.store.opening.web_location import read_database, resolve_web
from gossamer.store.shared_archive.location import open_archive

pytestmark = pytest.mark.slow


@pytest.fixture
def web(
    postgres_server: PostgresServer, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> str:
    """The address of a web that is not there yet, with its archive in a folder or in an S3 server."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    return f"{postgres_server.make_address(postgres_server.make_database())}?archive={address}"


def copy(source: str | Path, target: str | Path) -> None:
    assert run_verb(["export", "web", str(target), "--web", str(source)]) == 0


def test_a_directory_goes_to_a_database_and_back(web: str, address: str, tmp_path: Path) -> None:
    first, back = make_web(tmp_path / "a.web"), tmp_path / "b.web"
    copy(first, web)
    assert [found.size for found in open_archive(address).list("packs")], "the bytes are in the archive"
    assert read_all(resolve_web(web)) == read_all(first)
    copy(web, back)
    assert read_all(back) == read_all(first)
    for file in (first / "archive").iterdir():
        assert (back / "archive" / file.name).read_bytes() == file.read_bytes()
    assert (back / "models" / "topic-birds.bin").read_bytes() == b"birds"


def test_what_fetchers_wrote_comes_along_packed_or_not(web: str, tmp_path: Path) -> None:
    copy(make_web(tmp_path / "a.web"), web)
    write_pages(web, range(4))
    assert run_verb(["web", "pack", "--all", "--web", web]) == 0
    write_pages(web, range(4, 8))
    before = read_all(resolve_web(web))
    assert make_exchange(7).payload in before[1]
    copy(web, tmp_path / "b.web")
    assert read_all(tmp_path / "b.web") == before


def write_pages(web: str, numbers: range) -> None:
    """Write pages as a fetcher does, each in a segment of its own."""
    folder = resolve_web(web)
    store = open_store(folder)
    archive = WebArchive(read_database(folder), folder, "one", print)
    writer = archive.open_writer(1 + numbers.start)
    for number in numbers:
        one = make_exchange(number)
        place = writer.write(one, digest(one.payload))
        page = Page(
            *(900 + number, f"http://z.example/{number}", "z.example", 1, 0, 0.0, 200, "html"),
            digest=digest(one.payload),
            warc=place.warc,
            warc_offset=place.offset,
        )
        store.commit(Batch(pages=[page], archive_ends=writer.flush()))
    archive.close()
    store.close()
