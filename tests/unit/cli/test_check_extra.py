"""A verb that misses an extra says so before it starts anything."""

import sys
from pathlib import Path

import pytest

from gossamer.cli import main

MISSING = [
    (["demo"], "wordfreq", "lab"),
    (["demo", "--serve"], "uvicorn", "serve"),
    (["demo", "--serve"], "jinja2", "serve"),
    (["lab", "serve"], "wordfreq", "lab"),
    (["lab", "compare"], "wordfreq", "lab"),
    (["serve"], "starlette", "serve"),
    (["serve"], "tantivy", "serve"),
]


@pytest.mark.parametrize(("verb", "package", "extra"), MISSING)
def test_a_missing_extra_is_named_before_anything_starts(
    verb: list[str],
    package: str,
    extra: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        "gossamer.cli.check_extra.find_spec", lambda name: None if name == package else object()
    )
    for heavy in ("gossamer.lab.server.serve_world", "gossamer.web", "gossamer.ui.run_server"):
        monkeypatch.setitem(sys.modules, heavy, None)  # to import it would fail
    assert main.run_verb(verb) == 2
    assert capsys.readouterr() == (
        "",
        f"gossamer: This needs the package '{package}': install it with pip install 'gossamer[{extra}]'\n",
    )
    assert not list(tmp_path.iterdir())
