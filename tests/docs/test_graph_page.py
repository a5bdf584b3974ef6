"""The commands and programs of the manual pages about graphs run in order."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.slow
@pytest.mark.parametrize("page", ["graph.md", "graph-tutorial.md"])
def test_the_commands_and_programs_of_the_page_run(page: str, tmp_path: Path) -> None:
    blocks = re.findall(
        r"^```(python|sh)\n(.*?)^```", (DOCS / page).read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    assert blocks[0][0] == "python"
    for language, block in blocks:
        if language == "python":
            run([sys.executable, "-c", block], tmp_path)
        for line in block.splitlines() if language == "sh" else ():
            run([sys.executable, "-m", "gossamer.cli.main", *shlex.split(line)[1:]], tmp_path)


def run(words: list[str], folder: Path) -> None:
    ran = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=1_200)
    assert ran.returncode == 0, f"{words}\n{ran.stdout}\n{ran.stderr}"
