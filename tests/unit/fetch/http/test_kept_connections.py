from gossamer.fetch.http import kept_connections
from gossamer.fetch.http.kept_connections import KeptConnections


def test_a_connection_whose_end_was_noticed_is_replaced_once() -> None:
    kept = KeptConnections()
    kept.record_opened(7, "a.example")
    kept.record_opened(8, "b.example")
    assert not kept.has_any
    kept.record_ended(7)
    assert kept.has_any
    assert [kept.take_ended(server) for server in ("b.example", "a.example", "a.example")] == [
        False,
        True,
        False,
    ]
    assert kept.may_keep("a.example")


def test_the_end_of_a_socket_counts_for_its_last_server_only() -> None:
    kept = KeptConnections()
    kept.record_opened(7, "a.example")
    kept.record_opened(7, "b.example")
    kept.record_ended(7)
    kept.record_ended(7)
    kept.record_ended(9)
    assert not kept.take_ended("a.example")
    assert kept.take_ended("b.example")


def test_a_server_that_cut_off_a_request_is_not_kept_connected_to() -> None:
    kept = KeptConnections()
    kept.record_cut_off("a.example")
    assert kept.has_any
    assert [kept.may_keep(server) for server in ("a.example", "b.example")] == [False, True]
    assert not kept.take_ended("a.example")


def test_the_oldest_of_too_many_servers_is_forgotten() -> None:
    kept = KeptConnections()
    for number in range(kept_connections.MOST_REMEMBERED + 1):
        kept.record_cut_off(f"{number}.example")
    assert [kept.may_keep(f"{number}.example") for number in (0, 1)] == [True, False]
