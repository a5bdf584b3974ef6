"""pywb replays the packs of a shared archive, from the two folders that docs/cluster.md names."""

import gzip
import random
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.crawl.harness import HTML, Toy, make_link_page, make_quick_task
from tests.formats.replay import fetch_replayed, needs_tools, run_wayback
from tests.postgres_server import PostgresServer
from warcio.archiveiterator import ArchiveIterator

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")

import gossamer
from gossamer.cli.main import run_verb
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import serving

pytestmark = [pytest.mark.slow, needs_tools]
HOST = "toy.localhost"
CONFIG = """
collections:
  web:
    archive_paths: {archive}/packs/
    index_paths: {archive}/indexes/
"""
_TEXT = "<p>" + "Words of a page. " * 200
FIRST: dict[str, LabAnswer | Callable[[], LabAnswer]] = {
    "/": make_link_page("/text", "/packed", "/image", "/same", "/gone", "/moved"),
    "/text": LabAnswer(200, HTML, _TEXT.encode()),
    "/packed": LabAnswer(200, (*HTML, ("Content-Encoding", "gzip")), gzip.compress(_TEXT.upper().encode())),
    "/image": LabAnswer(200, (("Content-Type", "image/png"),), random.Random(1).randbytes(5_000)),
    "/same": LabAnswer(200, HTML, _TEXT.encode()),
    "/gone": LabAnswer(404, HTML, b"<p>gone"),
    "/moved": LabAnswer(301, (*HTML, ("Location", "/text")), b"<p>elsewhere"),
    "/robots.txt": LabAnswer(404),
}
SECOND: dict[str, LabAnswer | Callable[[], LabAnswer]] = {
    "/later": make_link_page(*(f"/later/{number}" for number in range(30))),
    **{
        f"/later/{number}": LabAnswer(200, HTML, f"<p>{number} {_TEXT[number:]}".encode())
        for number in range(30)
    },
}
PAGES = FIRST | SECOND


@pytest.fixture
def archive(postgres_server: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shared folder with packs of what two tasks fetched, whose segments were deleted."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    folder, name = tmp_path / "archive", postgres_server.make_database()
    address = f"{postgres_server.make_address(name)}?archive={folder}"
    with serving(Toy({HOST: PAGES})) as lab, gossamer.open(address) as web:
        for start in ("", "later"):
            web.run([make_quick_task(lab, seeds=[f"{lab.url(HOST)}{start}"])])
    assert len(list((folder / "segments").iterdir())) > 1
    assert run_verb(["web", "pack", "--web", address, "--all"]) == 0
    postgres_server.execute("update gossamer.pack set since = since - interval '2 hours'", name)
    assert run_verb(["web", "pack", "--web", address, "--all"]) == 0
    assert not list((folder / "segments").iterdir()), "only the packs are left"
    return folder


def test_pywb_replays_packs_byte_by_byte(archive: Path, tmp_path: Path) -> None:
    captures = list_captures(archive)
    assert {urlsplit(url).path for url, _, _ in captures} >= PAGES.keys() - {"/robots.txt"}
    assert "revisit" in {kind for _, _, kind in captures}, "a page that was there before needs its original"
    place = tmp_path / "wayback"
    place.mkdir()
    (place / "config.yaml").write_text(CONFIG.format(archive=archive), "utf-8")
    with run_wayback(place) as address:
        for url, at_s, _ in captures:
            truth = PAGES[urlsplit(url).path]
            assert isinstance(truth, LabAnswer)
            assert fetch_replayed(f"{address}web/", url, at_s) == (truth.status, truth.body), url


def list_captures(archive: Path) -> list[tuple[str, float, str]]:
    """Return URL, time and kind of all captures, as another library reads them from the packs."""
    found = []
    for path in (archive / "packs").iterdir():
        with path.open("rb") as file:
            for record in ArchiveIterator(file):
                if record.rec_type in ("response", "revisit"):
                    headers = record.rec_headers
                    at = datetime.fromisoformat(headers["WARC-Date"])
                    found.append((headers["WARC-Target-URI"], at.timestamp(), record.rec_type))
    return found
