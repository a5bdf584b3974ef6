import asyncio
import errno

import pytest
from tests.few_files import leave_files

from gossamer.fetch.dns.dns_cache import LookupResult, Resolver
from gossamer.fetch.dns.dns_query import AresClient
from gossamer.fetch.socket_shortage import (
    Shortage,
    describe_shortage,
    explain_error,
    find_connect_shortage,
    find_shortage,
    is_shortage,
)


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM])
def test_what_this_machine_lacks_is_named(number: int) -> None:
    assert isinstance(describe_shortage(number), Shortage)
    assert isinstance(find_connect_shortage(number, "127.0.0.1"), Shortage)
    assert is_shortage(OSError(number, ""))
    assert explain_error(OSError(number, "")) == describe_shortage(number)


@pytest.mark.parametrize("number", [0, errno.ECONNREFUSED, errno.ENETUNREACH, errno.ETIMEDOUT])
def test_what_others_do_is_no_shortage(number: int) -> None:
    assert describe_shortage(number) is None
    assert find_connect_shortage(number, "127.0.0.1") is None
    assert not is_shortage(OSError(number, ""))


def test_ports_are_lacking_only_where_there_is_a_way_to_the_address() -> None:
    assert isinstance(find_connect_shortage(errno.EADDRNOTAVAIL, "127.0.0.1"), Shortage)
    # A host without IPv6 gives the same error number for every IPv6 address; this one is reachable from nowhere.
    assert find_connect_shortage(errno.EADDRNOTAVAIL, "255.255.255.255") is None


def test_a_lack_of_descriptors_is_found() -> None:
    assert find_shortage() is None
    with leave_files(0):
        assert find_shortage() == describe_shortage(errno.EMFILE)
    with leave_files(2):
        assert find_shortage(2) is None
        assert find_shortage(3) == describe_shortage(errno.EMFILE)
    assert find_shortage(3) is None


class TestNames:
    def test_a_name_is_not_unknown_because_no_socket_could_be_opened(self) -> None:
        async def look_up() -> tuple[LookupResult, float]:
            client = AresClient(("127.0.0.1",))
            try:
                with leave_files(2):
                    return await client.look_up("a.example", 1.0)
            finally:
                await client.close()

        assert asyncio.run(look_up()) == (describe_shortage(errno.EMFILE), 0.0)

    def test_a_shortage_is_not_cached(self) -> None:
        class Scarce:
            def __init__(self) -> None:
                self.results: list[LookupResult] = [Shortage("no socket"), ("192.0.2.1",)]

            async def look_up(self, name: str, time_s: float) -> tuple[LookupResult, float]:
                return self.results.pop(0), 60.0

            async def close(self) -> None: ...

        async def look_up_twice() -> list[LookupResult]:
            resolver = Resolver(Scarce())
            return [await resolver.look_up("a.example") for _ in range(3)]

        assert asyncio.run(look_up_twice()) == [Shortage("no socket"), ("192.0.2.1",), ("192.0.2.1",)]
