"""Models that are built from word lists."""

import math

import msgspec
import pytest

from gossamer.errors import BadInput
from gossamer.text.language.model.build_model import Recipe, build_model
from gossamer.text.language.model.plain_scorer import ScorerWeights

DANISH = {"ikke": 50.0, "noget": 20.0, "hvad": 20.0, "brød": 9.0, "gøre": 9.0, "sjælden": 0.01}
GERMAN = {"nicht": 50.0, "etwas": 20.0, "was": 20.0, "brot": 9.0, "machen": 9.0}
LISTS = {"da": DANISH, "de": GERMAN}
PLAIN = Recipe(weights=ScorerWeights(zipf_eighths=8), letters_again=0.0)


def value(recipe: Recipe, word: str) -> tuple[float, float]:
    """Return the penalties of one word in Danish and German, in tenths of a nat."""
    _, _, _, _, penalties, _ = build_model(LISTS, recipe=recipe).scorer.score(word)
    return penalties[0] / 8, penalties[1] / 8


def test_a_word_has_its_share_as_its_value() -> None:
    only_list = msgspec.structs.replace(PLAIN, list_weight=1.0)
    danish, _ = value(only_list, "ikke")
    assert danish == pytest.approx(-10 * math.log(50 / sum(DANISH.values())), abs=0.5)


def test_a_word_puts_a_language_behind_by_a_bounded_amount() -> None:
    near = msgspec.structs.replace(PLAIN, weights=ScorerWeights(zipf_eighths=8, farthest=30))
    for word in ("ikke", "nichtsda"):
        danish, german = value(near, word)
        assert abs(danish - german) <= 30


def test_zipf_words_are_those_above_the_share_of_stein() -> None:
    model = build_model(LISTS)
    _, _, words, _, _, zipf_words = model.scorer.score("ikke noget sjælden brot")
    assert words == 4
    assert zipf_words == [2, 1]


def test_zipf_words_count_more() -> None:
    more = msgspec.structs.replace(PLAIN, weights=ScorerWeights(zipf_eighths=12))
    assert value(more, "ikke") == tuple(1.5 * each for each in value(PLAIN, "ikke"))


def test_a_higher_least_gain_keeps_fewer_n_grams() -> None:
    sizes = [
        len(build_model(LISTS, recipe=msgspec.structs.replace(PLAIN, least_gain=gain)).table.records)
        for gain in (0.0, 0.05, 10.0)
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) == 3


def test_single_letters_decide_without_longer_n_grams() -> None:
    model = build_model(LISTS, recipe=msgspec.structs.replace(PLAIN, least_gain=1e9, words=0))
    danish, german = model.scorer.score_letters("ø")
    assert danish < german


def test_a_handicap_lowers_the_share() -> None:
    shares = dict(build_model(LISTS, handicaps={"da": 30}).scorer.judge("ikke").shares)
    assert shares[0] < dict(build_model(LISTS).scorer.judge("ikke").shares)[0]


def test_a_language_in_two_scripts_has_one_code() -> None:
    model = build_model({"sr": {"није": 1.0}, "sr-Latn": {"nije": 1.0}})
    assert model.languages == ("sr",)
    assert [language.scripts for language in model.known] == [("Cyrl",), ("Latn",)]
    assert sum(model.select_languages(["sr"])) == 2


@pytest.mark.parametrize("lists", [{}, {"da": {}}, {"da": {"42": 1.0}}], ids=["none", "empty", "numbers"])
def test_lists_without_words_are_refused(lists: dict[str, dict[str, float]]) -> None:
    with pytest.raises(BadInput, match="no words"):
        build_model(lists)
