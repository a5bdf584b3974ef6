"""Links speak for the theme of a page: their words, and the pages that are named together; menus do not."""

from pathlib import Path

import numpy as np
from tests.unit.context.themes.subjects import (
    fill_index,
    find_subject,
    make_entry,
    make_pages,
    make_store,
    make_url,
)

from gossamer.context.themes.build_themes import add_pages, build
from gossamer.context.themes.link_evidence import mix_links, mix_new_links, read_hubs, read_in_links
from gossamer.context.themes.link_groups import group_links
from gossamer.context.themes.list_pages import list_pages
from gossamer.net.url import page_id

VAGUE = "house day year water city people number story letter morning evening window street river"


def make_hub(subject: str, target: str) -> list[tuple[str, str]]:
    return [(target, "here"), *((make_url(subject, number), f"{subject} {number}") for number in range(4))]


def test_pages_that_are_named_together_share_a_theme(tmp_path: Path) -> None:
    vague = [make_entry("music", number, f"{VAGUE} {number}") for number in (800, 801)]
    pages = [*make_pages(), *vague]
    hubs = {f"https://hub{n}.example/": make_hub("steam", vague[0].url) for n in range(3)}
    hubs |= {f"https://list{n}.example/": make_hub("bread", vague[1].url) for n in range(3)}
    store = make_store(tmp_path, pages, hubs)
    index = fill_index(pages)
    state = build(list_pages(index), store, 4)
    themes = dict(zip(state.pages["id"].tolist(), state.numbers[state.pages["theme"]].tolist(), strict=True))
    by_subject = {find_subject(one.typical[0].url): one.number for one in state.themes.themes}
    assert themes[vague[0].id] == by_subject["steam"]
    assert themes[vague[1].id] == by_subject["bread"]
    assert state.themes.linked >= 10
    later = add_pages(state, list_pages(index), store)
    assert later.pages["theme"].tolist() == state.pages["theme"].tolist()
    store.close()


def test_a_new_page_is_moved_as_in_a_whole_build(tmp_path: Path) -> None:
    ids = np.sort(np.array([page_id(make_url("steam", number)) for number in range(4)], np.int64))
    target = int(ids[2])
    store = make_store(
        tmp_path, [], {"https://hub.example/": [(make_url("steam", n), "x") for n in range(4)]}
    )
    vectors = np.eye(4, 6, dtype=np.float32)
    whole, moved = mix_links(vectors, read_hubs(store, ids))
    alone, is_moved = mix_new_links(vectors[2:3], [[page_id("https://hub.example/")]], ids, vectors, store)
    assert moved.all()
    assert is_moved.all()
    assert ids[2] == target
    assert np.allclose(whole[2], alone[0], atol=1e-6)
    assert whole[2, 2] > whole[2, 0] > 0
    store.close()


def test_words_of_links_count_once_for_each_text(tmp_path: Path) -> None:
    target = make_url("steam", 1)
    texts = ["Steam Engines", "steam engines", "the boiler", "12"]
    links = {f"https://s{n}.example/": [(target, text)] for n, text in enumerate(texts)}
    store = make_store(tmp_path, [make_entry("steam", 1)], links)
    found = read_in_links(store, fill_index([make_entry("steam", 1)]), {page_id(target): "en"})[
        page_id(target)
    ]
    assert found.terms == {"steam": 2, "engine": 2, "boiler": 2}
    assert len(found.sources) == 4
    store.close()


def test_links_of_answers_are_grouped_by_theme_and_by_site(tmp_path: Path) -> None:
    pages = make_pages()
    steam, bread = [make_url("steam", n) for n in (1, 2)], make_url("bread", 1)
    far = "https://far.example.org/x"
    links = {
        make_url("music", 1): [(steam[0], "One"), (steam[1], "Two"), (far, "Far away")],
        make_url("music", 2): [(steam[0], "One"), (bread, "")],
    }
    store = make_store(tmp_path, pages, links)
    state = build(list_pages(fill_index(pages)), None, 4)
    found = group_links(store, [page_id(url) for url in links], state, "music")
    labels = {find_subject(theme.typical[0].url): theme for theme in state.themes.themes}
    assert [(one.theme, one.links, one.pages) for one in found.groups] == [
        (labels["steam"].number, 3, 2),
        (labels["bread"].number, 1, 1),
        (0, 1, 1),
    ]
    assert found.groups[0].label == labels["steam"].name
    assert (found.groups[0].best[0].url, found.groups[0].best[0].links) == (steam[0], 2)
    assert (found.groups[2].label, found.groups[2].best[0].text) == ("example.org", "Far away")
    without = group_links(store, [page_id(url) for url in links], None)
    assert {one.theme for one in without.groups} == {0}
    assert group_links(store, [], state).groups == ()
    store.close()
