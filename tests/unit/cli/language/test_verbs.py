"""`gossamer language` says what texts are in, to people and machines, and one sentence when it cannot."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.text.language.sample_sentences import invented, written

from gossamer.cli import main
from gossamer.cli.language.language_options import codes_like

GERMAN = "Dies ist ein deutscher Satz, und er ist nicht besonders lang."
DANISH = "Det er ikke så mærkeligt, at hun gerne vil rejse hjem i morgen."


def language(*arguments: str | Path, code: int = 0) -> None:
    assert main.run_verb(["language", *map(str, arguments)]) == code


def told(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> list[dict[str, Any]]:
    language(*arguments, "--json")
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def refused(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    language(*arguments, code=2)
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("gossamer: ")
    assert said.err.count("\n") == 1
    return said.err


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Any:
    def type_in(text: str) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    return type_in


def test_a_line_for_each_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "de.txt").write_text(GERMAN)
    (tmp_path / "da.html").write_text(
        f"<html lang=en><title>x</title><p>{DANISH}</p><script>the of and</script>"
    )
    language("detect", tmp_path / "de.txt", tmp_path / "da.html")
    german, danish = capsys.readouterr().out.splitlines()
    assert german.split()[:2] == ["German", "de"]
    assert "%  running text" in german
    assert german.endswith("de.txt")
    assert danish.split()[:2] == ["Danish", "da"]


def test_machines_get_candidates_with_shares(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x").write_text(DANISH)
    (found,) = told(capsys, "detect", tmp_path / "x")
    assert (found["language"], found["name"], found["running"]) == ("da", "Danish", True)
    assert found["confidence"] == found["candidates"][0]["share"]
    assert found["source"] == str(tmp_path / "x")


def test_standard_input_as_a_whole_or_by_lines(typed: Any, capsys: pytest.CaptureFixture[str]) -> None:
    typed(f"{GERMAN}\n\n{DANISH}\n")
    lines = told(capsys, "detect", "--lines")
    assert [(line["source"], line["language"]) for line in lines] == [("-:1", "de"), ("-:3", "da")]
    typed(GERMAN)
    assert [one["language"] for one in told(capsys, "detect")] == ["de"]
    typed(GERMAN)
    assert [one["language"] for one in told(capsys, "detect", "-")] == ["de"]


def test_languages_can_be_restricted(typed: Any, capsys: pytest.CaptureFixture[str]) -> None:
    typed(DANISH)
    (found,) = told(capsys, "detect", "--languages", "nb-NO, sv")
    assert found["language"] in ("nb", "sv")


@pytest.mark.parametrize(
    "text",
    [b"", b"   \n", b"123 456 78,90", "😀 🎉 😀".encode(), b"a", bytes(range(256)) * 40, b"\x00" * 1000],
    ids=["empty", "blank", "numbers", "emoji", "one letter", "binary", "zeros"],
)
def test_what_is_no_text_is_unknown(text: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x").write_bytes(text)
    (found,) = told(capsys, "detect", tmp_path / "x")
    assert (found["language"], found["candidates"], found["name"]) == (None, [], "unknown")
    language("detect", tmp_path / "x")
    assert capsys.readouterr().out.startswith("unknown ")


def test_ten_megabytes_are_recognised(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x").write_text((GERMAN + "\n") * 160_000)
    assert told(capsys, "detect", tmp_path / "x")[0]["language"] == "de"


WRONG = [
    (["detect", "missing.txt"], "there is no file missing.txt"),
    (["detect", "."], "is a folder"),
    (["detect", "--languages", "dx"], "similar codes: de, da"),
    (["detect", "--model", "missing.bin"], "there is no file"),
    (["detect", "--web", "missing.web"], "there is no web at missing.web"),
    (["detect", "--plot", "x.gif"], ".svg, .png or .html"),
    (["evaluate", "missing.tsv"], "there is no file missing.tsv"),
    (["evaluate", "malformed.tsv"], "malformed.tsv, line 2: there is no tab"),
    (["evaluate", "empty.tsv"], "nothing to measure in empty.tsv"),
    (["train"], "name a web"),
    (["train", "--add", "fo", "--out", "m.bin"], "such as fo=texts"),
    (["train", "--add", "qq=.", "--out", "m.bin"], "no code of a language"),
    (["train", "--add", "fo=missing", "--out", "m.bin"], "no texts of fo"),
    (["train", "--add", "fo=texts", "--out", "m.bin"], "too little to learn from"),
    (["train", "--out", "m.txt"], "must end with .bin"),
    (["train", "--web", "missing.web"], "there is no web at missing.web"),
    (["train", "--web", "x", "--from-nothing", "--model", "m.bin"], "exclude each other"),
]


@pytest.mark.parametrize(
    ("arguments", "said"), WRONG, ids=lambda one: " ".join(one) if isinstance(one, list) else ""
)
def test_wrong_use_is_one_sentence(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "malformed.tsv").write_text("de\tgut\nohne Tabulator\n")
    (tmp_path / "empty.tsv").write_text("\n")
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "one.txt").write_text("Ein einziger Satz reicht nicht.")
    assert said in refused(capsys, *arguments)


def test_a_damaged_model_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "m.bin").write_bytes(b"no model")
    assert "is not a language model" in refused(capsys, "detect", "--model", tmp_path / "m.bin")


def test_accuracy_by_language_with_confusions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [f"de\t{GERMAN}", f"de-AT\t{GERMAN}", f"de\t{DANISH}", f"da\t{DANISH}", "vo\tvalu zor"]
    (tmp_path / "x.tsv").write_text("\n".join(lines))
    (found,) = told(capsys, "evaluate", tmp_path / "x.tsv")
    assert found["languages"]["de"] == {"texts": 3, "right": 2, "accuracy": 2 / 3, "taken_for": {"da": 1}}
    assert found["texts"] == 5
    assert found["macro_accuracy"] == pytest.approx((2 / 3 + 1 + 0) / 3)
    language("evaluate", tmp_path / "x.tsv")
    said = capsys.readouterr().out
    assert "Taken for another" in said
    assert "66.7%" in said
    assert "The model does not know vo" in said


def test_only_texts_in_the_languages_that_come_into_question_are_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.tsv").write_text(f"de\t{GERMAN}\nda\t{DANISH}\n")
    (found,) = told(capsys, "evaluate", tmp_path / "x.tsv", "--languages", "da,nb")
    assert list(found["languages"]) == ["da"]


@pytest.mark.slow
def test_a_language_is_added_from_a_folder(
    tmp_path: Path, typed: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "all.txt").write_text("\n".join(invented(200)))
    out = tmp_path / "vo.bin"
    (found,) = told(capsys, "train", "--add", f"vo={tmp_path / 'texts'}", "--out", out)
    assert found["before"]["accuracy"] == 0
    assert found["after"]["accuracy"] > 0.9
    assert found["languages"]["vo"]["sentences"] + found["kept_back"] == 200
    typed(invented(1, seed=5)[0])
    assert told(capsys, "detect", "--model", out)[0]["language"] == "vo"
    typed(GERMAN)
    assert told(capsys, "detect", "--model", out)[0]["language"] == "de"


@pytest.mark.parametrize("kind", ["svg", "png", "html"])
def test_curves_are_drawn(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f"{code}\t{text}" for code in ("en", "da") for text in written(code, 40)]
    (tmp_path / "x.tsv").write_text("\n".join(rows))
    language("evaluate", tmp_path / "x.tsv", "--plot", tmp_path / f"x.{kind}")
    assert f"The picture is in {tmp_path / f'x.{kind}'}." in capsys.readouterr().out
    drawn = (tmp_path / f"x.{kind}").read_bytes()
    starts = {"svg": b"<?xml", "png": b"\x89PNG", "html": b"<!doctype html>"}
    assert drawn.startswith(starts[kind])
    if kind != "png":
        assert b"English (400 words)" in drawn
        assert b"Zipf words are above 0.06 %" in drawn


def test_too_few_words_for_a_curve_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x").write_text(GERMAN)
    language("detect", tmp_path / "x", "--plot", tmp_path / "x.svg", code=2)
    assert "too few for a curve" in capsys.readouterr().err


def test_codes_are_completed_one_after_the_other() -> None:
    assert ("da", "Danish") in codes_like("d")
    assert ("da,nb", "Norwegian Bokmål") in codes_like("da,n")
    assert codes_like("qqq") == []
