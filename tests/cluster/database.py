"""The database of a test, seen from outside, and calls that run beside the test."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from tests.postgres_server import USER, PostgresServer

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")

from gossamer.store.postgres.coordination.leases import Leases
from gossamer.store.postgres.postgres_store import PostgresStore

PATIENCE_S = 400.0
"""A guard against hanging, on a machine of any load."""


def wait_until(is_so: Callable[[], object]) -> None:
    """Wait until something is so; fail if it does not become so."""
    deadline_s = time.monotonic() + PATIENCE_S
    while not is_so():
        if time.monotonic() > deadline_s:
            raise TimeoutError("this did not happen in time")
        time.sleep(0.03)


class Database:
    """The database of a test, for those who look at it from outside."""

    def __init__(self, server: PostgresServer, address: str) -> None:
        self.server = server
        self.address = address
        self.name = address.rpartition("/")[2]
        self._opened: list[PostgresStore | Leases] = []

    def open(self, **options: Any) -> PostgresStore:
        store = PostgresStore(self.address, **options)
        self._opened.append(store)
        return store

    def open_leases(self, name: str = "one", capacity: int = 64, **options: Any) -> Leases:
        """Open leases and join."""
        leases = Leases(self.address, **options)
        self._opened.append(leases)
        leases.join(name, f"{name}.example", capacity)
        return leases

    def execute(self, sql: str) -> list[tuple[Any, ...]]:
        return self.server.execute(f"set search_path = gossamer; {sql}", self.name)

    def list_blocked(self) -> list[int]:
        """Return the processes of the server that wait for a lock on a table."""
        waiting = (
            "select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
        )
        return [pid for (pid,) in self.execute(waiting)]

    @contextmanager
    def lock_tasks(self) -> Iterator[None]:
        """Hold up commits that write tasks, which is in their middle."""
        import psycopg

        where: Any = {"host": str(self.server.folder), "user": USER, "dbname": self.name}
        with psycopg.connect(**where) as db:
            db.execute("lock table gossamer.task in exclusive mode")
            yield
            db.rollback()

    def close(self) -> None:
        for each in self._opened:
            each.close()


class Background:
    """A call in a thread; its exception is kept."""

    def __init__(self, call: Callable[[], object]) -> None:
        self.error: BaseException | None = None
        self._call = call
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._call()
        except BaseException as error:  # noqa: BLE001 - the test looks at it
            self.error = error

    def end(self) -> BaseException | None:
        """Wait for its end; return its exception."""
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()
        return self.error
