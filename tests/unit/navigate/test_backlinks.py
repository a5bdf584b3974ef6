"""Backlinks: all of them, the best first, with the words of the links."""

from collections.abc import Callable, Iterator
from typing import cast

import pytest
from tests.crawl.harness import Toy, make_quick_task
from tests.unit.ui.library import document

from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import serving
from gossamer.navigate.backlinks import find_backlinks, read_links
from gossamer.records import LinkType, PageLink
from gossamer.store.batch import Store
from gossamer.web import Web

NORTH, SOUTH = "127.9.11.1", "127.9.11.2"


def _make_world(port: list[int]) -> Toy:
    """Return two hosts: a page that three others link to, one of them through a redirect."""
    menu = "<a href='/one'>one</a> <a href='/two'>two</a> <a href='/old'>old</a>"
    north: dict[str, LabAnswer | Callable[[], LabAnswer]] = {
        "/robots.txt": LabAnswer(404),
        "/": document("Front", "The front of the site has a menu of its pages.", menu),
        "/one": document("First", "Read about <a href='/tower'>the old tower</a> of the town."),
        "/two": document(
            "Second", "Nothing to see.", "<a href='/old'>by a detour</a> <a href='/one'>one</a>"
        ),
        "/old": LabAnswer(301, (("Location", "/tower"),)),
        "/tower": document("Tower", "It was built in the year 1287, and stands on a hill."),
    }
    south: dict[str, LabAnswer | Callable[[], LabAnswer]] = {
        "/robots.txt": LabAnswer(404),
        "/": lambda: document(
            "Far", f"People praise <a href='http://{NORTH}:{port[0]}/tower'>that tower</a> everywhere."
        ),
    }
    return Toy({NORTH: north, SOUTH: south})


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Web, str]]:
    """A crawled and indexed web, and the address of the tower."""
    port: list[int] = []
    folder = tmp_path_factory.mktemp("backlinks") / "town.web"
    with serving(_make_world(port)) as running, Web(folder) as web:
        port.append(running.port)
        seeds = [f"http://{host}:{running.port}/" for host in (NORTH, SOUTH)]
        web.run([make_quick_task(running, seeds=seeds, scope="any", delay_s=0.0)])
        web.index()
        yield web, f"http://{NORTH}:{running.port}/tower"


def test_pages_that_link_to_a_page_come_with_the_words_of_their_links(town: tuple[Web, str]) -> None:
    found = find_backlinks(*town)
    assert (found.known, found.title, found.found) == (True, "Tower", 4)
    by_title = {one.title: (one.before, one.anchor, one.after) for one in found.items}
    assert by_title["First"] == ("Read about", "the old tower", "of the town")
    assert by_title["Far"] == ("People praise", "that tower", "everywhere")
    assert by_title["Second"][1] == "by a detour"  # through a redirect


def test_the_best_linked_pages_come_first(town: tuple[Web, str]) -> None:
    titles = [one.title for one in find_backlinks(*town).items]
    assert titles.index("First") < titles.index("Far")


def test_one_site_and_one_part_of_the_answers(town: tuple[Web, str]) -> None:
    assert [one.title for one in find_backlinks(*town, site=SOUTH).items] == ["Far"]
    everything = find_backlinks(*town)
    assert {one.name: one.count for one in everything.sites} == {NORTH: 3, SOUTH: 1}
    assert find_backlinks(*town, offset=1).items == everything.items[1:]
    assert find_backlinks(*town, count=1).items == everything.items[:1]


def test_every_link_of_the_store_is_a_backlink(music: Web) -> None:
    links = [one for one in music.store.links() if one.type == "a" and one.source not in (0, one.target)]
    assert links
    for target in {one.target for one in links}:
        sources = music.store.pages_by_id({one.source for one in links if one.target == target})
        found = find_backlinks(music, music.store.url(target) or "", count=100)
        assert {one.url for one in found.items} == {page.url for page in sources.values()}


def test_a_page_outside_the_collection_may_be_asked_for(music: Web) -> None:
    found = find_backlinks(music, "http://unknown.example/it's")
    assert (found.known, found.found, found.items) == (False, 0, ())
    assert found.collect.startswith("gossamer crawl 'http://unknown.example/it'")


class _RedirectingStore:
    """A store in which thousands of addresses redirect to one page, and each of them has links of its own."""

    def __init__(self) -> None:
        self.looked_up = 0
        self.read = 0

    def links_to(self, page: int, most: int = 100) -> list[PageLink]:
        self.looked_up += 1
        kind: LinkType = "redirect" if page == 7 else "a"
        links = [PageLink(page * 100_000 + at, page, kind) for at in range(min(most, 9_000))]
        self.read += len(links)
        return links


def test_a_page_with_thousands_of_redirects_costs_a_bounded_number_of_look_ups() -> None:
    store = _RedirectingStore()
    ends, links = read_links(cast("Store", store), 7)
    assert (store.looked_up <= 102, store.read, len(links)) == (True, 4_000, 4_000)
    assert len(ends) <= 100
