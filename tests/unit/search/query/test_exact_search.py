from pathlib import Path

import pytest
from tests.unit.search.texts import entry

from gossamer.search.answers.answer_query import search
from gossamer.search.index import search_index as indexes
from gossamer.search.index.search_index import Index

PAGES = (
    entry(1, title="One", main="The animal farm is far.", language="en"),
    entry(2, title="Two", main="Animals of farms, and an animal.", language="en"),
    entry(3, title="Animal Farms", main="A book.", language="en"),
    entry(4, title="Café", main="Ein Haus am See.", language="de"),
)


def find(query: str, exact: bool) -> set[str]:
    index = Index(exact=exact)
    writer = index.writer()
    for page in PAGES:
        writer.put(page)
    writer.commit()
    return {answer.title for answer in search(index, query).answers}


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("exact:animals", {"Two"}),
        ("exact:Animal", {"One", "Two", "Animal Farms"}),
        ('exact:"animal farm"', {"One"}),
        ('exact:"Animal Farms"', {"Animal Farms"}),
        ('"animal farm"', {"One", "Animal Farms"}),
        ("animal -exact:animals", {"One", "Animal Farms"}),
        ("exact:häuser", set()),
        ("exact:cafe", set()),
        ("exact:café", {"Café"}),
        ("exact:zebra", set()),
    ],
)
def test_exact_search_finds_words_as_they_are_written(query: str, titles: set[str], exact: bool) -> None:
    assert find(query, exact) == titles


def test_an_index_that_is_not_exact_says_how_far_it_looked() -> None:
    index = Index()
    assert any("gossamer index --exact" in note for note in search(index, "exact:word").notes)
    assert not any("--exact" in note for note in search(Index(exact=True), "exact:word").notes)
    assert any("needs a word" in note for note in search(index, 'exact:"!"').notes)


def test_an_index_stays_exact_until_it_is_built_otherwise(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    assert not Index(folder).exact
    writer = Index(folder, exact=True).writer()
    writer.put(PAGES[0])
    writer.commit()
    del writer
    assert (Index(folder).exact, Index(folder).pages, indexes.exists(folder)) == (True, 1, True)
    other = Index(folder, exact=False)
    assert (other.exact, other.pages, indexes.exists(folder)) == (False, 0, True)


def test_an_index_made_with_other_dictionaries_is_built_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Index(tmp_path / "index")
    monkeypatch.setattr(indexes, "measure_dictionaries", lambda: 1)
    assert not indexes.exists(tmp_path / "index")
