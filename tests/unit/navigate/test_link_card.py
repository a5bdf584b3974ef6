"""Cards say what the collection has, and nothing that the author forbids."""

from pathlib import Path

import pytest

from gossamer.crawl.explain.program_marks import PROGRAM_MARKS
from gossamer.errors import BadInput
from gossamer.navigate.link_card import CardMaker
from gossamer.net.url import page_id
from gossamer.records import Page
from gossamer.store.batch import Batch
from gossamer.web import Web


def test_a_card_has_the_facts_of_a_page_and_its_place_in_the_graph(music: Web, start: str) -> None:
    card = CardMaker(music).make_card(f"{start}haydn#life")
    assert (card.known, card.title, card.language, card.status) == (True, "Joseph Haydn", "en", 200)
    assert len(card.sentences) == 2
    assert card.sentences[0].startswith("Joseph Haydn wrote more than a hundred symphonies")
    assert (card.depth, card.visits, card.out_links, card.gone) == (1, 1, 1, False)
    assert card.in_links == 1
    assert CardMaker(music).make_card(start).rank > 0


def test_a_page_whose_author_allows_no_copies_has_no_sentences(music: Web, start: str) -> None:
    card = CardMaker(music).make_card(f"{start}secret")
    assert (card.known, card.title, card.sentences) == (True, "A secret memoir", ())


def test_an_unknown_address_has_an_empty_card(music: Web) -> None:
    card = CardMaker(music).make_card("http://unknown.example/")
    assert (card.known, card.title, card.visits, card.in_links) == (False, "", 0, 0)


@pytest.mark.parametrize("address", ["", "http://", "javascript:alert(1)", "\x00"])
def test_what_is_no_address_is_refused_in_a_sentence(music: Web, address: str) -> None:
    with pytest.raises(BadInput, match="is not the address of a page"):
        CardMaker(music).make_card(address)


def test_what_the_program_notes_about_a_page_is_no_topic(tmp_path: Path) -> None:
    url = "http://a.example/"
    marks = dict.fromkeys(sorted(PROGRAM_MARKS), "0.9") | {"music": "0.7"}
    with Web(tmp_path / "a.web") as web:
        page = Page(page_id(url), url, "a.example", 1, 0, 5.0, 200, "html", marks=marks)
        web.store.commit(Batch(pages=[page]))
        card = CardMaker(web).make_card(url)
    assert [(one.name, one.score) for one in card.topics] == [("music", "0.7")]
