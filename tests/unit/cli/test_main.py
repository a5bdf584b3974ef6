import subprocess
import sys

import typer.main

from gossamer.cli import main

VERBS = [
    "crawl",
    "resume",
    "tasks",
    "stop",
    "change",
    "submit",
    "recrawl",
    "explain",
    "index",
    "search",
    "serve",
    "assess",
    "export",
    "import",
    "demo",
]
GROUPS = ["lab", "graph", "language", "topics"]
LOADED = "print(*(name for name in sys.modules if name.startswith('gossamer.cli.')))"


def python(program: str, **environment: str) -> list[str]:
    told = {"PATH": "", **environment}
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=True, env=told
    )
    return ran.stdout.split()


def test_every_verb_is_there_under_its_name() -> None:
    program = typer.main.get_command(main.app)
    assert isinstance(program, typer.core.TyperGroup)
    assert list(program.commands) == VERBS + GROUPS
    assert [verb.name for verb in program.commands.values()] == VERBS + GROUPS
    assert all(verb.help for verb in program.commands.values())


def test_one_verb_does_not_load_the_others() -> None:
    program = "from gossamer.cli import main; main.app(['crawl', '--help'], standalone_mode=False)"
    said = python(f"import sys; {program}; {LOADED}")
    loaded = {word for word in said if word.startswith("gossamer.cli.")}
    assert loaded == {"gossamer.cli.main", "gossamer.cli.crawl.crawl", "gossamer.cli.task_options"}


def test_shells_can_complete_verbs() -> None:
    program = "from gossamer.cli import main; main.app(prog_name='gossamer')"
    asked = {"_GOSSAMER_COMPLETE": "complete_bash", "COMP_WORDS": "gossamer ex", "COMP_CWORD": "1"}
    assert python(program, **asked) == ["explain", "export"]
    asked |= {"COMP_WORDS": "gossamer graph cl", "COMP_CWORD": "2"}
    assert python(program, **asked) == ["cliques", "clusters"]
