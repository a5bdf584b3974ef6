"""The examples run and do what their docstrings say."""

import re
import runpy
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gossamer.config import from_toml
from gossamer.crawl.control.check_task import check_task
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.lab.world.world import World
from gossamer.web import Web

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SHARED = {"arguments", "lab_options"}
"""Modules that examples import."""
Run = Callable[..., list[str]]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def lab() -> Iterator[LabServer]:
    with serving(World(seed=7, hosts=4, pages=80)) as running:
        yield running


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Return a function that runs an example and returns its output."""

    def run_example(name: str, url: str) -> list[str]:
        command = [sys.executable, str(EXAMPLES / f"{name}.py"), url, "example.web"]
        ended = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False
        )
        assert (ended.returncode, ended.stderr) == (0, "")
        return ended.stdout.splitlines()

    return run_example


def urls(folder: Path) -> set[str]:
    with Web(folder / "example.web", create=False) as opened:
        return {page.url for page in opened.store.pages()}


def test_every_example_is_tested_and_has_a_docstring() -> None:
    tested = Path(__file__).read_text("utf-8")
    for path in EXAMPLES.glob("*.py"):
        assert f'"{path.stem}"' in tested or path.stem in SHARED, f"{path.name} is not tested"
        assert '"""' in path.read_text("utf-8").partition("import")[0]


@pytest.mark.parametrize("given", [[], ["https://www.example.org/"], ["a", "b", "c"]])
def test_wrong_arguments_say_how_an_example_is_used(
    given: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(EXAMPLES)
    examples = sorted(str(path) for path in EXAMPLES.glob("*.py") if path.stem not in SHARED)
    assert len(examples) > 7
    for path in examples:
        monkeypatch.setattr(sys, "argv", [path, *given])
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(path, run_name="__main__")
        assert ended.value.code == 2
        assert capsys.readouterr() == (
            "",
            f"usage: python {path} URL WEB, for example python {path} https://www.example.org/ example.web\n",
        )
    assert not list(tmp_path.iterdir())


def test_the_site_spider_finds_the_whole_host(lab: LabServer, run: Run, tmp_path: Path) -> None:
    output = run("site_spider", lab.seeds[0])
    host = lab.seeds[0].split("/")[2]
    found = urls(tmp_path)
    assert {url.split("/")[2] for url in found} == {host}
    assert len(output) == len(found) + 1
    within_three = {int(line.split()[0]) for line in output[:-1]}
    assert within_three <= {0, 1, 2, 3}
    assert output[-1] == f"{len(found)} pages are in example.web"


def test_the_directory_spider_stays_below_its_page(lab: LabServer, run: Run, tmp_path: Path) -> None:
    assert isinstance(lab.world, World)
    inside = next(url for url in sorted(lab.world.reachable()) if url.count("/") > 4)
    directory = inside.partition("?")[0].rpartition("/")[0] + "/"
    output = run("directory_spider", inside)
    assert set(output[:-1]) == urls(tmp_path)
    assert all(url.startswith(directory) for url in output[:-1])
    assert int(output[-1].split()[0]) > 0


def test_links_refused_by_the_custom_filter_are_counted(lab: LabServer, run: Run, tmp_path: Path) -> None:
    output = run("own_link_filter", lab.seeds[0])
    assert not any("?" in url for url in urls(tmp_path))
    assert int(output[-2].split()[0]) > 0
    assert output[-2].endswith("no_scripts")


def test_marks_are_stored_and_filters_use_them(lab: LabServer, run: Run, tmp_path: Path) -> None:
    output = run("own_classifier", lab.seeds[0])
    with Web(tmp_path / "example.web", create=False) as web:
        marks = {page.url: page.marks["purpose"] for page in web.store.pages()}
        [task] = web.tasks()
        refused = [page for page in web.store.pages() if page.marks["purpose"] == "directory"]
        for page in refused:
            assert [decision.rule for decision in web.store.decisions(page.id)] == ["for_reading"]
    assert sorted(output[:-1]) == sorted(f"{purpose} {url}" for url, purpose in marks.items())
    assert task.counts["filtered:few_externals"] > 0


def test_two_tasks_share_what_they_fetch(lab: LabServer, run: Run, tmp_path: Path) -> None:
    output = run("two_tasks", lab.seeds[0])
    assert [line.partition(":")[0] for line in output] == ["wide", "deep"]
    with Web(tmp_path / "example.web", create=False) as web:
        visits = [visit for visit in web.store.all_visits() if visit.result == "fetched"]
        assert len({visit.page for visit in visits}) == len(visits)
        hits = sum(task.counts.get("cache hits", 0) for task in web.tasks())
        assert hits > 0


def test_listeners_are_called_for_pages_and_for_the_end(lab: LabServer, run: Run, tmp_path: Path) -> None:
    output = run("listener", lab.seeds[0])
    assert f"the crawl from {lab.seeds[0]} has ended: twenty pages are enough" in output
    assert output[-2].startswith("[('en', "), "languages are recognised"
    assert output[-1].startswith("the longest page is http://127.")
    assert len(urls(tmp_path)) >= 20


def test_a_crawl_resumes_where_it_stopped(run: Run, tmp_path: Path) -> None:
    with serving(
        World(seed=7, hosts=4, pages=1000)
    ) as lab:  # a crawl may be PAGES_AHEAD pages ahead of its program
        output = run("resume", lab.seeds[0])
    first = [line for line in output if line.startswith("first part")]
    assert len(first) == 5
    assert "stopped because its program left the loop over its pages" in output
    assert output[-1] == "nothing left to fetch"
    with Web(tmp_path / "example.web", create=False) as web:
        visits = [visit.page for visit in web.store.all_visits() if visit.result == "fetched"]
        assert len(set(visits)) == len(visits) > 5
        assert not any("?" in page.url for page in web.store.pages() if page.depth)


def test_an_asynchronous_program_runs_during_the_crawl(lab: LabServer, run: Run, tmp_path: Path) -> None:
    output = run("async_spider", lab.seeds[0])
    pages = [line for line in output if line != "tick"]
    assert set(pages) == urls(tmp_path)
    assert "tick" in output


def test_the_task_files_of_the_manual_are_valid(tmp_path: Path) -> None:
    manual = EXAMPLES.parent / "docs" / "crawl.md"
    written = re.findall(r"^```toml\n(.*?)^```", manual.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert written
    for text in written:
        (tmp_path / "task.toml").write_text(text)
        check_task(from_toml(tmp_path / "task.toml"))


def test_the_commands_of_the_manual_exist() -> None:
    """Commands that need the network are not run, but every verb and option in them must exist."""
    manual = (EXAMPLES.parent / "docs" / "crawl.md").read_text("utf-8")
    known = (EXAMPLES.parent / "docs" / "reference" / "cli.md").read_text("utf-8")
    commands = re.findall(r"^gossamer .*$", manual, re.MULTILINE)
    assert len(commands) > 10
    for command in commands:
        words = shlex.split(command, comments=True)
        [section] = re.findall(
            rf"^## `gossamer {words[1]}`\n(.*?)(?=^## |\Z)", known, re.MULTILINE | re.DOTALL
        )
        for option in (word for word in words if word.startswith("--")):
            assert re.search(rf"`[^`]*{option}\b", section), f"{command}: {option}"
