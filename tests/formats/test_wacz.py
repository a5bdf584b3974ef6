"""Our WACZ files pass the validator of the format's authors."""

import subprocess
import sys
from pathlib import Path

import pytest

from gossamer.net.fingerprint import digest
from gossamer.records import Exchange, Page
from gossamer.store.archive.archive import Archive
from gossamer.store.batch import Batch
from gossamer.store.export.export_web import export_web
from gossamer.store.sqlite.sqlite_store import SqliteStore

TOOLS = Path(sys.prefix) / "archive-tools" / "bin"
NOW_S = 1_790_000_000.0


@pytest.mark.skipif(not TOOLS.is_dir(), reason="no environment `archive-tools` with pywb and wacz")
@pytest.mark.slow
@pytest.mark.parametrize("some", [True, False])
def test_wacz_validate_passes(some: bool, tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "state.sqlite", create=True)
    archive = Archive(tmp_path / "archive", {}, rotate_bytes=4000, clock=lambda: NOW_S)
    pages = []
    for number in range(9):
        body = f"<title>Page {number}</title>".encode() * 30
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
        url = f"http://h{number % 2}.example/{number}"
        each = Exchange(
            url, 200, b"GET / HTTP/1.1\r\n\r\n", head, body, body, (), "", NOW_S + number, 0.1, 0.2
        )
        place = archive.write(each, digest(body))
        pages.append(Page(number, url, "", 1, 0, NOW_S, 200, "html", f"Page {number}", warc=place.warc))
    store.commit(Batch(pages=pages, archive_ends=archive.flush()))
    if some:
        export_web(store, tmp_path / "archive", "wacz", tmp_path / "web.wacz", lambda url: "h1." in url)
    else:
        export_web(store, tmp_path / "archive", "wacz", tmp_path / "web.wacz")
    store.close()
    archive.close()
    ran = subprocess.run(
        [TOOLS / "wacz", "validate", "-f", tmp_path / "web.wacz"], capture_output=True, text=True, timeout=600
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "Validation succeeded" in ran.stdout
