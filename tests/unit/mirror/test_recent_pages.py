"""What was fetched just now is kept up to a limit, and given out only for the version that the web has."""

from gossamer.mirror.recent_pages import RecentPages
from gossamer.records import Exchange, Page


def make_page(number: int, body: bytes, digest: str = "sha1:A") -> tuple[Page, Exchange]:
    url = f"http://a.example/{number}"
    page = Page(number, url, "a.example", 1, 0, 0.0, 200, "html", digest=digest)
    headers = (("content-type", "text/html"),)
    return page, Exchange(url, 200, b"", b"", body, body, headers, "127.0.0.1", 0.0, 0.0, 0.0)


def test_a_page_is_given_out_once() -> None:
    recent = RecentPages()
    page, exchange = make_page(1, b"<p>one")
    recent.keep(page, exchange, None)
    found = recent.take(page)
    assert found is not None
    assert (found.body, found.content_type) == (b"<p>one", "text/html")
    assert recent.take(page) is None


def test_another_version_is_not_given_out() -> None:
    recent = RecentPages()
    page, exchange = make_page(1, b"old", "sha1:OLD")
    recent.keep(page, exchange, None)
    assert recent.take(make_page(1, b"new", "sha1:NEW")[0]) is None


def test_pages_beyond_the_limit_are_left_to_the_archive() -> None:
    recent = RecentPages(most_bytes=10_000)
    for number in (1, 2):
        recent.keep(*make_page(number, b"x" * 6_000), None)
    assert recent.take(make_page(2, b"")[0]) is None
    assert recent.groups is None, "the places of further pages are not looked for"
    assert recent.take(make_page(1, b"")[0]) is not None
    recent.keep(*make_page(3, b"x" * 6_000), None)
    assert recent.take(make_page(3, b"")[0]) is not None, "there is room again"
