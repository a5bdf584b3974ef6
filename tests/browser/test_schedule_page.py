"""The page of the schedule in a real browser: its button has the runner, another process, run an entry now."""

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.browser.conftest import Site
from tests.browser.page_faults import find_faults

from gossamer.schedule.read_state import read_state

pytestmark = pytest.mark.slow
PROGRAM = [sys.executable, "-m", "gossamer.cli.main"]
SCHEDULE = """
[webs]
site = "music.web"

[[entries]]
name = "monthly"
web = "site"
do = "index"
when = "on the 1st at 2"
"""


class Scheduled:
    """A served web with a schedule that a runner works on."""

    def __init__(self, schedule: Path, address: str) -> None:
        self.schedule = schedule
        self.address = address


@pytest.fixture(scope="module")
def scheduled(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scheduled]:
    folder = tmp_path_factory.mktemp("scheduled")
    shutil.copytree(site.folder, folder / "music.web")
    schedule = folder / "schedule.toml"
    schedule.write_text(SCHEDULE)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    serve = [*PROGRAM, "serve", "--json", "--time", "900", "--port", str(port), "--schedule", str(schedule)]
    alive = folder / "alive"
    run = [*PROGRAM, "run", str(schedule), "--alive-file", str(alive)]
    with (
        subprocess.Popen([*serve, "--web", str(folder / "music.web")], stdout=subprocess.PIPE) as server,
        subprocess.Popen(run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ) as runner,
    ):
        assert server.stdout is not None
        assert "address" in json.loads(server.stdout.readline())
        yield Scheduled(schedule, f"http://127.0.0.1:{port}")
        runner.terminate()
        server.terminate()


def test_run_now_has_the_runner_run_an_entry_that_is_not_due(browser: Any, scheduled: Scheduled) -> None:
    context = browser.new_context()
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto(f"{scheduled.address}/console/schedule")
    while not page.get_by_text("A runner works on this schedule.").count():
        page.wait_for_timeout(200)
        page.reload()
    row = page.locator("tbody tr").first
    assert "none yet" in row.inner_text()
    page.get_by_role("button", name="Run monthly now").click()
    assert "monthly runs as soon as its web is free" in page.locator("[role=status]").inner_text()
    page.goto(f"{scheduled.address}/console/schedule")
    while "none yet" in page.locator("tbody tr").first.inner_text():
        page.wait_for_timeout(200)
        page.reload()
    assert "done at" in page.locator("tbody tr").first.inner_text()
    (run,) = read_state(scheduled.schedule, 0.0, 10).runs
    assert (run.entry, run.state) == ("monthly", "done")
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    assert find_faults(page, axe) == []
    context.close()
