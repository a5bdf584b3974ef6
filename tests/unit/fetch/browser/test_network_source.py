"""What pages in browsers load: whose passwords go where, what they share, and how many requests a host gets at once."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from gossamer.config import Fetching
from gossamer.fetch.browser.network_source import NetworkSource
from gossamer.fetch.browser.rendered_page import BrowserAnswer, BrowserRequest
from gossamer.fetch.browser.shared_responses import MOST_AT_A_HOST, SharedResponses
from gossamer.fetch.fake_fetcher import FakeFetcher, make_response
from gossamer.fetch.fetcher import FetchOptions
from gossamer.net import url as urls
from gossamer.records import Exchange, Fetched, Outcome

HOME, STRANGER = "http://home.example/", "http://stranger.example/"
SCRIPT = "http://home.example/private.js"


class Server:
    """Answers as servers do, and remembers what it was asked with."""

    def __init__(self, **headers: str) -> None:
        self.asked: list[tuple[str, FetchOptions]] = []
        self._headers = [(name.replace("_", "-"), value) for name, value in headers.items()]
        self.fetcher = FakeFetcher(self._answer)
        self.shared = SharedResponses()

    def _answer(self, url: str, options: FetchOptions) -> Outcome:
        self.asked.append((url, options))
        body = "secret" if options.auth else "nothing for you"
        return make_response(url, body, headers=self._headers, options=options)

    def open(self, page: str, options: FetchOptions | None = None, **more: Any) -> NetworkSource:
        options = options or FetchOptions(Fetching(), "Gossamer")

        def make_options(url: str) -> FetchOptions:
            at_home = urls.origin(url) == urls.origin(HOME)
            return msgspec.structs.replace(options, auth=options.auth if at_home else "")

        async def may_load(_url: str, _is_document: bool) -> str:
            return ""

        return NetworkSource(self.fetcher, make_page(page), make_options, self.shared, may_load, **more)


def make_page(url: str) -> Exchange:
    outcome = make_response(url, "page", address="93.1.2.3")
    assert isinstance(outcome, Fetched)
    return outcome.exchange


def ask(source: NetworkSource, url: str = SCRIPT, kind: str = "Script", **headers: str) -> BrowserAnswer:
    return asyncio.run(source.answer(make_request(url, kind, **headers)))


def make_request(url: str, kind: str = "Script", **headers: str) -> BrowserRequest:
    return BrowserRequest(url, "GET", kind, tuple(headers.items()))


def read(answer: BrowserAnswer) -> bytes:
    assert answer.loaded is not None
    return answer.loaded.exchange.body


def test_what_came_with_a_password_is_given_to_no_other_page() -> None:
    server = Server(Cache_Control="public, max-age=3600")
    login = FetchOptions(Fetching(), "Gossamer", auth="user:word")
    assert read(ask(server.open(HOME, login))) == b"secret"
    assert read(ask(server.open(STRANGER, login))) == b"nothing for you"
    assert read(ask(server.open(HOME))) == b"nothing for you"
    assert read(ask(server.open(HOME, login))) == b"secret"


def test_what_came_with_a_cookie_is_kept_for_no_other_page() -> None:
    server = Server()
    ask(server.open(HOME), cookie="session=1")
    ask(server.open(HOME), authorization="Bearer x")
    ask(server.open(HOME, FetchOptions(Fetching(cookies=True), "Gossamer")))
    ask(server.open(HOME))
    assert len(server.asked) == 4
    ask(server.open(HOME))
    assert len(server.asked) == 4


def test_the_cookies_of_the_crawl_go_to_the_origin_of_the_page_alone() -> None:
    server = Server()
    wish = FetchOptions(Fetching(cookies=True), "Gossamer")
    ask(server.open(HOME, wish))
    ask(server.open(STRANGER, wish))
    assert [options.settings.cookies for _, options in server.asked] == [True, False]


def test_tasks_with_other_settings_share_nothing() -> None:
    server = Server()
    ways = [
        FetchOptions(Fetching(), "Gossamer"),
        FetchOptions(Fetching(), "Another"),
        FetchOptions(Fetching(), "Gossamer", sender="me@example.org"),
        FetchOptions(Fetching(page_bytes=100), "Gossamer"),
    ]
    for way in ways * 2:
        ask(server.open(HOME, way))
    assert len(server.asked) == len(ways)


def test_pages_share_one_response_and_count_what_came_over_the_wire() -> None:
    server = Server()
    counted: list[int] = []
    count: Callable[[Exchange], None] = lambda exchange: counted.append(len(exchange.body))  # noqa: E731
    first = ask(server.open(HOME, count=count))
    second = ask(server.open(STRANGER, count=count))
    assert first.loaded is second.loaded
    assert counted == [len("nothing for you")]
    ask(server.open(HOME, count=count), "http://home.example/data", "XHR")
    assert len(counted) == 2


def test_what_varies_by_origin_is_fetched_for_each() -> None:
    server = Server(Vary="Origin")
    for origin in ("http://home.example", "http://stranger.example") * 2:
        ask(server.open(HOME), origin=origin)
    assert len(server.asked) == 2


def test_all_pages_together_ask_a_host_a_few_things_at_once() -> None:
    most = [0]

    async def run() -> None:
        release = asyncio.Event()

        async def answer(url: str, _options: FetchOptions) -> Outcome:
            most[0] = max(most[0], fetcher.under_way)
            await release.wait()
            return make_response(url, "x")

        server = Server()
        fetcher = server.fetcher = FakeFetcher(answer)
        sources = [server.open(HOME) for _ in range(4)]
        waiting = [
            asyncio.create_task(source.answer(make_request(f"{HOME}{page}/{number}", "XHR")))
            for page, source in enumerate(sources)
            for number in range(10)
        ]
        other = asyncio.create_task(sources[0].answer(make_request(STRANGER, "XHR")))
        for _ in range(20):
            await asyncio.sleep(0)
        assert fetcher.under_way == MOST_AT_A_HOST + 1
        release.set()
        answers = await asyncio.gather(*waiting, other)
        assert all(one.loaded is not None for one in answers)
        assert len(server.shared.hosts) == 0

    asyncio.run(run())
    assert most[0] == MOST_AT_A_HOST + 1
