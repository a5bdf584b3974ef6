"""The HTTP client against correct servers: pages, encodings, statuses, cookies, robots.txt and resources."""

import asyncio
import gzip
import os
import time
from collections.abc import Callable

import brotli  # type: ignore[import-untyped]
import pytest
from tests.crawl.fetching import (
    BODY,
    HERE,
    LOOPBACK,
    fetch_bytes,
    get_exchange,
    in_loop,
    make_bytes,
    make_options,
    open_fetcher,
    serve_bytes,
    serve_lab,
    wait_until,
)

from gossamer.config import Fetching
from gossamer.fetch.fetcher import FetchOptions
from gossamer.fetch.http.http_client import CurlFetcher
from gossamer.fetch.http.socket_watch import LoopWatch
from gossamer.fetch.robots_cache import RobotsAnswer, RobotsCache
from gossamer.lab.behaviour.faults import answer_with_bomb
from gossamer.lab.server.answer import Fault, LabAnswer
from gossamer.net.secret_headers import redact_request
from gossamer.records import Failed, Fetched, NotModified, Redirected, Refused

CLOSE_SEEN_S = 0.05
"""How long after an answer the client has noticed that the server closed the connection."""


class TestPages:
    @in_loop
    async def test_an_exchange_has_the_sent_and_received_bytes(self) -> None:
        answer = make_bytes(b"<p>hello", b"Content-Type: text/html", b"X-Two: a", b"x-two:  \xe4 ")
        async with serve_bytes(answer, keep_open=True) as server, open_fetcher() as fetcher:
            before_s = time.time()
            outcome = await fetcher.fetch(server.url("/a/b?c=d%20e"), HERE, make_options())
            assert isinstance(outcome, Fetched)
            exchange = outcome.exchange
            assert exchange.url == server.url("/a/b?c=d%20e")
            assert exchange.status == 200
            assert exchange.request_head == server.heads[0]
            assert exchange.request_head.startswith(b"GET /a/b?c=d%20e HTTP/1.1\r\nHost: 127.0.0.1:")
            assert exchange.response_head == answer.removesuffix(b"<p>hello")
            assert exchange.payload == exchange.body == b"<p>hello"
            assert exchange.headers[1:] == (("content-type", "text/html"), ("x-two", "a"), ("x-two", "ä"))
            assert exchange.address == "127.0.0.1"
            assert before_s - 1 < exchange.began_s < time.time() + 1
            assert 0 < exchange.first_byte_s <= exchange.took_s
            assert exchange.cut == ""

    @pytest.mark.parametrize(
        "options",
        [
            make_options(),
            make_options("HEAD"),
            make_options(etag='W/"abc"', last_modified="Sun, 15 Nov 2026 08:00:00 GMT"),
            make_options(auth="üser:pass:word"),
            make_options(cookies=True),
            make_options(sender="anna@example.org"),
        ],
    )
    @in_loop
    async def test_the_recorded_head_is_the_head_that_was_sent_but_for_secrets(
        self, options: FetchOptions
    ) -> None:
        async with (
            serve_bytes(make_bytes(b"", b"Set-Cookie: a=b; Path=/"), keep_open=True) as server,
            open_fetcher() as fetcher,
        ):
            for path in (
                "/",
                "/a/../b/./c",
                "/%7euml%C3%A4ut?q=%2F&x=[1]|2",
                "/?a=b?c",
                "//double//x",
                "/a#fragment",
            ):
                outcome = await fetcher.fetch(server.url(path), HERE, options)
                assert get_exchange(outcome).request_head == redact_request(server.heads[-1])
                assert server.heads[-1].split(b" ")[1] == path.removesuffix("#fragment").encode()
            assert server.connections == 1
            for host in ("UPPER.example", "dot.example.", "a_b.example", "127.0.0.1"):
                outcome = await fetcher.fetch(server.url(host=host), HERE, options)
                assert get_exchange(outcome).request_head == redact_request(server.heads[-1])

    @in_loop
    async def test_a_conditional_request_can_be_answered_not_modified(self) -> None:
        options = make_options(etag='"v1"', last_modified="Sun, 15 Nov 2026 08:00:00 GMT")
        async with (
            serve_bytes(b'HTTP/1.1 304 Not Modified\r\nETag: "v1"\r\n\r\n') as server,
            open_fetcher() as fetcher,
        ):
            outcome = await fetcher.fetch(server.url(), HERE, options)
            assert isinstance(outcome, NotModified)
            assert b'\r\nIf-None-Match: "v1"\r\n' in server.heads[0]
            assert b"\r\nIf-Modified-Since: Sun, 15 Nov 2026 08:00:00 GMT\r\n" in server.heads[0]
            await asyncio.sleep(CLOSE_SEEN_S)
            plain = await fetcher.fetch(server.url(), HERE, make_options())
            assert isinstance(plain, Failed)
            assert (plain.cause, plain.detail) == ("status", "304")

    @in_loop
    async def test_values_that_would_break_the_head_are_left_out(self) -> None:
        options = FetchOptions(
            Fetching(allow_private=LOOPBACK), "Goss\r\nX-Evil: 1\x00amer", etag='"a\r\nX-Evil: 2"'
        )
        async with serve_bytes(make_bytes()) as server, open_fetcher() as fetcher:
            await fetcher.fetch(server.url(), HERE, options)
            lines = server.heads[0].split(b"\r\n")
            assert not [line for line in lines if line.startswith(b"X-Evil")]
            assert b"User-Agent: GossX-Evil: 1amer" in lines

    @in_loop
    async def test_a_head_request_has_no_body(self) -> None:
        outcome = await fetch_bytes(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n", make_options("HEAD"))
        assert isinstance(outcome, Fetched)
        assert outcome.exchange.request_head.startswith(b"HEAD / HTTP/1.1\r\n")
        assert outcome.exchange.payload == b""
        assert outcome.exchange.cut == ""

    @in_loop
    async def test_get_works_again_after_head(self) -> None:
        async with serve_bytes(make_bytes(), keep_open=True) as server, open_fetcher() as fetcher:
            for method in ("GET", "HEAD", "GET"):
                options = make_options(method)
                if method == "HEAD":
                    server.answers.append(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
                    server.answers.append(make_bytes())
                outcome = await fetcher.fetch(server.url(), HERE, options)
                assert get_exchange(outcome).payload == (b"" if method == "HEAD" else b"hello")
            assert [head.split(b" ")[0] for head in server.heads] == [b"GET", b"HEAD", b"GET"]

    @pytest.mark.parametrize("status", [b"204 No Content", b"205 Reset Content"])
    @in_loop
    async def test_pages_without_content_are_fetched(self, status: bytes) -> None:
        outcome = await fetch_bytes(b"HTTP/1.1 " + status + b"\r\nContent-Length: 0\r\n\r\n")
        assert isinstance(outcome, Fetched)
        assert outcome.exchange.body == b""

    @in_loop
    async def test_interim_heads_and_trailers_are_not_part_of_the_head(self) -> None:
        interim = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
        head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
        outcome = await fetch_bytes(interim + head + b"5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n")
        exchange = get_exchange(outcome)
        assert exchange.response_head == head
        assert exchange.headers == (("transfer-encoding", "chunked"), ("trailer", "X-Sum"))
        assert exchange.payload == b"hello"

    @in_loop
    async def test_a_page_without_a_length_ends_with_its_connection(self) -> None:
        outcome = await fetch_bytes(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\nall of it")
        exchange = get_exchange(outcome)
        assert (exchange.payload, exchange.cut) == (b"all of it", "")

    @in_loop
    async def test_connections_are_reused_and_a_stale_one_is_replaced(self) -> None:
        async with serve_bytes(make_bytes(), keep_open=True) as server, open_fetcher() as fetcher:
            for _ in range(5):
                assert isinstance(await fetcher.fetch(server.url(), HERE, make_options()), Fetched)
            assert server.connections == 1
            server.keep_open = False
            assert isinstance(await fetcher.fetch(server.url(), HERE, make_options()), Fetched)
            for _ in range(3):
                await asyncio.sleep(CLOSE_SEEN_S)
                assert isinstance(await fetcher.fetch(server.url(), HERE, make_options()), Fetched)
            assert server.connections == 4

    @pytest.mark.parametrize(
        "url",
        [
            "",
            "ftp://127.0.0.1/",
            "file:///etc/passwd",
            "http://",
            "http:///x",
            "http://user:pass@127.0.0.1/",
            "http://127.0.0.1/a b",
            "http://127.0.0.1/\r\nX: y",
            "http://127.0.0.1/ä",
            "http://127.0.0.1\\@x/",
            "http://[::1/",
            "http://a:99999999/",
            "http://\ud800/",
        ],
    )
    @in_loop
    async def test_a_malformed_url_is_refused(self, url: str) -> None:
        async with open_fetcher() as fetcher:
            outcome = await fetcher.fetch(url, HERE, make_options())
            assert isinstance(outcome, Refused)
            assert outcome.cause == "bad url"


class TestEncodings:
    @pytest.mark.parametrize(("name", "pack"), [("gzip", gzip.compress), ("br", brotli.compress)])
    @in_loop
    async def test_the_payload_as_received_is_kept_beside_the_decoded_body(
        self, name: str, pack: Callable[[bytes], bytes]
    ) -> None:
        packed = pack(BODY)
        async with (
            serve_bytes(make_bytes(packed, b"Content-Encoding: " + name.encode())) as server,
            open_fetcher() as fetcher,
        ):
            exchange = get_exchange(await fetcher.fetch(server.url(), HERE, make_options()))
            assert (exchange.payload, exchange.body, exchange.cut) == (packed, BODY, "")
            assert b"\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n" in server.heads[0]

    @pytest.mark.parametrize("name", [b"compress", b"utf-8", b"gzip"])
    @in_loop
    async def test_a_body_that_cannot_be_decoded_is_kept_as_it_is(self, name: bytes) -> None:
        exchange = get_exchange(
            await fetch_bytes(make_bytes(b"plain after all", b"Content-Encoding: " + name))
        )
        assert exchange.body == exchange.payload == b"plain after all"

    @in_loop
    async def test_a_body_with_broken_encoding_is_cut(self) -> None:
        packed = gzip.compress(os.urandom(5000))
        exchange = get_exchange(await fetch_bytes(make_bytes(packed[:3000], b"Content-Encoding: gzip")))
        assert 2000 < len(exchange.body) < 5000
        assert exchange.cut == "connection"

    @in_loop
    async def test_a_decompression_bomb_is_too_large(self) -> None:
        async with serve_lab(lambda asked: answer_with_bomb(60_000_000)) as world, open_fetcher() as fetcher:
            outcome = await fetcher.fetch(
                world.url(), HERE, make_options(page_bytes=50_000_000, expansion=20.0)
            )
            assert isinstance(outcome, Failed)
            assert outcome.cause == "too_large"
            assert "20 times" in outcome.detail
            assert len(get_exchange(outcome).body) < 10_000_000

    @in_loop
    async def test_the_decoded_body_is_cut_at_the_limit_as_well(self) -> None:
        packed = gzip.compress(BODY)
        exchange = get_exchange(
            await fetch_bytes(make_bytes(packed, b"Content-Encoding: gzip"), make_options(page_bytes=4000))
        )
        assert (exchange.body, exchange.cut) == (BODY[:4000], "length")


class TestStatus:
    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    @in_loop
    async def test_redirects_are_returned_and_not_followed(self, status: int) -> None:
        answer = make_bytes(b"moved", b"Location: http://10.0.0.1/secret", status=b"%d Moved" % status)
        async with serve_bytes(answer) as server, open_fetcher() as fetcher:
            outcome = await fetcher.fetch(server.url(), HERE, make_options())
            assert isinstance(outcome, Redirected)
            assert outcome.location == "http://10.0.0.1/secret"
            assert outcome.exchange.body == b"moved"
            assert server.connections == 1
            where = await fetcher.locate("10.0.0.1", make_options().settings)
            assert where == Refused("private address", "10.0.0.1 is private")

    @in_loop
    async def test_a_redirect_without_a_location_is_a_failure(self) -> None:
        outcome = await fetch_bytes(make_bytes(b"where?", status=b"302 Found"))
        assert isinstance(outcome, Failed)
        assert (outcome.cause, outcome.detail) == ("status", "302")

    @in_loop
    async def test_a_location_in_utf_8_is_decoded(self) -> None:
        outcome = await fetch_bytes(make_bytes(b"", "Location: /größe".encode(), status=b"301 Moved"))
        assert isinstance(outcome, Redirected)
        assert outcome.location == "/größe"

    @pytest.mark.parametrize(("status", "wait_s"), [(404, None), (429, 120.0), (500, None), (503, 120.0)])
    @in_loop
    async def test_a_failure_has_the_status_and_the_page(self, status: int, wait_s: float | None) -> None:
        headers = [b"Retry-After: 120"] if wait_s else []
        outcome = await fetch_bytes(make_bytes(b"sorry", *headers, status=b"%d No" % status))
        assert isinstance(outcome, Failed)
        assert (outcome.cause, outcome.detail, outcome.retry_after_s) == ("status", str(status), wait_s)
        assert get_exchange(outcome).body == b"sorry"


class TestCookies:
    @in_loop
    async def test_cookies_are_sent_only_with_the_setting(self) -> None:
        async with (
            serve_bytes(make_bytes(b"", b"Set-Cookie: a=b; Path=/"), keep_open=True) as server,
            open_fetcher() as fetcher,
        ):
            for _ in range(3):
                await asyncio.gather(*(fetcher.fetch(server.url(), HERE, make_options()) for _ in range(2)))
            assert not [head for head in server.heads if b"Cookie" in head]
            await fetcher.fetch(server.url(), HERE, make_options(cookies=True))
            outcomes = [fetcher.fetch(server.url(), HERE, make_options(cookies=True)) for _ in range(3)]
            for outcome in await asyncio.gather(*outcomes):
                exchange = get_exchange(outcome)
                assert b"\r\nCookie: (redacted)\r\n" in exchange.request_head
                assert b"\r\nSet-Cookie: (redacted)\r\n" in exchange.response_head
                assert ("set-cookie", "(redacted)") in exchange.headers
            assert b"\r\nCookie: a=b\r\n" in server.heads[-1]
            await fetcher.fetch(server.url(), HERE, make_options())
            assert b"Cookie" not in server.heads[-1]

    @in_loop
    async def test_cookies_stay_with_their_host(self) -> None:
        async with (
            serve_bytes(make_bytes(b"", b"Set-Cookie: a=b"), keep_open=True) as server,
            open_fetcher() as fetcher,
        ):
            options = make_options(cookies=True)
            await fetcher.fetch(server.url(host="one.example"), HERE, options)
            await fetcher.fetch(server.url(host="two.example"), HERE, options)
            assert b"Cookie" not in server.heads[-1]


class TestRobots:
    @in_loop
    async def test_robots_txt_is_fetched_through_a_redirect(self) -> None:
        moved = make_bytes(b"", b"Location: /elsewhere.txt", status=b"301 Moved")
        async with (
            serve_bytes(moved, make_bytes(b"User-agent: *\nDisallow: /x"), keep_open=True) as server,
            open_fetcher() as fetcher,
        ):
            host = f"127.0.0.1:{server.port}"
            answer = await RobotsCache(fetcher).fetch(host, "http", HERE, make_options())
            assert isinstance(answer, RobotsAnswer)
            assert answer.check_url(server.url("/x/y"), "Gossamer") == "robots"
            assert answer.check_url(server.url("/y"), "Gossamer") is None
            assert [head.split(b" ")[1] for head in server.heads] == [b"/robots.txt", b"/elsewhere.txt"]

    @in_loop
    async def test_a_redirect_to_a_private_address_is_not_followed(self) -> None:
        async with serve_bytes(make_bytes(), keep_open=True) as inside, open_fetcher() as fetcher:
            location = f"Location: http://127.0.0.2:{inside.port}/".encode()
            async with serve_bytes(make_bytes(b"", location, status=b"302 Found")) as server:
                host = f"127.0.0.1:{server.port}"
                answer = await RobotsCache(fetcher).fetch(
                    host, "http", HERE, make_options(allow_private=("127.0.0.1",))
                )
                assert isinstance(answer, RobotsAnswer)
                assert answer.check_url(server.url("/"), "Gossamer") == "robots unreachable"
                assert inside.connections == 0


def count_descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


class TestResources:
    @in_loop
    async def test_many_pages_of_many_hosts_leak_no_descriptor(self) -> None:
        async with serve_bytes(make_bytes(BODY), keep_open=True) as server:
            before = count_descriptors()
            fetcher = CurlFetcher(idle_connections=5)
            for number in range(6):
                urls = [server.url(host=f"h{number}-{place}.example") for place in range(50)]
                outcomes = await asyncio.gather(*(fetcher.fetch(url, HERE, make_options()) for url in urls))
                assert all(isinstance(outcome, Fetched) for outcome in outcomes)
                await wait_until(lambda: count_descriptors() - before < 20)  # idle connections are bounded
            await fetcher.close()
            await wait_until(lambda: count_descriptors() <= before)

    @in_loop
    async def test_a_cancelled_fetch_leaks_no_descriptor(self) -> None:
        half = make_bytes(BODY)[:-5000]
        async with serve_bytes(half, keep_open=True) as server:
            before = count_descriptors()
            async with open_fetcher() as fetcher:
                for connections in (20, 40, 60):
                    fetches = [
                        asyncio.ensure_future(fetcher.fetch(server.url(), HERE, make_options()))
                        for _ in range(20)
                    ]
                    await wait_until(lambda opened=connections: server.connections == opened)  # type: ignore[misc]
                    for task in fetches:
                        task.cancel()
                    results = await asyncio.gather(*fetches, return_exceptions=True)
                    assert {type(result) for result in results} == {asyncio.CancelledError}
                    # Four remain: our epoll, and the descriptors by which libcurl wakes itself.
                    await wait_until(lambda: count_descriptors() <= before + 4)
                # The handles can be used again.
                outcome = await fetcher.fetch(server.url(), HERE, make_options(page_time_s=3.0))
                assert (get_exchange(outcome).body, get_exchange(outcome).cut) == (BODY[:5000], "time")

    @in_loop
    async def test_closing_makes_running_fetches_fail(self) -> None:
        async with serve_lab(lambda asked: LabAnswer(body=BODY, fault=Fault(stall_after=0))) as world:
            fetcher = CurlFetcher()
            fetches = [
                asyncio.ensure_future(fetcher.fetch(world.url(), HERE, make_options())) for _ in range(5)
            ]
            await asyncio.sleep(0.05)
            await fetcher.close()
            for outcome in await asyncio.gather(*fetches):
                assert isinstance(outcome, Failed)
                assert outcome.cause == "internal"
            late = await fetcher.fetch(world.url(), HERE, make_options())
            assert isinstance(late, Failed)
            await fetcher.close()

    @in_loop
    async def test_other_sockets_of_the_loop_are_not_affected(self) -> None:
        """Descriptors that libcurl closed are reused by other sockets of the same event loop."""
        async with (
            serve_bytes(make_bytes(BODY), keep_open=True) as server,
            open_fetcher(idle_connections=1) as fetcher,
        ):
            for number in range(30):
                urls = [server.url(host=f"h{number}-{place}.example") for place in range(4)]
                await asyncio.gather(*(fetcher.fetch(url, HERE, make_options()) for url in urls))
                reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
                writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                assert (await reader.readline()).startswith(b"HTTP/1.1 200")
                writer.close()

    @in_loop
    async def test_it_works_without_epoll(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("gossamer.fetch.http.curl_transfer.make_watch", LoopWatch)
        async with (
            serve_bytes(make_bytes(BODY), keep_open=True) as server,
            open_fetcher(idle_connections=2) as fetcher,
        ):
            for number in range(5):
                urls = [server.url(host=f"h{number}-{place}.example") for place in range(4)]
                for outcome in await asyncio.gather(
                    *(fetcher.fetch(url, HERE, make_options()) for url in urls * 2)
                ):
                    assert get_exchange(outcome).body == BODY

    @in_loop
    async def test_tasks_with_different_settings_share_a_fetcher(self) -> None:
        async with serve_bytes(make_bytes(BODY), keep_open=True) as server, open_fetcher() as fetcher:

            async def get(page_bytes: int) -> int:
                return len(
                    get_exchange(
                        await fetcher.fetch(server.url(), HERE, make_options(page_bytes=page_bytes))
                    ).body
                )

            sizes = [100, 20_000, 5000, 20_000, 1] * 10
            assert await asyncio.gather(*map(get, sizes)) == [min(size, len(BODY)) for size in sizes]
