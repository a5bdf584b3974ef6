"""Exchanges to write into an archive, and ways to write and to read one."""

from collections.abc import Iterator
from pathlib import Path

from gossamer.net.fingerprint import digest
from gossamer.records import Exchange
from gossamer.store.archive.archive import Archive
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.archive.warc_records import WarcReader, WarcRecord

NOW_S = 1_790_000_000.0


def exchange(number: int = 1, payload: bytes | None = None, head: bytes = b"", **fields: object) -> Exchange:
    payload = b"<p>Hello" + b"!" * (number - 1) if payload is None else payload
    head = (
        head
        or b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n"
        % len(payload)
    )
    known = {
        "url": f"http://www.example.org/{number}",
        "status": 200,
        "request_head": b"GET /%d HTTP/1.1\r\nHost: www.example.org\r\n\r\n" % number,
        "response_head": head,
        "payload": payload,
        "body": payload,
        "headers": (("content-type", "text/html; charset=utf-8"),),
        "address": "192.0.2.7",
        "began_s": NOW_S + number,
        "first_byte_s": 0.1,
        "took_s": 0.25,
    }
    return Exchange(**{**known, **fields})  # type: ignore[arg-type]


def write_exchanges(archive: Archive, *exchanges: Exchange) -> list[WarcPosition]:
    return [archive.write(each, digest(each.payload)) for each in exchanges]


def open_archive(folder: Path, committed: dict[str, int] | None = None, **fields: object) -> Archive:
    return Archive(folder / "archive", committed or {}, clock=lambda: NOW_S, **fields)  # type: ignore[arg-type]


def list_files(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "archive").glob("*.warc.gz"))


def read_records(folder: Path) -> Iterator[WarcRecord]:
    for name in list_files(folder):
        found = WarcReader(folder / "archive" / name)
        yield from found
        assert not found.damage
