import asyncio

from gossamer.config import Fetching
from gossamer.fetch.fake_fetcher import Asked, FakeFetcher, answer
from gossamer.fetch.fetcher import Ask, Fetcher, Located
from gossamer.records import Failed, Fetched, NotModified, Outcome, Redirected, Refused

ASK = Ask(Fetching(), "Gossamer")
PAGE = "http://a.example/page"


def test_it_is_a_fetcher() -> None:
    fetcher: Fetcher = FakeFetcher({})
    asyncio.run(fetcher.close())


def test_answers_are_judged_like_real_ones() -> None:
    page = answer(PAGE, "<p>größer")
    assert isinstance(page, Fetched)
    assert page.exchange.body == "<p>größer".encode()
    assert page.exchange.headers == (("content-length", "11"), ("content-type", "text/html; charset=utf-8"))
    assert page.exchange.request_head.startswith(b"GET /page HTTP/1.1\r\nHost: a.example\r\n")
    assert isinstance(answer(PAGE, status=301, headers=[("Location", "/x")]), Redirected)
    assert isinstance(answer(PAGE, status=304, ask=Ask(Fetching(), "x", etag='"1"')), NotModified)
    head = answer(PAGE, "body", ask=Ask(Fetching(), "x", "HEAD"))
    assert isinstance(head, Fetched)
    assert head.exchange.body == b""
    busy = answer(PAGE, status=503, headers=[("Retry-After", "5")])
    assert isinstance(busy, Failed)
    assert busy.retry_after_s == 5.0


def test_pages_come_from_a_table_and_others_are_missing() -> None:
    fetcher = FakeFetcher({PAGE: answer(PAGE, "hello")}, clock=lambda: 7.0, took_s=2.0)
    where = Located(("8.8.8.8",))
    assert isinstance(asyncio.run(fetcher.fetch(PAGE, where, ASK)), Fetched)
    missing = asyncio.run(fetcher.fetch(PAGE + "x", where, ASK))
    assert isinstance(missing, Failed)
    assert missing.detail == "404"
    assert missing.exchange is not None
    assert (missing.exchange.began_s, missing.exchange.took_s) == (7.0, 2.0)
    assert fetcher.asked == [Asked(PAGE, 7.0, "GET", "8.8.8.8"), Asked(PAGE + "x", 7.0, "GET", "8.8.8.8")]


def test_pages_come_from_functions_plain_or_async() -> None:
    def plain(url: str, ask: Ask) -> Outcome | None:
        return answer(url, "plain") if url == PAGE else None

    async def slow(url: str, ask: Ask) -> Outcome | None:
        await asyncio.sleep(0)
        return plain(url, ask)

    for pages in (plain, slow):
        fetcher = FakeFetcher(pages)
        assert isinstance(asyncio.run(fetcher.fetch(PAGE, Located(()), ASK)), Fetched)
        assert isinstance(asyncio.run(fetcher.fetch("http://b.example/", Located(()), ASK)), Failed)


def test_hosts_have_addresses_and_the_guard_looks_at_them() -> None:
    fetcher = FakeFetcher({}, {"inside.example": "10.0.0.1", "dead.example": ""})

    async def locate(host: str, settings: Fetching | None = None) -> object:
        return await fetcher.locate(host, settings or Fetching())

    made_up = asyncio.run(locate("a.example:80"))
    assert isinstance(made_up, Located)
    assert made_up == asyncio.run(locate("A.example"))
    assert made_up != asyncio.run(locate("b.example"))
    assert asyncio.run(locate("inside.example")) == Refused("private address", "10.0.0.1 is private")
    opened = Fetching(allow_private=("10.0.0.0/8",))
    assert asyncio.run(locate("inside.example", opened)) == Located(("10.0.0.1",))
    assert isinstance(asyncio.run(locate("[::1]:80")), Refused)
    assert asyncio.run(locate("dead.example")) == Failed("dns", "no such name")


def test_time_passes_as_it_is_told_to() -> None:
    slept: list[float] = []

    async def sleep(time_s: float) -> None:
        slept.append(time_s)

    fetcher = FakeFetcher({}, took_s=3.0, sleep=sleep)
    asyncio.run(fetcher.fetch(PAGE, Located(()), ASK))
    assert slept == [3.0]
    assert fetcher.under_way == 0
