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
from gossamer.fetch.dns_cache import Found, Resolver, name_of, read_hosts
from gossamer.fetch.dns_query import CAres
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
    """Answers from the table, or not at all."""

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
        chosen = [address.packed for address in addresses if address.version == (4 if kind == A else 6)]
        records = [
            b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, 120, len(packed)) + packed for packed in chosen
        ]
        code = 0 if name in TABLE else 3
        head = data[:2] + struct.pack(">HHHHH", 0x8180 | code, 1, len(chosen), 0, 0)
        self.transport.sendto(head + data[12 : place + 5] + b"".join(records), addr)


class Book:
    """Looks names up in the table, and notes which it was asked for."""

    def __init__(self, time_to_live_s: float) -> None:
        self.asked: list[str] = []
        self.time_to_live_s = time_to_live_s

    async def look_up(self, name: str, time_s: float) -> tuple[Found, float]:
        self.asked.append(name)
        await asyncio.sleep(30.0 if name == "silent.example" else 0.0)
        if name in TABLE:
            return tuple(TABLE[name]), self.time_to_live_s
        return Failed("dns", "unknown"), 300.0

    async def close(self) -> None:
        pass


@asynccontextmanager
async def resolving(
    clock: Callable[[], float] = lambda: 0.0, known_names: int = 100, time_to_live_s: float = 120.0
) -> AsyncIterator[tuple[Resolver, Book]]:
    book = Book(time_to_live_s)
    resolver = Resolver(book, clock, known_names)
    try:
        yield resolver, book
    finally:
        await resolver.close()


@asynccontextmanager
async def asking_dns() -> AsyncIterator[Resolver]:
    """Resolve with a name server of our own on loopback."""
    transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(
        NameServer, local_addr=("127.0.0.1", 0), family=socket.AF_INET
    )
    resolver = Resolver(CAres((f"127.0.0.1:{transport.get_extra_info('sockname')[1]}",)))
    try:
        yield resolver
    finally:
        await resolver.close()
        transport.close()
        await asyncio.sleep(0)


def test_names_lose_port_brackets_dot_and_case() -> None:
    assert name_of("Example.ORG:8080") == "example.org"
    assert name_of("example.org.") == "example.org"
    assert name_of("[::1]:443") == "::1"
    assert name_of("[2001:DB8::1]") == "2001:db8::1"
    assert name_of("2001:db8::1") == "2001:db8::1"
    assert name_of("127.0.0.1:80") == "127.0.0.1"
    assert name_of("") == ""


def test_addresses_pass_through_without_dns() -> None:
    async def ask() -> None:
        async with resolving() as (resolver, book):
            assert await resolver.addresses("127.0.0.1:80") == ("127.0.0.1",)
            assert await resolver.addresses("[::1]:80") == ("::1",)
            assert await resolver.addresses("[::ffff:10.0.0.1]") == ("::ffff:10.0.0.1",)
            assert book.asked == []

    asyncio.run(ask())


def test_dns_finds_both_families_or_says_why_not() -> None:
    async def ask() -> None:
        async with asking_dns() as resolver:
            found = await resolver.addresses("two.example:8080")
            assert not isinstance(found, Failed)
            assert set(found) == {"192.0.2.1", "192.0.2.2", "2001:db8::1"}
            assert await resolver.addresses("six.example") == ("2001:db8::6",)
            for name in ("nowhere.example", "empty.example"):
                nothing = await resolver.addresses(name)
                assert isinstance(nothing, Failed)
                assert nothing.cause == "dns"
                assert nothing.detail

    asyncio.run(ask())


@pytest.mark.parametrize("odd", ODD_NAMES)
def test_odd_names_are_a_value_too(odd: str) -> None:
    async def ask() -> None:
        async with asking_dns() as resolver:
            found = await resolver.addresses(odd, time_s=2.0)
            assert isinstance(found, Failed)
            assert found.cause == "dns"

    asyncio.run(ask())


def test_a_resolver_that_died_is_made_anew() -> None:
    async def ask() -> None:
        async with asking_dns() as resolver:
            assert await resolver.addresses("four.example") == ("192.0.2.4",)
            cares = cast("CAres", resolver._dns)
            assert cares._dns is not None
            cares._dns._channel.close()  # as c-ares does when its own thread has failed
            died = await resolver.addresses("six.example")
            assert isinstance(died, Failed)
            assert died.cause == "dns"
            assert await resolver.addresses("six.example") == ("2001:db8::6",)

    asyncio.run(ask())


def test_closing_ends_lookups_with_a_value() -> None:
    async def ask() -> None:
        async with asking_dns() as resolver:
            asking = asyncio.ensure_future(resolver.addresses("silent.example", time_s=30.0))
            await asyncio.sleep(0.02)
            await resolver.close()
            assert await asking == Failed("dns", "the resolver was closed")

    asyncio.run(ask())


@pytest.mark.parametrize(("time_to_live_s", "kept_s"), [(0.0, 60), (500.0, 500), (1e6, 3600)])
def test_an_answer_is_kept_as_long_as_dns_says_within_reason(time_to_live_s: float, kept_s: int) -> None:
    async def ask() -> None:
        now = [1000.0]
        async with resolving(lambda: now[0], time_to_live_s=time_to_live_s) as (resolver, book):
            await resolver.addresses("four.example")
            now[0] += kept_s - 1
            assert await resolver.addresses("FOUR.example.:8080") == ("192.0.2.4",)
            assert len(book.asked) == 1
            now[0] += 2
            assert await resolver.addresses("four.example") == ("192.0.2.4",)
            assert len(book.asked) == 2

    asyncio.run(ask())


def test_what_does_not_exist_is_remembered_as_well() -> None:
    async def ask() -> None:
        now = [0.0]
        async with resolving(lambda: now[0]) as (resolver, book):
            for _ in range(2):
                assert await resolver.addresses("nowhere.example") == Failed("dns", "unknown")
            assert len(book.asked) == 1
            now[0] = 301.0
            await resolver.addresses("nowhere.example")
            assert len(book.asked) == 2

    asyncio.run(ask())


def test_silence_costs_the_given_time_only_and_is_soon_tried_again() -> None:
    async def ask() -> None:
        now = [0.0]
        async with resolving(lambda: now[0]) as (resolver, book):
            for _ in range(2):
                found = await asyncio.wait_for(resolver.addresses("silent.example", time_s=0.05), 5.0)
                assert found == Failed("dns", "no answer in time")
            assert len(book.asked) == 1
            now[0] = 16.0
            await resolver.addresses("silent.example", time_s=0.05)
            assert len(book.asked) == 2

    asyncio.run(ask())


def test_many_who_ask_at_once_share_one_lookup_and_may_leave() -> None:
    async def ask() -> None:
        async with resolving() as (resolver, book):
            asking = [asyncio.ensure_future(resolver.addresses("four.example")) for _ in range(50)]
            await asyncio.sleep(0)
            asking[0].cancel()
            assert set(await asyncio.gather(*asking[1:])) == {("192.0.2.4",)}
            assert book.asked == ["four.example"]
            with pytest.raises(asyncio.CancelledError):
                await asking[0]

    asyncio.run(ask())


def test_memory_is_bounded_and_the_longest_unused_is_forgotten() -> None:
    async def ask() -> None:
        async with resolving(known_names=2) as (resolver, book):
            for name in ("four.example", "six.example", "four.example", "two.example", "four.example"):
                await resolver.addresses(name)
            assert book.asked == ["four.example", "six.example", "two.example"]
            await resolver.addresses("six.example")
            assert book.asked[-1] == "six.example"

    asyncio.run(ask())


class TestHostsFile:
    def test_the_file_is_asked_before_dns_and_may_name_several_addresses(self, tmp_path: Path) -> None:
        path = tmp_path / "hosts"
        path.write_text(
            "# lab\n127.0.0.5 A.Example b.example # both\n\n127.0.0.6\ta.example\n::1 four.example\n"
        )

        async def ask() -> None:
            async with resolving() as (resolver, book):
                assert await resolver.addresses("a.example:80", str(path)) == ("127.0.0.5", "127.0.0.6")
                assert await resolver.addresses("b.example", str(path)) == ("127.0.0.5",)
                assert await resolver.addresses("four.example", str(path)) == ("::1",)
                assert book.asked == []
                assert await resolver.addresses("four.example") == ("192.0.2.4",)
                assert await resolver.addresses("six.example", str(path)) == ("2001:db8::6",)

        asyncio.run(ask())

    @pytest.mark.parametrize("line", ["a.example 127.0.0.1", "127.0.0.1", "300.0.0.1 a.example", "junk"])
    def test_a_malformed_line_is_named(self, line: str, tmp_path: Path) -> None:
        path = tmp_path / "hosts"
        path.write_text(f"127.0.0.1 fine.example\n{line}\n")
        with pytest.raises(BadInput, match="line 2 of the hosts file"):
            read_hosts(path)

    def test_an_unreadable_file_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
        with pytest.raises(BadInput, match="is not text"):
            read_hosts(tmp_path / "binary")
        for path in (tmp_path / "missing", tmp_path):
            with pytest.raises(BadInput, match="cannot read the hosts file"):
                asyncio.run(Resolver().addresses("a.example", str(path)))

    def test_an_empty_file_names_nobody(self, tmp_path: Path) -> None:
        (tmp_path / "hosts").write_text("")
        assert read_hosts(tmp_path / "hosts") == {}
