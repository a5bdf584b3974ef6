from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest
from tests.unit.search.texts import entry
from tests.unit.search.webs import linked_web, make_page, number, url

from gossamer.net.url import page_id
from gossamer.records import Page
from gossamer.search.answers.answer_query import search
from gossamer.search.answers.answer_records import SearchOptions
from gossamer.search.answers.related_terms import LinkName, find_link_names
from gossamer.search.index.search_index import Index
from gossamer.search.links import hash_link_texts
from gossamer.search.links.generic_anchor_texts import GenericTexts
from gossamer.store.batch import KIND_OF_TYPE, Batch, LinkColumns
from gossamer.store.sqlite.sqlite_store import SqliteStore

OPTIONS = SearchOptions(related=True)


@pytest.fixture(scope="module")
def index() -> Index:
    """Ten pages on Haydn, half of them about quartets, among a hundred others."""
    index = Index()
    writer = index.writer()
    for page in range(110):
        text = f"the haydn {'quartets ' * (page % 2)} esterhazy" if page < 10 else f"the boiler {page} steams"
        writer.add(entry(page, title="", main=text, language="en"))
    writer.commit()
    return index


def test_related_terms_keep_the_spelling_of_the_pages(index: Index) -> None:
    found = search(index, "haydn", OPTIONS).related_terms
    assert [(term.word, term.pages, term.everywhere) for term in found] == [
        ("esterhazy", 10, 10),
        ("quartets", 5, 5),
    ]


def test_related_terms_are_found_only_on_request(index: Index) -> None:
    assert search(index, "haydn").related_terms == ()
    assert search(index, "nothing", OPTIONS).related_terms == ()


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Index, SqliteStore]]:
    yield from linked_web(Path(tmp_path_factory.mktemp("related")))


def test_link_names_come_from_links_around_the_answers(web: tuple[Index, SqliteStore]) -> None:
    found = search(web[0], "haydn quartets", OPTIONS, web[1]).link_names
    assert {one.name for one in found} == {"Papa Haydn", "Joseph", "Wolfgang", "Amadeus", "old page of Haydn"}
    assert LinkName("Wolfgang", 1, url("mozart")) in found


def test_an_index_without_a_store_has_no_link_names(web: tuple[Index, SqliteStore]) -> None:
    assert search(web[0], "haydn", OPTIONS).link_names == ()


def test_addresses_and_numbers_are_not_names(web: tuple[Index, SqliteStore]) -> None:
    found = {one.name for one in find_link_names(*web, [number("bare")])}
    assert found == {"Boilers: how?", "boiler.example/a b", "next"}


def test_generic_texts_are_not_names(web: tuple[Index, SqliteStore]) -> None:
    index, store = web
    index.set_generic_texts(GenericTexts(hash_link_texts.hash_texts([msgspec.msgpack.encode(["NEXT"])], 1)))
    assert {one.name for one in find_link_names(index, store, [number("bare")])} == {
        "Boilers: how?",
        "boiler.example/a b",
    }
    index.set_generic_texts(GenericTexts(np.empty(0, np.int64)))


CAPTION = "A man in a coat stands beside two horses"


def name_links(folder: Path, *links: tuple[str, str], **pages: Page) -> set[str]:
    """Return the names around one page with these links, in a web with these pages."""
    store = SqliteStore(folder / "state.sqlite", create=True)
    kinds = bytes([KIND_OF_TYPE["a"]] * len(links))
    targets = [page_id(f"https://a.example/{target}") for target, _ in links]
    row = LinkColumns(1, targets, kinds, [text for _, text in links])
    store.commit(Batch(links=[row], pages=list(pages.values())))
    found = {one.name for one in find_link_names(Index(), store, [1])}
    store.close()
    return found


def test_names_of_dead_targets_are_left_out(tmp_path: Path) -> None:
    alive = make_page("https://a.example/alive", "Alive")
    gone = make_page("https://a.example/gone", "Not found", status=404)
    links = [("alive", "Living page"), ("gone", "Broken page"), ("unseen", "Page outside")]
    assert name_links(tmp_path, *links, alive=alive, gone=gone) == {"Living page"}


def test_captions_and_names_of_pictures_are_left_out(tmp_path: Path) -> None:
    pages = {
        "about": make_page("https://a.example/File:Haydn.JPG", "File:Haydn.JPG"),
        "picture": make_page("https://a.example/haydn", "Haydn", kind="image"),
        "plate": make_page("https://a.example/plate", "Plate 12"),
        "coat": make_page("https://a.example/coat", "Coat"),
    }
    links = [
        ("File:Haydn.JPG", "Portrait"),
        ("haydn", "Haydn"),
        ("plate", CAPTION),
        ("coat", f"{CAPTION} too"),
    ]
    assert name_links(tmp_path, *links, **pages) == {f"{CAPTION} too"}
