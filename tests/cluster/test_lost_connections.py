"""What is written when a connection, an answer or the server is lost."""

import signal
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.cluster.database import Background, Database, wait_until
from tests.contract.rows import make_request, page

from gossamer.errors import StoreAway, StoreFailed
from gossamer.store.batch import Batch, TaskNote
from gossamer.store.postgres.postgres_store import PostgresStore


def make_batch(number: int) -> Batch:
    return Batch(
        pages=[page(number)],
        requests=[make_request(number)],
        tasks=[TaskNote(1, "one", b"{}")],
        counted=[(1, {"downloaded": 1})],
        sent=[(1, make_request(number))],
    )


def count_all(store: PostgresStore) -> tuple[int, int, int, int]:
    counts = store.counts()
    downloaded = sum(task.counts.get("downloaded", 0) for task in store.tasks())
    return counts["pages"], counts["waiting"], downloaded, len(store.inbox(0, 1))


def test_a_connection_killed_in_the_middle_of_a_commit_leaves_no_trace(
    database: Database, store: PostgresStore
) -> None:
    batch = make_batch(1)
    with database.lock_tasks():
        running = Background(lambda: store.commit(batch))
        wait_until(database.list_blocked)
        [pid] = database.list_blocked()
        database.execute(f"select pg_terminate_backend({pid})")
        error = running.end()
    assert isinstance(error, StoreFailed)
    assert isinstance(error, StoreAway)
    assert "connection was lost" in str(error)
    assert count_all(store) == (0, 0, 0, 0)
    store.commit(batch)
    assert count_all(store) == (1, 1, 1, 1)
    store.commit(make_batch(2))
    assert count_all(store) == (2, 2, 2, 2)


class Proxy:
    """Stands between a client and the server, and can keep the server's answers to itself."""

    def __init__(self, server: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="gossamer-proxy-"))
        self._server = server
        self.deaf = threading.Event()
        """While it is set, the client gets no answers."""
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.folder / ".s.PGSQL.5432"))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(str(self._server / ".s.PGSQL.5432"))
                self._pairs.append((client, server))
                threading.Thread(target=self._pump, args=(client, server, False), daemon=True).start()
                threading.Thread(target=self._pump, args=(server, client, True), daemon=True).start()

    def _pump(self, source: socket.socket, target: socket.socket, answers: bool) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                if not (answers and self.deaf.is_set()):
                    target.sendall(data)
        for each in (source, target):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def cut(self) -> None:
        """Cut all connections."""
        pairs, self._pairs = self._pairs, []
        for pair in pairs:
            for each in pair:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
                each.close()

    def close(self) -> None:
        self._listener.close()
        self.cut()
        (self.folder / ".s.PGSQL.5432").unlink()
        self.folder.rmdir()


@pytest.fixture
def proxy(database: Database) -> Iterator[Proxy]:
    between = Proxy(database.server.folder)
    yield between
    between.close()


def test_a_commit_whose_answer_was_lost_is_not_written_twice(
    database: Database, store: PostgresStore, proxy: Proxy
) -> None:
    address = database.address.replace(
        quote(str(database.server.folder), safe=""), quote(str(proxy.folder), safe="")
    )
    far = PostgresStore(address)
    far.commit(make_batch(1))
    batch = make_batch(2)
    proxy.deaf.set()
    running = Background(lambda: far.commit(batch))
    wait_until(lambda: store.counts()["pages"] == 2)
    proxy.cut()
    assert isinstance(running.end(), StoreAway)
    proxy.deaf.clear()
    assert count_all(store) == (2, 2, 2, 2)
    far.commit(batch)
    assert count_all(far) == count_all(store) == (2, 2, 2, 2)
    far.commit(make_batch(3))
    assert count_all(store) == (3, 3, 3, 3)
    far.close()


@pytest.mark.slow
def test_a_store_comes_back_after_the_server_crashed(database: Database, store: PostgresStore) -> None:
    store.commit(make_batch(1))
    database.server.stop(signal.SIGQUIT)
    try:
        with pytest.raises(StoreAway, match=r"cannot be reached|connection was lost"):
            store.counts()
        batch = make_batch(2)
        with pytest.raises(StoreAway):
            store.commit(batch)
        with pytest.raises(StoreAway):
            store.commit(batch)
    finally:
        database.server.start()
    assert count_all(store) == (1, 1, 1, 1)
    store.commit(batch)
    assert count_all(store) == (2, 2, 2, 2)


def test_reading_goes_on_after_an_idle_connection_was_killed(
    database: Database, store: PostgresStore
) -> None:
    store.commit(make_batch(1))
    database.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gossamer'"
    )
    assert count_all(store) == (1, 1, 1, 1)
    batch = make_batch(2)
    with pytest.raises(StoreAway):
        store.commit(batch)
    store.commit(batch)
    assert count_all(store) == (2, 2, 2, 2)


def test_writers_that_wait_for_each_other_both_write(database: Database, store: PostgresStore) -> None:
    other = database.open()
    hosts = [f"h{number}.example" for number in range(30)]

    def write(target: PostgresStore, order: int) -> None:
        for turn in range(20):
            requests = [
                make_request(turn * 100 + place * 2 + max(0, order), host) for place, host in enumerate(hosts)
            ]
            target.commit(
                Batch(
                    requests=requests[:: order or -1],
                    notes={("room", host): b"" for host in hosts[:: order or -1]},
                )
            )

    running = [Background(lambda: write(store, 1)), Background(lambda: write(other, -1))]
    assert [each.end() for each in running] == [None, None]
    assert store.counts()["waiting"] == 2 * 20 * 30
