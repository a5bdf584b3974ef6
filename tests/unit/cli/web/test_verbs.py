import json
from pathlib import Path

import pytest

from gossamer.cli.main import run_verb
from gossamer.web import Web


@pytest.fixture
def web(tmp_path: Path) -> Path:
    Web(tmp_path / "a.web").close()
    return tmp_path / "a.web"


def test_a_title_is_set_shown_and_removed(web: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_verb(["web", "show", "--web", str(web)]) == 0
    assert capsys.readouterr().out == "title: (none)\n"
    assert run_verb(["web", "set", "title=Music & more", "--web", str(web)]) == 0
    assert capsys.readouterr().out == "title: Music & more\n"
    assert run_verb(["web", "show", "--web", str(web), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"web": str(web), "title": "Music & more"}
    assert run_verb(["web", "set", "title=", "--web", str(web), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == ""


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("titel=x", "there is no setting 'titel'; did you mean 'title'?"),
        ("colour=red", "there is no setting 'colour'; a web has: title"),
        ("title", "title needs a value: title=…"),
        ("title=a\nb", "a title has no line breaks"),
        (f"title={'x' * 81}", "a title has at most 80 characters"),
    ],
)
def test_wrong_settings_are_refused(
    web: Path, setting: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_verb(["web", "set", setting, "--web", str(web)]) == 2
    assert sentence in capsys.readouterr().err


def test_a_web_that_is_not_there_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_verb(["web", "set", "title=x", "--web", str(tmp_path / "none")]) == 2
    assert "there is no web at" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()
