"""Models that are built from word lists, saved and loaded."""

from pathlib import Path

import pytest

from gossamer.errors import BadInput
from gossamer.text.language import Model, detect
from gossamer.text.language.model.build_model import build_model

LISTS = {
    "da": {"det": 30.0, "er": 25.0, "en": 20.0, "hvad": 9.0, "ikke": 8.0, "noget": 5.0, "brød": 1.0},
    "de": {"das": 30.0, "ist": 25.0, "ein": 20.0, "was": 9.0, "nicht": 8.0, "etwas": 5.0, "brot": 1.0},
    "ru": {"это": 30.0, "не": 25.0, "что": 20.0, "хлеб": 1.0},
    "ja": {"これ": 20.0, "は": 30.0, "パン": 1.0, "日本": 2.0},
    "zh": {"这": 20.0, "是": 30.0, "面包": 1.0, "日本": 1.0},
}


@pytest.fixture(scope="module")
def model() -> Model:
    return Model.from_lists(LISTS)


def test_a_model_knows_the_languages_of_its_lists(model: Model) -> None:
    assert set(model.languages) == set(LISTS)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Det er ikke brød!", "da"),
        ("Das ist nicht Brot!", "de"),
        ("Это хлеб", "ru"),
        ("これはパン", "ja"),
        ("这是面包", "zh"),
    ],
)
def test_words_of_the_lists_are_recognised(model: Model, text: str, language: str) -> None:
    assert detect(text, model=model).language == language


def test_unknown_words_are_recognised_by_their_letters(model: Model) -> None:
    assert detect("hvadikke nogetbrød", model=model).language == "da"
    assert detect("nichtist etwasbrot", model=model).language == "de"


def test_a_script_without_a_language_is_unknown(model: Model) -> None:
    assert detect("Αυτή είναι μια πρόταση", model=model).language is None


def test_a_model_survives_saving_and_loading(model: Model, tmp_path: Path) -> None:
    model.save(tmp_path / "own.bin")
    again = Model.load(tmp_path / "own.bin")
    assert again.languages == model.languages
    assert [detect(text, model=again) for text in ("det er", "nichtist", "パン")] == [
        detect(text, model=model) for text in ("det er", "nichtist", "パン")
    ]


def test_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_text("no model", "utf-8")
    with pytest.raises(BadInput, match=r"x\.bin is not a language model"):
        Model.load(tmp_path / "x.bin")


def test_a_damaged_file_is_refused(model: Model, tmp_path: Path) -> None:
    model.save(tmp_path / "own.bin")
    content = (tmp_path / "own.bin").read_bytes()
    (tmp_path / "own.bin").write_bytes(content[:-20])
    with pytest.raises(BadInput, match=r"own\.bin .* damaged"):
        Model.load(tmp_path / "own.bin")


def test_a_named_only_language_is_recognised_only_where_it_is_named(tmp_path: Path) -> None:
    shy = build_model(LISTS, named_only=["da"])
    assert detect("det er ikke", model=shy).language == "de"
    assert detect("det er ikke", ["da", "de"], shy).language == "da"
    assert shy.usual == ("de", "ja", "ru", "zh")
    shy.save(tmp_path / "model")
    assert Model.load(tmp_path / "model").usual == shy.usual
