"""From an exchange to a page: what it asks of robots, where it leads, and what is kept of what nobody can read."""

import pytest

from gossamer.crawl.read_page import REVISIT_AFTER, Reading, read
from gossamer.documents.readable_pages import UNREADABLE
from gossamer.records import Exchange, Request

URL = "http://h.example/page"
SITEMAP = b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://h.example/a</loc></url></urlset>"


def read_as(content_type: str, body: bytes, *headers: tuple[str, str]) -> Reading:
    said = (("content-type", content_type), *headers)
    return read(
        Request(1, URL, "h.example", 1),
        Exchange(URL, 200, b"", b"", body, body, said, "", 0.0, 0.0, 0.0),
        "gossamer",
    )


def test_a_page_that_asks_for_nothing_may_be_found_kept_and_followed() -> None:
    found = read_as("text/html", b"<p>words<a href=x>there</a>")
    assert (found.page.index, found.page.archive, found.follow, found.page.marks) == (True, True, True, {})
    assert [link.url for link in found.links] == ["http://h.example/x"]


@pytest.mark.parametrize(
    ("content_type", "body"),
    [("text/html", b"<p>words"), ("application/pdf", b"%PDF-1.7"), ("text/plain", b"words")],
)
def test_the_headers_of_any_kind_of_page_are_obeyed(content_type: str, body: bytes) -> None:
    tags = (
        ("x-robots-tag", "noindex"),
        ("x-robots-tag", "other: all"),
        ("x-robots-tag", "gossamer: noarchive"),
    )
    found = read_as(content_type, body, *tags)
    assert (found.page.index, found.page.archive, found.follow) == (False, False, True)


def test_a_sitemap_may_ask_that_it_is_not_followed() -> None:
    found = read_as("application/xml", SITEMAP, ("x-robots-tag", "nofollow"))
    assert found.page.kind == "sitemap"
    assert [link.url for link in found.links] == ["http://h.example/a"]
    assert not found.follow
    assert read_as("application/xml", SITEMAP).follow


def test_a_page_says_when_it_wants_to_be_visited_again() -> None:
    found = read_as("text/html", b"<meta name=revisit-after content='7 days'><p>words")
    assert found.page.marks == {REVISIT_AFTER: "604800"}


def test_a_page_that_breaks_a_reader_is_kept_and_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr("gossamer.net.html.read", broken)
    found = read_as("text/html", b"<p>words")
    assert found.page.marks == {UNREADABLE: "RecursionError: too deep"}
    assert (found.page.kind, found.page.body_bytes, found.links) == ("binary", 8, ())
