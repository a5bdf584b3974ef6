"""Concordances find what a plain search finds, and collocates agree with a plain count."""

import math
import re
from collections import Counter
from pathlib import Path

import pytest
from tests.unit.context.words.test_frequency_list import make_pages
from tests.unit.context.words.twin import PlainPage, open_pages

from gossamer.context.words.concordance import token_pattern
from gossamer.context.words.concordance.collocates import find_collocates
from gossamer.context.words.concordance.find_lines import (
    Concordance,
    LineOrder,
    find_matches,
    make_concordance,
)
from gossamer.context.words.concordance.token_pattern import MatchKind, parse_pattern
from gossamer.context.words.selection import Selection, select_sentences
from gossamer.context.words.tokens.split_tokens import is_word, split_tokens
from gossamer.context.words.tokens.token_store import TokenStore
from gossamer.errors import BadInput

TEXTS = (
    ("en", "The old ship went home, and the Ship was old."),
    ("en", "Ships go where the wind goes; no ship's captain went."),
    ("de", "Das Schiff ging heim, sie gehen auch."),
)


def look(
    store: TokenStore, text: str, kind: MatchKind = "words", case: bool = False, order: LineOrder = "page"
) -> Concordance:
    chosen = select_sentences(store, Selection())
    return make_concordance(find_matches(store, parse_pattern(text, kind, case), chosen), 1_000, order)


@pytest.fixture
def ships(tmp_path: Path) -> TokenStore:
    pages = [
        PlainPage(1, "a.example", 0, TEXTS),
        PlainPage(2, "b.example", 0, (*TEXTS[:1], ("en", "No old ship here."))),
    ]
    return open_pages(tmp_path / "words", pages)


@pytest.mark.parametrize(
    ("text", "kind", "case", "matches"),
    [
        ("ship", "words", False, ["ship", "Ship", "ship"]),
        ("Ship", "words", True, ["Ship"]),
        ("old ship", "words", False, ["old ship", "old ship"]),
        ("the * went", "words", False, []),
        ("ship * home", "words", False, ["ship went home"]),
        ("ship*", "words", False, ["ship", "Ship", "Ships", "ship's", "ship"]),
        ("go", "lemmas", False, ["went", "go", "goes", "went"]),
        ("went", "lemmas", False, ["went", "go", "goes", "went"]),
        ("gehen", "lemmas", False, ["ging", "gehen"]),
        ("(go|go?es) where", "regex", False, ["go where"]),
        ("home,", "words", False, ["home,"]),
        ("old. Ships", "words", False, []),
    ],
)
def test_places(ships: TokenStore, text: str, kind: MatchKind, case: bool, matches: list[str]) -> None:
    found = look(ships, text, kind, case)
    assert [line.match for line in found.lines] == matches
    assert found.matches == len(matches)


def test_lines_have_the_text_around_and_cross_sentences_of_their_page(ships: TokenStore) -> None:
    (line,) = look(ships, "where the wind").lines
    assert line.left == "The old ship went home, and the Ship was old. Ships go "
    assert line.right == " goes; no ship's captain went. Das Schiff ging heim, sie gehen auch."
    assert (line.url, line.language) == ("http://a.example/1", "en")


def test_lines_are_sorted_by_the_words_beside_them(ships: TokenStore) -> None:
    after = look(ships, "go", "lemmas", order="right").lines
    assert [line.right[:8] for line in after] == [". Das Sc", " home, a", "; no shi", " where t"]
    before = look(ships, "went", order="left").lines
    assert [line.left.split()[-1] for line in before] == ["captain", "ship"]


def test_phrases_are_found_where_a_plain_search_finds_them(tmp_path: Path) -> None:
    pages = make_pages(3, 200)
    store = open_pages(tmp_path / "words", pages)
    texts: dict[str, str] = {}
    for page in pages:
        for _, text in page.sentences:
            words = " ".join(token.lower() for token, _ in split_tokens(text))
            texts.setdefault(" ".join(word for word in words.split() if is_word(word)), f" {words} ")
    for phrase in ("sea", "the sea", "a stormy", "schiff fuhr"):
        expected = sum(len(re.findall(f"(?= {re.escape(phrase)} )", text)) for text in texts.values())
        assert look(store, phrase).matches == expected
    assert look(store, "the sea").matches > 0


def test_collocates_are_those_of_a_plain_count(tmp_path: Path) -> None:
    pages = make_pages(4, 80)
    store = open_pages(tmp_path / "words", pages)
    sentences: dict[tuple[str, ...], tuple[str, list[str]]] = {}
    for page in pages:
        for language, text in page.sentences:
            tokens = [token.lower() for token, _ in split_tokens(text)]
            sentences.setdefault((language, *filter(is_word, tokens)), (language, tokens))
    together, times, places = Counter[str](), Counter[str](), 0
    for _, tokens in sentences.values():
        times.update(filter(is_word, tokens))
        for at, word in enumerate(tokens):
            if word == "sea":
                places += 1
                near = tokens[max(0, at - 3) : at] + tokens[at + 1 : at + 4]
                together.update(filter(is_word, near))
    matches = find_matches(store, parse_pattern("sea"), select_sentences(store, Selection()))
    found = find_collocates(store, matches, 100, span=3, least=1)
    assert matches.number == places
    english = [one for one in found if one.language == "en"]
    assert len(english) >= 3
    for one in english:
        assert (one.together, one.count) == (together[one.word], times[one.word])
        assert one.log_dice == pytest.approx(14 + math.log2(2 * one.together / (places + one.count)))


@pytest.mark.parametrize(
    ("text", "kind", "why"),
    [
        ("", "words", "at least one word"),
        ("* *", "words", "at least one word"),
        ("(ship", "regex", "is not a regular expression"),
        ("word " * 30, "words", "at most 20 words"),
        ("x" * 2_000, "words", "at most 1,000 characters"),
        ("a*b*c*d*e*f", "words", "at most 4 stars"),
    ],
)
def test_what_cannot_be_looked_for_is_said(text: str, kind: MatchKind, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        parse_pattern(text, kind)


def test_an_expression_that_runs_away_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_pattern, "_LONGEST_REGEX_S", 0.2)
    store = open_pages(
        tmp_path / "words", [PlainPage(1, "a.example", 0, (("en", f"so {'a' * 60}b it goes on"),))]
    )
    with pytest.raises(BadInput, match="without nested repetitions"):
        look(store, "(a+)+$", "regex")
