import asyncio

from gossamer.config import Fetching
from gossamer.fetch.fake_fetcher import FakeFetcher, FakeRequest, make_response
from gossamer.fetch.fetcher import Fetcher, FetchOptions, HostAddresses
from gossamer.records import Failed, Fetched, NotModified, Outcome, Redirected, Refused

OPTIONS = FetchOptions(Fetching(), "Gossamer")
PAGE = "http://a.example/page"


def test_it_is_a_fetcher() -> None:
    fetcher: Fetcher = FakeFetcher({})
    asyncio.run(fetcher.close())


def test_made_responses_are_classified_like_real_ones() -> None:
    page = make_response(PAGE, "<p>größer")
    assert isinstance(page, Fetched)
    assert page.exchange.body == "<p>größer".encode()
    assert page.exchange.headers == (("content-length", "11"), ("content-type", "text/html; charset=utf-8"))
    assert page.exchange.request_head.startswith(b"GET /page HTTP/1.1\r\nHost: a.example\r\n")
    assert isinstance(make_response(PAGE, status=301, headers=[("Location", "/x")]), Redirected)
    assert isinstance(
        make_response(PAGE, status=304, options=FetchOptions(Fetching(), "x", etag='"1"')), NotModified
    )
    head = make_response(PAGE, "body", options=FetchOptions(Fetching(), "x", "HEAD"))
    assert isinstance(head, Fetched)
    assert head.exchange.body == b""
    busy = make_response(PAGE, status=503, headers=[("Retry-After", "5")])
    assert isinstance(busy, Failed)
    assert busy.retry_after_s == 5.0


def test_pages_come_from_a_table_and_others_have_status_404() -> None:
    fetcher = FakeFetcher({PAGE: make_response(PAGE, "hello")}, clock=lambda: 7.0, took_s=2.0)
    where = HostAddresses(("8.8.8.8",))
    assert isinstance(asyncio.run(fetcher.fetch(PAGE, where, OPTIONS)), Fetched)
    missing = asyncio.run(fetcher.fetch(PAGE + "x", where, OPTIONS))
    assert isinstance(missing, Failed)
    assert missing.detail == "404"
    assert missing.exchange is not None
    assert (missing.exchange.began_s, missing.exchange.took_s) == (7.0, 2.0)
    assert fetcher.requests == [
        FakeRequest(PAGE, 7.0, "GET", "8.8.8.8"),
        FakeRequest(PAGE + "x", 7.0, "GET", "8.8.8.8"),
    ]


def test_pages_come_from_plain_or_async_functions() -> None:
    def plain(url: str, options: FetchOptions) -> Outcome | None:
        return make_response(url, "plain") if url == PAGE else None

    async def slow(url: str, options: FetchOptions) -> Outcome | None:
        await asyncio.sleep(0)
        return plain(url, options)

    for pages in (plain, slow):
        fetcher = FakeFetcher(pages)
        assert isinstance(asyncio.run(fetcher.fetch(PAGE, HostAddresses(()), OPTIONS)), Fetched)
        assert isinstance(asyncio.run(fetcher.fetch("http://b.example/", HostAddresses(()), OPTIONS)), Failed)


def test_the_addresses_of_hosts_are_checked() -> None:
    fetcher = FakeFetcher({}, {"inside.example": "10.0.0.1", "dead.example": ""})

    async def locate(host: str, settings: Fetching | None = None) -> object:
        return await fetcher.locate(host, settings or Fetching())

    made_up = asyncio.run(locate("a.example:80"))
    assert isinstance(made_up, HostAddresses)
    assert made_up == asyncio.run(locate("A.example"))
    assert made_up != asyncio.run(locate("b.example"))
    assert asyncio.run(locate("inside.example")) == Refused("private address", "10.0.0.1 is private")
    opened = Fetching(allow_private=("10.0.0.0/8",))
    assert asyncio.run(locate("inside.example", opened)) == HostAddresses(("10.0.0.1",))
    assert isinstance(asyncio.run(locate("[::1]:80")), Refused)
    assert asyncio.run(locate("dead.example")) == Failed("dns", "no such name")


def test_a_fetch_sleeps_for_the_given_time() -> None:
    slept: list[float] = []

    async def sleep(time_s: float) -> None:
        slept.append(time_s)

    fetcher = FakeFetcher({}, took_s=3.0, sleep=sleep)
    asyncio.run(fetcher.fetch(PAGE, HostAddresses(()), OPTIONS))
    assert slept == [3.0]
    assert fetcher.under_way == 0
