"""The client against servers that do not behave, and against addresses that are nobody's business."""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest
from tests.crawl.fetching import (
    AGENT,
    BODY,
    HERE,
    asking,
    exchange_of,
    faulty,
    fetched,
    fetching,
    in_loop,
    lab,
    saying,
    whole,
)

from gossamer.config import Fetching
from gossamer.errors import BadInput
from gossamer.fetch.dns.dns_cache import LookupResult, Resolver
from gossamer.fetch.fetcher import FetchOptions, HostAddresses
from gossamer.lab.server.answer import Fault, LabAnswer
from gossamer.records import Failed, Fetched, Outcome, Refused


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
        assert (outcome.cause, outcome.detail) == ("timeout", "the response did not begin in time")
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
        world_of = lambda asked: LabAnswer(body=b"x", fault=Fault(delay_s=float(asked.target[1:])))  # noqa: E731
        async with lab(world_of) as world, fetching() as fetcher:

            async def get(delay: str, limit_s: float) -> Outcome:
                return await fetcher.fetch(
                    world.url(path=f"/{delay}"), HERE, asking(first_byte_time_s=limit_s)
                )

            outcomes = await asyncio.gather(
                get("0.3", 2.0), get("2.5", 0.2), get("2.5", 0.4), get("0.1", 0.3), get("0.0", 0.1)
            )
            assert [type(outcome) for outcome in outcomes] == [Fetched, Failed, Failed, Fetched, Fetched]


class TestGuard:
    @pytest.mark.parametrize(
        "address", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.1", "169.254.169.254"]
    )
    @in_loop
    async def test_no_private_address_is_connected_to_whatever_the_url_says(self, address: str) -> None:
        async with saying(whole()) as server, fetching() as fetcher:
            ask = FetchOptions(Fetching(), AGENT)
            for url in (server.url(), server.url(host="public.example"), server.url(host="[::1]")):
                outcome = await fetcher.fetch(url, HostAddresses((address,)), ask)
                assert isinstance(outcome, Refused)
                assert outcome.cause == "private address"
                assert address in outcome.detail
            assert server.connections == 0

    @in_loop
    async def test_a_kept_connection_does_not_serve_a_task_that_may_not_use_it(self) -> None:
        async with saying(whole(), keep_open=True) as server, fetching() as fetcher:
            assert isinstance(await fetcher.fetch(server.url(), HERE, asking()), Fetched)
            assert isinstance(
                await fetcher.fetch(server.url(), HERE, FetchOptions(Fetching(), AGENT)), Refused
            )
            assert len(server.heads) == 1

    @in_loop
    async def test_the_socket_itself_is_guarded(self) -> None:
        """Should a private address ever get as far as libcurl, its socket is not opened."""
        from gossamer.fetch.http.curl_transfer import Transfer, TransferPool
        from gossamer.fetch.http.request_head import parse_target

        async with saying(whole()) as server:
            transfers = TransferPool("", 4)
            target = parse_target(server.url())
            assert target is not None
            outcome, _ = await transfers.run(Transfer(target, "127.0.0.1", FetchOptions(Fetching(), AGENT)))
            transfers.close()
            assert outcome == Refused("private address", "127.0.0.1 is loopback")
            assert server.connections == 0

    @in_loop
    async def test_a_name_that_turns_private_is_refused(self) -> None:
        class Rebinding:
            def __init__(self) -> None:
                self.answers = [("93.184.216.34",), ("127.0.0.1",), ("10.0.0.1", "8.8.8.8")]

            async def look_up(self, name: str, time_s: float) -> tuple[LookupResult, float]:
                return self.answers.pop(0), 60.0

            async def close(self) -> None:
                pass

        now = [0.0]
        async with fetching(resolver=Resolver(Rebinding(), lambda: now[0])) as fetcher:
            assert await fetcher.locate("rebind.example:80", Fetching()) == HostAddresses(("93.184.216.34",))
            now[0] += 61
            refused = await fetcher.locate("rebind.example:80", Fetching())
            assert refused == Refused("private address", "127.0.0.1 is loopback")
            now[0] += 61
            assert await fetcher.locate("rebind.example", Fetching()) == HostAddresses(("8.8.8.8",))

    @in_loop
    async def test_allowing_opens_only_what_it_names(self) -> None:
        async with fetching() as fetcher:
            settings = Fetching(allow_private=("127.0.0.2",))
            assert await fetcher.locate("127.0.0.2:80", settings) == HostAddresses(("127.0.0.2",))
            for other in ("127.0.0.1", "[::1]:80", "[::ffff:127.0.0.1]", "10.0.0.1", "0.0.0.0"):  # noqa: S104
                assert isinstance(await fetcher.locate(other, settings), Refused), other
            with pytest.raises(BadInput, match="is not a network"):
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
        where = HostAddresses(("127.0.0.9", "127.0.0.1"))
        async with saying(whole(), keep_open=True) as server, fetching() as fetcher:
            for _ in range(3):
                outcome = await fetcher.fetch(server.url(host="two.example"), where, asking())
                assert exchange_of(outcome).address == "127.0.0.1"
            assert server.connections == 1

    @in_loop
    async def test_without_any_address_there_is_no_page(self) -> None:
        async with fetching() as fetcher:
            outcome = await fetcher.fetch("http://nowhere.example/", HostAddresses(()), asking())
            assert outcome == Failed("dns", "the host has no address")

    @in_loop
    async def test_ipv6_works(self) -> None:
        try:
            async with saying(whole(), host="::1") as server, fetching() as fetcher:
                ask = asking(allow_private=("::1",))
                outcome = await fetcher.fetch(server.url(host="[::1]"), HostAddresses(("::1",)), ask)
                assert exchange_of(outcome).address == "::1"
                assert f"\r\nHost: [::1]:{server.port}\r\n".encode() == server.heads[0][14:].split(b"User")[0]
        except OSError:
            pytest.skip("this system has no IPv6 loopback")
