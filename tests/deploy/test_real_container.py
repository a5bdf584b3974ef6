"""The container of the schedule starts, shows life, runs what is due, ends by SIGTERM, and goes on after a reboot."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("yaml", reason="PyYAML is not installed (extra dev)")
pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")

from tests.cluster.database import wait_until
from tests.deploy.real_container import RealContainer, check_namespaces

import gossamer

pytestmark = pytest.mark.slow
_SCHEDULE = """
[webs]
site = "site.web"

[[entries]]
name = "often"
web = "site"
do = "verify"
when = "every day at 3"
"""
_PROGRAM = "import sys; from gossamer.cli.main import run_verb; sys.exit(run_verb(sys.argv[1:]))"


@pytest.fixture
def volume(tmp_path: Path) -> Path:
    check_namespaces()
    tmp_path.chmod(0o755)
    folder = tmp_path / "schedule"
    folder.mkdir(mode=0o755)
    (folder / "schedule.toml").write_text(_SCHEDULE, "utf-8")
    gossamer.open(folder / "site.web").close()
    return folder


@pytest.fixture
def started(tmp_path: Path, volume: Path) -> Iterator[list[RealContainer]]:
    containers: list[RealContainer] = []
    yield containers
    for one in containers:
        one.end()


def list_entries(volume: Path) -> list[dict[str, Any]]:
    """Return what `gossamer run --list --json` prints, asked from outside."""
    command = [sys.executable, "-c", _PROGRAM, "run", str(volume / "schedule.toml"), "--list", "--json"]
    printed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return [json.loads(line) for line in printed.splitlines()]


def test_it_is_started_stopped_killed_and_goes_on(
    tmp_path: Path, volume: Path, started: list[RealContainer]
) -> None:
    def start() -> RealContainer:
        started.append(RealContainer("run", tmp_path, volume))
        wait_until(lambda: started[-1].is_healthy() or started[-1].process.poll() is not None)
        assert started[-1].is_healthy(), started[-1].read_log()
        return started[-1]

    one = start()
    assert (volume / "schedule.run/journal.db").stat().st_uid == 10001
    one.send(signal.SIGTERM)
    assert one.wait(60) == 0, one.read_log()
    again = start()
    again.send(signal.SIGKILL)  # as when the machine goes down: all of its processes are gone
    assert again.wait(60) != 0
    last = start()
    ask = [sys.executable, "-c", _PROGRAM, "run", str(volume / "schedule.toml"), "--now", "often"]
    asked = subprocess.run(ask, capture_output=True, text=True, check=False)
    assert asked.returncode == 0, asked.stderr
    wait_until(lambda: has_ended(volume))
    last.send(signal.SIGTERM)
    assert last.wait(60) == 0, last.read_log()


def has_ended(volume: Path) -> bool:
    """Say whether the run that was asked for has ended as it should."""
    return any(run["state"] == "done" for one in list_entries(volume) for run in one["runs"])
