"""Fixtures for the verbs: a served world, a small web crawled from it, and the real program."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.unit.cli.programs import PROGRAM, Program

from gossamer.crawl.task.task import Task
from gossamer.lab.options import Trouble
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.lab.world.world import World
from gossamer.web import Web


@pytest.fixture(scope="session")
def lab() -> Iterator[LabServer]:
    world = World(seed=7, hosts=3, pages=40, trouble=Trouble(redirect=0.1, not_found=0.1, nofollow=0.05))
    with serving(world) as running:
        yield running


def options(*more: str) -> list[str]:
    return ["--scope", "any", "--delay", "0.01", "--allow-private", "127.0.0.0/8", *more]


@pytest.fixture(scope="session")
def quick() -> list[str]:
    """Options that crawl the served world quickly."""
    return options()


@pytest.fixture(scope="session")
def crawled(lab: LabServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A web of the whole served world; tests must not change it."""
    folder = tmp_path_factory.mktemp("crawled") / "web"
    with Web(folder) as web:
        web.run([Task(seeds=lab.seeds, scope="any", delay_s=0.0, allow_private=["127.0.0.0/8"], name="all")])
    return folder


@pytest.fixture
def web(crawled: Path, tmp_path: Path) -> Path:
    """A copy of that web, which tests may change."""
    return Path(shutil.copytree(crawled, tmp_path / "web"))


@pytest.fixture(scope="session")
def program() -> Program:
    def run(*arguments: str | Path, through: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
        command = [*through, *PROGRAM, *map(str, arguments)]
        environment = {**os.environ, "COLUMNS": "200"}
        return subprocess.run(
            command, capture_output=True, text=True, timeout=300, check=False, env=environment
        )

    return run
