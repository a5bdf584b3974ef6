"""The commands and programs of the manual pages about graphs run in order."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from gossamer.cli import main

PAGES = ("graph.md", "graph-tutorial.md")
DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_the_commands_and_programs_of_the_page_run(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(
        r"^```(python|sh)\n(.*?)^```", (DOCS / page).read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    assert blocks[0][0] == "python"
    for language, block in blocks:
        if language == "python":
            run_program(block, tmp_path)
        # In this process: two pages have 48 commands, and to start the program takes longer than most of them.
        for line in block.splitlines() if language == "sh" else ():
            program, *words = shlex.split(line)
            assert (program, main.run_verb(words)) == ("gossamer", 0), f"{line}\n{capsys.readouterr()}"


def run_program(code: str, folder: Path) -> None:
    words = [sys.executable, "-c", code]
    ran = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=1_200)
    assert ran.returncode == 0, f"{code}\n{ran.stdout}\n{ran.stderr}"
