"""Sentences of a corpus come from running text in the chosen languages, and are split into words."""

import pytest

from gossamer.net.html import read
from gossamer.text.language.detection.corpus_sentences import (
    Sentence,
    WordLengths,
    keep_sentences,
    sentences_of,
    split_words,
)

PAGE = """<html lang="en"><title>T</title>
<ul><li><a href="/">Home</a><li><a href="/about">About us and our work</a></ul>
<h1>Of spiders and of webs</h1>
<p>The spider waits until it may ask again. Then it reads the page, and whatever stands on it!  Yes.</p>
<p>Die Spinne wartet, bis sie wieder fragen darf.
 Danach liest sie die Seite und alles, was darauf steht.</p>
<table><tr><td>12</td><td>13</td></tr></table>"""


def texts(*languages: str, fewest_words: int = 5) -> list[tuple[str, str]]:
    document = read(PAGE.encode(), "http://a.example/", "text/html; charset=utf-8")
    found = sentences_of(document, frozenset(languages), fewest_words)
    return [(one.language, one.text) for one in found]


def test_sentences_come_from_running_text_in_page_order() -> None:
    assert texts() == [
        ("en", "The spider waits until it may ask again."),
        ("en", "Then it reads the page, and whatever stands on it!"),
        ("de", "Die Spinne wartet, bis sie wieder fragen darf."),
        ("de", "Danach liest sie die Seite und alles, was darauf steht."),
    ]


def test_sentences_can_be_restricted_by_language_and_length() -> None:
    assert [language for language, _ in texts("de", "fr")] == ["de", "de"]
    assert texts("da") == []
    assert ("en", "Yes.") in texts("en", fewest_words=1)
    assert len(texts("en", fewest_words=10)) == 1


def test_a_sentence_may_have_another_language_than_its_block() -> None:
    german = "Danach liest sie die Seite und alles, was darauf geschrieben steht."
    english = "The spider has been waiting for it since yesterday."
    page = f"<p>{german} {english} {german} Über New York, Los Angeles und San Francisco.</p>"
    document = read(page.encode(), "http://a.example/", "text/html; charset=utf-8")
    assert [one.language for one in sentences_of(document)] == ["de", "en", "de", "de"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It's a “well-known” fact, isn't it?", ["it's", "a", "well-known", "fact", "isn't", "it"]),
        ("Über 25 Seiten: www.example.org/x, a@b.example & mehr …", ["über", "seiten", "mehr"]),
        ("मैं घर जा रहा हूँ।", ["मैं", "घर", "जा", "रहा", "हूँ"]),
        ("我们去公园。", ["我", "们", "去", "公", "园"]),
        ("— 12 % …", []),
    ],
)
def test_texts_are_split_into_words(text: str, words: list[str]) -> None:
    assert split_words(text) == words


def test_sentences_are_kept_by_share_of_their_language_and_lengths_of_words() -> None:
    page = [
        Sentence("Das ist ein langer deutscher Satz über das Meer.", "de", 1),
        Sentence("A short one.", "en", 2),
        Sentence("Noch ein Satz auf Deutsch.", "de", 3),
    ]
    assert list(keep_sentences(page)) == page
    assert list(keep_sentences(page, least_share=0.5)) == [page[0], page[2]]
    assert list(keep_sentences(page, frozenset({"en"}), 0.5)) == []
    assert list(keep_sentences(page, frozenset({"en"}), 0.1)) == [page[1]]
    long = WordLengths(shortest=4, longest=8)
    assert list(keep_sentences(page, fewest_words=3, lengths=long)) == [page[0], page[2]]
    assert long.select(["das", "meer", "deutsche", "deutscher"]) == ["meer", "deutsche"]
