"""Accuracy by language, their mean, and confusions."""

import pytest

from gossamer.errors import BadInput
from gossamer.text.language.training.evaluate_model import evaluate, read_labelled

GERMAN = "Dies ist ein deutscher Satz, und er ist nicht besonders lang."
FRENCH = "Ceci est une phrase française, et elle n'est pas très longue."


def test_results_by_language_and_their_mean() -> None:
    found = evaluate([("de", GERMAN), ("de", GERMAN), ("de", FRENCH), ("de", "12"), ("fr", FRENCH)])
    german = found.languages["de"]
    assert (german.texts, german.right, german.accuracy, german.taken_for) == (4, 2, 0.5, {"fr": 1, "": 1})
    assert (found.texts, found.accuracy, found.macro_accuracy) == (5, 0.6, 0.75)
    assert found.list_confusions() == [("de", "", 1), ("de", "fr", 1)]


def test_languages_can_be_restricted() -> None:
    assert evaluate([("de", FRENCH)]).accuracy == 0
    assert evaluate([("de", FRENCH)], languages=["de"]).accuracy == 1


def test_no_texts_give_zero_accuracy() -> None:
    assert (evaluate([]).accuracy, evaluate([]).macro_accuracy, evaluate([]).texts) == (0, 0, 0)


def test_regions_and_empty_lines_are_ignored() -> None:
    lines = ["de-AT\tEin Satz\tmit Tabulator\r\n", "\n", "no\tEn setning\n", "en\t\n"]
    assert list(read_labelled(lines, "x.tsv")) == [
        ("de", "Ein Satz\tmit Tabulator"), ("nb", "En setning"), ("en", "")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "message"),
    [("kein Tabulator", "line 2: there is no tab"), ("deutsch\tEin Satz", "line 2: 'deutsch'")],
)
def test_a_malformed_line_is_named_by_its_number(line: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        list(read_labelled(["de\tgut", line], "x.tsv"))
