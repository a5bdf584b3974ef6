import asyncio
import ipaddress
import socket
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest

from gossamer.errors import BadInput
from gossamer.fetch.dns.dns_cache import LookupResult, Resolver, read_hosts_file, to_host_name
from gossamer.fetch.dns.dns_query import AresClient
from gossamer.records import Failed

A = 1
TABLE = {
    "two.example": ["192.0.2.1", "192.0.2.2", "2001:db8::1"],
    "six.example": ["2001:db8::6"],
    "four.example": ["192.0.2.4"],
    "empty.example": [],
}
ODD_NAMES = ["", ".", "a..example", "x" * 64 + ".example", "x." * 200, "ä\ud800.example", "a b"]


class NameServer(asyncio.DatagramProtocol):
    """A DNS server that answers from the table, or not at all."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.DatagramTransport", transport)

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        labels, place = [], 12
        while data[place]:
            labels.append(data[place + 1 : place + 1 + data[place]].decode())
            place += data[place] + 1
        name = ".".join(labels).lower()
        if name == "silent.example":
            return
        kind = struct.unpack(">H", data[place + 1 : place + 3])[0]
        addresses = [ipaddress.ip_address(address) for address in TABLE.get(name, [])]
        of_kind = [address.packed for address in addresses if address.version == (4 if kind == A else 6)]
        records = [
            b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, 120, len(packed)) + packed for packed in of_kind
        ]
        code = 0 if name in TABLE else 3
        head = data[:2] + struct.pack(">HHHHH", 0x8180 | code, 1, len(of_kind), 0, 0)
        self.transport.sendto(head + data[12 : place + 5] + b"".join(records), addr)


class TableClient:
    """A DNS client that looks names up in the table and records them."""

    def __init__(self, time_to_live_s: float) -> None:
        self.names: list[str] = []
        self.time_to_live_s = time_to_live_s

    async def look_up(self, name: str, time_s: float) -> tuple[LookupResult, float]:
        self.names.append(name)
        await asyncio.sleep(30.0 if name == "silent.example" else 0.0)
        if name in TABLE:
            return tuple(TABLE[name]), self.time_to_live_s
        return Failed("dns", "unknown"), 300.0

    async def close(self) -> None:
        pass


@asynccontextmanager
async def table_resolver(
    clock: Callable[[], float] = lambda: 0.0, cached_names: int = 100, time_to_live_s: float = 120.0
) -> AsyncIterator[tuple[Resolver, TableClient]]:
    client = TableClient(time_to_live_s)
    resolver = Resolver(client, clock, cached_names)
    try:
        yield resolver, client
    finally:
        await resolver.close()


@asynccontextmanager
async def dns_resolver() -> AsyncIterator[Resolver]:
    """Make a resolver that queries a NameServer on loopback."""
    transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(
        NameServer, local_addr=("127.0.0.1", 0), family=socket.AF_INET
    )
    resolver = Resolver(AresClient((f"127.0.0.1:{transport.get_extra_info('sockname')[1]}",)))
    try:
        yield resolver
    finally:
        await resolver.close()
        transport.close()
        await asyncio.sleep(0)


def test_port_brackets_final_dot_and_case_are_removed_from_names() -> None:
    assert to_host_name("Example.ORG:8080") == "example.org"
    assert to_host_name("example.org.") == "example.org"
    assert to_host_name("[::1]:443") == "::1"
    assert to_host_name("[2001:DB8::1]") == "2001:db8::1"
    assert to_host_name("2001:db8::1") == "2001:db8::1"
    assert to_host_name("127.0.0.1:80") == "127.0.0.1"
    assert to_host_name("") == ""


def test_addresses_need_no_dns() -> None:
    async def check() -> None:
        async with table_resolver() as (resolver, client):
            assert await resolver.look_up("127.0.0.1:80") == ("127.0.0.1",)
            assert await resolver.look_up("[::1]:80") == ("::1",)
            assert await resolver.look_up("[::ffff:10.0.0.1]") == ("::ffff:10.0.0.1",)
            assert client.names == []

    asyncio.run(check())


def test_dns_finds_addresses_of_both_families_or_a_reason_for_none() -> None:
    async def check() -> None:
        async with dns_resolver() as resolver:
            found = await resolver.look_up("two.example:8080")
            assert isinstance(found, tuple)
            assert set(found) == {"192.0.2.1", "192.0.2.2", "2001:db8::1"}
            assert await resolver.look_up("six.example") == ("2001:db8::6",)
            for name in ("nowhere.example", "empty.example"):
                nothing = await resolver.look_up(name)
                assert isinstance(nothing, Failed)
                assert nothing.cause == "dns"
                assert nothing.detail

    asyncio.run(check())


@pytest.mark.parametrize("odd", ODD_NAMES)
def test_odd_names_fail_without_an_exception(odd: str) -> None:
    async def check() -> None:
        async with dns_resolver() as resolver:
            found = await resolver.look_up(odd, time_s=2.0)
            assert isinstance(found, Failed)
            assert found.cause == "dns"

    asyncio.run(check())


def test_a_client_that_shut_down_is_replaced() -> None:
    async def check() -> None:
        async with dns_resolver() as resolver:
            assert await resolver.look_up("four.example") == ("192.0.2.4",)
            client = cast("AresClient", resolver._dns)
            assert client._dns is not None
            client._dns._channel.close()  # as c-ares does when its own thread has failed
            failed = await resolver.look_up("six.example")
            assert isinstance(failed, Failed)
            assert failed.cause == "dns"
            assert await resolver.look_up("six.example") == ("2001:db8::6",)

    asyncio.run(check())


def test_closing_makes_running_lookups_fail() -> None:
    async def check() -> None:
        async with dns_resolver() as resolver:
            lookups = asyncio.ensure_future(resolver.look_up("silent.example", time_s=30.0))
            await asyncio.sleep(0.02)
            await resolver.close()
            assert await lookups == Failed("dns", "the resolver was closed")

    asyncio.run(check())


@pytest.mark.parametrize(("time_to_live_s", "kept_s"), [(0.0, 60), (500.0, 500), (1e6, 3600)])
def test_an_answer_is_cached_for_its_time_to_live_within_bounds(time_to_live_s: float, kept_s: int) -> None:
    async def check() -> None:
        now = [1000.0]
        async with table_resolver(lambda: now[0], time_to_live_s=time_to_live_s) as (resolver, client):
            await resolver.look_up("four.example")
            now[0] += kept_s - 1
            assert await resolver.look_up("FOUR.example.:8080") == ("192.0.2.4",)
            assert len(client.names) == 1
            now[0] += 2
            assert await resolver.look_up("four.example") == ("192.0.2.4",)
            assert len(client.names) == 2

    asyncio.run(check())


def test_missing_names_are_cached_as_well() -> None:
    async def check() -> None:
        now = [0.0]
        async with table_resolver(lambda: now[0]) as (resolver, client):
            for _ in range(2):
                assert await resolver.look_up("nowhere.example") == Failed("dns", "unknown")
            assert len(client.names) == 1
            now[0] = 301.0
            await resolver.look_up("nowhere.example")
            assert len(client.names) == 2

    asyncio.run(check())


def test_a_lookup_without_an_answer_ends_in_time_and_is_soon_retried() -> None:
    async def check() -> None:
        now = [0.0]
        async with table_resolver(lambda: now[0]) as (resolver, client):
            for _ in range(2):
                found = await asyncio.wait_for(resolver.look_up("silent.example", time_s=0.05), 60.0)
                assert found == Failed("dns", "no answer in time")
            assert len(client.names) == 1
            now[0] = 16.0
            await resolver.look_up("silent.example", time_s=0.05)
            assert len(client.names) == 2

    asyncio.run(check())


def test_concurrent_callers_share_one_lookup_and_may_be_cancelled() -> None:
    async def check() -> None:
        async with table_resolver() as (resolver, client):
            lookups = [asyncio.ensure_future(resolver.look_up("four.example")) for _ in range(50)]
            await asyncio.sleep(0)
            lookups[0].cancel()
            assert set(await asyncio.gather(*lookups[1:])) == {("192.0.2.4",)}
            assert client.names == ["four.example"]
            with pytest.raises(asyncio.CancelledError):
                await lookups[0]

    asyncio.run(check())


def test_the_cache_drops_the_least_recently_used_name() -> None:
    async def check() -> None:
        async with table_resolver(cached_names=2) as (resolver, client):
            for name in ("four.example", "six.example", "four.example", "two.example", "four.example"):
                await resolver.look_up(name)
            assert client.names == ["four.example", "six.example", "two.example"]
            await resolver.look_up("six.example")
            assert client.names[-1] == "six.example"

    asyncio.run(check())


class TestHostsFile:
    def test_the_file_comes_before_dns_and_may_have_several_addresses(self, tmp_path: Path) -> None:
        path = tmp_path / "hosts"
        path.write_text(
            "# lab\n127.0.0.5 A.Example b.example # both\n\n127.0.0.6\ta.example\n::1 four.example\n"
        )

        async def check() -> None:
            async with table_resolver() as (resolver, client):
                assert await resolver.look_up("a.example:80", str(path)) == ("127.0.0.5", "127.0.0.6")
                assert await resolver.look_up("b.example", str(path)) == ("127.0.0.5",)
                assert await resolver.look_up("four.example", str(path)) == ("::1",)
                assert client.names == []
                assert await resolver.look_up("four.example") == ("192.0.2.4",)
                assert await resolver.look_up("six.example", str(path)) == ("2001:db8::6",)

        asyncio.run(check())

    @pytest.mark.parametrize("line", ["a.example 127.0.0.1", "127.0.0.1", "300.0.0.1 a.example", "junk"])
    def test_the_error_names_a_malformed_line(self, line: str, tmp_path: Path) -> None:
        path = tmp_path / "hosts"
        path.write_text(f"127.0.0.1 fine.example\n{line}\n")
        with pytest.raises(BadInput, match="line 2 of the hosts file"):
            read_hosts_file(path)

    def test_the_error_names_an_unreadable_file(self, tmp_path: Path) -> None:
        (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
        with pytest.raises(BadInput, match="is not text"):
            read_hosts_file(tmp_path / "binary")
        for path in (tmp_path / "missing", tmp_path):
            with pytest.raises(BadInput, match="cannot read the hosts file"):
                asyncio.run(Resolver().look_up("a.example", str(path)))

    def test_an_empty_file_has_no_hosts(self, tmp_path: Path) -> None:
        (tmp_path / "hosts").write_text("")
        assert read_hosts_file(tmp_path / "hosts") == {}
