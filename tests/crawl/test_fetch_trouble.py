"""The HTTP client against faulty servers and private addresses."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.crawl.fetching import (
    AGENT,
    BODY,
    HERE,
    fetch_bytes,
    fetch_with_fault,
    get_exchange,
    in_loop,
    make_bytes,
    make_options,
    open_fetcher,
    serve_bytes,
    serve_lab,
)

from gossamer.config import Fetching
from gossamer.errors import BadInput
from gossamer.fetch.dns.dns_cache import LookupResult, Resolver
from gossamer.fetch.fetcher import FetchOptions, HostAddresses
from gossamer.fetch.socket_shortage import TURN_LOST, Shortage
from gossamer.lab.server.answer import Fault, LabAnswer
from gossamer.records import Failed, Fetched, Outcome, Refused


class TestTrouble:
    @in_loop
    async def test_a_body_that_is_too_long_is_cut_off(self) -> None:
        for page_bytes in (1, 9999):
            exchange = get_exchange(await fetch_bytes(make_bytes(BODY), make_options(page_bytes=page_bytes)))
            assert (exchange.payload, exchange.cut) == (BODY[:page_bytes], "length")
        exchange = get_exchange(await fetch_bytes(make_bytes(BODY), make_options(page_bytes=10_000)))
        assert (exchange.payload, exchange.cut) == (BODY, "")

    @in_loop
    async def test_an_endless_body_is_cut_off(self) -> None:
        outcome = await fetch_with_fault(Fault(endless="body"), page_bytes=100_000)
        assert isinstance(outcome, Fetched)
        assert (len(outcome.exchange.payload), outcome.exchange.cut) == (100_000, "length")

    @in_loop
    async def test_endless_headers_are_too_large(self) -> None:
        outcome = await fetch_with_fault(Fault(endless="headers"))
        assert isinstance(outcome, Failed)
        assert outcome.cause == "too_large"

    @in_loop
    async def test_headers_beyond_the_limit_are_too_large(self) -> None:
        answer = make_bytes(BODY, b"X-Long: " + b"x" * 5000)
        outcome = await fetch_bytes(answer, make_options(head_bytes=4096))
        assert isinstance(outcome, Failed)
        assert outcome.cause == "too_large"
        assert isinstance(await fetch_bytes(answer, make_options(head_bytes=6000)), Fetched)

    @pytest.mark.parametrize("fault", [Fault(close_after=500), Fault(reset_after=500), Fault(length_added=7)])
    @in_loop
    async def test_a_truncated_body_is_a_page_with_a_cut(self, fault: Fault) -> None:
        outcome = await fetch_with_fault(fault)
        assert isinstance(outcome, Fetched)
        assert outcome.exchange.cut == "connection"
        assert BODY.startswith(outcome.exchange.body)
        assert len(outcome.exchange.body) >= 500

    @pytest.mark.parametrize("fault", [Fault(close_after=0), Fault(reset_after=0)])
    @in_loop
    async def test_a_page_without_any_of_its_body_is_a_failure(self, fault: Fault) -> None:
        outcome = await fetch_with_fault(fault)
        assert isinstance(outcome, Failed)
        assert outcome.cause == "reset"
        assert get_exchange(outcome).status == 200

    @in_loop
    async def test_a_malformed_chunk_ends_the_body(self) -> None:
        exchange = get_exchange(await fetch_with_fault(Fault(malformed="chunk")))
        assert (exchange.body, exchange.cut) == (BODY[:5000], "connection")

    @pytest.mark.parametrize("malformed", ["status", "no-colon", "nul"])
    @in_loop
    async def test_malformed_http_is_a_failure(self, malformed: Any) -> None:
        outcome = await fetch_with_fault(Fault(malformed=malformed))
        assert isinstance(outcome, Failed)
        assert outcome.cause == "protocol"

    @pytest.mark.parametrize("answer", [b"<html>HTTP/0.9</html>", b"SSH-2.0-OpenSSH_9.2\r\n", b"\0" * 100])
    @in_loop
    async def test_other_protocols_are_a_failure(self, answer: bytes) -> None:
        outcome = await fetch_bytes(answer)
        assert isinstance(outcome, Failed)
        assert outcome.cause == "protocol"

    @in_loop
    async def test_an_empty_response_is_a_reset(self) -> None:
        outcome = await fetch_bytes(b"")
        assert isinstance(outcome, Failed)
        assert outcome.cause == "reset"

    @in_loop
    async def test_half_a_head_is_a_protocol_error(self) -> None:
        outcome = await fetch_bytes(b"HTTP/1.1 200 OK\r\nContent-Le")
        assert isinstance(outcome, Failed)
        assert outcome.cause == "protocol"

    @in_loop
    async def test_a_closed_port_is_a_failed_connection(self) -> None:
        async with serve_bytes(b"") as server:
            port = server.port
        async with open_fetcher() as fetcher:
            outcome = await fetcher.fetch(f"http://127.0.0.1:{port}/", HERE, make_options())
            assert isinstance(outcome, Failed)
            assert outcome.cause == "connect"

    @in_loop
    async def test_a_late_response_is_a_timeout(self) -> None:
        outcome = await fetch_with_fault(Fault(delay_s=2.0), first_byte_time_s=0.2)
        assert isinstance(outcome, Failed)
        assert (outcome.cause, outcome.detail) == ("timeout", "the response did not begin in time")

    @in_loop
    async def test_a_response_that_began_in_time_may_take_longer(self) -> None:
        outcome = await fetch_with_fault(Fault(bytes_per_s=2_500), first_byte_time_s=3.0)
        assert get_exchange(outcome).payload == BODY

    @pytest.mark.parametrize("fault", [Fault(stall_after=5000), Fault(bytes_per_s=5000)])
    @in_loop
    async def test_stalled_and_slow_responses_are_cut_at_the_time_limit(self, fault: Fault) -> None:
        outcome = await fetch_with_fault(fault, page_time_s=1.5)
        assert isinstance(outcome, Fetched)
        assert outcome.exchange.cut == "time"
        assert 0 < len(outcome.exchange.body) < len(BODY)
        assert outcome.exchange.took_s > 1.4

    @in_loop
    async def test_a_stall_before_the_body_is_a_timeout(self) -> None:
        outcome = await fetch_with_fault(Fault(stall_after=0), page_time_s=0.2)
        assert isinstance(outcome, Failed)
        assert outcome.cause == "timeout"

    @in_loop
    async def test_each_transfer_has_its_own_limit_for_the_first_byte(self) -> None:
        """A late response does not end other transfers, and a long limit does not delay a short one."""
        respond = lambda asked: LabAnswer(body=b"x", fault=Fault(delay_s=float(asked.target[1:])))  # noqa: E731
        async with serve_lab(respond) as world, open_fetcher() as fetcher:
            finished: list[float] = []

            async def get(delay: str, limit_s: float) -> Outcome | Shortage:
                options = make_options(first_byte_time_s=limit_s)
                outcome = await fetcher.fetch(world.url(path=f"/{delay}"), HERE, options)
                finished.append(limit_s)
                return outcome

            outcomes = await asyncio.gather(
                get("1.5", 4.0), get("2.9", 0.2), get("2.9", 0.4), get("0.1", 2.4), get("0.0", 2.3)
            )
            assert [type(outcome) for outcome in outcomes] == [Fetched, Failed, Failed, Fetched, Fetched]
            assert finished.index(0.2) < finished.index(0.4) < finished.index(4.0)


class TestAddressGuard:
    @pytest.mark.parametrize(
        "address", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.1", "169.254.169.254"]
    )
    @in_loop
    async def test_private_addresses_are_refused_for_any_url(self, address: str) -> None:
        async with serve_bytes(make_bytes()) as server, open_fetcher() as fetcher:
            options = FetchOptions(Fetching(), AGENT)
            for url in (server.url(), server.url(host="public.example"), server.url(host="[::1]")):
                outcome = await fetcher.fetch(url, HostAddresses((address,)), options)
                assert isinstance(outcome, Refused)
                assert outcome.cause == "private address"
                assert address in outcome.detail
            assert server.connections == 0

    @in_loop
    async def test_an_idle_connection_is_not_reused_by_a_task_that_may_not_connect(self) -> None:
        async with serve_bytes(make_bytes(), keep_open=True) as server, open_fetcher() as fetcher:
            assert isinstance(await fetcher.fetch(server.url(), HERE, make_options()), Fetched)
            assert isinstance(
                await fetcher.fetch(server.url(), HERE, FetchOptions(Fetching(), AGENT)), Refused
            )
            assert len(server.heads) == 1

    @in_loop
    async def test_the_address_is_checked_when_the_socket_is_opened(self) -> None:
        """Even if a private address reaches libcurl, no socket is opened."""
        from gossamer.fetch.http.curl_transfer import Transfer, TransferPool
        from gossamer.fetch.http.request_head import parse_target

        async with serve_bytes(make_bytes()) as server:
            transfers = TransferPool("", 4)
            target = parse_target(server.url())
            assert target is not None
            outcome, _ = await transfers.run(Transfer(target, "127.0.0.1", FetchOptions(Fetching(), AGENT)))
            transfers.close()
            assert outcome == Refused("private address", "127.0.0.1 is loopback")
            assert server.connections == 0

    @in_loop
    async def test_a_request_whose_turn_is_over_is_not_sent(self) -> None:
        """A process may be stopped after it began its turn; when it goes on, the host may be another's."""
        turns = [True, False, True]
        async with (
            serve_bytes(make_bytes(), keep_open=True) as server,
            open_fetcher(may_send=lambda: turns.pop(0)) as fetcher,
        ):
            assert isinstance(await fetcher.fetch(server.url(), HERE, make_options()), Fetched)
            assert await fetcher.fetch(server.url(), HERE, make_options()) == TURN_LOST
            assert len(server.heads) == 1
            assert isinstance(await fetcher.fetch(server.url(), HERE, make_options()), Fetched)
            assert len(server.heads) == 2

    @in_loop
    async def test_a_name_whose_address_becomes_private_is_refused(self) -> None:
        class Rebinding:
            def __init__(self) -> None:
                self.answers = [("93.184.216.34",), ("127.0.0.1",), ("10.0.0.1", "8.8.8.8")]

            async def look_up(self, name: str, time_s: float) -> tuple[LookupResult, float]:
                return self.answers.pop(0), 60.0

            async def close(self) -> None:
                pass

        now = [0.0]
        async with open_fetcher(resolver=Resolver(Rebinding(), lambda: now[0])) as fetcher:
            assert await fetcher.locate("rebind.example:80", Fetching()) == HostAddresses(("93.184.216.34",))
            now[0] += 61
            refused = await fetcher.locate("rebind.example:80", Fetching())
            assert refused == Refused("private address", "127.0.0.1 is loopback")
            now[0] += 61
            assert await fetcher.locate("rebind.example", Fetching()) == HostAddresses(("8.8.8.8",))

    @in_loop
    async def test_allowing_an_address_allows_no_other(self) -> None:
        async with open_fetcher() as fetcher:
            settings = Fetching(allow_private=("127.0.0.2",))
            assert await fetcher.locate("127.0.0.2:80", settings) == HostAddresses(("127.0.0.2",))
            for other in ("127.0.0.1", "[::1]:80", "[::ffff:127.0.0.1]", "10.0.0.1", "0.0.0.0"):  # noqa: S104
                assert isinstance(await fetcher.locate(other, settings), Refused), other
            with pytest.raises(BadInput, match="is not a network"):
                await fetcher.locate("127.0.0.1", Fetching(allow_private=("nonsense",)))

    @in_loop
    async def test_proxies_of_the_environment_are_not_used(self, monkeypatch: pytest.MonkeyPatch) -> None:
        async with (
            serve_bytes(make_bytes()) as server,
            serve_bytes(make_bytes(b"by proxy")) as proxy,
            open_fetcher() as fetcher,
        ):
            for name in ("http_proxy", "all_proxy", "ALL_PROXY"):
                monkeypatch.setenv(name, proxy.url())
            assert get_exchange(await fetcher.fetch(server.url(), HERE, make_options())).body == b"hello"
            assert proxy.connections == 0


class TestAddresses:
    @in_loop
    async def test_the_request_goes_to_the_given_address_with_the_name_as_host(self, tmp_path: Path) -> None:
        hosts = tmp_path / "hosts"
        hosts.write_text("127.0.0.1 shop.example\n")
        async with serve_bytes(make_bytes()) as server, open_fetcher() as fetcher:
            options = make_options(hosts_file=str(hosts))
            where = await fetcher.locate(f"shop.example:{server.port}", options.settings)
            assert where == HERE
            outcome = await fetcher.fetch(server.url(host="shop.example"), HERE, options)
            assert get_exchange(outcome).address == "127.0.0.1"
            assert f"\r\nHost: shop.example:{server.port}\r\n".encode() in server.heads[0]

    @in_loop
    async def test_the_next_address_is_tried_and_a_dead_one_comes_last(self) -> None:
        where = HostAddresses(("127.0.0.9", "127.0.0.1"))
        async with serve_bytes(make_bytes(), keep_open=True) as server, open_fetcher() as fetcher:
            for _ in range(3):
                outcome = await fetcher.fetch(server.url(host="two.example"), where, make_options())
                assert get_exchange(outcome).address == "127.0.0.1"
            assert server.connections == 1

    @in_loop
    async def test_a_host_without_an_address_is_a_failure(self) -> None:
        async with open_fetcher() as fetcher:
            outcome = await fetcher.fetch("http://nowhere.example/", HostAddresses(()), make_options())
            assert outcome == Failed("dns", "the host has no address")

    @in_loop
    async def test_ipv6_works(self) -> None:
        try:
            async with serve_bytes(make_bytes(), host="::1") as server, open_fetcher() as fetcher:
                options = make_options(allow_private=("::1",))
                outcome = await fetcher.fetch(server.url(host="[::1]"), HostAddresses(("::1",)), options)
                assert get_exchange(outcome).address == "::1"
                assert f"\r\nHost: [::1]:{server.port}\r\n".encode() == server.heads[0][14:].split(b"User")[0]
        except OSError:
            pytest.skip("this system has no IPv6 loopback")
