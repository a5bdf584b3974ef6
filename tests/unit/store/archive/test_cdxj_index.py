"""Index lines, the keys that Wayback Machines look up, and the index that an archive writes beside its files."""

import json
import os
import time
from pathlib import Path

import msgspec
import pytest
from tests.unit.store.archive.sample_exchanges import (
    NOW_S,
    exchange,
    open_archive,
    write_exchanges,
)

from gossamer.net.fingerprint import digest
from gossamer.records import Page
from gossamer.store.archive import cdxj_index
from gossamer.store.archive.cdxj_index import format_line, surt


# Keys by the Internet Archive's rules; tests/formats compares thousands with its own program.
@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://www.example.org/", "org,example)/"),
        ("https://Example.ORG:443/A/B.html", "org,example)/a/b.html"),
        ("http://www2.a.example.com:8080/x//y/./z/../w/", "com,example,a:8080)/x/y/w"),
        ("http://e.com", "com,e)/"),
        ("http://e.com?x=1/2", "com,e)/?x=1/2"),
        ("http://e.com/a?b=2&a=1&a#c", "com,e)/a?a&a=1&b=2"),
        ("http://e.com/%7Euser/%2541%20b", "com,e)/~user/a%20b"),
        ("http://e.com/?PHPSESSID=0123456789abcdef0123456789ABCDEF&q=1", "com,e)/?q=1"),
        ("http://e.com/(S(abcdefghijklmnopqrstuvwx))/a.aspx", "com,e)/a.aspx"),
        ("http://user:pw@127.0.0.1:81/a", "1,0,0,127:81)/a"),
        ("http://[::1]:8000/x", "::1:8000)/x"),
        ("http://e.com/ä", "com,e)/%c3%a4"),
        ("", ")/"),
    ],
)
def test_keys(url: str, key: str) -> None:
    assert surt(url) == key


def test_a_line_contains_the_position_of_its_response() -> None:
    told = format_line(
        "http://e.com/ä b", "2026-09-21T14:13:21Z", "text/html", 200, "sha1:ABC", 345, 67, "a.warc.gz"
    )
    key, time, about = told.split(" ", 2)
    assert (key, time) == ("com,e)/%c3%a4%20b", "20260921141321")
    assert json.loads(about) == {
        "url": "http://e.com/ä b",
        "mime": "text/html",
        "status": "200",
        "digest": "sha1:ABC",
        "length": "67",
        "offset": "345",
        "filename": "a.warc.gz",
    }


def test_unknown_fields_are_left_out() -> None:
    assert "mime" not in format_line("http://e.com/", "", "", 301, "", 1, 2, "a")


# The index of an archive


def test_the_index_written_by_the_crawl_equals_one_made_from_the_file(tmp_path: Path) -> None:
    archive = open_archive(tmp_path)
    body = b"same"
    first, *_ = write_exchanges(
        archive,
        exchange(3, body),
        exchange(1),
        exchange(2, b"", b"HTTP/1.1 301 Moved\r\n\r\n", status=301, headers=()),
    )
    page = Page(3, exchange(3).url, "", 1, 0, NOW_S, 200, "html", digest=digest(body), warc=first.warc)
    page = msgspec.structs.replace(page, warc_offset=first.offset)
    archive.write(exchange(4, body), digest(body), same=page)
    archive.close()
    (path,) = (tmp_path / "archive").glob("*.cdxj")
    written = path.read_text("utf-8")
    path.unlink()
    open_archive(tmp_path, archive.flush()).close()
    assert path.read_text("utf-8") == written
    assert len(written.splitlines()) == 4
    assert written.count("warc/revisit") == 1


def test_a_stale_index_is_rewritten(tmp_path: Path) -> None:
    archive = open_archive(tmp_path)
    write_exchanges(archive, exchange(1))
    committed = archive.flush()
    archive.close()
    (path,) = (tmp_path / "archive").glob("*.cdxj")
    path.write_text("stale")
    os.utime(path, (1, 1))
    open_archive(tmp_path, committed).close()
    assert path.read_text("utf-8").startswith("org,example)/1 20260921141321 {")


def test_records_added_after_the_clock_was_set_back_are_indexed(tmp_path: Path) -> None:
    archive = open_archive(tmp_path)
    write_exchanges(archive, exchange(1))
    committed = archive.flush()
    archive.close()
    (path,) = (tmp_path / "archive").glob("*.cdxj")
    (warc,) = (tmp_path / "archive").glob("*.warc.gz")
    a_year_ahead_s = time.time() + 365 * 86_400
    for each in (warc, path):
        os.utime(each, (a_year_ahead_s, a_year_ahead_s))
    again = open_archive(tmp_path, committed)
    write_exchanges(again, exchange(2))
    committed |= again.flush()  # and killed
    os.close(again._file)
    third = open_archive(tmp_path, committed)
    third.close()
    assert len(path.read_text("utf-8").splitlines()) == 2


def test_an_index_is_not_written_again_because_its_file_is_from_the_future(tmp_path: Path) -> None:
    archive = open_archive(tmp_path)
    write_exchanges(archive, exchange(1))
    committed = archive.flush()
    archive.close()
    (path,) = (tmp_path / "archive").glob("*.cdxj")
    (warc,) = (tmp_path / "archive").glob("*.warc.gz")
    a_year_ahead_s = time.time() + 365 * 86_400
    os.utime(warc, (a_year_ahead_s, a_year_ahead_s))
    assert not cdxj_index.is_fresh(warc)
    open_archive(tmp_path, committed, rotate_bytes=1).close()
    written = path.stat().st_ino
    assert cdxj_index.is_fresh(warc)
    open_archive(tmp_path, committed, rotate_bytes=1).close()
    assert path.stat().st_ino == written


def test_a_continued_file_is_indexed_from_its_beginning(tmp_path: Path) -> None:
    archive = open_archive(tmp_path)
    write_exchanges(archive, exchange(1))
    committed = archive.flush()
    archive.close()
    again = open_archive(tmp_path, committed)
    write_exchanges(again, exchange(2))
    again.close()
    (path,) = (tmp_path / "archive").glob("*.cdxj")
    assert len(path.read_text("utf-8").splitlines()) == 2
