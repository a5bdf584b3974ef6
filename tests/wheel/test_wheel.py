"""The wheel works where nothing else is installed: every verb runs, or names the extra that it needs.

`make wheel` tries all of this for every Python at hand, with packages that pip installs; here the packages are links.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer.main
from tests.wheel import environments
from tests.wheel.environments import EXTRAS
from tests.wheel.trials import OFTEN, TRIALS, serve_site, try_verbs, write_inputs

from gossamer.cli import main

pytestmark = pytest.mark.slow


class Environment:
    """An environment with the wheel and its base requirements, and a folder with a crawled web."""

    def __init__(self, folder: Path, page: str) -> None:
        self.folder, self.page = folder, page
        site = environments.install_alone(environments.pack_wheel(folder / "wheel"), folder / "env")
        self.required = environments.list_requirements(site)
        environments.link_packages(self.required[""], site)
        self.program = [str(folder / "env" / "bin" / "gossamer")]
        crawl = [trial for trial in TRIALS if trial.arguments.startswith("crawl") and not trial.extra]
        assert try_verbs(self.program, folder / "work", page, crawl, set()) == []

    def copy_work(self, folder: Path) -> Path:
        """Copy the folder with the web, which trials change."""
        return Path(shutil.copytree(self.folder / "work", folder / "work"))


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Environment]:
    folder = tmp_path_factory.mktemp("wheel")
    write_inputs(folder / "work")
    with serve_site(folder / "work") as page:
        yield Environment(folder, page)


def test_every_verb_is_tried() -> None:
    def list_verbs(command: object, path: str) -> Iterator[str]:
        if isinstance(command, typer.core.TyperGroup):
            for name, verb in command.commands.items():
                yield from list_verbs(verb, f"{path} {name}".strip())
        else:
            yield path

    tried = [trial.arguments for trial in TRIALS]
    for verb in list_verbs(typer.main.get_command(main.app), ""):
        assert any(f"{arguments} ".startswith(f"{verb} ") for arguments in tried), verb


def test_with_base_requirements_every_verb_works_or_names_its_extra(
    environment: Environment, tmp_path: Path
) -> None:
    folder = tmp_path / "work"
    write_inputs(folder)
    assert try_verbs(environment.program, folder, environment.page, OFTEN, set()) == []


@pytest.mark.parametrize("extra", EXTRAS)
def test_with_an_extra_the_verbs_work_that_need_it(
    environment: Environment, extra: str, tmp_path: Path
) -> None:
    folder = environment.copy_work(tmp_path)
    environments.link_packages(environment.required[extra], tmp_path / "packages")
    satisfied = environments.find_satisfied(environment.required, extra)
    trials = [trial for trial in TRIALS if trial.extra == extra]
    path = str(tmp_path / "packages")
    assert try_verbs(environment.program, folder, environment.page, trials, satisfied, path) == []
