"""Exports of archives that hold passwords and cookies do not hold them."""

import gzip
import zipfile
from pathlib import Path

import msgspec
import pytest

from gossamer.config import from_options
from gossamer.net import fingerprint
from gossamer.records import Exchange
from gossamer.store.archive.archive import Archive
from gossamer.store.archive.foreign_warc import ForeignWarcs
from gossamer.store.archive.warc_records import WarcReader, pack_record
from gossamer.store.batch import Batch, TaskNote
from gossamer.store.export.export_web import export_web
from gossamer.store.export.redact_records import replace_block
from gossamer.store.export.table_columns import keep_all
from gossamer.store.sqlite.sqlite_store import SqliteStore

SENT = b"GET /%d HTTP/1.1\r\nHost: a.example\r\nAuthorization: Basic S3cret\r\nCookie: id=S3cret\r\n\r\n"
RECEIVED = b"HTTP/1.1 200 OK\r\nSet-Cookie: id=C00kie\r\nContent-Type: text/html\r\n\r\n"


def make_web(folder: Path, cookies: bool, sent: bytes = SENT) -> tuple[SqliteStore, Path]:
    """Make a web as an older version left it: three pages, the last with the bytes of the first."""
    store = SqliteStore(folder / "state.sqlite", create=True)
    archive = Archive(folder / "archive", {})
    for number in range(3):
        body = b"Set-Cookie: id=page Authorization: page %d " % (number % 2) * 60
        head = sent % number if b"%d" in sent else sent
        url = f"http://a.example/{number}"
        archive.write(Exchange(url, 200, head, RECEIVED, body, body, (), "", 1e9 + number, 0.1, 0.2), "")
    spec = msgspec.json.encode(from_options(seeds=["http://a.example/"], cookies=cookies))
    store.commit(Batch(tasks=[TaskNote(1, "a", spec)], archive_ends=archive.flush()))
    archive.close()
    return store, folder / "archive"


@pytest.mark.parametrize("cookies", [False, True])
@pytest.mark.parametrize("some", [False, True])
def test_a_warc_export_holds_no_secrets(tmp_path: Path, cookies: bool, some: bool) -> None:
    store, archive = make_web(tmp_path, cookies)
    (source,) = archive.glob("*.warc.gz")
    assert b"S3cret" in gzip.decompress(source.read_bytes())
    out = tmp_path / "out.warc.gz"
    export_web(store, archive, "warc", out, (lambda _: True) if some else keep_all)
    plain = gzip.decompress(out.read_bytes())
    assert b"S3cret" not in plain
    assert (b"C00kie" in plain) == (not cookies), "cookies that were not sent back tell nothing"
    assert plain.count(b"id=page Authorization: page") == 120, "bodies stay as they are"
    records, before = (WarcReader(path) for path in (out, source))
    assert [one.type for one in records] == [one.type for one in before]
    assert not records.damage
    assert all(one.whole for one in records)
    assert len(list(ForeignWarcs([out]))) == 3, "revisits are resolved"
    store.close()


def test_a_wacz_export_holds_no_secrets_and_its_index_fits(tmp_path: Path) -> None:
    store, archive = make_web(tmp_path, cookies=True)
    export_web(store, archive, "wacz", tmp_path / "out.wacz")
    with zipfile.ZipFile(tmp_path / "out.wacz") as packed:
        (name,) = (name for name in packed.namelist() if name.endswith(".warc.gz"))
        warc = packed.read(name)
        index = gzip.decompress(packed.read("indexes/index.cdx.gz")).splitlines()
    assert not [secret for secret in (b"S3cret", b"C00kie") if secret in gzip.decompress(warc)]
    assert len(index) == 3
    for line in index:
        place = msgspec.json.decode(line.split(b" ", 2)[2])
        begin = int(place["offset"])
        record = gzip.decompress(warc[begin : begin + int(place["length"])])
        assert f"WARC-Target-URI: {place['url']}\r\n".encode() in record
    store.close()


def test_an_archive_without_secrets_is_copied_as_it_is(tmp_path: Path) -> None:
    store, archive = make_web(tmp_path, cookies=False, sent=b"GET / HTTP/1.1\r\nHost: a.example\r\n\r\n")
    export_web(store, archive, "warc", tmp_path / "out.warc.gz")
    (source,) = archive.glob("*.warc.gz")
    assert (tmp_path / "out.warc.gz").read_bytes() == source.read_bytes()
    store.close()


def test_length_and_digest_of_a_changed_record_fit() -> None:
    header = b"WARC/1.1\r\nWARC-Type: request\r\nwarc-block-digest: sha1:OLD\r\nContent-Length: 9\r\nX: 1"
    record = gzip.decompress(replace_block(pack_record(header + b"\r\n\r\n123456789\r\n\r\n"), b"1234"))
    digest = fingerprint.digest(b"1234").encode()
    fitting = header.replace(b"sha1:OLD", digest).replace(b"Length: 9", b"Length: 4")
    assert record == fitting + b"\r\n\r\n1234\r\n\r\n"
