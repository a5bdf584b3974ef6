import pytest

from gossamer.ui.connections.connection_limits import ConnectionLimits
from gossamer.ui.connections.connection_table import ConnectionTable, is_own_machine, name_client


class FakeConnection:
    """A connection that remembers what happened to it."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.aborted = False
        self.checks: list[float] = []

    def abort(self) -> None:
        self.aborted = True

    def check(self, now_s: float) -> None:
        self.checks.append(now_s)


def fill(table: ConnectionTable, *addresses: str) -> list[FakeConnection]:
    """Add a connection from each address."""
    added = [FakeConnection(address) for address in addresses]
    assert all(table.add(one) for one in added)
    return added


def test_the_longest_waiting_connection_makes_room() -> None:
    table = ConnectionTable(ConnectionLimits(connections=3))
    first, second, third = fill(table, "10.0.0.1", "10.0.0.2", "10.0.0.3")
    table.end_wait(first)  # the server has to answer it
    table.begin_wait(second)  # its client has just read a part
    fill(table, "10.0.0.4")
    assert [one.aborted for one in (first, second, third)] == [False, False, True]
    assert len(table) == 3


def test_there_is_no_room_while_the_server_has_to_answer_all() -> None:
    table = ConnectionTable(ConnectionLimits(connections=1))
    (busy,) = fill(table, "10.0.0.1")
    table.end_wait(busy)
    assert not table.add(FakeConnection("10.0.0.2"))
    table.remove(busy)
    fill(table, "10.0.0.2")


def test_one_address_makes_room_for_itself_only() -> None:
    table = ConnectionTable(ConnectionLimits(by_address=2))
    other, first, second = fill(table, "10.0.0.1", "10.0.0.2", "10.0.0.2")
    fill(table, "10.0.0.2")
    assert [one.aborted for one in (other, first, second)] == [False, True, False]
    assert len(table) == 3


def test_this_machine_may_have_any_number_of_connections() -> None:
    table = ConnectionTable(ConnectionLimits(by_address=1))
    assert not any(one.aborted for one in fill(table, *["127.0.0.1"] * 5, *["::1"] * 5))


def test_only_waiting_connections_are_checked() -> None:
    table = ConnectionTable(ConnectionLimits())
    busy, waiting = fill(table, "10.0.0.1", "10.0.0.1")
    table.end_wait(busy)
    table.close_overdue(5.0)
    assert (busy.checks, waiting.checks) == ([], [5.0])


def test_all_waiting_connections_can_be_closed() -> None:
    table = ConnectionTable(ConnectionLimits())
    busy, *waiting = fill(table, *["10.0.0.1"] * 3)
    table.end_wait(busy)
    table.close_all_waiting()
    assert [busy.aborted, *(one.aborted for one in waiting)] == [False, True, True]


def test_a_connection_that_is_gone_is_forgotten() -> None:
    table = ConnectionTable(ConnectionLimits(by_address=1))
    for _ in range(3):
        (one,) = fill(table, "10.0.0.1")
        table.remove(one)
        table.remove(one)
        table.begin_wait(one)
        table.end_wait(one)
    assert len(table) == 0
    assert not table.close_longest_waiting()


@pytest.mark.parametrize(
    ("host", "client"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::ffff:1", "2001:db8::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::1"),
        ("", ""),
    ],
)
def test_clients_are_named_by_address_or_network(host: str, client: str) -> None:
    assert name_client(host) == client


def test_addresses_of_this_machine_are_known() -> None:
    assert [is_own_machine(one) for one in ("127.9.9.9", "::1", "10.0.0.1")] == [True, True, False]
