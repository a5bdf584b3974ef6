from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest
from tests.unit.search.texts import entry
from tests.unit.search.webs import linked_web, number, url

from gossamer.search.answers.answer_query import search
from gossamer.search.answers.answer_records import Wish
from gossamer.search.answers.related_terms import LinkName, link_names
from gossamer.search.index.search_index import Index
from gossamer.search.links import hash_link_texts
from gossamer.search.links.generic_anchor_texts import EmptyTexts
from gossamer.store.sqlite.sqlite_store import SqliteStore

WISH = Wish(related=True)


@pytest.fixture(scope="module")
def index() -> Index:
    """Ten pages on Haydn, of which some speak of quartets, among a hundred others."""
    index = Index()
    writer = index.writer()
    for page in range(110):
        text = f"the haydn {'quartets ' * (page % 2)} esterhazy" if page < 10 else f"the boiler {page} steams"
        writer.add(entry(page, title="", main=text, language="en"))
    writer.commit()
    return index


def test_words_typical_of_the_answers_are_told_as_they_are_spelt(index: Index) -> None:
    found = search(index, "haydn", WISH).related_terms
    assert [(term.word, term.pages, term.everywhere) for term in found] == [
        ("esterhazy", 10, 10),
        ("quartets", 5, 5),
    ]


def test_they_cost_nothing_where_nobody_wished_for_them(index: Index) -> None:
    assert search(index, "haydn").related_terms == ()
    assert search(index, "nothing", WISH).related_terms == ()


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Index, SqliteStore]]:
    yield from linked_web(Path(tmp_path_factory.mktemp("related")))


def test_pages_around_the_answers_are_named_by_their_links(web: tuple[Index, SqliteStore]) -> None:
    found = search(web[0], "haydn quartets", WISH, web[1]).link_names
    assert {one.name for one in found} == {"Papa Haydn", "Joseph", "Wolfgang", "Amadeus", "old page of Haydn"}
    assert LinkName("Wolfgang", 1, url("mozart")) in found


def test_an_index_alone_knows_no_names(web: tuple[Index, SqliteStore]) -> None:
    assert search(web[0], "haydn", WISH).link_names == ()


def test_addresses_and_numbers_are_no_names(web: tuple[Index, SqliteStore]) -> None:
    found = {one.name for one in link_names(*web, [number("bare")])}
    assert found == {"Boilers: how?", "boiler.example/a b", "next"}


def test_texts_that_say_nothing_are_no_names(web: tuple[Index, SqliteStore]) -> None:
    index, store = web
    index.take_empty_texts(EmptyTexts(hash_link_texts.hashes([msgspec.msgpack.encode(["NEXT"])], 1)))
    assert {one.name for one in link_names(index, store, [number("bare")])} == {
        "Boilers: how?",
        "boiler.example/a b",
    }
    index.take_empty_texts(EmptyTexts(np.empty(0, np.int64)))
