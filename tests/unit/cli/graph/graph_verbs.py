"""Verbs of `gossamer graph`, called as the program calls them."""

import json
from pathlib import Path
from typing import Any

import pytest

from gossamer.cli import main


def graph(*arguments: str | Path, code: int = 0) -> None:
    assert main.run_verb(["graph", *map(str, arguments)]) == code


def told(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> dict[str, Any]:
    graph(*arguments, "--json")
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found
