"""A real PostgreSQL server for the tests: one for each test process, and an empty web for each test.

A web is emptied before each test, which takes a third of the time of a new database: the partitions of a web are hundreds
of files. The server listens on a Unix socket in a temporary folder, with its data beside it, and
does not sync its files. It refuses to run as root; then it runs as the user of Debian's package.
"""

# ruff: noqa: S608 - statements are made of names that stand here

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

USER = "gossamer"
_SHARED = "shared_web"
_WHOLE_TABLES = (
    *(
        "total",
        "writer",
        "task",
        "task_count",
        "host",
        "request",
        "waiting",
        "budget",
        "inbox",
        "widening",
        "page",
        "link",
    ),
    *("visit", "decision", "note", "known", "seen", "archive", "run", "sorted", "fetcher"),
    *("pack", "turn", "reservation"),
)
_SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "listen_addresses": "",
    "max_connections": "100",
    "shared_buffers": "64MB",
    "max_wal_size": "2GB",
    "max_prepared_transactions": "2",
}
_START_S = 60.0


def find_program(name: str) -> str | None:
    """Find a program of the newest installed server; Debian does not put it on the path."""
    versions = sorted(
        Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: path.parts[4].zfill(4)
    )
    return str(versions[-1]) if versions else shutil.which(name)


class PostgresServer:
    """A running server."""

    def __init__(self, folder: Path, settings: Mapping[str, str] = {}) -> None:
        self.folder = folder
        self._settings = {**_SETTINGS, **settings}
        self._data = folder / "data"
        # Only root can become another user.
        self._account: dict[str, Any] = {"user": "postgres", "group": "postgres"} if os.getuid() == 0 else {}
        if self._account:
            shutil.chown(folder, "postgres", "postgres")
        self._run(
            "initdb", "-D", str(self._data), "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "-N"
        )
        self._numbers = count(1)
        self.start()

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = [f"-c{name}={value}" for name, value in self._settings.items()]
        program = find_program("postgres")
        assert program is not None
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [program, "-D", str(self._data), f"-k{self.folder}", *options],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                **self._account,
            )
        deadline_s = time.monotonic() + _START_S
        while True:
            try:
                self.execute("select 1")
                return
            except Exception:
                if time.monotonic() > deadline_s or self._process.poll() is not None:
                    raise
                time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server: SIGINT ends it cleanly, SIGQUIT and SIGKILL as crashes would."""
        own = [
            path.parent for path in Path("/proc").glob("[0-9]*/stat") if _is_child(path, self._process.pid)
        ]
        self._process.send_signal(how)
        self._process.wait(60)
        # After SIGKILL its processes end by themselves, a little later; before, it cannot be started again.
        deadline_s = time.monotonic() + _START_S
        while any(path.exists() for path in own) and time.monotonic() < deadline_s:
            time.sleep(0.01)

    def execute(self, sql: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """Run statements as the owner of the server; return the rows of the last one."""
        import psycopg

        where = {"host": str(self.folder), "user": USER, "dbname": database}
        with psycopg.connect(**where, autocommit=True) as db:  # type: ignore[arg-type]
            found = db.execute(sql, prepare=False)
            while found.nextset():
                pass
            return found.fetchall() if found.description else []

    def make_address(self, database: str) -> str:
        """Return the address of a web in a database."""
        return f"postgresql://{USER}@{quote(str(self.folder), safe='')}/{database}"

    def measure_cpu_s(self) -> float:
        """Return the CPU time of the server and all of its processes so far."""
        times = [_read_times(path) for path in Path("/proc").glob("[0-9]*/stat")]
        own = sum(spent for spent, pid, _ in times if pid == self._process.pid)
        return own + sum(spent for spent, _, parent in times if parent == self._process.pid)

    def empty_web(self) -> str:
        """Empty the web that tests share, and end what earlier tests left running there; return its address."""
        others = (
            "select pg_terminate_backend(pid) from pg_stat_activity "
            "where datname = current_database() and pid <> pg_backend_pid()"
        )
        emptied = [f"delete from gossamer.{table}" for table in _WHOLE_TABLES]
        leases = "update gossamer.lease set owner = null, epoch = 0 where owner is not null or epoch > 0"
        self.execute(";".join([others, *emptied, leases]), _SHARED)
        return self.make_address(_SHARED)

    def make_database(self) -> str:
        """Make an empty database; return its name."""
        name = f"empty_{next(self._numbers)}"
        self.execute(f"create database {name}")
        return name

    def make_shared_web(self) -> None:
        """Make the web that tests share."""
        from gossamer.store.postgres.postgres_store import PostgresStore

        self.execute(f"create database {_SHARED}")
        PostgresStore(self.make_address(_SHARED), create=True).close()

    def _run(self, name: str, *arguments: str) -> None:
        program = find_program(name)
        assert program is not None
        subprocess.run(
            [program, *arguments], check=True, cwd=self.folder, stdout=subprocess.DEVNULL, **self._account
        )


def _has_account(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def _is_child(path: Path, parent: int) -> bool:
    return _read_times(path)[2] == parent


def _read_times(path: Path) -> tuple[float, int, int]:
    """Return the CPU time of a process with the children that it has waited for, its number and its parent's."""
    try:
        fields = path.read_text("utf-8").rpartition(")")[2].split()
    except OSError:  # it has ended
        return 0.0, 0, 0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK"), int(path.parent.name), int(fields[1])


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A PostgreSQL server; tests that need it are skipped where it is not installed."""
    if find_program("postgres") is None or find_program("initdb") is None:
        pytest.skip("there is no PostgreSQL: apt-get install postgresql-15")
    if os.getuid() == 0 and not _has_account("postgres"):
        pytest.skip("PostgreSQL refuses to run as root, and there is no user postgres")
    pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")
    folder = Path(tempfile.mkdtemp(prefix="gossamer-pg-"))
    try:
        server = PostgresServer(folder)
        try:
            server.make_shared_web()
            yield server
        finally:
            server.stop(signal.SIGQUIT)  # its data is thrown away
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres_web(postgres_server: PostgresServer) -> str:
    """The address of an empty web."""
    return postgres_server.empty_web()
