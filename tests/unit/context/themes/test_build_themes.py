"""Themes are found from the words of pages, are the same each time, and take in new pages."""

import random

import msgspec
import numpy as np
import pytest
from tests.unit.context.themes.subjects import (
    SUBJECTS,
    fill_index,
    find_subject,
    make_entry,
    make_pages,
)

from gossamer.context.themes.build_themes import add_pages, build, choose_number
from gossamer.context.themes.list_pages import list_pages
from gossamer.context.themes.theme_file import ThemeState
from gossamer.errors import BadInput
from gossamer.search.engine import tantivy
from gossamer.search.index.page_entry import IndexedPage
from gossamer.search.index.search_index import Index


def group(state: ThemeState) -> dict[int, int]:
    numbers = [int(state.numbers[theme]) if theme >= 0 else 0 for theme in state.pages["theme"].tolist()]
    return dict(zip(state.pages["id"].tolist(), numbers, strict=True))


def find(index: Index, number: int | None = 4) -> ThemeState:
    return build(list_pages(index), None, number)


def test_each_subject_is_a_theme() -> None:
    state = find(fill_index(make_pages()))
    assert [theme.size for theme in state.themes.themes] == [30, 30, 30, 30]
    for theme in state.themes.themes:
        (subject,) = {find_subject(page.url) for page in theme.typical}
        words = set(SUBJECTS[subject].split())
        assert len(words & set(theme.words)) > len(theme.words) / 2
        assert theme.sites == {f"{subject}.example": 30}
        assert theme.languages == {"de" if subject == "garten" else "en": 30}
    names = [theme.name for theme in state.themes.themes]
    assert len(set(names)) == 4
    assert all(names)


def test_the_order_of_pages_changes_nothing() -> None:
    pages = make_pages()
    first = find(fill_index(pages))
    random.Random(3).shuffle(pages)
    second = find(fill_index(pages))
    assert group(first) == group(second)
    assert [theme.name for theme in first.themes.themes] == [theme.name for theme in second.themes.themes]


def test_copies_count_once() -> None:
    original = make_entry("bread", 0)
    copies = [make_entry("bread", number, original.main) for number in range(100, 140)]
    state = find(fill_index([*make_pages(), *copies]))
    bread = next(one for one in state.themes.themes if find_subject(one.typical[0].url) == "bread")
    assert (bread.size, bread.copies) == (30, 40)
    assert len({page.id for page in bread.typical} & {copy.id for copy in copies}) <= 1


def test_new_pages_join_and_nothing_else_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    index = fill_index(make_pages())
    state = find(index)
    gone, changed = make_entry("steam", 0), make_entry("music", 1, make_entry("bread", 777).main, stamp=2)
    new = make_pages(2, first=500)
    writer = index.writer()
    writer.remove(gone.id)
    for entry in [changed, *new]:
        writer.put(entry)
    writer.commit()
    read: list[str] = []
    load = Index.load_page

    def load_and_note(self: Index, place: "tantivy.DocAddress") -> IndexedPage:
        page = load(self, place)
        read.append(page.url)
        return page

    monkeypatch.setattr(Index, "load_page", load_and_note)
    later = add_pages(state, list_pages(index), None)
    typical = {page.url for theme in later.themes.themes for page in theme.typical}
    assert set(read) - typical <= {one.url for one in [changed, *new]}
    themes = group(later)
    before = group(state)
    assert gone.id not in themes
    by_subject = {find_subject(one.typical[0].url): one.number for one in state.themes.themes}
    assert {themes[one.id] for one in new if "steam" in one.url} == {by_subject["steam"]}
    assert themes[changed.id] == by_subject["bread"]
    kept = before.keys() & themes.keys() - {changed.id}
    assert all(before[page] == themes[page] for page in kept)
    assert [theme.name for theme in later.themes.themes if theme.size] != []
    assert {theme.name for theme in later.themes.themes} == {theme.name for theme in state.themes.themes}
    assert (later.themes.pages, later.themes.built_pages) == (127, 120)


def test_themes_keep_their_numbers_when_they_are_found_anew() -> None:
    first = find(fill_index(make_pages()))
    more = fill_index([*make_pages(), *make_pages(40, first=200)])
    second = build(list_pages(more), None, 4, first)
    before, after = group(first), group(second)
    assert all(after[page] == number for page, number in before.items())


def test_pages_without_words_have_no_theme() -> None:
    empty = make_entry("music", 900, "…")
    state = find(
        fill_index([*make_pages(), empty.__class__(id=5, url="https://x.example/", site="x.example")])
    )
    assert state.themes.without == 1
    assert group(state)[5] == 0


def test_pages_that_share_no_words_are_refused() -> None:
    pages = [make_entry("music", 1, "alpha"), make_entry("music", 2, "beta")]
    lonely = [page.__class__(id=n, url=page.url, main=page.main, title="") for n, page in enumerate(pages)]
    with pytest.raises(BadInput, match="too few words in common"):
        find(fill_index(lonely))


def test_the_number_of_themes_follows_the_size() -> None:
    assert [choose_number(pages) for pages in (2, 30, 200, 8_214, 17_431, 100_000, 1_000_000)] == [
        *(2, 6, 10, 18, 26, 63, 200)
    ]
    state = find(fill_index(make_pages()), None)
    assert 2 <= len(state.middles) <= 10
    assert np.isfinite(state.middles).all()


def test_names_have_two_words_written_as_in_texts() -> None:
    loud = [msgspec.structs.replace(page, title=page.title.upper()) for page in make_pages()]
    names = [theme.name for theme in build(list_pages(fill_index(loud)), None, 4).themes.themes]
    assert all(len(name.split()) > 1 for name in names)
    assert [name.lower() for name in names] == names
