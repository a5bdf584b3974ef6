"""Backlinks: all of them, the best first, with the words of the links."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import cast

import pytest
from tests.crawl.harness import Toy, make_quick_task
from tests.unit.ui.library import document

from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import serving
from gossamer.navigate.backlinks import find_backlinks, read_links
from gossamer.net.url import page_id
from gossamer.records import LinkType, Page, PageLink, Visit
from gossamer.store.batch import Batch, LinkColumns, Store
from gossamer.web import Web

HERE = "http://a.example/"
FIRST_S, LAST_S = datetime(2025, 3, 1, tzinfo=UTC).timestamp(), datetime(2026, 3, 1, tzinfo=UTC).timestamp()
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


def _make_page(path: str, date: str = "", marks: dict[str, str] | None = None) -> Page:
    url = HERE + path
    rest = {"title": path, "last_modified": date, "marks": marks or {}}
    return Page(page_id(url), url, "a.example", 1, 0, LAST_S, 200, "html", **rest)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A page that four others link to: three say when they were written, one of them always the present."""
    said = {"old": datetime(2019, 6, 5, tzinfo=UTC), "new": datetime(2024, 6, 5, tzinfo=UTC)}
    said["always"] = datetime.fromtimestamp(LAST_S, UTC)
    pages = [_make_page(name, format_datetime(date, usegmt=True)) for name, date in said.items()]
    pages.append(_make_page("silent", marks={"music": "0.9"}))
    firsts = {"silent": FIRST_S, "always": FIRST_S - 1}
    visits = [
        Visit(page.id, 1, when_s, "fetched", 200)
        for page in pages
        for when_s in (firsts.get(page.title, LAST_S), LAST_S)
    ]
    links = [LinkColumns(page.id, [page_id(HERE + "target")], b"\0", ["target"]) for page in pages]
    with Web(tmp_path_factory.mktemp("dates") / "dates.web") as web:
        web.store.commit(Batch(pages=[_make_page("target"), *pages], links=links, visits=visits))
        yield web


def test_the_pages_written_last_come_first_if_asked(dated: Web) -> None:
    found = find_backlinks(dated, HERE + "target", order="latest")
    assert [one.title for one in found.items] == ["silent", "always", "new", "old"]
    assert [one.written_s for one in found.items][:2] == [FIRST_S, FIRST_S - 1]
    assert [one.title for one in find_backlinks(dated, HERE + "target", 1, 2, order="latest").items] == [
        "always",
        "new",
    ]


def test_pages_about_one_topic(dated: Web) -> None:
    found = find_backlinks(dated, HERE + "target", topic="music")
    assert [(one.title, one.topics) for one in found.items] == [("silent", ("music",))]
    assert find_backlinks(dated, HERE + "target", topic="sport").found == 0


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
