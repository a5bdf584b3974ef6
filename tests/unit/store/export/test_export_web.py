"""Exports are complete, streamed, safe to open, and atomic."""

import csv
import errno
import gzip
import json
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.contract.rows import to_columns

from gossamer.errors import BadInput, MissingExtra, StoreFailed
from gossamer.net.fingerprint import digest
from gossamer.records import Exchange, Page, Visit
from gossamer.store.archive.archive import Archive
from gossamer.store.archive.foreign_warc import ForeignWarcs
from gossamer.store.archive.warc_records import read_record_at
from gossamer.store.batch import Batch
from gossamer.store.export import table_columns
from gossamer.store.export.csv_files import escape_formula
from gossamer.store.export.export_web import Format, export_web
from gossamer.store.sqlite.sqlite_store import SqliteStore

NOW_S = 1_790_000_000.0
TITLES = [
    "plain",
    "=cmd|' /C calc'!A0",
    "+1",
    "-1",
    "@sum",
    "\tx",
    'say "hi", he said',
    "two\r\nlines",
    "Grüße\0",
    "",
]


def payload(number: int) -> bytes:
    return f"<title>{number}</title>".encode() * 20


def exchange(number: int) -> Exchange:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    url = f"http://h{number % 2}.example/{number}"
    body = payload(number)
    return Exchange(url, 200, b"GET / HTTP/1.1\r\n\r\n", head, body, body, (), "", NOW_S + number, 0.1, 0.2)


@pytest.fixture
def web(tmp_path: Path) -> Iterator[tuple[SqliteStore, Path]]:
    """A web of ten pages in two WARC files, with one more page in the archive that was never committed."""
    store = SqliteStore(tmp_path / "state.sqlite", create=True)
    archive = Archive(tmp_path / "archive", {}, rotate_bytes=2500, clock=lambda: NOW_S)
    batch = Batch()
    for number, title in enumerate(TITLES):
        each = exchange(number)
        place = archive.write(each, digest(each.payload))
        page = Page(
            *(number - 3, each.url, f"h{number % 2}.example", 1, 2, each.began_s, 200, "html", title),
            digest=digest(each.payload),
            marks={"n": str(number)},
            warc=place.warc,
            warc_offset=place.offset,
        )
        batch.pages.append(page)
        batch.links += to_columns([(page.id, 1000 + number, "a", title, False, True, False)])
        batch.known.append((1000 + number, f"http://far.example/{number}"))
        batch.visits.append(Visit(page.id, 1, each.began_s, "fetched", 200, took_s=0.25))
    batch.archive_ends = archive.flush()
    store.commit(batch)
    archive.write(exchange(99), "sha1:X")
    yield store, tmp_path / "archive"
    store.close()
    archive.close()


def keep_odd(url: str) -> bool:
    return url.startswith("http://h1.")


def read_rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def test_csv_has_all_rows_and_no_formulas(web: tuple[SqliteStore, Path], tmp_path: Path) -> None:
    done = export_web(*web, "csv", tmp_path / "out")
    assert done.counts == {"pages": 10, "links": 10, "visits": 10}
    pages = read_rows(tmp_path / "out" / "pages.csv")
    expected = [f"'{title}" if title[:1] in ("=", "+", "-", "@", "\t") else title for title in TITLES]
    assert [row["title"] for row in pages] == [title.replace("\0", "\ufffd") for title in expected]
    assert pages[0]["fetched"] == "2026-09-21T14:13:20Z"
    assert pages[0]["id"] == "xfffffffffffffffd"
    assert json.loads(pages[3]["marks"]) == {"n": "3"}
    links = read_rows(tmp_path / "out" / "links.csv")
    assert (links[4]["source"], links[4]["target"]) == ("http://h0.example/4", "http://far.example/4")
    assert read_rows(tmp_path / "out" / "visits.csv")[9]["url"] == "http://h1.example/9"
    raw = (tmp_path / "out" / "pages.csv").read_bytes()
    assert raw.count(b"\r\n") == 12, "one for each line, and one within a title"
    assert b'"say ""hi"", he said"' in raw


def test_no_cell_begins_like_a_formula(web: tuple[SqliteStore, Path], tmp_path: Path) -> None:
    export_web(*web, "csv", tmp_path / "out")
    for path in (tmp_path / "out").iterdir():
        cells = [cell for row in read_rows(path) for cell in row.values()]
        assert cells
        assert not [cell for cell in cells if cell[:1] in ("=", "+", "-", "@", "\t", "\r")]


def test_one_table_can_be_one_file(web: tuple[SqliteStore, Path], tmp_path: Path) -> None:
    export_web(*web, "csv", tmp_path / "links.csv", keep_odd, ("links",))
    assert {row["source"][:9] for row in read_rows(tmp_path / "links.csv")} == {"http://h1"}
    with pytest.raises(BadInput, match="name one of the tables"):
        export_web(*web, "csv", tmp_path / "all.csv")


def test_parquet_keeps_types(
    web: tuple[SqliteStore, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr("gossamer.store.export.parquet_files._ROWS_AT_ONCE", 3)
    monkeypatch.setattr(table_columns, "_AT_ONCE", 4)
    export_web(*web, "parquet", tmp_path / "out")
    pages = parquet.read_table(tmp_path / "out" / "pages.parquet").to_pylist()
    assert [row["title"] for row in pages] == TITLES
    assert pages[0]["id"] == -3
    assert pages[1]["fetched"].timestamp() == NOW_S + 1
    assert pages[0]["index"] is True
    assert pages[0]["body_bytes"] == 0
    links = parquet.read_table(tmp_path / "out" / "links.parquet").to_pylist()
    assert [row["target"] for row in links] == [f"http://far.example/{number}" for number in range(10)]
    assert parquet.read_metadata(tmp_path / "out" / "pages.parquet").num_row_groups == 4
    export_web(*web, "parquet", tmp_path / "visits.parquet", keep_odd, ("visits",))
    assert parquet.read_table(tmp_path / "visits.parquet").num_rows == 5


def test_the_error_without_pyarrow_names_the_extra(
    web: tuple[SqliteStore, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"gossamer\[parquet\]"):
        export_web(*web, "parquet", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["out", "out.warc.gz"])
def test_warc_contains_what_was_committed(web: tuple[SqliteStore, Path], name: str, tmp_path: Path) -> None:
    done = export_web(*web, "warc", tmp_path / name)
    assert done.counts["files"] == (1 if name.endswith("gz") else len(web[0].archive_ends()))
    foreign = ForeignWarcs([tmp_path / name])
    assert sorted(each.payload for each in foreign) == sorted(payload(number) for number in range(10))
    assert not foreign.damage


def test_warc_of_some_pages(web: tuple[SqliteStore, Path], tmp_path: Path) -> None:
    export_web(*web, "warc", tmp_path / "some.warc.gz", keep_odd)
    foreign = ForeignWarcs([tmp_path / "some.warc.gz"])
    found = list(foreign)
    assert sorted(each.url for each in found) == [f"http://h1.example/{number}" for number in range(1, 10, 2)]
    assert all(each.request_head for each in found)
    assert not foreign.damage


@pytest.mark.parametrize("keep", [table_columns.keep_all, keep_odd])
def test_wacz_lists_all_of_its_files(
    web: tuple[SqliteStore, Path], keep: table_columns.Keep, tmp_path: Path
) -> None:
    export_web(*web, "wacz", tmp_path / "web.wacz", keep)
    wanted = [exchange(number).url for number in range(10) if keep(exchange(number).url)]
    with zipfile.ZipFile(tmp_path / "web.wacz") as packed:
        package = json.loads(packed.read("datapackage.json"))
        assert {each["path"] for each in package["resources"]} | {
            "datapackage.json",
            "datapackage-digest.json",
        } == set(packed.namelist())
        pages = [json.loads(line) for line in packed.read("pages/pages.jsonl").splitlines()][1:]
        assert [page["url"] for page in pages] == wanted
        assert all(
            packed.getinfo(name).compress_type == zipfile.ZIP_STORED
            for name in packed.namelist()
            if name.endswith("gz")
        )
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize("form", ["warc", "wacz"])
def test_pages_that_are_committed_during_an_export_are_no_damage(
    web: tuple[SqliteStore, Path], form: Format, tmp_path: Path
) -> None:
    store, folder = web
    before = [page.url for page in store.pages()]
    crawl = Archive(folder, store.archive_ends(), rotate_bytes=2500, clock=lambda: NOW_S + 100)
    asked: list[str] = []

    def keep_and_commit(url: str) -> bool:
        """Commit a new page, and a page that is known already, each time that the export asks for a page."""
        asked.append(url)
        batch = Batch()
        for number, page_id in ((100 + len(asked), 100 + len(asked)), (0, -3)):
            each = msgspec.structs.replace(exchange(number), payload=b"%d" % len(asked))
            place = crawl.write(each, digest(each.payload))
            page = Page(page_id, each.url, "h0.example", 1, 2, each.began_s, 200, "html", "new")
            page = msgspec.structs.replace(page, warc=place.warc, warc_offset=place.offset)
            batch.pages.append(page)
        batch.archive_ends = crawl.flush()
        store.commit(batch)
        return True

    done = export_web(*web, form, tmp_path / "out", lambda url: len(asked) > 20 or keep_and_commit(url))
    crawl.close()
    assert len(asked) > 20
    assert done.left_out == []
    if form == "wacz":
        with zipfile.ZipFile(tmp_path / "out") as packed:
            pages = [json.loads(line)["url"] for line in packed.read("pages/pages.jsonl").splitlines()[1:]]
        assert set(before) <= set(pages), "what was committed before is exported"
        assert done.counts["pages"] == len(pages)


@pytest.mark.parametrize("form", ["warc", "wacz", "parquet", "csv"])
def test_existing_files_are_kept_and_partial_ones_removed(
    web: tuple[SqliteStore, Path], form: Format, tmp_path: Path
) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(BadInput, match="exists already"):
        export_web(*web, form, tmp_path / "out")
    assert (tmp_path / "out").read_text() == "mine"
    with pytest.raises(BadInput, match="there is no folder"):
        export_web(*web, form, tmp_path / "none" / "out")

    def breaks(url: str) -> bool:
        raise ZeroDivisionError(url)

    before = sorted(tmp_path.iterdir())
    with pytest.raises(ZeroDivisionError):
        export_web(*web, form, tmp_path / "new", breaks)
    assert sorted(tmp_path.iterdir()) == before


def test_a_full_disk_is_named(web: tuple[SqliteStore, Path], tmp_path: Path) -> None:
    def full(url: str) -> bool:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(StoreFailed, match="No space left") as caught:
        export_web(*web, "csv", tmp_path / "out", full)
    assert caught.value.full
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("form", ["warc", "wacz"])
def test_a_missing_file_of_the_archive_is_left_out_and_named(
    web: tuple[SqliteStore, Path], form: Format, tmp_path: Path
) -> None:
    gone = min(web[1].glob("*.warc.gz"))
    gone.unlink()
    done = export_web(*web, form, tmp_path / "out")
    assert done.left_out[0] == f"{gone.name} is missing"
    assert done.counts["files"] == len(web[0].archive_ends()) - 1
    if form == "wacz":
        assert 0 < done.counts["pages"] < 10
        assert "the page http://h0.example/0" in done.left_out


def flip_byte(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 0x11
    path.write_bytes(bytes(data))


@pytest.mark.parametrize("keep", [table_columns.keep_all, keep_odd])
def test_damaged_records_are_left_out_and_named(
    web: tuple[SqliteStore, Path], keep: table_columns.Keep, tmp_path: Path
) -> None:
    store, archive = web
    page = next(page for page in store.pages() if page.url == exchange(1).url)
    flip_byte(archive / page.warc, page.warc_offset + 200)
    sound = sorted(exchange(number).url for number in range(10) if number != 1 and keep(exchange(number).url))
    for form, name in (("warc", "out.warc.gz"), ("wacz", "out.wacz")):
        done = export_web(store, archive, form, tmp_path / name, keep)  # type: ignore[arg-type]
        assert any(page.warc in sentence for sentence in done.left_out)
    foreign = ForeignWarcs([tmp_path / "out.warc.gz"])
    assert sorted(each.url for each in foreign) == sound
    assert not foreign.damage
    with zipfile.ZipFile(tmp_path / "out.wacz") as packed:
        pages = [json.loads(line)["url"] for line in packed.read("pages/pages.jsonl").splitlines()[1:]]
        assert sorted(pages) == sound
        packed.extractall(tmp_path / "unpacked")
        index = gzip.decompress(packed.read("indexes/index.cdx.gz")).decode().splitlines()
    for line in index:
        said = json.loads(line.split(" ", 2)[2])
        record = read_record_at(tmp_path / "unpacked" / "archive" / said["filename"], int(said["offset"]))
        assert record is not None
        assert record.headers["warc-target-uri"] == said["url"]
    assert sorted(json.loads(line.split(" ", 2)[2])["url"] for line in index) == sound


def test_a_damaged_cdxj_index_does_not_reach_a_wacz_file(
    web: tuple[SqliteStore, Path], tmp_path: Path
) -> None:
    for path in web[1].glob("*.cdxj"):
        path.write_bytes(b"\xff\xfe nonsense")
    done = export_web(*web, "wacz", tmp_path / "web.wacz")
    assert not done.left_out
    with zipfile.ZipFile(tmp_path / "web.wacz") as packed:
        assert len(gzip.decompress(packed.read("indexes/index.cdx.gz")).splitlines()) == 10


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_every_beginning_of_a_formula_is_escaped(start: str) -> None:
    assert escape_formula(f"{start}1+1") == f"'{start}1+1"
    assert escape_formula(f"a{start}") == f"a{start}"
