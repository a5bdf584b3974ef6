import pytest

from gossamer.crawl.run import share_out_files
from gossamer.crawl.run.share_out_files import (
    LEAST_FILES,
    LEAST_SOCKETS,
    MOST_CONNECTIONS,
    MOST_SOCKETS,
    OWN_FILES,
    check_processes_limit,
    count_sockets,
    limit_connections,
)
from gossamer.errors import BadInput


def set_files(monkeypatch: pytest.MonkeyPatch, limit: int, used: int) -> None:
    monkeypatch.setattr(share_out_files, "raise_file_limit", lambda _: limit)
    monkeypatch.setattr(share_out_files, "count_open_files", lambda: used)


@pytest.mark.parametrize(
    ("limit", "used", "sockets"),
    [(64, 10, 64 - 10 - OWN_FILES), (256, 12, 256 - 12 - OWN_FILES), (1_024, 12, MOST_SOCKETS)],
)
def test_sockets_are_what_the_limit_leaves(
    monkeypatch: pytest.MonkeyPatch, limit: int, used: int, sockets: int
) -> None:
    set_files(monkeypatch, limit, used)
    assert count_sockets() == sockets


def test_a_program_that_has_used_up_its_files_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    set_files(monkeypatch, 1_024, 1_024 - OWN_FILES - LEAST_SOCKETS)
    assert count_sockets() == LEAST_SOCKETS
    set_files(monkeypatch, 1_024, 1_024 - OWN_FILES - LEAST_SOCKETS + 1)
    with pytest.raises(BadInput, match="ulimit -n"):
        count_sockets()


def test_processes_need_files_of_the_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    set_files(monkeypatch, LEAST_FILES, 10)
    check_processes_limit(1)
    with pytest.raises(BadInput, match="ulimit -n"):
        check_processes_limit(2)


def test_connections_leave_room_for_those_that_are_closing() -> None:
    assert limit_connections(64, MOST_SOCKETS) == 64
    assert limit_connections(1_000, MOST_SOCKETS) == MOST_CONNECTIONS
    assert limit_connections(64, 24) == 18
    assert [limit_connections(64, sockets) for sockets in (1, 2, 3, 4)] == [1, 2, 3, 3]
