"""URLs of forgotten pages are found in bytes by their fingerprints."""

import gzip
from pathlib import Path

import pytest

from gossamer.net.url import page_id
from gossamer.store.verify.find_forgotten_bytes import ForgottenUrls, find_forgotten_bytes
from gossamer.store.verify.findings import Findings

GONE = "http://www.example.org/smith.html"
KEPT = "http://www.example.org/smith.html?page=2"
URLS = ForgottenUrls(frozenset({page_id(GONE)}), lambda one: one == page_id(KEPT))
NUMBER = page_id(GONE) & 0xFFFF_FFFF_FFFF_FFFF


@pytest.mark.parametrize(
    ("text", "times"),
    [
        (GONE, 1),
        (f"see {GONE}.", 1),
        (f"({GONE}), {GONE}#top", 2),
        (f'"url":"{GONE}","status"', 1),
        (f"<a href='{GONE}'>", 1),
        (f"{GONE}/more {GONE}x {KEPT}", 0),
        ("http://www.example.org/", 0),
        (f"https://archive.example/2020/{GONE}", 1),
    ],
)
def test_a_text(text: str, times: int) -> None:
    assert list(URLS.find(text.encode())) == [NUMBER] * times


@pytest.mark.parametrize(
    ("row", "times"),
    [
        (f"\x03{GONE}www.example.orgText", 1),
        (f"en{GONE}www.example.org", 1),
        (f"\x03{KEPT}www.example.orgText", 0),
        ("\x03http://www.example.org/smith.htm\x00", 0),
    ],
)
def test_a_row_does_not_tell_where_a_url_ends(row: str, times: int) -> None:
    assert list(URLS.find_in_rows(row.encode())) == [NUMBER] * times


def test_packed_records_are_searched_but_not_their_texts(tmp_path: Path) -> None:
    def record(via: str, text: str) -> bytes:
        block = f"HTTP/1.1 200 OK\r\nLink: {via}\r\n\r\n{text}".encode()
        head = f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {KEPT}\r\nContent-Length: {len(block)}\r\n\r\n"
        return gzip.compress(head.encode() + block + b"\r\n\r\n")

    for via, found in (("http://other.example/", []), (GONE, ["forgotten page"])):
        (tmp_path / "one.warc.gz").write_bytes(record(via, GONE))
        findings = Findings()
        find_forgotten_bytes(tmp_path, URLS, findings)
        assert [one.problem for one in findings.listed()] == found
    (tmp_path / "note.json").write_text(f'["{GONE}"]')
    find_forgotten_bytes(tmp_path, URLS, findings)
    assert [one.problem for one in findings.listed()] == ["forgotten page", "forgotten URL"]
