"""Previews: the beginning of a page, by robots.txt and address guard, with pauses, and cancelled with the request."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from typing import TypeVar

import msgspec
import pytest
from tests.crawl.harness import LOOPBACK, Pages, Toy

from gossamer.config import Fetching, Politeness
from gossamer.errors import BadInput
from gossamer.fetch.fetcher import FetchOptions
from gossamer.fetch.http.http_client import CurlFetcher
from gossamer.frontier.quiet_hours import QuietHours
from gossamer.lab.server.answer import LabAnswer, LabRequest
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.navigate.previews.manners import PreviewManners
from gossamer.navigate.previews.preview_maker import Preview, PreviewMaker
from gossamer.store.tombstones import Tombstones

HTML = ("Content-Type", "text/html; charset=utf-8")
OPEN, CLOSED, SLOW, BROKEN = "127.9.12.1", "127.9.12.2", "127.9.12.3", "127.9.12.4"
PAGE = (
    "<html lang=en><head><title>The tower of the town</title><meta name=author content='A. Builder'></head><body><h1>Tower</h1>"
    "<p>The old tower of the town was built in the year 1287, and stands on a hill above the river. It has a clock which "
    "strikes every hour, and which the people of the town have heard for three hundred years.</p>"
    "<p>Visitors may climb its stairs on Sundays in the summer. <a href='/two'>more</a></p></body></html>"
)
Found = TypeVar("Found")


def _page(html: str, *headers: tuple[str, str]) -> LabAnswer:
    return LabAnswer(200, (HTML, *headers), html.encode())


class _Watched(Toy):
    """A world that notes the cookies that it is sent."""

    def __init__(self, pages: Pages) -> None:
        super().__init__(pages)
        self.cookies = list[str | None]()

    def answer(self, asked: LabRequest, now_s: float) -> LabAnswer:
        self.cookies.append(asked.headers.get("cookie"))
        return super().answer(asked, now_s)


PAGES: Pages = {
    OPEN: {
        "/robots.txt": LabAnswer(404),
        "/tower": _page(PAGE, ("Set-Cookie", "seen=1")),
        "/two": _page(PAGE.replace("The tower of the town", "Two")),
        "/private-copy": _page(PAGE.replace("<head>", "<head><meta name=robots content=noarchive>")),
        "/old": LabAnswer(302, (("Location", "/tower"),)),
        "/away": LabAnswer(302, (("Location", "http://10.1.2.3/secret"),)),
        "/gone": LabAnswer(410, (HTML,), b"gone"),
        "/loop": LabAnswer(302, (("Location", "/loop"),)),
    },
    CLOSED: {
        "/robots.txt": LabAnswer(200, (("Content-Type", "text/plain"),), b"User-agent: *\nDisallow: /closed"),
        "/closed": _page(PAGE),
        "/open": _page(PAGE),
    },
    SLOW: {
        "/robots.txt": LabAnswer(200, (("Content-Type", "text/plain"),), b"User-agent: *\nCrawl-delay: 50"),
        "/tower": _page(PAGE),
        "/two": _page(PAGE),
    },
    BROKEN: {"/robots.txt": LabAnswer(503), "/tower": _page(PAGE)},
}


@pytest.fixture
def lab() -> Iterator[LabServer]:
    with serving(_Watched(PAGES)) as running:
        yield running


def make_manners(
    allowed: tuple[str, ...] = tuple(LOOPBACK), forgotten: Tombstones | None = None, delay_s: float = 0.0
) -> PreviewManners:
    settings = Fetching(page_bytes=40_000, allow_private=allowed)
    options = FetchOptions(settings, "Robot/1.0")
    manner = Politeness(delay_s=delay_s, adaptive=0.0)
    return PreviewManners(options, options, manner, QuietHours(()), forgotten or Tombstones())


def run(work: Callable[[PreviewMaker], Awaitable[Found]], manners: PreviewManners | None = None) -> Found:
    """Run something with a maker of previews."""

    async def with_maker() -> Found:
        maker = PreviewMaker(CurlFetcher(), lambda: manners or make_manners())
        try:
            return await work(maker)
        finally:
            await maker.close()

    return asyncio.run(with_maker())


def preview(*urls: str, manners: PreviewManners | None = None) -> list[Preview]:
    """Return the previews of some addresses, one after the other."""

    async def make(maker: PreviewMaker) -> list[Preview]:
        return [await maker.make(url) for url in urls]

    return run(make, manners)


def test_a_preview_says_what_the_page_says(lab: LabServer) -> None:
    (made,) = preview(lab.url(OPEN, "/tower"))
    card = made.card
    assert (made.note, card.known, card.status, card.kind) == ("", False, 200, "html")
    assert (card.title, card.author, card.language) == ("The tower of the town", "A. Builder", "en")
    assert card.sentences[0].startswith("The old tower of the town")
    assert (card.bytes, card.out_links) == (len(PAGE), 1)


def test_no_cookies_are_sent_and_what_was_read_is_not_asked_for_again(lab: LabServer) -> None:
    first, again, _ = preview(lab.url(OPEN, "/tower"), lab.url(OPEN, "/tower"), lab.url(OPEN, "/two"))
    assert first == again
    assert [one.target for one in lab.log.entries()] == ["/robots.txt", "/tower", "/two"]
    assert isinstance(lab.world, _Watched)
    assert lab.world.cookies == [None, None, None]


def test_robots_txt_is_obeyed(lab: LabServer) -> None:
    closed, allowed, broken = preview(
        lab.url(CLOSED, "/closed"), lab.url(CLOSED, "/open"), lab.url(BROKEN, "/tower")
    )
    assert (closed.card.failure, closed.note) == ("robots", "Robots.txt forbids it.")
    assert closed.card.title == ""
    assert allowed.card.title == "The tower of the town"
    assert broken.card.failure == "robots unreachable"
    assert {one.target for one in lab.log.entries()} == {"/robots.txt", "/open"}


def test_private_addresses_are_refused_also_after_a_redirect(lab: LabServer) -> None:
    (closed,) = preview(lab.url(OPEN, "/tower"), manners=make_manners(()))
    assert (closed.card.failure, len(lab.log.entries())) == ("private address", 0)
    (away,) = preview(lab.url(OPEN, "/away"))
    assert (away.card.failure, away.card.redirects) == ("private address", ("http://10.1.2.3/secret",))


def test_redirects_are_followed_and_told(lab: LabServer) -> None:
    old, gone, loop = preview(*(lab.url(OPEN, path) for path in ("/old", "/gone", "/loop")))
    assert (old.card.redirects, old.card.title) == ((lab.url(OPEN, "/tower"),), "The tower of the town")
    assert (gone.card.gone, gone.card.status, gone.note) == (True, 410, "The server answered 410.")
    assert len(loop.card.redirects) == 4
    assert loop.card.title == ""


def test_an_author_who_allows_no_copies_has_no_sentences(lab: LabServer) -> None:
    (made,) = preview(lab.url(OPEN, "/private-copy"))
    assert (made.card.title, made.card.sentences) == ("The tower of the town", ())


def test_what_was_forgotten_is_not_asked_for(lab: LabServer) -> None:
    forgotten = Tombstones(hosts=[f"{OPEN}:{lab.port}"], patterns=["/tower"])
    (made,) = preview(lab.url(OPEN, "/tower"), manners=make_manners(forgotten=forgotten))
    assert (made.card.failure, len(lab.log.entries())) == ("forgotten", 0)


def test_a_host_that_wants_long_pauses_is_left_alone(lab: LabServer) -> None:
    first, second = preview(lab.url(SLOW, "/tower"), lab.url(SLOW, "/two"))
    assert first.card.title == "The tower of the town"
    assert (second.card.title, "wants a pause" in second.note) == ("", True)
    assert "/two" not in [one.target for one in lab.log.entries()]


def test_requests_to_one_host_keep_their_pause(lab: LabServer) -> None:
    async def make(maker: PreviewMaker) -> None:
        await asyncio.gather(*(maker.make(lab.url(OPEN, path)) for path in ("/tower", "/two", "/gone")))

    run(make, make_manners(delay_s=0.2))
    times = sorted(one.arrived_s for one in lab.log.entries() if one.target != "/robots.txt")
    assert len(times) == 3
    assert all(later - earlier >= 0.199 for earlier, later in itertools.pairwise(times))


def test_no_address_is_a_sentence() -> None:
    with pytest.raises(BadInput, match="not the address of a page"):
        preview("http://")


class _Server:
    """A server that sends without end, or never answers, and counts what was taken from it."""

    def __init__(self, silent: bool = False) -> None:
        self.sent_bytes = 0
        self.asked = asyncio.Event()
        self.closed = asyncio.Event()
        self._silent = silent

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        if b"/robots.txt" in head:
            writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            writer.close()
            return
        self.asked.set()
        with suppress(ConnectionError):
            if self._silent:
                await reader.read()
            else:
                await self._send(writer)
        self.closed.set()
        writer.close()

    async def _send(self, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 50000000\r\n\r\n")
        piece = b"<p>This page has no end, and goes on and on.</p>" * 80
        while self.sent_bytes < 50_000_000:
            writer.write(piece)
            await writer.drain()
            self.sent_bytes += len(piece)
            await asyncio.sleep(0.002)


def test_only_the_beginning_of_a_page_is_read() -> None:
    async def make(maker: PreviewMaker) -> tuple[Preview, int]:
        server = _Server()
        async with await asyncio.start_server(server.answer, "127.9.12.9", 0) as listening:
            port = listening.sockets[0].getsockname()[1]
            made = await maker.make(f"http://127.9.12.9:{port}/endless")
            await asyncio.wait_for(server.closed.wait(), 20)
        return made, server.sent_bytes

    made, sent_bytes = run(make)
    assert 30_000 < sent_bytes <= 65_536
    assert (made.card.kind, made.card.bytes, made.card.words) == ("html", 50_000_000, 0)
    assert made.card.sentences[0].startswith("This page has no end")


def test_a_cancelled_preview_closes_its_connection() -> None:
    async def make(maker: PreviewMaker) -> int:
        server = _Server(silent=True)
        async with await asyncio.start_server(server.answer, "127.9.12.9", 0) as listening:
            port = listening.sockets[0].getsockname()[1]
            work = asyncio.ensure_future(maker.make(f"http://127.9.12.9:{port}/silent"))
            await asyncio.wait_for(server.asked.wait(), 20)
            assert maker.under_way == 1
            work.cancel()
            with suppress(asyncio.CancelledError):
                await work
            await asyncio.wait_for(server.closed.wait(), 5)  # it would wait for an answer for half a minute
        return maker.under_way

    assert run(make) == 0


def test_too_many_at_once_are_told_to_try_again(lab: LabServer) -> None:
    async def make(maker: PreviewMaker) -> list[Preview]:
        urls = [lab.url(OPEN, f"/{number}") for number in range(40)]
        return await asyncio.gather(*map(maker.make, urls))

    made = run(make)
    refused = [one for one in made if "too many previews" in one.note.lower()]
    assert len(refused) == 8
    assert msgspec.structs.asdict(refused[0].card)["status"] == 0
