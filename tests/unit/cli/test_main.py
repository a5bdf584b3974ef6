import os
import subprocess
import sys
from importlib.util import find_spec

import pytest
import typer.main

from gossamer.cli import main

VERBS = [
    "crawl",
    "resume",
    "tasks",
    "status",
    "stop",
    "change",
    "submit",
    "recrawl",
    "watch",
    "run",
    "explain",
    "picture",
    "fetcher",
    "cluster",
    "index",
    "search",
    "serve",
    "hot",
    "words",
    "concordance",
    "ask",
    "mcp",
    "themes",
    "card",
    "backlinks",
    "proxy",
    "assess",
    "check",
    "fields",
    "export",
    "import",
    "mirror",
    "backup",
    "restore",
    "sql",
    "verify",
    "forget",
    "demo",
]
GROUPS = ["web", "users", "history", "lab", "graph", "language", "topics"]
HEAVY_PACKAGES = {
    "asyncio",
    "matplotlib",
    "numpy",
    "pyarrow",
    "pycurl",
    "rich",
    "sqlite3",
    "ssl",
    "starlette",
    "tantivy",
    "turbohtml",
}


def run_python(program: str, **environment: str) -> list[str]:
    """Run a program in a process of its own and return the words that it prints."""
    ran = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
        env=os.environ | environment,
    )
    return ran.stdout.split()


def modules_loaded_by(*arguments: str) -> set[str]:
    """Return the modules that are loaded once the program has run with these arguments."""
    started = f"from gossamer.cli import main; main.app({list(arguments)}, standalone_mode=False)"
    words = run_python(f"import sys; {started}; print('MODULES', *sys.modules)")
    return set(words[words.index("MODULES") + 1 :])


def test_every_verb_is_listed_under_its_name() -> None:
    program = typer.main.get_command(main.app)
    assert isinstance(program, typer.core.TyperGroup)
    assert list(program.commands) == VERBS + GROUPS
    assert [verb.name for verb in program.commands.values()] == VERBS + GROUPS
    assert all(verb.help for verb in program.commands.values())


def test_one_verb_does_not_load_the_others() -> None:
    loaded = {name for name in modules_loaded_by("crawl", "--help") if name.startswith("gossamer.cli.")}
    assert loaded == {
        "gossamer.cli.main",
        "gossamer.cli.run_options",
        "gossamer.cli.task_options",
        "gossamer.cli.crawl",  # the folder, which imports nothing
        "gossamer.cli.crawl.crawl",
    }


@pytest.mark.parametrize("arguments", [["--help"], *([group, "--help"] for group in GROUPS)])
def test_help_loads_no_heavy_package(arguments: list[str]) -> None:
    """Help stays quick because verbs import what they need when they run; `bench/startup.py` measures it."""
    assert not HEAVY_PACKAGES & {name.partition(".")[0] for name in modules_loaded_by(*arguments)}


def test_heavy_packages_are_found_by_the_names_used_here() -> None:
    """A misspelt name would never be loaded, and the test above could not fail."""
    assert [name for name in sorted(HEAVY_PACKAGES) if find_spec(name) is None] == []


def test_shells_can_complete_verbs() -> None:
    program = "from gossamer.cli import main; main.app(prog_name='gossamer')"
    asked = {"_GOSSAMER_COMPLETE": "complete_bash", "COMP_WORDS": "gossamer ex", "COMP_CWORD": "1"}
    assert run_python(program, **asked) == ["explain", "export"]
    asked |= {"COMP_WORDS": "gossamer graph cl", "COMP_CWORD": "2"}
    assert run_python(program, **asked) == ["cliques", "clusters"]


def test_ctrl_c_is_reported_and_ends_with_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gossamer.web.open_to_read", stop)
    assert main.run_verb(["explain", "http://page.example/"]) == 130
    assert capsys.readouterr().err == "gossamer: stopped by Ctrl-C.\n"


def test_a_stop_that_a_verb_has_reported_is_not_reported_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from gossamer.cli.crawl.watch_crawl import Interrupted

    def stop(*_: object) -> None:
        raise Interrupted

    monkeypatch.setattr("gossamer.web.open_to_read", stop)
    assert main.run_verb(["explain", "http://page.example/"]) == 130
    assert capsys.readouterr().err == ""
