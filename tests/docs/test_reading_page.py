"""The program of docs/reading.md runs against a server, as it is written there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.unit.ui.library import crawl_library
from tests.unit.ui.navigate.running_server import run_server

from gossamer.web import Web

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reading.md"


@pytest.mark.slow
def test_the_program_of_the_page_lists_backlinks(tmp_path: Path) -> None:
    crawl_library(tmp_path / "music.web")
    with Web(tmp_path / "music.web") as web:
        haydn = next(page.url for page in web.store.pages() if page.url.endswith("/haydn"))
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    (program,) = [block for block in blocks if "ReadingClient" in block]
    assert "https://www.example.org/haydn" in program
    script = tmp_path / "program.py"
    script.write_text(program.replace("https://www.example.org/haydn", haydn))
    with run_server(tmp_path / "music.web", tmp_path / "config") as server:
        place = {"READING_SERVER": f"http://{server.host}:{server.port}/", "READING_TOKEN": server.token}
        ran = subprocess.run(
            [sys.executable, str(script)], env=os.environ | place, capture_output=True, text=True, check=False
        )
    assert ran.returncode == 0, ran.stderr
    assert re.search(r"^[1-9]\d* pages of .+ link there$", ran.stdout, re.MULTILINE)
    assert "Music library says:" in ran.stdout
    assert "the Haydn page" in ran.stdout
