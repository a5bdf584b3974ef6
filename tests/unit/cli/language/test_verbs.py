"""`gossamer language` detects, trains and evaluates, and reports wrong use in one sentence."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.text.language.sample_sentences import invent_sentences, write_sentences

from gossamer.cli import main
from gossamer.cli.language import detect as detect_verb
from gossamer.cli.language.language_options import complete_codes

GERMAN = "Dies ist ein deutscher Satz, und er ist nicht besonders lang."
DANISH = "Det er ikke så mærkeligt, at hun gerne vil rejse hjem i morgen."


def language(*arguments: str | Path, code: int = 0) -> None:
    assert main.run_verb(["language", *map(str, arguments)]) == code


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> list[dict[str, Any]]:
    language(*arguments, "--json")
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def run_wrongly(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    language(*arguments, code=2)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("gossamer: ")
    assert err.count("\n") == 1
    return err


@pytest.fixture
def type_text(monkeypatch: pytest.MonkeyPatch) -> Any:
    def type_in(text: str) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    return type_in


def test_each_file_gets_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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


def test_a_guess_is_called_unsure_with_its_candidates(
    type_text: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    type_text("hello")
    language("detect")
    shown = capsys.readouterr().out
    assert shown.startswith("unsure ")
    assert shown.count("%") == 3
    assert "Norwegian Bokmål 16.0%, " in shown
    type_text("hello")
    (found,) = run_json(capsys, "detect")
    assert (found["language"], found["sure"], len(found["candidates"])) == ("nb", False, 5)


def test_pages_of_a_web_follow_a_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = [GERMAN, DANISH, "hello", "1234", GERMAN]
    pages = [detect_verb._InputText(f"http://a.example/{at}", text) for at, text in enumerate(texts)]
    monkeypatch.setattr(detect_verb, "_read_pages", lambda web: iter(pages))
    monkeypatch.setattr(detect_verb, "load_model", lambda web, model: None)
    language("detect", "--web", tmp_path)
    summary, _, rest = capsys.readouterr().out.partition("German             de")
    assert "Languages of 5 pages" in summary
    cells = [line.replace("│", " ").split() for line in summary.splitlines()]
    assert cells[4:6] == [["German", "de", "2", "40.0%", "2"], ["Danish", "da", "1", "20.0%", "1"]]
    assert cells[6:8] == [["unknown", "1", "20.0%", "0"], ["unsure", "1", "20.0%", "0"]]
    assert [f"http://a.example/{at}" in rest for at in range(5)] == [True] * 5
    assert len(run_json(capsys, "detect", "--web", tmp_path)) == 5, (
        "JSON has a line for each page and no other"
    )


def test_json_lists_candidates_with_shares(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x").write_text(DANISH)
    (found,) = run_json(capsys, "detect", tmp_path / "x")
    assert (found["language"], found["name"], found["running"]) == ("da", "Danish", True)
    assert found["confidence"] == found["candidates"][0]["share"]
    assert found["source"] == str(tmp_path / "x")


def test_standard_input_is_read_whole_or_by_lines(type_text: Any, capsys: pytest.CaptureFixture[str]) -> None:
    type_text(f"{GERMAN}\n\n{DANISH}\n")
    lines = run_json(capsys, "detect", "--lines")
    assert [(line["source"], line["language"]) for line in lines] == [("-:1", "de"), ("-:3", "da")]
    type_text(GERMAN)
    assert [one["language"] for one in run_json(capsys, "detect")] == ["de"]
    type_text(GERMAN)
    assert [one["language"] for one in run_json(capsys, "detect", "-")] == ["de"]


def test_languages_can_be_restricted(type_text: Any, capsys: pytest.CaptureFixture[str]) -> None:
    type_text(DANISH)
    (found,) = run_json(capsys, "detect", "--languages", "nb-NO, sv")
    assert found["language"] in ("nb", "sv")


@pytest.mark.parametrize(
    "text",
    [b"", b"   \n", b"123 456 78,90", "😀 🎉 😀".encode(), b"a", bytes(range(256)) * 40, b"\x00" * 1000],
    ids=["empty", "blank", "numbers", "emoji", "one letter", "binary", "zeros"],
)
def test_input_without_text_is_unknown(
    text: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x").write_bytes(text)
    (found,) = run_json(capsys, "detect", tmp_path / "x")
    assert (found["language"], found["candidates"], found["name"]) == (None, [], "unknown")
    language("detect", tmp_path / "x")
    assert capsys.readouterr().out.startswith("unknown ")


def test_ten_megabytes_are_recognised(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x").write_text((GERMAN + "\n") * 160_000)
    assert run_json(capsys, "detect", tmp_path / "x")[0]["language"] == "de"


WRONG = [
    (["detect", "missing.txt"], "there is no file missing.txt"),
    (["detect", "."], "is a folder"),
    (["detect", "--languages", "dx"], "similar codes: de, da"),
    (["detect", "--model", "missing.bin"], "there is no file"),
    (["detect", "--web", "missing.web"], "there is no web at missing.web"),
    (["detect", "--plot", "x.gif"], ".svg, .png or .html"),
    (["evaluate", "missing.tsv"], "there is no file missing.tsv"),
    (["evaluate", "malformed.tsv"], "malformed.tsv, line 2: there is no tab"),
    (["evaluate", "empty.tsv"], "empty.tsv has no texts to measure"),
    (["train"], "give a web"),
    (["train", "--add", "fo", "--out", "m.bin"], "such as fo=texts"),
    (["train", "--add", "qq=.", "--out", "m.bin"], "is not a language code"),
    (["train", "--add", "fo=missing", "--out", "m.bin"], "no texts of fo"),
    (["train", "--add", "fo=texts", "--out", "m.bin"], "too little to learn from"),
    (["train", "--out", "m.txt"], "must end with .bin"),
    (["train", "--web", "missing.web"], "there is no web at missing.web"),
    (["train", "--web", "x", "--from-nothing", "--model", "m.bin"], "exclude each other"),
]


@pytest.mark.parametrize(
    ("arguments", "sentence"), WRONG, ids=lambda one: " ".join(one) if isinstance(one, list) else ""
)
def test_wrong_use_gets_one_sentence(
    arguments: list[str],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "malformed.tsv").write_text("de\tgut\nohne Tabulator\n")
    (tmp_path / "empty.tsv").write_text("\n")
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "one.txt").write_text("Ein einziger Satz reicht nicht.")
    assert sentence in run_wrongly(capsys, *arguments)


def test_a_damaged_model_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "m.bin").write_bytes(b"no model")
    assert "is not a language model" in run_wrongly(capsys, "detect", "--model", tmp_path / "m.bin")


def test_accuracy_is_given_by_language_with_confusions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [f"de\t{GERMAN}", f"de-AT\t{GERMAN}", f"de\t{DANISH}", f"da\t{DANISH}", "vo\tvalu zor"]
    (tmp_path / "x.tsv").write_text("\n".join(lines))
    (found,) = run_json(capsys, "evaluate", tmp_path / "x.tsv")
    assert found["languages"]["de"] == {"texts": 3, "right": 2, "accuracy": 2 / 3, "taken_for": {"da": 1}}
    assert found["texts"] == 5
    assert found["macro_accuracy"] == pytest.approx((2 / 3 + 1 + 0) / 3)
    language("evaluate", tmp_path / "x.tsv")
    shown = capsys.readouterr().out
    assert "Confusions" in shown
    assert "66.7%" in shown
    assert "The model does not know vo" in shown


def test_texts_in_other_languages_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.tsv").write_text(f"de\t{GERMAN}\nda\t{DANISH}\n")
    (found,) = run_json(capsys, "evaluate", tmp_path / "x.tsv", "--languages", "da,nb")
    assert list(found["languages"]) == ["da"]


@pytest.mark.slow
def test_a_language_is_added_from_a_folder(
    tmp_path: Path, type_text: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "all.txt").write_text("\n".join(invent_sentences(200)))
    out = tmp_path / "vo.bin"
    (found,) = run_json(capsys, "train", "--add", f"vo={tmp_path / 'texts'}", "--out", out)
    assert found["before"]["accuracy"] == 0
    assert found["after"]["accuracy"] > 0.9
    assert found["languages"]["vo"]["sentences"] + found["kept_back"] == 200
    type_text(invent_sentences(1, seed=5)[0])
    assert run_json(capsys, "detect", "--model", out)[0]["language"] == "vo"
    type_text(GERMAN)
    assert run_json(capsys, "detect", "--model", out)[0]["language"] == "de"


@pytest.mark.parametrize("kind", ["svg", "png", "html"])
def test_curves_are_drawn(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f"{code}\t{text}" for code in ("en", "da") for text in write_sentences(code, 40)]
    (tmp_path / "x.tsv").write_text("\n".join(rows))
    language("evaluate", tmp_path / "x.tsv", "--plot", tmp_path / f"x.{kind}")
    assert f"The plot is in {tmp_path / f'x.{kind}'}." in capsys.readouterr().out
    drawn = (tmp_path / f"x.{kind}").read_bytes()
    starts = {"svg": b"<?xml", "png": b"\x89PNG", "html": b"<!doctype html>"}
    assert drawn.startswith(starts[kind])
    if kind != "png":
        assert b"English (400 words)" in drawn
        assert b"Zipf words are above 0.06 %" in drawn


def test_too_few_words_for_a_curve_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x").write_text(GERMAN)
    language("detect", tmp_path / "x", "--plot", tmp_path / "x.svg", code=2)
    assert "words that a curve needs" in capsys.readouterr().err


def test_the_last_code_is_completed() -> None:
    assert ("da", "Danish") in complete_codes("d")
    assert ("da,nb", "Norwegian Bokmål") in complete_codes("da,n")
    assert complete_codes("qqq") == []
