"""Make a small web that later versions must be able to open: python tests/formats/make_web.py

Run it once for each version of the format, when that version is final, and keep the file.
"""

import io
import tarfile
import tempfile
from pathlib import Path

from gossamer.net.fingerprint import digest
from gossamer.records import Decision, Exchange, HostNote, Page, Request, Visit
from gossamer.store.archive.archive import Archive
from gossamer.store.batch import Batch, LinkColumns, TaskNote, Widening
from gossamer.store.sqlite.schema import VERSION
from gossamer.store.sqlite.sqlite_store import SqliteStore

NOW_S = 1_790_000_000.0
URL = "http://www.example.org/"
BODY = b"<title>Kept</title><p>An old page. <a href='/next'>next</a>"


def make(folder: Path) -> None:
    """Write a web with a row in every table."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    exchange = Exchange(
        URL, 200, b"GET / HTTP/1.1\r\n\r\n", head, BODY, BODY, (), "192.0.2.1", NOW_S, 0.1, 0.2
    )
    archive = Archive(folder / "archive", {}, clock=lambda: NOW_S)
    place = archive.write(exchange, digest(BODY), facts={"hopsFromSeed": ""})
    page = Page(
        *(1, URL, "www.example.org", 1, 0, NOW_S, 200, "html", "Kept"),
        language="en",
        declared_language="en-GB",
        digest=digest(BODY),
        marks={"topic": "age"},
        warc=place.warc,
        warc_offset=place.offset,
    )
    store = SqliteStore(folder / "state.sqlite", create=True)
    store.commit(
        Batch(
            pages=[page],
            links=[LinkColumns(1, [2], b"\0", ["next"])],
            known=[(1, URL), (2, f"{URL}next")],
            scheduled=[77],
            requests=[Request(2, f"{URL}next", "www.example.org", 1, 1, -1.0, 1, "a", 2, 5)],
            visits=[Visit(1, 1, NOW_S, "fetched", 200)],
            decisions=[Decision(3, 1, NOW_S, "trap", "/a/a/a")],
            hosts=[HostNote("www.example.org", NOW_S + 1, robots=b"User-agent: *\n")],
            tasks=[TaskNote(1, "old", b"{}", counts={"downloaded": 1})],
            sent=[(1, Request(4, "http://other.example/", "other.example", 1))],
            widenings=[Widening(2, 3)],
            archive_ends=archive.flush(),
            notes={("order", "learnt"): b"\1"},
        )
    )
    store.close()
    archive.close()


def main() -> None:
    """Pack the web into a file beside this program."""
    with tempfile.TemporaryDirectory() as scratch:
        make(Path(scratch))
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w:xz") as tar:
            tar.add(scratch, arcname=".")
    (Path(__file__).parent / f"web-{VERSION}.tar.xz").write_bytes(packed.getvalue())


if __name__ == "__main__":
    main()
