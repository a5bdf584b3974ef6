"""The pages stay true: folders are named, links lead somewhere, commands run, generated pages are fresh."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tools.architecture import first_line

REPOSITORY = Path(__file__).resolve().parents[2]
PAGES = sorted(
    [*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").rglob("*.md")], key=lambda path: path.as_posix()
)
# These would run the tests from within the tests, or measure for minutes: their recipe is only checked.
DRY_RUN_TARGETS = {"test", "check", "bench", "compare", "fix", "wheel"}


def name(path: Path) -> str:
    return path.relative_to(REPOSITORY).as_posix()


def fenced(path: Path, language: str) -> Iterator[str]:
    yield from re.findall(rf"^```{language}\n(.*?)^```", path.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def commands() -> Iterator[tuple[str, str]]:
    for path in PAGES:
        for block in fenced(path, "console"):
            for line in block.splitlines():
                if line.startswith("$ "):
                    yield name(path), line[2:]


def folders() -> Iterator[str]:
    tracked = subprocess.run(["git", "ls-files"], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    paths = [Path(line) for line in tracked.stdout.splitlines()]
    yield from sorted(
        {f"{path.parts[0]}/" for path in paths if len(path.parts) > 1 and path.parts[0][0] != "."}
    )
    rooms = {path.parts[2] for path in paths if path.parts[:2] == ("src", "gossamer") and len(path.parts) > 3}
    yield from sorted(f"src/gossamer/{room}/" for room in rooms)


@pytest.mark.parametrize("folder", list(folders()))
def test_every_folder_is_on_the_architecture_page(folder: str) -> None:
    assert f"`{folder}" in (REPOSITORY / "docs" / "architecture.md").read_text("utf-8").replace("`src/`", "")


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_links_between_pages_lead_somewhere(path: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)", path.read_text("utf-8"))
    local = [target for target in targets if "://" not in target]
    assert [target for target in local if not (path.parent / target).exists()] == []


def test_readme_promises_a_minute_for_the_demo_alone() -> None:
    text = " ".join((REPOSITORY / "README.md").read_text("utf-8").split())
    assert text.count("two to three minutes") == 2, "compiling is announced for pip and for make"
    for sentence in re.split(r"\.\s|;|\|", text):
        assert "within a minute" not in sentence or "demo" in sentence, sentence


@pytest.mark.slow
@pytest.mark.parametrize(("page", "command"), list(commands()))
def test_commands_run(page: str, command: str, tmp_path: Path) -> None:
    words = shlex.split(command)
    if words[0] == "make" and words[1] in DRY_RUN_TARGETS:
        words.insert(1, "--dry-run")
    # The program of this very environment, wherever the page's reader has it.
    if words[0].endswith("gossamer"):
        words[:1] = [sys.executable, "-m", "gossamer.cli.main"]
    ran = subprocess.run(
        words,
        cwd=REPOSITORY if words[0] == "make" else tmp_path,
        env={**os.environ, "VENV": sys.prefix},
        capture_output=True,
        text=True,
        timeout=1_200,
    )
    assert ran.returncode == 0, f"{page}: {command}\n{ran.stdout}\n{ran.stderr}"


# The programs of these pages run between their commands: test_graph_page.py.
RUN_IN_ORDER = {"graph.md", "graph-tutorial.md"}


@pytest.mark.slow
@pytest.mark.parametrize("path", [page for page in PAGES if page.name not in RUN_IN_ORDER], ids=name)
def test_python_examples_run(path: Path, tmp_path: Path) -> None:
    for number, example in enumerate(fenced(path, "python")):
        script = tmp_path / f"example{number}.py"
        script.write_text(example, "utf-8")
        ran = subprocess.run(
            [sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, timeout=1_200
        )
        assert ran.returncode == 0, f"{name(path)}:\n{example}\n{ran.stderr}"


@pytest.mark.parametrize(
    "path", [page for page in PAGES if page.parent.name in ("docs", "reference")], ids=name
)
def test_a_page_begins_with_what_its_reader_can_do(path: Path) -> None:
    assert re.match(r"# .+\n\n(After (reading )?|On )this \w+ you ", path.read_text("utf-8"))


# Words that every newcomer meets in the first hour.
CORE_NOUNS = re.split(
    r",\s+",
    """anchor text, archive, batch, block, boilerplate, bow-tie, budget, cache, canonical form, classifier, community, core,
    corpus, crawl, crawl delay, decision, depth, digest, directives, entry, extra, filter, frontier, host, index, judgement,
    link, listener, main content, mark, near copy, order, page, page id, politeness, precision, priority, relevance, request,
    revisit, robots, sample, scope, seed, seen set, shard, simhash, site, snippet, start page, state, stratum, task, term,
    topic, trap, visit, WARC, web, world""",
)


def test_the_glossary_is_sorted_and_has_the_core_nouns() -> None:
    page = (REPOSITORY / "docs" / "glossary.md").read_text("utf-8")
    words = re.findall(r"^\| \*\*(.+?)\*\*", page, re.MULTILINE)
    assert words == sorted(words, key=str.lower)
    assert [noun for noun in CORE_NOUNS if noun not in words] == []


def test_the_command_line_reference_is_fresh() -> None:
    ran = subprocess.run(
        [sys.executable, "tools/reference.py", "--check"], cwd=REPOSITORY, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr


def test_rooms_and_modules_are_fresh() -> None:
    ran = subprocess.run(
        [sys.executable, "tools/architecture.py", "--check"], cwd=REPOSITORY, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr


MODULES = [
    path for pattern in ("*.py", "*.pyx") for path in sorted((REPOSITORY / "src" / "gossamer").rglob(pattern))
]


def test_every_module_says_in_its_first_line_what_it_holds() -> None:
    """One test for all modules: a test for each of them took longer to start than to run."""
    page = (REPOSITORY / "docs" / "reference" / "modules.md").read_text("utf-8")
    lines = {path: first_line(path) for path in MODULES}
    unfinished = {name(path): line for path, line in lines.items() if not line.endswith((".", "?", ":"))}
    assert not unfinished, "a module begins with one plain sentence on one line"
    rows = {
        name(path): f"| `{path.name}` | {line.replace('|', chr(92) + '|')} |"
        for path, line in lines.items()
        if path.name != "__init__.py"
    }
    assert rows
    assert {module: row for module, row in rows.items() if row not in page} == {}


def test_every_room_opens_with_a_question() -> None:
    rooms = [path for path in MODULES if path.name == "__init__.py" and path.parent.name != "gossamer"]
    assert rooms
    assert {name(path): first_line(path) for path in rooms if "?" not in first_line(path)} == {}
