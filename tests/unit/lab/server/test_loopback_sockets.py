"""One port listens at many loopback addresses."""

import itertools
import socket

import pytest

from gossamer.errors import BadInput
from gossamer.lab.server.loopback_sockets import loopback_address, open_listeners


def close(sockets: list[list[socket.socket]]) -> None:
    for listener in itertools.chain(*sockets):
        listener.close()


@pytest.mark.parametrize("by_device", [True, False])
def test_all_processes_listen_at_all_addresses_on_one_port(by_device: bool) -> None:
    addresses = ["127.0.0.1", "127.4.5.6", "127.200.0.9"]
    sockets = open_listeners(addresses, 0, processes=2, by_device=by_device)
    try:
        ports = {listener.getsockname()[1] for listener in itertools.chain(*sockets)}
        assert len(ports) == 1
        assert len(sockets) == 2
        for address in addresses:
            with socket.create_connection((address, *ports), timeout=60) as line:
                assert line.getpeername()[0] == address
        with pytest.raises(BadInput, match="already in use"):
            open_listeners(addresses, ports.pop(), by_device=by_device)
    finally:
        close(sockets)


@pytest.mark.parametrize("by_device", [True, False])
def test_a_port_of_another_program_is_an_error(by_device: bool) -> None:
    with socket.create_server(("127.4.5.6", 0)) as taken, pytest.raises(BadInput, match="already in use"):
        open_listeners(["127.0.0.1", "127.4.5.6"], taken.getsockname()[1], by_device=by_device)


def test_an_address_outside_loopback_is_an_error() -> None:
    with pytest.raises(BadInput, match=r"127\.0\.0\.0/8"):
        open_listeners(["198.51.100.7"], 0, by_device=False)


def test_loopback_addresses_are_distinct_and_have_an_end() -> None:
    assert [loopback_address(number) for number in (0, 1, 253, 254)] == [
        "127.0.0.1",
        "127.0.0.2",
        "127.0.0.254",
        "127.0.1.1",
    ]
    assert loopback_address(254 * 65536 - 1) == "127.255.255.254"
    assert len({loopback_address(number) for number in range(0, 254 * 65536, 1009)}) == len(
        range(0, 254 * 65536, 1009)
    )
    for number in (-1, 254 * 65536):
        with pytest.raises(BadInput):
            loopback_address(number)
