"""WACZ files of other programs are read as a whole, and hostile ones within limits."""

import hashlib
import io
import json
import zipfile
from pathlib import Path

import pytest

from gossamer.errors import BadInput, StoreFailed
from gossamer.store.archive import read_wacz
from gossamer.store.archive.foreign_warc import ForeignWarcs

DATE = "2026-01-02T03:04:05Z"


def make_warc(*urls: str, revisits: str = "") -> bytes:
    """Return responses for some URLs, or revisits of the response for `revisits`, uncompressed."""
    records = []
    for url in urls:
        fields = [f"WARC-Target-URI: {url}", f"WARC-Date: {DATE}", f"WARC-Record-ID: <urn:x:{url}>"]
        if revisits:
            fields += [f"WARC-Refers-To-Target-URI: {revisits}", f"WARC-Refers-To-Date: {DATE}"]
        body = b"" if revisits else f"<title>{url}</title>".encode()
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
        kind = "revisit" if revisits else "response"
        head = "\r\n".join(["WARC/1.1", f"WARC-Type: {kind}", *fields, f"Content-Length: {len(block)}"])
        records.append(head.encode() + b"\r\n\r\n" + block + b"\r\n\r\n")
    return b"".join(records)


def write_wacz(path: Path, files: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", compression) as packed:
        for name, body in files.items():
            packed.writestr(name, body)
    return path


def list_pages(*urls: str) -> bytes:
    lines = [{"format": "json-pages-1.0", "id": "pages"}, *({"url": url, "title": "t"} for url in urls)]
    return "\n".join(map(json.dumps, lines)).encode()


def describe(files: dict[str, bytes]) -> bytes:
    listed = [
        {"name": name, "path": name, "hash": f"sha256:{hashlib.sha256(body).hexdigest()}", "bytes": len(body)}
        for name, body in files.items()
    ]
    return json.dumps({"profile": "data-package", "resources": listed}).encode()


def read(*paths: Path) -> tuple[list[str], list[str]]:
    """Return the URLs and the damage that are found, after a check that nothing is left behind."""
    warcs = ForeignWarcs(paths)
    found = [exchange.url for exchange in warcs]
    assert {path.suffix for path in paths[0].parent.iterdir()} == {path.suffix for path in paths}
    return found, warcs.damage


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_all_warc_files_of_a_wacz_file_are_read(tmp_path: Path, compression: int) -> None:
    warcs = {
        "archive/a.warc": make_warc("http://a.example/", "http://a.example/1"),
        "archive/b.warc": make_warc("http://b.example/", revisits="http://a.example/1"),
    }
    more = {
        "datapackage.json": describe(warcs),
        "pages/pages.jsonl": list_pages("http://a.example/", "http://A.example:80/1#top"),
        "pages/extraPages.jsonl": list_pages("http://b.example/"),
        "indexes/index.cdx.gz": b"not read",
    }
    path = write_wacz(tmp_path / "some.wacz", warcs | more, compression)
    assert read(path) == (["http://a.example/", "http://a.example/1", "http://b.example/"], [])


def test_a_zip_file_is_recognised_by_its_first_bytes(tmp_path: Path) -> None:
    path = write_wacz(tmp_path / "renamed.zip", {"archive/a.warc": make_warc("http://a.example/")})
    assert read(path) == (["http://a.example/"], [])


def test_wacz_files_in_a_folder_are_found(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    write_wacz(tmp_path / "in" / "a.wacz", {"archive/a.warc": make_warc("http://a.example/")})
    (tmp_path / "in" / "b.warc").write_bytes(make_warc("http://b.example/"))
    assert [one.url for one in ForeignWarcs([tmp_path / "in"])] == ["http://a.example/", "http://b.example/"]


def test_listed_pages_without_a_record_are_reported(tmp_path: Path) -> None:
    listed = list_pages("http://a.example/", "http://gone.example/", "mailto:x") + b'\nno json\n{"url": 3}'
    files = {"archive/a.warc": make_warc("http://a.example/"), "pages/pages.jsonl": listed}
    found, damage = read(write_wacz(tmp_path / "some.wacz", files))
    assert found == ["http://a.example/"]
    assert damage == ["some.wacz lists the page http://gone.example/ and has no record of it"]


def test_files_that_differ_from_the_description_are_read_and_reported(tmp_path: Path) -> None:
    warcs = {"archive/a.warc": make_warc("http://a.example/")}
    told = describe({"archive/a.warc": b"another", "archive/b.warc": b"missing"})
    found, damage = read(write_wacz(tmp_path / "some.wacz", warcs | {"datapackage.json": told}))
    assert found == ["http://a.example/"]
    assert damage == [
        "some.wacz lacks archive/b.warc, which its description lists",
        "archive/a.warc in some.wacz is not the file that the description lists: its hash differs",
    ]


@pytest.mark.parametrize("told", [b"{", b"[" * 100_000, b'{"resources": 3}', b"\xff"])
def test_a_broken_description_does_not_stop_reading(tmp_path: Path, told: bytes) -> None:
    files = {"archive/a.warc": make_warc("http://a.example/"), "datapackage.json": told}
    found, [damage] = read(write_wacz(tmp_path / "some.wacz", files))
    assert found == ["http://a.example/"]
    assert damage.startswith("the description in some.wacz cannot be read")


@pytest.mark.parametrize(
    "name",
    ["../../out.warc", "/out.warc", "archive/../../out.warc", "archive/\x1b[2J\\out.warc", "a/.warc"],
)
def test_names_in_a_zip_file_are_never_paths(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    path = write_wacz(folder / "some.wacz", {name: make_warc("http://a.example/")})
    outside = set(tmp_path.rglob("*"))
    unpacked = tmp_path / "unpacked"
    unpacked.mkdir()
    for warc in read_wacz.WaczFile(path, []).unpack(unpacked):
        assert warc.parent == unpacked
        assert warc.name.isprintable()
    assert {each for each in tmp_path.rglob("*") if unpacked not in (each, each.parent)} == outside
    assert read(path)[0] == ["http://a.example/"]


def test_a_bomb_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_wacz, "_FREE_BYTES", 0)
    files = {"archive/a.warc": make_warc("http://a.example/"), "archive/bomb.warc": bytes(20_000_000)}
    path = write_wacz(tmp_path / "some.wacz", files, zipfile.ZIP_DEFLATED)
    sizes = [warc.stat().st_size for warc in _unpack(path, tmp_path)]
    assert sum(sizes) <= 100 * path.stat().st_size
    found, damage = read(path)
    assert found == ["http://a.example/"]
    assert any("unpacks to more than 100 times its size" in one for one in damage)


def _unpack(path: Path, folder: Path) -> list[Path]:
    (folder / "unpacked.wacz").mkdir()
    return list(read_wacz.WaczFile(path, []).unpack(folder / "unpacked.wacz"))


def test_compressions_with_large_dictionaries_are_refused(tmp_path: Path) -> None:
    files = {"archive/a.warc": make_warc("http://a.example/")}
    found, damage = read(write_wacz(tmp_path / "some.wacz", files, zipfile.ZIP_LZMA))
    assert found == []
    assert "compressed in a way that WACZ does not allow" in damage[0]


def test_a_damaged_file_inside_is_read_as_far_as_possible(tmp_path: Path) -> None:
    files = {"archive/a.warc": make_warc("http://a.example/", "http://a.example/1")}
    path = write_wacz(tmp_path / "some.wacz", files)
    path.write_bytes(path.read_bytes().replace(b"<title>http://a.example/1", b"<title>HTTP://a.example/1"))
    found, damage = read(path)
    assert found == ["http://a.example/", "http://a.example/1"]
    assert "archive/a.warc in some.wacz cannot be read completely: its checksum is wrong" in damage[0]


def test_encrypted_files_are_reported(tmp_path: Path) -> None:
    path = write_wacz(tmp_path / "some.wacz", {"archive/a.warc": make_warc("http://a.example/")})
    body = bytearray(path.read_bytes())
    body[6] |= 1
    body[body.rindex(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(body)
    found, damage = read(path)
    assert found == []
    assert "encrypted" in damage[0]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"PK\x03\x04 and nothing else", "its end is missing"),
        (b"PK\x05\x06" + bytes(18), "contains no WARC files"),
        (b"PK\x05\x06" + bytes(8) + (1 << 27).to_bytes(4, "little") + bytes(6), "it lists too many files"),
    ],
)
def test_what_is_no_wacz_file_is_refused_in_one_sentence(tmp_path: Path, body: bytes, why: str) -> None:
    (tmp_path / "some.wacz").write_bytes(body)
    with pytest.raises(BadInput, match=why):
        ForeignWarcs([tmp_path / "some.wacz"])


def test_a_size_in_the_zip64_record_is_checked(tmp_path: Path) -> None:
    record = b"PK\x06\x06" + bytes(36) + (1 << 40).to_bytes(8, "little") + bytes(8)
    locator = b"PK\x06\x07" + bytes(4) + (4).to_bytes(8, "little") + bytes(4)
    end = b"PK\x05\x06" + bytes(8) + b"\xff\xff\xff\xff" + bytes(6)
    (tmp_path / "some.wacz").write_bytes(b"PK\x03\x04" + record + locator + end)
    with pytest.raises(BadInput, match="lists too many files"):
        ForeignWarcs([tmp_path / "some.wacz"])


def test_a_collection_of_wacz_files_says_what_to_do(tmp_path: Path) -> None:
    path = write_wacz(tmp_path / "many.wacz", {"one.wacz": b"", "datapackage.json": b"{}"})
    with pytest.raises(BadInput, match="but other WACZ files: unpack it, and import those"):
        ForeignWarcs([path])


def test_a_full_disk_ends_the_import_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_wacz(tmp_path / "some.wacz", {"archive/a.warc": make_warc("http://a.example/")})

    class Full(io.BytesIO):
        def write(self, _: object) -> int:
            raise OSError(28, "No space left on device")

    with pytest.raises(StoreFailed, match="cannot be unpacked: No space left on device") as raised:
        read_wacz._write(Full(), b"x")
    assert raised.value.full
    assert read(path)[0] == ["http://a.example/"]
