import itertools
import socket

import pytest

from gossamer.errors import BadInput
from gossamer.lab.server.loopback_sockets import listening, loopback


def close(sockets: list[list[socket.socket]]) -> None:
    for listener in itertools.chain(*sockets):
        listener.close()


@pytest.mark.parametrize("by_device", [True, False])
def test_one_port_is_heard_at_all_addresses_by_all_processes(by_device: bool) -> None:
    addresses = ["127.0.0.1", "127.4.5.6", "127.200.0.9"]
    sockets = listening(addresses, 0, processes=2, by_device=by_device)
    try:
        ports = {listener.getsockname()[1] for listener in itertools.chain(*sockets)}
        assert len(ports) == 1
        assert len(sockets) == 2
        for address in addresses:
            with socket.create_connection((address, *ports), timeout=2) as line:
                assert line.getpeername()[0] == address
        with pytest.raises(BadInput, match="already in use"):
            listening(addresses, ports.pop(), by_device=by_device)
    finally:
        close(sockets)


@pytest.mark.parametrize("by_device", [True, False])
def test_a_port_that_another_program_has_is_refused(by_device: bool) -> None:
    with socket.create_server(("127.4.5.6", 0)) as taken, pytest.raises(BadInput, match="already in use"):
        listening(["127.0.0.1", "127.4.5.6"], taken.getsockname()[1], by_device=by_device)


def test_an_address_elsewhere_is_refused() -> None:
    with pytest.raises(BadInput, match=r"127\.0\.0\.0/8"):
        listening(["198.51.100.7"], 0, by_device=False)


def test_addresses_are_distinct_and_end_where_there_are_no_more() -> None:
    assert [loopback(number) for number in (0, 1, 253, 254)] == [
        "127.0.0.1",
        "127.0.0.2",
        "127.0.0.254",
        "127.0.1.1",
    ]
    assert loopback(254 * 65536 - 1) == "127.255.255.254"
    assert len({loopback(number) for number in range(0, 254 * 65536, 1009)}) == len(
        range(0, 254 * 65536, 1009)
    )
    for number in (-1, 254 * 65536):
        with pytest.raises(BadInput):
            loopback(number)
