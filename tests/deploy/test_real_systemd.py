"""The units of deploy/systemd run under a real systemd: they start, are restarted, watched and stopped."""

import os
import shutil
import signal
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.crawl.harness import serve_lab
from tests.postgres_server import PostgresServer

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")

from tests.cluster.database import wait_until
from tests.cluster.running_fetchers import check_whole, count_pages, start_task, wait_for_end
from tests.cluster.tls_server import PASSWORD, TlsServer
from tests.deploy.real_systemd import RealSystemd, check_systemd, kill

from gossamer.lab.world.world import World
from gossamer.store.postgres.coordination.leases import Leases
from gossamer.store.postgres.postgres_store import PostgresStore

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not os.environ.get("SYSTEMD"), reason="a systemd of its own is started: `make soak` tests with it"
    ),
]
UNITS = Path(__file__).resolve().parents[2] / "deploy/systemd"
FETCHER = "gossamer-fetcher@1.service"
WORLD = World(seed=5, hosts=6, pages=200)
TOKEN = "0123456789abcdef"  # noqa: S105 - of this test only
# The archive is a folder, as deploy/README.md says; the watchdog is quicker than its three minutes.
_DROP_IN = """[Service]
ReadWritePaths=/srv/pages
StandardError=append:/run/unit.log
WatchdogSec=15s
TimeoutAbortSec=2s
"""
_LOOPBACK = """
ExecStart=
ExecStart=/opt/gossamer/bin/gossamer serve --host 127.0.0.1 --port %i
WatchdogSec=0
"""


class Installed:
    """A system with the units installed, and a web in a database that takes TLS and a password."""

    def __init__(self, systemd: RealSystemd, server: TlsServer) -> None:
        self.systemd = systemd
        name = server.make_database()
        self.address = server.make_address(name)
        self.store = PostgresStore(self.address, create=True)
        self._leases = Leases(self.address)
        for unit in UNITS.glob("*.service"):
            shutil.copy(unit, systemd.locate("/etc/systemd/system"))
        shutil.copy(server.authority.certificate, systemd.locate("/etc/gossamer/ca.crt"))
        web = server.make_address(name, sslrootcert="/etc/gossamer/ca.crt", archive="/srv/pages")
        settings = systemd.locate("/etc/gossamer/web.env")
        settings.write_text(f"GOSSAMER_WEB={web}\nPGPASSWORD={PASSWORD}\nGOSSAMER_TOKEN={TOKEN}\n", "utf-8")
        settings.chmod(0o600)
        for kind, more in (("fetcher", ""), ("serve", _LOOPBACK)):
            folder = systemd.locate(f"/etc/systemd/system/gossamer-{kind}@.service.d")
            folder.mkdir()
            (folder / "override.conf").write_text(_DROP_IN + more, "utf-8")
        systemd.run("systemctl", "daemon-reload")

    def find_newest(self) -> int:
        """Return the number of the fetcher that joined last, of those that did not leave."""
        return max((note.number for note in self._leases.list_fetchers()), default=0)

    def wait_for_restart(self, before: int) -> None:
        """Wait until the fetcher runs in another process."""
        wait_until(lambda: self.systemd.show(FETCHER, "ActiveState") == "active" and self._is_new(before))

    def _is_new(self, before: int) -> bool:
        return self.systemd.find_process(FETCHER) not in (0, before)

    def close(self) -> None:
        self.store.close()
        self._leases.close()


@pytest.fixture
def folder() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp(prefix="gossamer-systemd-"))
    made.chmod(0o755)  # the database has another user
    yield made
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture
def systemd(folder: Path) -> Iterator[RealSystemd]:
    check_systemd()
    started = RealSystemd(folder)
    yield started
    started.end()


@pytest.fixture
def server(postgres_server: PostgresServer, folder: Path) -> Iterator[TlsServer]:
    """A server of its own; the other fixture skips where none can be started."""
    started = TlsServer(folder)
    yield started
    started.stop()


@pytest.fixture
def installed(
    systemd: RealSystemd, server: TlsServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Installed]:
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    made = Installed(systemd, server)
    yield made
    made.close()


def test_a_fetcher_is_started_restarted_watched_and_stopped(installed: Installed) -> None:
    systemd, store = installed.systemd, installed.store
    with serve_lab(WORLD) as lab:
        task = start_task(store, lab, delay_s=0.2)
        systemd.run("systemctl", "start", FETCHER)
        wait_until(lambda: count_pages(store) > 0)
        assert systemd.show(FETCHER, "ActiveState") == "active"
        # Killed: another process follows after five seconds.
        first = systemd.find_process(FETCHER)
        kill(systemd, FETCHER, signal.SIGKILL)
        installed.wait_for_restart(first)
        assert systemd.show(FETCHER, "NRestarts") == "1"
        wait_for_end(store)
        check_whole(store, lab, task)
    # Systemd hears its signs of life, and misses them when it hangs.
    second, heard = systemd.find_process(FETCHER), systemd.show(FETCHER, "WatchdogTimestampMonotonic")
    wait_until(lambda: systemd.show(FETCHER, "WatchdogTimestampMonotonic") != heard)
    hung = installed.find_newest()
    kill(systemd, FETCHER, signal.SIGSTOP)
    # What has happened is shown until it is started again, after five seconds.
    wait_until(lambda: systemd.show(FETCHER, "Result") == "watchdog")
    installed.wait_for_restart(second)
    assert systemd.show(FETCHER, "NRestarts") == "2"
    # Stopped: it leaves, and is not started again.
    wait_until(lambda: installed.find_newest() > hung)
    systemd.run("systemctl", "stop", FETCHER)
    states = [systemd.show(FETCHER, name) for name in ("ActiveState", "Result", "ExecMainStatus")]
    assert states == ["inactive", "success", "0"]
    assert installed.find_newest() <= hung, "the fetcher has not left"
    assert PASSWORD not in systemd.locate("/run/unit.log").read_text("utf-8")


def test_the_search_page_answers(installed: Installed) -> None:
    for module in ("starlette", "uvicorn", "tantivy"):
        pytest.importorskip(module, reason=f"{module} is not installed (extra serve)")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    unit = f"gossamer-serve@{port}.service"
    installed.systemd.run("systemctl", "start", unit)
    wait_until(lambda: ask(port) or installed.systemd.show(unit, "NRestarts") != "0")
    assert ask(port).startswith(b"HTTP/1.1"), installed.systemd.locate("/run/unit.log").read_text("utf-8")
    installed.systemd.run("systemctl", "stop", unit)
    assert installed.systemd.show(unit, "Result") == "success"


def ask(port: int) -> bytes:
    """Return the answer of a search page; nothing while it does not listen."""
    try:
        with socket.create_connection(("127.0.0.1", port), 10) as line:
            line.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            return line.recv(100)
    except OSError:
        return b""


def test_the_runner_is_started_restarted_watched_and_stopped(systemd: RealSystemd) -> None:
    unit, folder = "gossamer-run.service", systemd.locate("/var/lib/private/gossamer-run")
    shutil.copy(UNITS / unit, systemd.locate("/etc/systemd/system"))
    drop_in = systemd.locate(f"/etc/systemd/system/{unit}.d")
    drop_in.mkdir()
    (drop_in / "override.conf").write_text(
        _DROP_IN.replace("ReadWritePaths=/srv/pages\n", "") + "Environment=PYTHONUNBUFFERED=1\n", "utf-8"
    )
    folder.mkdir(parents=True)
    entry = '[webs]\nsite = "site.web"\n[[entries]]\nname = "hourly"\nweb = "site"\ndo = "index"\nwhen = "every hour"\n'
    (folder / "schedule.toml").write_text(entry, "utf-8")
    systemd.run("systemctl", "daemon-reload")
    systemd.run("systemctl", "start", unit)  # returns when it says that it is ready
    assert systemd.show(unit, "ActiveState") == "active"
    first = systemd.find_process(unit)
    kill(systemd, unit, signal.SIGKILL)
    wait_until(lambda: systemd.find_process(unit) not in (0, first) and _is_active(systemd, unit))
    second = systemd.find_process(unit)
    kill(systemd, unit, signal.SIGSTOP)
    wait_until(lambda: systemd.show(unit, "Result") == "watchdog")
    wait_until(lambda: systemd.find_process(unit) not in (0, second) and _is_active(systemd, unit))
    assert systemd.show(unit, "NRestarts") == "2"
    systemd.run("systemctl", "stop", unit)
    states = [systemd.show(unit, name) for name in ("ActiveState", "Result", "ExecMainStatus")]
    assert states == ["inactive", "success", "0"]
    assert (folder / "schedule.run/journal.db").exists()


def _is_active(systemd: RealSystemd, unit: str) -> bool:
    return systemd.show(unit, "ActiveState") == "active"
