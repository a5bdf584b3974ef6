"""Run verbs of `gossamer graph` as the program does."""

import json
from pathlib import Path
from typing import Any

import pytest

from gossamer.cli import main


def run_graph(*arguments: str | Path, code: int = 0) -> None:
    assert main.run_verb(["graph", *map(str, arguments)]) == code


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> dict[str, Any]:
    run_graph(*arguments, "--json")
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found
