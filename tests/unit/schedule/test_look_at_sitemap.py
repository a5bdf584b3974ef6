"""Looks at a sitemap are polite: conditional, allowed by robots.txt, and rarer after failures."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from gossamer.schedule.look_at_sitemap import SitemapState, is_due, look_at_sitemap

LOOPBACK = ("127.0.0.1",)
MAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://127.0.0.1/{}</loc></url></urlset>'


class Site:
    """What a server answers, and what it was asked."""

    def __init__(self) -> None:
        self.pages: dict[str, tuple[int, str]] = {"/sitemap.xml": (200, MAP.format("a"))}
        self.asked: list[tuple[str, str]] = []
        self.port = 0

    def look(self, state: SitemapState, now_s: float) -> tuple[SitemapState, bool, str]:
        look = look_at_sitemap(
            f"http://127.0.0.1:{self.port}/sitemap.xml", state, "me@example.org", LOOPBACK, now_s
        )
        return look.state, look.changed, look.why


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = made.pages.get(self.path, (404, ""))
            tag = f'"{hash(body)}"'
            made.asked.append((self.path, self.headers["User-Agent"]))
            if status == 200 and self.headers["If-None-Match"] == tag:
                status, body = 304, ""
            self.send_response(status)
            self.send_header("ETag", tag)
            if status == 301:
                self.send_header("Location", body)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Answers)
    made.port = server.server_port
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield made
    server.shutdown()
    server.server_close()


def test_a_change_is_seen_and_nothing_else(site: Site) -> None:
    state, changed, why = site.look(SitemapState(), 100_000.0)
    assert (changed, why) == (False, "")
    state, changed, _ = site.look(state, 100_100.0)
    assert not changed
    site.pages["/sitemap.xml"] = (200, f"<!-- made today -->{MAP.format('a')}")
    state, changed, _ = site.look(state, 100_200.0)
    assert not changed, "a comment is no change"
    site.pages["/sitemap.xml"] = (200, MAP.format("b"))
    state, changed, _ = site.look(state, 100_300.0)
    assert changed
    assert site.look(state, 100_400.0)[1] is False
    assert [path for path, _ in site.asked].count("/robots.txt") == 1
    assert site.asked[0] == ("/robots.txt", "Gossamer (+me@example.org)")


def test_robots_txt_is_obeyed(site: Site) -> None:
    site.pages["/robots.txt"] = (200, "User-agent: *\nDisallow: /sitemap.xml")
    state, _, why = site.look(SitemapState(), 100_000.0)
    assert why == "robots.txt does not allow it"
    assert [path for path, _ in site.asked] == ["/robots.txt"]
    site.pages["/robots.txt"] = (404, "")
    assert site.look(state, 200_000.0)[2] == ""


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ((500, ""), "status 500"),
        ((301, "https://other.example/"), "it redirects to https://other.example/; name that address"),
    ],
)
def test_failures_get_a_sentence_and_longer_pauses(
    site: Site, answer: tuple[int, str], sentence: str
) -> None:
    site.pages["/sitemap.xml"] = answer
    state, changed, why = site.look(SitemapState(), 100_000.0)
    assert not changed
    assert sentence in why
    assert not is_due(state, 60.0, 100_100.0)
    assert is_due(state, 60.0, 100_120.0)
    assert is_due(state, 60.0, 90_000.0), "a clock that was set back"


def test_a_private_address_is_refused(site: Site) -> None:
    look = look_at_sitemap(f"http://127.0.0.1:{site.port}/sitemap.xml", SitemapState(), "", (), 1e6)
    assert "not public" in look.why
    assert site.asked == []
