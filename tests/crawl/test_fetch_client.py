"""The fetcher against real servers on loopback: lab worlds with faults, and servers that say exactly what they are told."""

import asyncio
import functools
import gzip
import os
import ssl
import subprocess
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ParamSpec

import brotli  # type: ignore[import-untyped]
import pytest

from gossamer.config import Fetching
from gossamer.errors import BadInput
from gossamer.fetch.client import CurlFetcher
from gossamer.fetch.dns import Found, Resolver
from gossamer.fetch.fetcher import Ask, Located
from gossamer.fetch.robots_cache import RobotsCache
from gossamer.fetch.watch import LoopWatch
from gossamer.lab.answer import Answer, Asked, Fault
from gossamer.lab.server import Running, serve
from gossamer.lab.service import Limits
from gossamer.lab.trouble import bomb
from gossamer.records import Exchange, Failed, Fetched, NotModified, Outcome, Redirected, Refused

AGENT = "Gossamer/0.1 (+https://gossamer.example/)"
LOOPBACK = ("127.0.0.0/8",)
HERE = Located(("127.0.0.1",))
BODY = b"0123456789" * 1000

Parameters = ParamSpec("Parameters")


def in_loop(test: Callable[Parameters, Awaitable[None]]) -> Callable[Parameters, None]:
    """Run an async test in a loop of its own, and let nothing hang."""

    @functools.wraps(test)
    def run(*args: Parameters.args, **named: Parameters.kwargs) -> None:
        async def within() -> None:
            async with asyncio.timeout(20.0):
                await test(*args, **named)

        asyncio.run(within())

    return run


def asking(method: Any = "GET", etag: str = "", last_modified: str = "", auth: str = "", **told: Any) -> Ask:
    settings = Fetching(**{"allow_private": LOOPBACK, "page_time_s": 5.0, **told})
    return Ask(settings, AGENT, method, etag, last_modified, auth)


@asynccontextmanager
async def fetching(**told: Any) -> AsyncIterator[CurlFetcher]:
    fetcher = CurlFetcher(**told)
    try:
        yield fetcher
    finally:
        await fetcher.close()


class Saying:
    """A server that notes what it receives and sends what it is told, head by head."""

    def __init__(self, *answers: bytes, keep_open: bool = False) -> None:
        self.answers = list(answers)
        self.keep_open = keep_open
        self.heads: list[bytes] = []
        self.connections = 0
        self.port = 0

    async def attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while True:
                self.heads.append(await reader.readuntil(b"\r\n\r\n"))
                writer.write(self.answers[min(len(self.heads), len(self.answers)) - 1])
                await writer.drain()
                if not self.keep_open:
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def url(self, path: str = "/", host: str = "127.0.0.1", scheme: str = "http") -> str:
        return f"{scheme}://{host}:{self.port}{path}"


@asynccontextmanager
async def saying(
    *answers: bytes, keep_open: bool = False, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1"
) -> AsyncIterator[Saying]:
    said = Saying(*answers, keep_open=keep_open)
    server = await asyncio.start_server(said.attend, host, 0, ssl=tls)
    said.port = server.sockets[0].getsockname()[1]
    try:
        yield said
    finally:
        server.close()
        await asyncio.sleep(0)


def whole(body: bytes = b"hello", *headers: bytes, status: bytes = b"200 OK") -> bytes:
    lines = [b"HTTP/1.1 " + status, b"Content-Length: %d" % len(body), *headers, b"", body]
    return b"\r\n".join(lines)


async def fetched(answer: bytes, ask: Ask | None = None, path: str = "/", keep_open: bool = False) -> Outcome:
    """Fetch from a server that answers with these bytes and hangs up."""
    async with saying(answer, keep_open=keep_open) as server, fetching() as fetcher:
        return await fetcher.fetch(server.url(path), HERE, ask or asking())


def exchange_of(outcome: Outcome) -> Exchange:
    assert not isinstance(outcome, Refused), outcome
    assert outcome.exchange is not None, outcome
    return outcome.exchange


class TestPages:
    @in_loop
    async def test_a_page_comes_with_all_that_went_over_the_wire(self) -> None:
        answer = whole(b"<p>hello", b"Content-Type: text/html", b"X-Two: a", b"x-two:  \xe4 ")
        async with saying(answer, keep_open=True) as server, fetching() as fetcher:
            before_s = time.time()
            outcome = await fetcher.fetch(server.url("/a/b?c=d%20e"), HERE, asking())
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
            assert 0 < exchange.first_byte_s <= exchange.took_s < 5
            assert exchange.cut == ""

    @pytest.mark.parametrize(
        "ask",
        [
            asking(),
            asking("HEAD"),
            asking(etag='W/"abc"', last_modified="Sun, 15 Nov 2026 08:00:00 GMT"),
            asking(auth="üser:pass:word"),
            asking(cookies=True),
        ],
    )
    @in_loop
    async def test_the_head_we_note_is_the_head_that_was_sent(self, ask: Ask) -> None:
        async with (
            saying(whole(b"", b"Set-Cookie: a=b; Path=/"), keep_open=True) as server,
            fetching() as fetcher,
        ):
            for path in (
                "/",
                "/a/../b/./c",
                "/%7euml%C3%A4ut?q=%2F&x=[1]|2",
                "/?a=b?c",
                "//double//x",
                "/a#fragment",
            ):
                outcome = await fetcher.fetch(server.url(path), HERE, ask)
                assert exchange_of(outcome).request_head == server.heads[-1]
                assert server.heads[-1].split(b" ")[1] == path.removesuffix("#fragment").encode()
            assert server.connections == 1
            for host in ("UPPER.example", "dot.example.", "a_b.example", "127.0.0.1"):
                outcome = await fetcher.fetch(server.url(host=host), HERE, ask)
                assert exchange_of(outcome).request_head == server.heads[-1]

    @in_loop
    async def test_what_we_have_is_told_and_not_modified_is_understood(self) -> None:
        ask = asking(etag='"v1"', last_modified="Sun, 15 Nov 2026 08:00:00 GMT")
        async with (
            saying(b'HTTP/1.1 304 Not Modified\r\nETag: "v1"\r\n\r\n') as server,
            fetching() as fetcher,
        ):
            outcome = await fetcher.fetch(server.url(), HERE, ask)
            assert isinstance(outcome, NotModified)
            assert b'\r\nIf-None-Match: "v1"\r\n' in server.heads[0]
            assert b"\r\nIf-Modified-Since: Sun, 15 Nov 2026 08:00:00 GMT\r\n" in server.heads[0]
            unasked = await fetcher.fetch(server.url(), HERE, asking())
            assert isinstance(unasked, Failed)
            assert (unasked.cause, unasked.detail) == ("status", "304")

    @in_loop
    async def test_values_that_would_break_a_head_are_left_out(self) -> None:
        ask = Ask(Fetching(allow_private=LOOPBACK), "Goss\r\nX-Evil: 1\x00amer", etag='"a\r\nX-Evil: 2"')
        async with saying(whole()) as server, fetching() as fetcher:
            await fetcher.fetch(server.url(), HERE, ask)
            lines = server.heads[0].split(b"\r\n")
            assert not [line for line in lines if line.startswith(b"X-Evil")]
            assert b"User-Agent: GossX-Evil: 1amer" in lines

    @in_loop
    async def test_head_brings_headers_only(self) -> None:
        outcome = await fetched(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n", asking("HEAD"))
        assert isinstance(outcome, Fetched)
        assert outcome.exchange.request_head.startswith(b"HEAD / HTTP/1.1\r\n")
        assert outcome.exchange.payload == b""
        assert outcome.exchange.cut == ""

    @in_loop
    async def test_get_works_again_after_head(self) -> None:
        async with saying(whole(), keep_open=True) as server, fetching() as fetcher:
            for method in ("GET", "HEAD", "GET"):
                ask = asking(method)
                if method == "HEAD":
                    server.answers.append(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
                    server.answers.append(whole())
                outcome = await fetcher.fetch(server.url(), HERE, ask)
                assert exchange_of(outcome).payload == (b"" if method == "HEAD" else b"hello")
            assert [head.split(b" ")[0] for head in server.heads] == [b"GET", b"HEAD", b"GET"]

    @pytest.mark.parametrize("status", [b"204 No Content", b"205 Reset Content"])
    @in_loop
    async def test_pages_without_content_are_fine(self, status: bytes) -> None:
        outcome = await fetched(b"HTTP/1.1 " + status + b"\r\nContent-Length: 0\r\n\r\n")
        assert isinstance(outcome, Fetched)
        assert outcome.exchange.body == b""

    @in_loop
    async def test_interim_heads_and_trailers_are_no_part_of_the_head(self) -> None:
        interim = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
        head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
        outcome = await fetched(interim + head + b"5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n")
        exchange = exchange_of(outcome)
        assert exchange.response_head == head
        assert exchange.headers == (("transfer-encoding", "chunked"), ("trailer", "X-Sum"))
        assert exchange.payload == b"hello"

    @in_loop
    async def test_a_page_ends_with_its_connection_if_no_length_is_told(self) -> None:
        outcome = await fetched(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\nall of it")
        exchange = exchange_of(outcome)
        assert (exchange.payload, exchange.cut) == (b"all of it", "")

    @in_loop
    async def test_connections_are_kept_and_a_stale_one_is_replaced(self) -> None:
        async with saying(whole(), keep_open=True) as server, fetching() as fetcher:
            for _ in range(5):
                assert isinstance(await fetcher.fetch(server.url(), HERE, asking()), Fetched)
            assert server.connections == 1
            server.keep_open = False
            assert isinstance(await fetcher.fetch(server.url(), HERE, asking()), Fetched)
            for _ in range(3):
                assert isinstance(await fetcher.fetch(server.url(), HERE, asking()), Fetched)
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
    async def test_what_is_no_url_is_refused(self, url: str) -> None:
        async with fetching() as fetcher:
            outcome = await fetcher.fetch(url, HERE, asking())
            assert isinstance(outcome, Refused)
            assert outcome.cause == "bad url"


class TestEncodings:
    @pytest.mark.parametrize(("name", "pack"), [("gzip", gzip.compress), ("br", brotli.compress)])
    @in_loop
    async def test_the_payload_is_kept_as_received_beside_the_plain_body(
        self, name: str, pack: Callable[[bytes], bytes]
    ) -> None:
        packed = pack(BODY)
        async with (
            saying(whole(packed, b"Content-Encoding: " + name.encode())) as server,
            fetching() as fetcher,
        ):
            exchange = exchange_of(await fetcher.fetch(server.url(), HERE, asking()))
            assert (exchange.payload, exchange.body, exchange.cut) == (packed, BODY, "")
            assert b"\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n" in server.heads[0]

    @pytest.mark.parametrize("name", [b"compress", b"utf-8", b"gzip"])
    @in_loop
    async def test_a_body_that_cannot_be_undone_stays_as_it_is(self, name: bytes) -> None:
        exchange = exchange_of(await fetched(whole(b"plain after all", b"Content-Encoding: " + name)))
        assert exchange.body == exchange.payload == b"plain after all"

    @in_loop
    async def test_a_body_that_breaks_in_the_middle_is_cut(self) -> None:
        packed = gzip.compress(os.urandom(5000))
        exchange = exchange_of(await fetched(whole(packed[:3000], b"Content-Encoding: gzip")))
        assert 2000 < len(exchange.body) < 5000
        assert exchange.cut == "connection"

    @in_loop
    async def test_a_bomb_does_not_go_off(self) -> None:
        async with lab(lambda asked: bomb(60_000_000)) as world, fetching() as fetcher:
            outcome = await fetcher.fetch(world.url(), HERE, asking(page_bytes=50_000_000, expansion=20.0))
            assert isinstance(outcome, Failed)
            assert outcome.cause == "too_large"
            assert "20 times" in outcome.detail
            assert len(exchange_of(outcome).body) < 10_000_000

    @in_loop
    async def test_the_plain_body_is_cut_at_its_limit_as_well(self) -> None:
        packed = gzip.compress(BODY)
        exchange = exchange_of(
            await fetched(whole(packed, b"Content-Encoding: gzip"), asking(page_bytes=4000))
        )
        assert (exchange.body, exchange.cut) == (BODY[:4000], "length")


class World:
    """A lab world made of one function."""

    def __init__(self, answer: Callable[[Asked], Answer]) -> None:
        self._answer = answer

    def answer(self, asked: Asked, now_s: float) -> Answer:
        return self._answer(asked)

    def hosts(self) -> list[str]:
        return ["127.0.0.1"]


@asynccontextmanager
async def lab(answer: Callable[[Asked], Answer]) -> AsyncIterator[Running]:
    limits = Limits(patience_s=3.0, endless_bytes=20_000_000)
    async with serve(World(answer), limits=limits) as running:
        yield running


async def faulty(fault: Fault, body: bytes = BODY, **told: Any) -> Outcome:
    async with lab(lambda asked: Answer(body=body, fault=fault)) as world, fetching() as fetcher:
        return await fetcher.fetch(world.url(), HERE, asking(**told))


class TestTrouble:
    @in_loop
    async def test_a_body_that_is_too_long_is_cut_off(self) -> None:
        for page_bytes in (1, 9999):
            exchange = exchange_of(await fetched(whole(BODY), asking(page_bytes=page_bytes)))
            assert (exchange.payload, exchange.cut) == (BODY[:page_bytes], "length")
        exchange = exchange_of(await fetched(whole(BODY), asking(page_bytes=10_000)))
        assert (exchange.payload, exchange.cut) == (BODY, "")

    @in_loop
    async def test_an_endless_body_is_cut_off(self) -> None:
        outcome = await faulty(Fault(endless="body"), page_bytes=100_000)
        assert isinstance(outcome, Fetched)
        assert (len(outcome.exchange.payload), outcome.exchange.cut) == (100_000, "length")

    @in_loop
    async def test_endless_headers_are_too_large(self) -> None:
        outcome = await faulty(Fault(endless="headers"))
        assert isinstance(outcome, Failed)
        assert outcome.cause == "too_large"

    @in_loop
    async def test_headers_beyond_the_limit_are_too_large(self) -> None:
        answer = whole(BODY, b"X-Long: " + b"x" * 5000)
        outcome = await fetched(answer, asking(head_bytes=4096))
        assert isinstance(outcome, Failed)
        assert outcome.cause == "too_large"
        assert isinstance(await fetched(answer, asking(head_bytes=6000)), Fetched)

    @pytest.mark.parametrize("fault", [Fault(close_after=500), Fault(reset_after=500), Fault(length_added=7)])
    @in_loop
    async def test_a_truncated_body_is_a_page_that_says_so(self, fault: Fault) -> None:
        outcome = await faulty(fault)
        assert isinstance(outcome, Fetched)
        assert outcome.exchange.cut == "connection"
        assert BODY.startswith(outcome.exchange.body)
        assert len(outcome.exchange.body) >= 500

    @pytest.mark.parametrize("fault", [Fault(close_after=0), Fault(reset_after=0)])
    @in_loop
    async def test_without_any_of_its_body_a_page_has_failed(self, fault: Fault) -> None:
        outcome = await faulty(fault)
        assert isinstance(outcome, Failed)
        assert outcome.cause == "reset"
        assert exchange_of(outcome).status == 200

    @in_loop
    async def test_bad_chunks_leave_what_came_before(self) -> None:
        exchange = exchange_of(await faulty(Fault(malformed="chunk")))
        assert (exchange.body, exchange.cut) == (BODY[:5000], "connection")

    @pytest.mark.parametrize("malformed", ["status", "no-colon", "nul"])
    @in_loop
    async def test_what_is_no_http_has_failed(self, malformed: Any) -> None:
        outcome = await faulty(Fault(malformed=malformed))
        assert isinstance(outcome, Failed)
        assert outcome.cause == "protocol"

    @pytest.mark.parametrize("answer", [b"<html>HTTP/0.9</html>", b"SSH-2.0-OpenSSH_9.2\r\n", b"\0" * 100])
    @in_loop
    async def test_other_protocols_have_failed(self, answer: bytes) -> None:
        outcome = await fetched(answer)
        assert isinstance(outcome, Failed)
        assert outcome.cause == "protocol"

    @in_loop
    async def test_no_answer_at_all_is_a_reset(self) -> None:
        outcome = await fetched(b"")
        assert isinstance(outcome, Failed)
        assert outcome.cause == "reset"

    @in_loop
    async def test_half_a_head_is_no_http(self) -> None:
        outcome = await fetched(b"HTTP/1.1 200 OK\r\nContent-Le")
        assert isinstance(outcome, Failed)
        assert outcome.cause == "protocol"

    @in_loop
    async def test_nobody_there_is_a_failed_connection(self) -> None:
        async with saying(b"") as server:
            port = server.port
        async with fetching() as fetcher:
            outcome = await fetcher.fetch(f"http://127.0.0.1:{port}/", HERE, asking())
            assert isinstance(outcome, Failed)
            assert outcome.cause == "connect"

    @in_loop
    async def test_a_late_answer_is_not_waited_for(self) -> None:
        began_s = time.monotonic()
        outcome = await faulty(Fault(delay_s=2.0), first_byte_time_s=0.2)
        assert isinstance(outcome, Failed)
        assert (outcome.cause, outcome.detail) == ("timeout", "the answer did not begin in time")
        assert time.monotonic() - began_s < 1.0

    @in_loop
    async def test_a_timely_answer_may_take_longer_than_its_beginning(self) -> None:
        outcome = await faulty(Fault(bytes_per_s=20_000), first_byte_time_s=0.3)
        assert exchange_of(outcome).payload == BODY

    @pytest.mark.parametrize("fault", [Fault(stall_after=5000), Fault(bytes_per_s=5000)])
    @in_loop
    async def test_a_stall_and_a_slow_drip_end_with_the_page_s_time(self, fault: Fault) -> None:
        outcome = await faulty(fault, page_time_s=0.4)
        assert isinstance(outcome, Fetched)
        assert outcome.exchange.cut == "time"
        assert 0 < len(outcome.exchange.body) <= 5000
        assert 0.3 < outcome.exchange.took_s < 1.5

    @in_loop
    async def test_a_stall_before_the_body_is_a_timeout(self) -> None:
        outcome = await faulty(Fault(stall_after=0), page_time_s=0.2)
        assert isinstance(outcome, Failed)
        assert outcome.cause == "timeout"

    @in_loop
    async def test_first_bytes_are_awaited_one_by_one(self) -> None:
        """A slow server does not end the patience for others, nor do later limits wait for it."""
        world_of = lambda asked: Answer(body=b"x", fault=Fault(delay_s=float(asked.target[1:])))  # noqa: E731
        async with lab(world_of) as world, fetching() as fetcher:

            async def get(delay: str, limit_s: float) -> Outcome:
                return await fetcher.fetch(
                    world.url(path=f"/{delay}"), HERE, asking(first_byte_time_s=limit_s)
                )

            outcomes = await asyncio.gather(
                get("0.3", 2.0), get("2.5", 0.2), get("2.5", 0.4), get("0.1", 0.3), get("0.0", 0.1)
            )
            assert [type(outcome) for outcome in outcomes] == [Fetched, Failed, Failed, Fetched, Fetched]


class TestStatus:
    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    @in_loop
    async def test_redirects_come_back_and_are_not_followed(self, status: int) -> None:
        answer = whole(b"moved", b"Location: http://10.0.0.1/secret", status=b"%d Moved" % status)
        async with saying(answer) as server, fetching() as fetcher:
            outcome = await fetcher.fetch(server.url(), HERE, asking())
            assert isinstance(outcome, Redirected)
            assert outcome.location == "http://10.0.0.1/secret"
            assert outcome.exchange.body == b"moved"
            assert server.connections == 1
            where = await fetcher.locate("10.0.0.1", asking().settings)
            assert where == Refused("private address", "10.0.0.1 is private")

    @in_loop
    async def test_a_redirect_without_a_location_has_failed(self) -> None:
        outcome = await fetched(whole(b"where?", status=b"302 Found"))
        assert isinstance(outcome, Failed)
        assert (outcome.cause, outcome.detail) == ("status", "302")

    @in_loop
    async def test_a_location_in_utf_8_is_read_as_such(self) -> None:
        outcome = await fetched(whole(b"", "Location: /größe".encode(), status=b"301 Moved"))
        assert isinstance(outcome, Redirected)
        assert outcome.location == "/größe"

    @pytest.mark.parametrize(("status", "wait_s"), [(404, None), (429, 120.0), (500, None), (503, 120.0)])
    @in_loop
    async def test_an_error_names_its_status_and_keeps_its_page(
        self, status: int, wait_s: float | None
    ) -> None:
        headers = [b"Retry-After: 120"] if wait_s else []
        outcome = await fetched(whole(b"sorry", *headers, status=b"%d No" % status))
        assert isinstance(outcome, Failed)
        assert (outcome.cause, outcome.detail, outcome.retry_after_s) == ("status", str(status), wait_s)
        assert exchange_of(outcome).body == b"sorry"


class TestGuard:
    @pytest.mark.parametrize(
        "address", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.1", "169.254.169.254"]
    )
    @in_loop
    async def test_no_private_address_is_connected_to_whatever_the_url_says(self, address: str) -> None:
        async with saying(whole()) as server, fetching() as fetcher:
            ask = Ask(Fetching(), AGENT)
            for url in (server.url(), server.url(host="public.example"), server.url(host="[::1]")):
                outcome = await fetcher.fetch(url, Located((address,)), ask)
                assert isinstance(outcome, Refused)
                assert outcome.cause == "private address"
                assert address in outcome.detail
            assert server.connections == 0

    @in_loop
    async def test_a_kept_connection_does_not_serve_a_task_that_may_not_use_it(self) -> None:
        async with saying(whole(), keep_open=True) as server, fetching() as fetcher:
            assert isinstance(await fetcher.fetch(server.url(), HERE, asking()), Fetched)
            assert isinstance(await fetcher.fetch(server.url(), HERE, Ask(Fetching(), AGENT)), Refused)
            assert len(server.heads) == 1

    @in_loop
    async def test_the_socket_itself_is_guarded(self) -> None:
        """Should a private address ever get as far as libcurl, its socket is not opened."""
        from gossamer.fetch.curl import Order, Transfers
        from gossamer.fetch.request import target_of

        async with saying(whole()) as server:
            transfers = Transfers("", 4)
            target = target_of(server.url())
            assert target is not None
            outcome, _ = await transfers.run(Order(target, "127.0.0.1", Ask(Fetching(), AGENT)))
            transfers.close()
            assert outcome == Refused("private address", "127.0.0.1 is loopback")
            assert server.connections == 0

    @in_loop
    async def test_a_name_that_turns_private_is_refused(self) -> None:
        class Rebinding:
            def __init__(self) -> None:
                self.answers = [("93.184.216.34",), ("127.0.0.1",), ("10.0.0.1", "8.8.8.8")]

            async def look_up(self, name: str, time_s: float) -> tuple[Found, float]:
                return self.answers.pop(0), 60.0

            async def close(self) -> None:
                pass

        now = [0.0]
        async with fetching(resolver=Resolver(Rebinding(), lambda: now[0])) as fetcher:
            assert await fetcher.locate("rebind.example:80", Fetching()) == Located(("93.184.216.34",))
            now[0] += 61
            refused = await fetcher.locate("rebind.example:80", Fetching())
            assert refused == Refused("private address", "127.0.0.1 is loopback")
            now[0] += 61
            assert await fetcher.locate("rebind.example", Fetching()) == Located(("8.8.8.8",))

    @in_loop
    async def test_allowing_opens_only_what_it_names(self) -> None:
        async with fetching() as fetcher:
            settings = Fetching(allow_private=("127.0.0.2",))
            assert await fetcher.locate("127.0.0.2:80", settings) == Located(("127.0.0.2",))
            for other in ("127.0.0.1", "[::1]:80", "[::ffff:127.0.0.1]", "10.0.0.1", "0.0.0.0"):  # noqa: S104
                assert isinstance(await fetcher.locate(other, settings), Refused), other
            with pytest.raises(BadInput, match="is no network"):
                await fetcher.locate("127.0.0.1", Fetching(allow_private=("nonsense",)))

    @in_loop
    async def test_the_environment_s_proxies_are_not_used(self, monkeypatch: pytest.MonkeyPatch) -> None:
        async with saying(whole()) as server, saying(whole(b"by proxy")) as proxy, fetching() as fetcher:
            for name in ("http_proxy", "all_proxy", "ALL_PROXY"):
                monkeypatch.setenv(name, proxy.url())
            assert exchange_of(await fetcher.fetch(server.url(), HERE, asking())).body == b"hello"
            assert proxy.connections == 0


class TestAddresses:
    @in_loop
    async def test_the_request_goes_to_the_address_and_the_name_stays_in_the_head(
        self, tmp_path: Path
    ) -> None:
        hosts = tmp_path / "hosts"
        hosts.write_text("127.0.0.1 shop.example\n")
        async with saying(whole()) as server, fetching() as fetcher:
            ask = asking(hosts_file=str(hosts))
            where = await fetcher.locate(f"shop.example:{server.port}", ask.settings)
            assert where == HERE
            outcome = await fetcher.fetch(server.url(host="shop.example"), HERE, ask)
            assert exchange_of(outcome).address == "127.0.0.1"
            assert f"\r\nHost: shop.example:{server.port}\r\n".encode() in server.heads[0]

    @in_loop
    async def test_the_next_address_is_tried_and_the_bad_one_comes_last(self) -> None:
        where = Located(("127.0.0.9", "127.0.0.1"))
        async with saying(whole(), keep_open=True) as server, fetching() as fetcher:
            for _ in range(3):
                outcome = await fetcher.fetch(server.url(host="two.example"), where, asking())
                assert exchange_of(outcome).address == "127.0.0.1"
            assert server.connections == 1

    @in_loop
    async def test_without_any_address_there_is_no_page(self) -> None:
        async with fetching() as fetcher:
            outcome = await fetcher.fetch("http://nowhere.example/", Located(()), asking())
            assert outcome == Failed("dns", "no address to ask at")

    @in_loop
    async def test_ipv6_works(self) -> None:
        try:
            async with saying(whole(), host="::1") as server, fetching() as fetcher:
                ask = asking(allow_private=("::1",))
                outcome = await fetcher.fetch(server.url(host="[::1]"), Located(("::1",)), ask)
                assert exchange_of(outcome).address == "::1"
                assert f"\r\nHost: [::1]:{server.port}\r\n".encode() == server.heads[0][14:].split(b"User")[0]
        except OSError:
            pytest.skip("this system has no IPv6 loopback")


class TestCookies:
    @in_loop
    async def test_cookies_are_kept_only_if_wanted(self) -> None:
        async with (
            saying(whole(b"", b"Set-Cookie: a=b; Path=/"), keep_open=True) as server,
            fetching() as fetcher,
        ):
            for _ in range(3):
                await asyncio.gather(*(fetcher.fetch(server.url(), HERE, asking()) for _ in range(2)))
            assert not [head for head in server.heads if b"Cookie" in head]
            await fetcher.fetch(server.url(), HERE, asking(cookies=True))
            outcomes = [fetcher.fetch(server.url(), HERE, asking(cookies=True)) for _ in range(3)]
            for outcome in await asyncio.gather(*outcomes):
                assert b"\r\nCookie: a=b\r\n" in exchange_of(outcome).request_head
            await fetcher.fetch(server.url(), HERE, asking())
            assert b"Cookie" not in server.heads[-1]

    @in_loop
    async def test_cookies_stay_with_their_host(self) -> None:
        async with saying(whole(b"", b"Set-Cookie: a=b"), keep_open=True) as server, fetching() as fetcher:
            ask = asking(cookies=True)
            await fetcher.fetch(server.url(host="one.example"), HERE, ask)
            await fetcher.fetch(server.url(host="two.example"), HERE, ask)
            assert b"Cookie" not in server.heads[-1]


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ssl.SSLContext]:
    """A certificate for secure.example that nobody but us trusts, and a server's context with it."""
    folder = tmp_path_factory.mktemp("tls")
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    names = ["-subj", "/CN=secure.example", "-addext", "subjectAltName=DNS:secure.example"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    subprocess.run([*command, *names, *files], check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return folder / "cert.pem", context


class TestTls:
    @in_loop
    async def test_a_trusted_certificate_of_the_right_name_passes(
        self, certificate: tuple[Path, ssl.SSLContext]
    ) -> None:
        path, context = certificate
        async with (
            saying(whole(), tls=context, keep_open=True) as server,
            fetching(certificates=str(path)) as fetcher,
        ):
            url = server.url(host="secure.example", scheme="https")
            for _ in range(2):
                exchange = exchange_of(await fetcher.fetch(url, HERE, asking()))
                assert exchange.body == b"hello"
                assert exchange.request_head == server.heads[-1]
            assert server.connections == 1

    @pytest.mark.parametrize(("name", "trusted"), [("secure.example", False), ("other.example", True)])
    @in_loop
    async def test_other_certificates_do_not(
        self, certificate: tuple[Path, ssl.SSLContext], name: str, trusted: bool
    ) -> None:
        path, context = certificate
        told = {"certificates": str(path)} if trusted else {}
        async with saying(whole(), tls=context) as server, fetching(**told) as fetcher:
            outcome = await fetcher.fetch(server.url(host=name, scheme="https"), HERE, asking())
            assert isinstance(outcome, Failed)
            assert outcome.cause == "tls"
            assert outcome.detail
            assert server.heads == []

    @in_loop
    async def test_a_server_without_tls_has_failed(self) -> None:
        async with saying(whole()) as server, fetching() as fetcher:
            outcome = await fetcher.fetch(server.url(scheme="https"), HERE, asking(first_byte_time_s=0.3))
            assert isinstance(outcome, Failed)
            assert outcome.cause in ("tls", "timeout")


class HttpProxy:
    """A small HTTP proxy: plain requests and tunnels, all to one port on loopback."""

    def __init__(self, port: int, refuses: bool) -> None:
        self.asked: list[bytes] = []
        self._port = port
        self._refuses = refuses

    async def attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        self.asked.append(head)
        if self._refuses:
            writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
            writer.close()
            return
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port)
        if head.startswith(b"CONNECT "):
            writer.write(b"HTTP/1.1 200 Connection established\r\nX-Proxy: yes\r\n\r\n")
        else:
            far_writer.write(head)
        await relay(reader, writer, far_reader, far_writer)


class SocksProxy:
    """A small SOCKS 5 proxy without names of its own: everything leads to one port on loopback."""

    def __init__(self, port: int, refuses: bool) -> None:
        self.asked: list[bytes] = []
        self._port = port
        self._refuses = refuses

    async def attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _, methods = await reader.readexactly(2)
        await reader.readexactly(methods)
        writer.write(b"\x05\x00")
        *_, kind = await reader.readexactly(4)
        length = {1: 4, 4: 16}.get(kind) or (await reader.readexactly(1))[0]
        self.asked.append(await reader.readexactly(length))
        await reader.readexactly(2)
        writer.write(b"\x05" + (b"\x02" if self._refuses else b"\x00") + b"\x00\x01\x7f\x00\x00\x01\x00\x00")
        if self._refuses:
            writer.close()
            return
        await relay(reader, writer, *await asyncio.open_connection("127.0.0.1", self._port))


async def relay(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    far_reader: asyncio.StreamReader,
    far_writer: asyncio.StreamWriter,
) -> None:
    async def pour(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(65_536):
                sink.write(data)
                await sink.drain()
        except ConnectionError:
            pass
        sink.close()

    await asyncio.gather(pour(reader, far_writer), pour(far_reader, writer))


@asynccontextmanager
async def proxying(
    kind: type[HttpProxy] | type[SocksProxy], port: int, refuses: bool = False
) -> AsyncIterator[tuple[HttpProxy | SocksProxy, int]]:
    proxy = kind(port, refuses)
    server = await asyncio.start_server(proxy.attend, "127.0.0.1", 0)
    try:
        yield proxy, server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await asyncio.sleep(0.01)


@asynccontextmanager
async def behind(
    kind: type[HttpProxy] | type[SocksProxy], tls: ssl.SSLContext | None = None, **told: Any
) -> AsyncIterator[tuple[Saying, HttpProxy | SocksProxy, int, CurlFetcher]]:
    """Put a server behind a proxy."""
    async with (
        saying(whole(b"far away"), tls=tls) as server,
        proxying(kind, server.port) as (proxy, port),
        fetching(**told) as fetcher,
    ):
        yield server, proxy, port, fetcher


class TestProxies:
    @in_loop
    async def test_http_goes_to_the_proxy_with_the_whole_url(self) -> None:
        async with behind(HttpProxy) as (_, proxy, port, fetcher):
            ask = Ask(Fetching(proxy=f"http://127.0.0.1:{port}"), AGENT)
            where = await fetcher.locate("far.example", ask.settings)
            assert where == Located(())
            exchange = exchange_of(await fetcher.fetch("http://far.example/a%7e", where, ask))
            assert exchange.body == b"far away"
            assert exchange.request_head == proxy.asked[0]
            assert exchange.request_head.startswith(
                b"GET http://far.example/a%7e HTTP/1.1\r\nHost: far.example\r\n"
            )
            assert exchange.address == "127.0.0.1"

    @in_loop
    async def test_https_goes_through_a_tunnel(self, certificate: tuple[Path, ssl.SSLContext]) -> None:
        path, context = certificate
        async with behind(HttpProxy, context, certificates=str(path)) as (server, proxy, port, fetcher):
            ask = Ask(Fetching(proxy=f"http://127.0.0.1:{port}"), AGENT)
            exchange = exchange_of(await fetcher.fetch("https://secure.example/a", Located(()), ask))
            assert exchange.body == b"far away"
            assert exchange.request_head == server.heads[0]
            assert exchange.response_head.startswith(b"HTTP/1.1 200 OK\r\n")
            assert proxy.asked[0].startswith(b"CONNECT secure.example:443 HTTP/1.1\r\n")

    @in_loop
    async def test_a_socks_proxy_is_given_the_name_or_the_address(self) -> None:
        async with behind(SocksProxy) as (server, proxy, port, fetcher):
            by_name = Ask(Fetching(proxy=f"socks5h://127.0.0.1:{port}"), AGENT)
            exchange = exchange_of(await fetcher.fetch("http://far.example/", Located(()), by_name))
            assert exchange.body == b"far away"
            assert exchange.request_head == server.heads[0]
            by_address = Ask(Fetching(proxy=f"socks5://127.0.0.1:{port}"), AGENT)
            exchange_of(await fetcher.fetch("http://far.example/", Located(("93.184.216.34",)), by_address))
            assert proxy.asked == [b"far.example", bytes([93, 184, 216, 34])]

    @in_loop
    async def test_the_environment_lets_nothing_past_the_proxy(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("no_proxy", "*")
        async with behind(HttpProxy) as (_, proxy, port, fetcher):
            ask = Ask(Fetching(proxy=f"http://127.0.0.1:{port}"), AGENT)
            await fetcher.fetch("http://far.example/", Located(()), ask)
            assert len(proxy.asked) == 1

    @pytest.mark.parametrize(("kind", "scheme"), [(HttpProxy, "http"), (SocksProxy, "socks5h")])
    @in_loop
    async def test_a_proxy_is_not_asked_for_private_addresses(self, kind: Any, scheme: str) -> None:
        async with proxying(kind, 1) as (proxy, port), fetching() as fetcher:
            ask = Ask(Fetching(proxy=f"{scheme}://127.0.0.1:{port}"), AGENT)
            for host in ("10.0.0.1", "[::1]", "127.0.0.1:8080", "169.254.169.254"):
                assert isinstance(await fetcher.locate(host, ask.settings), Refused)
                outcome = await fetcher.fetch(f"http://{host}/", Located(()), ask)
                assert isinstance(outcome, Refused)
                assert outcome.cause == "private address"
            assert proxy.asked == []

    @pytest.mark.parametrize(("kind", "scheme"), [(HttpProxy, "http"), (SocksProxy, "socks5h")])
    @in_loop
    async def test_a_proxy_that_refuses_is_a_failed_connection(self, kind: Any, scheme: str) -> None:
        async with proxying(kind, 1, refuses=True) as (_, port), fetching() as fetcher:
            ask = Ask(Fetching(proxy=f"{scheme}://127.0.0.1:{port}"), AGENT)
            outcome = await fetcher.fetch("https://far.example/", Located(()), ask)
            assert isinstance(outcome, Failed)
            assert outcome.cause == "connect"

    @pytest.mark.parametrize(
        "proxy", ["nonsense", "ftp://127.0.0.1:1", "http://", "http://x:port", "http://ä:1"]
    )
    @in_loop
    async def test_a_malformed_proxy_is_named(self, proxy: str) -> None:
        async with fetching() as fetcher:
            with pytest.raises(BadInput, match="is no proxy"):
                await fetcher.locate("far.example", Fetching(proxy=proxy))


class TestRobots:
    @in_loop
    async def test_robots_txt_is_asked_for_and_followed_over_the_wire(self) -> None:
        moved = whole(b"", b"Location: /elsewhere.txt", status=b"301 Moved")
        async with (
            saying(moved, whole(b"User-agent: *\nDisallow: /x"), keep_open=True) as server,
            fetching() as fetcher,
        ):
            host = f"127.0.0.1:{server.port}"
            answer = await RobotsCache(fetcher).ask(host, "http", HERE, asking())
            assert answer.refusal(server.url("/x/y"), "Gossamer") == "robots"
            assert answer.refusal(server.url("/y"), "Gossamer") is None
            assert [head.split(b" ")[1] for head in server.heads] == [b"/robots.txt", b"/elsewhere.txt"]

    @in_loop
    async def test_a_redirect_to_a_private_address_is_not_followed(self) -> None:
        async with saying(whole(), keep_open=True) as inside, fetching() as fetcher:
            location = f"Location: http://127.0.0.2:{inside.port}/".encode()
            async with saying(whole(b"", location, status=b"302 Found")) as server:
                host = f"127.0.0.1:{server.port}"
                answer = await RobotsCache(fetcher).ask(
                    host, "http", HERE, asking(allow_private=("127.0.0.1",))
                )
                assert answer.refusal(server.url("/"), "Gossamer") == "robots unreachable"
                assert inside.connections == 0


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


class TestHousekeeping:
    @in_loop
    async def test_many_pages_of_many_hosts_leave_no_descriptor_behind(self) -> None:
        async with saying(whole(BODY), keep_open=True) as server:
            before = descriptors()
            fetcher = CurlFetcher(idle_connections=5)
            for number in range(6):
                urls = [server.url(host=f"h{number}-{place}.example") for place in range(50)]
                outcomes = await asyncio.gather(*(fetcher.fetch(url, HERE, asking()) for url in urls))
                assert all(isinstance(outcome, Fetched) for outcome in outcomes)
                await asyncio.sleep(0.05)
                assert descriptors() - before < 20, "idle connections are bounded"
            await fetcher.close()
            await asyncio.sleep(0.05)
            assert descriptors() <= before

    @in_loop
    async def test_a_cancelled_fetch_leaves_nothing_behind(self) -> None:
        half = whole(BODY)[:-5000]
        async with saying(half, keep_open=True) as server:
            before = descriptors()
            async with fetching() as fetcher:
                for _ in range(3):
                    asked = [
                        asyncio.ensure_future(fetcher.fetch(server.url(), HERE, asking())) for _ in range(20)
                    ]
                    await asyncio.sleep(0.05)
                    for task in asked:
                        task.cancel()
                    results = await asyncio.gather(*asked, return_exceptions=True)
                    assert {type(result) for result in results} == {asyncio.CancelledError}
                    await asyncio.sleep(0.05)
                    assert descriptors() <= before + 4, "our epoll, and what libcurl wakes itself with"
                assert server.connections == 60
                # The handles are as good as new.
                outcome = await fetcher.fetch(server.url(), HERE, asking(page_time_s=0.2))
                assert (exchange_of(outcome).body, exchange_of(outcome).cut) == (BODY[:5000], "time")

    @in_loop
    async def test_closing_tells_fetches_under_way(self) -> None:
        async with lab(lambda asked: Answer(body=BODY, fault=Fault(stall_after=0))) as world:
            fetcher = CurlFetcher()
            asked = [asyncio.ensure_future(fetcher.fetch(world.url(), HERE, asking())) for _ in range(5)]
            await asyncio.sleep(0.05)
            await fetcher.close()
            for outcome in await asyncio.gather(*asked):
                assert isinstance(outcome, Failed)
                assert outcome.cause == "internal"
            late = await fetcher.fetch(world.url(), HERE, asking())
            assert isinstance(late, Failed)
            await fetcher.close()

    @in_loop
    async def test_other_sockets_of_the_loop_are_undisturbed(self) -> None:
        """Descriptors that libcurl closed are used again by others, in the same event loop."""
        async with saying(whole(BODY), keep_open=True) as server, fetching(idle_connections=1) as fetcher:
            for number in range(30):
                urls = [server.url(host=f"h{number}-{place}.example") for place in range(4)]
                await asyncio.gather(*(fetcher.fetch(url, HERE, asking()) for url in urls))
                reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
                writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                assert (await asyncio.wait_for(reader.readline(), 2.0)).startswith(b"HTTP/1.1 200")
                writer.close()

    @in_loop
    async def test_it_works_without_epoll_too(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("gossamer.fetch.curl.watch", LoopWatch)
        async with saying(whole(BODY), keep_open=True) as server, fetching(idle_connections=2) as fetcher:
            for number in range(5):
                urls = [server.url(host=f"h{number}-{place}.example") for place in range(4)]
                for outcome in await asyncio.gather(
                    *(fetcher.fetch(url, HERE, asking()) for url in urls * 2)
                ):
                    assert exchange_of(outcome).body == BODY

    @in_loop
    async def test_tasks_with_different_settings_share_a_fetcher(self) -> None:
        async with saying(whole(BODY), keep_open=True) as server, fetching() as fetcher:

            async def get(page_bytes: int) -> int:
                return len(
                    exchange_of(await fetcher.fetch(server.url(), HERE, asking(page_bytes=page_bytes))).body
                )

            sizes = [100, 20_000, 5000, 20_000, 1] * 10
            assert await asyncio.gather(*map(get, sizes)) == [min(size, len(BODY)) for size in sizes]
