"""The pages of words and their API, over the library."""

import re
import shutil
from pathlib import Path

import msgspec
import pytest
from tests.unit.ui.app_client import ask
from tests.unit.ui.conftest import GetPage

from gossamer.context.words.frequency_list import ListOptions, make_frequency_list
from gossamer.context.words.selection import Selection
from gossamer.context.words.web_words import open_words
from gossamer.ui.access.guard import Guard
from gossamer.ui.api.words_api import ConcordanceAnswer, WordListAnswer
from gossamer.ui.app import make_application
from gossamer.ui.page_context import PageContext


def test_the_page_lists_words_that_lead_to_their_places(get_page: GetPage, library: Path) -> None:
    expected = make_frequency_list(open_words(library), Selection(), ListOptions(least=3, number=100))
    page = get_page("/words").text
    words = re.findall(r'<a href="/words/([^"?]+)\?language=..', page)
    assert words[:10] == [row.word for row in expected.rows[:10]]
    other = get_page("/words/flute").text
    assert '<h1 dir="auto">flute</h1>' in other
    assert '<h1 dir="auto">organ</h1>' in get_page("/words/organ").text, "each word has its own page"
    assert other.count("<mark>flute</mark>") == 15


def test_a_selection_shows_keywords(get_page: GetPage) -> None:
    page = get_page("/words?q=haydn&unit=lemmas&measure=log-ratio")
    assert page.status == 200
    assert "Used more here" in page.text
    assert 'value="haydn"' in page.text
    kept = re.findall(r'<a href="/words/[^"?]+\?([^"]+)"', get_page("/words?q=haydn").text)
    assert kept
    assert all(one.startswith("q=haydn&amp;language=") for one in kept)


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("q=nosuchword", "No page of this web matches the query."),
        ("language=fi", "No sentence of this web is in fi; it has "),
        ("since=yesterday", "--since needs a date"),
        ("site=%3Cscript%3E", "No page with running text is in this selection"),
    ],
)
def test_what_cannot_be_shown_is_said_beside_the_form(get_page: GetPage, query: str, why: str) -> None:
    page = get_page(f"/words?{query}")
    assert page.status == 400
    assert why in page.text
    assert "<script>" not in page.text
    assert 'action="/words"' in page.text


def test_a_web_whose_words_were_not_read_says_how(own: Path) -> None:
    shutil.rmtree(own / "words")
    with PageContext(own) as context:
        app = make_application(context, Guard())
        page = ask(app, "/words")
        assert (page.status, ask(app, "/api/words").status) == (200, 400)
    assert "have not been read yet" in page.text


def test_programs_get_the_same_lists(get_page: GetPage, library: Path) -> None:
    expected = make_frequency_list(open_words(library), Selection(), ListOptions(least=1, number=10))
    found = msgspec.json.decode(get_page("/api/words?number=10&least=1").body, type=WordListAnswer)
    assert found.frequencies == expected
    assert found.keywords is None
    some = msgspec.json.decode(get_page("/api/words?site=127.9.7.2").body, type=WordListAnswer)
    assert some.keywords is not None
    assert some.keywords.rows[0].language == "de"
    lines = msgspec.json.decode(
        get_page("/api/concordance?word=flute&sort=left").body, type=ConcordanceAnswer
    )
    assert lines.concordance.matches == 15
    assert lines.collocates


@pytest.mark.parametrize(
    "address",
    [
        "/api/concordance?word=",
        "/api/words?unit=letters",
        "/api/words?number=0",
        "/api/concordance?word=a*b*c*d*e*f",
    ],
)
def test_wrong_parameters_are_refused_in_one_sentence(get_page: GetPage, address: str) -> None:
    reply = get_page(address)
    assert reply.status == 400
    assert "error" in msgspec.json.decode(reply.body)
