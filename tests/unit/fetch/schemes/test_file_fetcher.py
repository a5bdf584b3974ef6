"""Files are read below the folders that the user named, and nowhere else."""

import os
from pathlib import Path

import pytest

from gossamer.config import Fetching
from gossamer.fetch.fetcher import FetchOptions
from gossamer.fetch.schemes.file_fetcher import read_file_url
from gossamer.fetch.schemes.ftp_listing import parse_list, parse_mlsd
from gossamer.fetch.schemes.listing_page import make_listing
from gossamer.net import html
from gossamer.net import url as urls
from gossamer.records import Failed, Fetched, NotModified, Outcome, Redirected, Refused


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "saved"
    (inside / "sub").mkdir(parents=True)
    (inside / "a b.html").write_text("<title>A</title>")
    (inside / "ü?#.txt").write_text("text")
    (inside / ".hidden").write_text("secret")
    (tmp_path / "secret.txt").write_text("secret")
    (inside / "out").symlink_to(tmp_path)
    (inside / "out.txt").symlink_to(tmp_path / "secret.txt")
    (inside / "again").symlink_to(inside)
    os.mkfifo(inside / "pipe")
    return inside


def read(path: str, *folders: Path, **options: object) -> Outcome:
    url = urls.canonical(f"file://{path}", rules=urls.TYPED_RULES)
    settings = Fetching(allow_files=tuple(map(str, folders)), page_bytes=100_000)
    return read_file_url(url, FetchOptions(settings, "Gossamer", **options))  # type: ignore[arg-type]


def test_a_file_is_an_exchange_without_http(folder: Path) -> None:
    outcome = read(f"{folder}/a%20b.html", folder)
    assert isinstance(outcome, Fetched)
    exchange = outcome.exchange
    assert (exchange.status, exchange.body, exchange.response_head) == (200, b"<title>A</title>", b"")
    assert dict(exchange.headers)["content-type"] == "text/html"
    again = read(f"{folder}/a%20b.html", folder, last_modified=dict(exchange.headers)["last-modified"])
    assert isinstance(again, NotModified)


def test_a_folder_is_an_index_page_whose_links_lead_to_its_files(folder: Path) -> None:
    outcome = read(f"{folder}/", folder)
    assert isinstance(outcome, Fetched)
    document = html.read(outcome.exchange.body, outcome.exchange.url, rules=urls.find_link_rules("file"))
    names = [link.text for link in document.links]
    assert "sub/" in names
    assert "a b.html" in names
    assert "ü?#.txt" in names
    assert ".hidden" not in names
    assert "pipe" not in names
    [link] = [link for link in document.links if link.text == "ü?#.txt"]
    found = read(link.url.removeprefix("file://localhost"), folder)
    assert isinstance(found, Fetched)
    assert found.exchange.body == b"text"


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "{folder}/../secret.txt",
        "{folder}/out/secret.txt",
        "{folder}/out.txt",
        "{folder}2/x",
        "/",
    ],
)
def test_nothing_outside_is_read(folder: Path, path: str) -> None:
    outcome = read(path.replace("{folder}", str(folder)), folder)
    assert isinstance(outcome, Refused)
    assert outcome.cause == "folder"


def test_without_a_named_folder_nothing_is_read(folder: Path) -> None:
    assert isinstance(read(f"{folder}/a%20b.html"), Refused)


def test_a_link_inside_redirects_to_what_it_leads_to(folder: Path) -> None:
    """Otherwise a link to a folder above itself would make endless addresses."""
    outcome = read(f"{folder}/again/again/sub/", folder)
    assert isinstance(outcome, Redirected)
    assert outcome.location == urls.canonical(f"file://{folder}/sub/", rules=urls.TYPED_RULES)
    assert isinstance(read(f"{folder}/sub", folder), Redirected)


def test_what_is_no_file_is_a_failure(folder: Path) -> None:
    assert isinstance(read(f"{folder}/none.html", folder), Failed)
    assert isinstance(read(f"{folder}/pipe", folder), Refused)
    assert isinstance(read(f"{folder}/{'x' * 300}", folder), Failed)


def test_a_large_file_is_cut(folder: Path) -> None:
    (folder / "large.txt").write_bytes(b"x" * 200_000)
    outcome = read(f"{folder}/large.txt", folder)
    assert isinstance(outcome, Fetched)
    assert (len(outcome.exchange.body), outcome.exchange.cut) == (100_000, "length")


def test_names_in_a_listing_cannot_become_markup_or_schemes() -> None:
    page = make_listing("</title><script>", [(b"javascript:x", False), (b'"><b>', False), (b"..%2f", True)])
    document = html.read(page, "ftp://a.example:21/pub/", rules=urls.find_link_rules("ftp"))
    assert b"<script>" not in page
    assert [link.url for link in document.links] == [
        "ftp://a.example:21/pub/javascript%3Ax",
        "ftp://a.example:21/pub/%22%3E%3Cb%3E",
        "ftp://a.example:21/pub/..%252f/",
    ]


def test_listings_of_ftp_servers() -> None:
    mlsd = b"type=cdir;modify=2026; .\r\nType=dir;size=1; sub dir\r\nsize=3;type=file; a;b.txt\r\ntype=file; ../x\r\nrubbish\r\n"
    assert list(parse_mlsd(mlsd)) == [(b"sub dir", True), (b"a;b.txt", False)]
    unix = (
        b"total 3\r\ndrwxr-xr-x   2 ftp  ftp      4096 Jan  1 12:00 pub\r\n"
        b"-rw-r--r--   1 ftp  ftp        12 Feb 29  2024 a file.txt\r\nlrwxrwxrwx 1 0 0 3 Jan 1 2020 l -> a\r\n"
        b"-rw-r--r-- 1 0 0 3 Jan 1 2020 ..\r\n"
    )
    assert list(parse_list(unix)) == [(b"pub", True), (b"a file.txt", False), (b"l", False)]
    windows = b"01-02-26  03:04PM       <DIR>          pub\r\n01-02-2026  03:04AM   1234 a.txt\r\n"
    assert list(parse_list(windows)) == [(b"pub", True), (b"a.txt", False)]
    assert list(parse_list(b"\0" * 1000 + b"\n" + b"d" * 100_000)) == []
