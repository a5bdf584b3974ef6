"""Links that a template repeats are found from their order on pages; links in running text are not."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.graph.templates import link_pairs
from gossamer.graph.templates.find_template_links import LinksOfPages, find_template_links
from gossamer.graph.templates.page_directories import LEVELS, PageDirectories
from gossamer.lab import World
from gossamer.lab.options import Shape, Templates
from gossamer.net.url import page_id

Web = dict[str, list[str]]
"""The URLs of pages, each with the targets of its links in page order."""


def mark(web: Web, at_once: int = 1000) -> dict[str, list[bool]]:
    """Return for each page which of its links are template links."""
    directories = PageDirectories()
    urls = [url.encode() for url in web]
    starts = np.cumsum([0, *map(len, urls)])
    directories.add(to_ids(web), np.frombuffer(b"".join(urls), np.uint8), starts)
    pages = list(web)
    batches = [pages[first : first + at_once] for first in range(0, len(pages), at_once)]
    read = (
        LinksOfPages(
            to_ids(some),
            np.cumsum([0, *(len(web[url]) for url in some)]),
            to_ids([target for url in some for target in web[url]]),
        )
        for some in batches
    )
    marks = find_template_links(read, directories)
    assert [len(one) for one in marks] == [sum(len(web[url]) for url in some) for some in batches]
    flat = iter(np.concatenate([*marks, np.empty(0, np.bool_)]).tolist())
    return {url: [next(flat) for _ in web[url]] for url in pages}


def to_ids(urls: object) -> np.ndarray:
    return np.array([page_id(url) for url in urls], np.int64)  # type: ignore[attr-defined]


def draw_content(dice: random.Random, count: int = 5) -> list[str]:
    return [f"http://else{dice.randrange(500)}.example/" for _ in range(count)]


def make_host(pages: int, top: list[str], bottom: list[str], folder: str = "", seed: int = 1) -> Web:
    """Make pages of a host with the same links before and after links of their own."""
    dice = random.Random(seed)
    urls = [f"http://a.example/{folder}{number}.html" for number in range(pages)]
    return {url: [*top, *draw_content(dice), *bottom] for url in urls}


TOP = [f"http://a.example/menu{number}" for number in range(4)]
BOTTOM = ["http://a.example/about", "http://licence.example/"]


@pytest.mark.parametrize("at_once", [1, 7, 1000])
def test_navigation_and_footer_are_found(at_once: int) -> None:
    marks = mark(make_host(20, TOP, BOTTOM), at_once)
    assert all(found == [True] * 4 + [False] * 5 + [True] * 2 for found in marks.values())


def test_a_single_licence_link_at_the_end_is_found() -> None:
    assert all(found == [False] * 5 + [True] for found in mark(make_host(20, [], BOTTOM[1:])).values())


def test_a_hub_in_running_text_is_content() -> None:
    web = make_host(40, TOP, BOTTOM)
    dice = random.Random(2)
    for links in web.values():
        links.insert(dice.randrange(5, 9), "http://a.example/glossary")
    marks = mark(web)
    for url, links in web.items():
        assert not marks[url][links.index("http://a.example/glossary")]


def test_directories_have_templates_of_their_own() -> None:
    one, other = (
        make_host(8, [*TOP, f"http://a.example/{name}/1", f"http://a.example/{name}/2"], [], f"{name}/")
        for name in ("one", "other")
    )
    many = make_host(60, TOP, [], seed=5)
    marks = mark({**many, **one, **other})
    assert all(marks[url] == [True] * 6 + [False] * 5 for url in (*one, *other))
    assert all(marks[url] == [True] * 4 + [False] * 5 for url in many)


def test_templates_that_do_not_link_a_page_to_itself_are_found_there_too() -> None:
    web = make_host(10, TOP, BOTTOM)
    dice = random.Random(3)
    for own in TOP:
        web[own] = [*(url for url in TOP if url != own), *draw_content(dice), *BOTTOM]
    marks = mark(web)
    assert all(marks[own] == [True] * 3 + [False] * 5 + [True] * 2 for own in TOP)


def test_a_long_menu_on_some_pages_only_is_found() -> None:
    menu = [f"http://a.example/menu{number}" for number in range(6)]
    dice = random.Random(4)
    web = {f"http://a.example/{number}.html": draw_content(dice) for number in range(40)}
    for url in list(web)[::2]:
        web[url] = [*draw_content(dice, 2), *menu, *draw_content(dice, 2)]
    marks = mark(web)
    for url in list(web)[::2]:
        assert marks[url] == [False] * 2 + [True] * 6 + [False] * 2
    assert not any(any(marks[url]) for url in list(web)[1::2])


def test_a_list_that_begins_like_the_menu_is_content() -> None:
    web = make_host(20, TOP, BOTTOM)
    first = next(iter(web))
    web[first] = [*TOP, "http://x.example/", *TOP[1:3], "http://y.example/", *BOTTOM]
    assert mark(web)[first] == [True] * 4 + [False] * 4 + [True] * 2


def test_a_part_of_a_menu_in_the_text_of_a_page_without_the_menu_is_content() -> None:
    web = make_host(30, TOP, BOTTOM)
    first = next(iter(web))
    before = draw_content(random.Random(2), 9)
    web[first] = [*before, *TOP[1:3], *before, *BOTTOM]
    assert mark(web)[first] == [False] * 20 + [True] * 2


def test_a_link_in_the_text_that_meets_the_footer_as_in_the_menu_is_content() -> None:
    menu = [TOP[0], TOP[1], BOTTOM[0], TOP[2]]
    web = make_host(20, menu, BOTTOM)
    first = next(iter(web))
    web[first] = [*menu, "http://x.example/", TOP[1], *BOTTOM]
    assert mark(web)[first] == [True] * 4 + [False] * 2 + [True] * 2


def test_a_menu_above_and_below_the_text_is_found_twice() -> None:
    web = make_host(20, TOP, [*TOP, *BOTTOM])
    assert all(found == [True] * 4 + [False] * 5 + [True] * 6 for found in mark(web).values())


def test_two_pages_are_too_few_to_tell() -> None:
    assert not any(any(found) for found in mark(make_host(2, TOP, BOTTOM)).values())


def test_links_of_unknown_pages_are_content() -> None:
    links = LinksOfPages(np.arange(1, 31), np.arange(31) * 2, np.tile(np.array([5, 6]), 30))
    assert not find_template_links([links], PageDirectories())[0].any()
    assert find_template_links([], PageDirectories()) == []


@given(st.lists(st.lists(st.integers(-3, 3), max_size=6), max_size=12))
def test_any_links_can_be_judged(pages: list[list[int]]) -> None:
    web = {
        f"http://a.example/{at}": [f"http://b.example/{to}" for to in some] for at, some in enumerate(pages)
    }
    assert {url: len(found) for url, found in mark(web).items()} == {
        url: len(some) for url, some in web.items()
    }


@pytest.mark.slow
def test_planted_templates_are_recognised_and_content_is_kept() -> None:
    shape = Shape(hub=0.7, templates=Templates(navigation=5, section=3, footer=3, licences=1))
    world = World(seed=3, hosts=4, pages=320, shape=shape, languages=("en",))
    truths = [world.page(world.url(number)) for number in range(320)]
    web = {truth.url: [link.url for link in truth.links] for truth in truths if truth is not None}
    marks = mark(web)
    planted = np.array([flag for truth in truths if truth is not None for flag in truth.template])
    found = np.array([flag for flags in marks.values() for flag in flags])
    assert found[planted].mean() >= 0.98
    assert found[~planted].mean() <= 0.005


def test_directories_are_those_of_the_path() -> None:
    urls = [
        "http://a.example/", "http://a.example/x/1", "http://a.example/x/y/2?q=/z/", "http://b.example/x/y/z/3", "http://a.example/x/y/",
    ]  # fmt: skip
    texts = [url.encode() for url in urls]
    packed = np.frombuffer(b"".join(texts), np.uint8)
    found = link_pairs.hash_directories(packed, np.cumsum([0, *map(len, texts)]), 7)
    assert found.shape == (5, LEVELS)
    assert (found != 0).sum(axis=1).tolist() == [1, 2, 3, 3, 3]
    assert found[0, 0] == found[1, 0] == found[2, 0] != found[3, 0]
    assert found[1, 1] == found[2, 1] != found[3, 1]
    assert found[2, 2] == found[4, 2]


def test_arrays_that_do_not_fit_are_refused() -> None:
    ids, short, tallies = np.zeros(2, np.int64), np.array([0, 1], np.int64), np.zeros(4, np.uint8)
    with pytest.raises(ValueError, match="lengths"):
        link_pairs.hash_pairs(ids, short, ids, tallies)
    with pytest.raises(ValueError, match="lengths"):
        link_pairs.hash_pairs(ids[:1], np.array([0, 2]), ids, np.zeros(3, np.uint8))
    with pytest.raises(ValueError, match="lengths"):
        link_pairs.hash_bridges(ids, short, ids, ids)
    with pytest.raises(ValueError, match="starts"):
        link_pairs.hash_directories(np.zeros(1, np.uint8), np.array([0, 9]), 7)
    with pytest.raises(ValueError, match="fit"):
        link_pairs.count_pages(np.array([3], np.int32), np.array([0], np.int32), 2)


def test_a_link_at_the_same_place_among_others_is_found() -> None:
    """Every page of a manual links to the page before it, home, and to the next one."""
    dice = random.Random(7)
    urls = [f"http://a.example/{number}.html" for number in range(30)]
    web = {
        url: [
            urls[number - 1],
            "http://a.example/",
            urls[(number + 1) % 30],
            *draw_content(dice, 3 + number % 7),
        ]
        for number, url in enumerate(urls)
    }
    assert all(found[:4] == [False, True, False, False] for found in mark(web).values())


def test_links_that_repeat_each_other_say_nothing() -> None:
    """Two links to one page in a row are normal in running text."""
    dice = random.Random(8)
    web = {
        f"http://a.example/{number}": [
            *draw_content(dice, 9 + number % 5),
            "http://a.example/api",
            "http://a.example/api",
            *draw_content(dice, 9),
        ]
        for number in range(30)
    }
    assert not any(any(found) for found in mark(web).values())
