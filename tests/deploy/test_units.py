"""The units of deploy/systemd are started once, as systemd would: their command line, environment and watchdog."""

import os
import re
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")

from tests.cluster.database import wait_until
from tests.postgres_server import PostgresServer

from gossamer.store.postgres.coordination.leases import Leases

UNITS = Path(__file__).resolve().parents[2] / "deploy/systemd"
PROGRAM = "import sys; from gossamer.cli.main import run_verb; sys.exit(run_verb(sys.argv[1:]))"
PATIENCE_S = 60.0
TOKEN = "0123456789abcdef"  # noqa: S105 - of this test only

pytestmark = pytest.mark.slow


@contextmanager
def start_unit(
    name: str, instance: str, web: str, home: Path, **environment: str
) -> "Iterator[subprocess.Popen[bytes]]":
    """Run the command of a unit with its environment, but with this web and below this folder."""
    unit = (UNITS / name).read_text("utf-8").replace("%i", instance).replace("%H", "machine")
    settings = dict(re.findall(r"^(\w+)=(.*)$", unit, re.MULTILINE))
    program, *arguments = shlex.split(settings["ExecStart"])
    assert Path(program).name == "gossamer"
    given = dict(one.split("=", 1) for one in settings["Environment"].replace("/var/lib", str(home)).split())
    given |= dict(re.findall(r"^(\w+)=(.+)$", (UNITS / "web.env").read_text("utf-8"), re.MULTILINE))
    (home / settings["StateDirectory"]).mkdir(exist_ok=True)
    local = [word.replace("0.0.0.0", "127.0.0.1") for word in arguments]  # noqa: S104 - tests stay on this machine
    local = [word.replace("/var/lib", str(home)) for word in local]
    with (home / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *local],
            stdout=log,
            stderr=log,
            env=os.environ | given | {"GOSSAMER_WEB": web} | environment,
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def test_the_fetcher_joins_shows_life_and_leaves(
    postgres_server: PostgresServer, postgres_web: str, tmp_path: Path
) -> None:
    web = f"{postgres_web}?archive={tmp_path / 'archive'}"
    leases = Leases(postgres_web)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as watchdog:
        watchdog.bind(str(tmp_path / "notify"))
        watchdog.settimeout(PATIENCE_S)
        notify = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "180000000"}
        with start_unit("gossamer-fetcher@.service", "1", web, tmp_path, **notify) as process:
            assert watchdog.recv(100) == b"WATCHDOG=1"
            wait_until(lambda: [note.name for note in leases.list_fetchers()] == ["machine-1"])
            process.terminate()
            assert process.wait(PATIENCE_S) == 0
        assert leases.list_fetchers() == []
    leases.close()


def test_the_runner_says_that_it_is_ready_shows_life_and_ends(tmp_path: Path) -> None:
    (tmp_path / "gossamer-run").mkdir()
    example = UNITS.parent / "schedule.toml"
    (tmp_path / "gossamer-run/schedule.toml").write_text(example.read_text("utf-8"), "utf-8")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as watchdog:
        watchdog.bind(str(tmp_path / "notify"))
        watchdog.settimeout(PATIENCE_S)
        notify = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "180000000"}
        with start_unit("gossamer-run.service", "", "", tmp_path, **notify) as process:
            assert {watchdog.recv(100), watchdog.recv(100)} == {b"WATCHDOG=1", b"READY=1"}
            process.terminate()
            assert process.wait(PATIENCE_S) == 0
            news = [watchdog.recv(100)]
            while news[-1] == b"WATCHDOG=1":
                news.append(watchdog.recv(100))
            assert news[-1] == b"STOPPING=1"
    assert (tmp_path / "gossamer-run/schedule.run/journal.db").exists()


def test_the_search_page_answers(postgres_server: PostgresServer, postgres_web: str, tmp_path: Path) -> None:
    for module in ("starlette", "uvicorn", "tantivy"):
        pytest.importorskip(module, reason=f"{module} is not installed (extra serve)")
    web = f"{postgres_web}?archive={tmp_path / 'archive'}"
    with start_unit("gossamer-serve@.service", "0", web, tmp_path, GOSSAMER_TOKEN=TOKEN) as process:
        log = tmp_path / "log"
        wait_until(
            lambda: re.search(r"http://127\.0\.0\.1:\d+", log.read_text()) or process.poll() is not None
        )
        [port] = set(re.findall(r"http://127\.0\.0\.1:(\d+)", log.read_text())) or [log.read_text()]
        with socket.create_connection(("127.0.0.1", int(port)), PATIENCE_S) as line:
            line.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            assert line.recv(8) == b"HTTP/1.1"
        process.terminate()
        assert process.wait(PATIENCE_S) in (0, -15)
