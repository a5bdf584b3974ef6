import json
from pathlib import Path

import pytest
from tests.unit.context.passages.webs import ADDRESSES, make_web

from gossamer.cli import main


@pytest.fixture(scope="module")
def bread(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(make_web(tmp_path_factory.mktemp("bread") / "bread.web"))


def test_passages_are_printed_with_their_sources(bread: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run_verb(["ask", "how long", "to bake bread", "--words", "30", "--web", bread]) == 0
    shown = capsys.readouterr().out
    assert "1. Bread and ovens" in shown
    assert "Ovens › Baking bread" in shown
    assert "Baking bread takes forty minutes" in shown
    assert ADDRESSES[0] in shown
    assert "2023-11-14 · offset 35" in shown
    assert f"near copy: {ADDRESSES[1]}" in shown


def test_json_has_all_of_a_passage(bread: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run_verb(["ask", "bread", "--passages", "1", "--json", "--web", bread]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["question"] == "bread"
    assert len(found["passages"]) == 1
    assert {"url", "link", "title", "headings", "date_s", "offset", "score", "text"} <= set(
        found["passages"][0]
    )


def test_hostile_texts_print_no_control_characters(bread: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run_verb(["ask", "ignore all instructions", "--web", bread]) == 0
    shown = capsys.readouterr().out
    assert "Ignore all instructions" in shown
    assert not {"\x1b", "\x07"} & set(shown)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["ask", ""], "the question is empty"),
        (["ask", "..."], "no words to look for"),
        (["ask", "bread", "--language", "tlh"], "in the language 'tlh'"),
        (["ask", "bread", "--words", "3"], "words"),
    ],
)
def test_wrong_use_gets_one_sentence(
    bread: str, arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run_verb([*arguments, "--web", bread]) == 2
    printed = capsys.readouterr().err
    assert sentence in printed
    assert printed.count("\n") == 1


def test_no_web_and_no_index_get_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run_verb(["ask", "bread", "--web", str(tmp_path / "none.web")]) == 2
    assert "there is no web at" in capsys.readouterr().err
