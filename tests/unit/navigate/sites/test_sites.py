"""What a reader learns of a site: its sequences, what changed on it, and the versions of its pages."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.crawl.harness import Pages, Toy, make_quick_task
from tests.unit.ui.app_client import ask
from tests.unit.ui.library import document

from gossamer.crawl.recrawl.revisit_rounds import schedule_visits, visit_now
from gossamer.errors import BadInput
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import serving
from gossamer.navigate.sites.page_place import find_place_in_site
from gossamer.navigate.sites.page_sequence import find_sequence
from gossamer.navigate.sites.page_versions import list_versions
from gossamer.navigate.sites.read_as_one import read_parts
from gossamer.navigate.sites.site_overview import describe_site
from gossamer.ui.access.guard import Guard
from gossamer.ui.app import make_application
from gossamer.ui.page_context import PageContext
from gossamer.web import Web, open_to_read

HOST = "127.9.12.1"
OLD = "The library opens at nine in the morning. Readers bring their own paper and pencils with them."
NEW = "The library opens at ten in the morning. Readers bring their own paper and pencils with them."
CHAPTER = "Chapter {} explains, in some sentences of its own, how a loom is built from wood and set up by two people."


def make_world(version: list[str]) -> Toy:
    def tutorial(number: int, text: str, links: str, head: str = "") -> LabAnswer:
        return document(f"Loom {number}", CHAPTER.format(text), links, head)

    front = "".join(
        f"<a href='{one}'>{one}</a> "
        for one in ("/loom/a", "/news-1", "/news-2", "/news-3", "/hours", "/closed")
    )
    pages: Pages = {
        HOST: {
            "/robots.txt": LabAnswer(404),
            "/": document("Weavers", "The front page of the weavers has a list of what they wrote.", front),
            # By a link element, by words, and by rel of an anchor.
            "/loom/a": tutorial(1, "one", "<a href='/'>up</a>", "<link rel=next href=/loom/b>"),
            "/loom/b": tutorial(2, "two", "<a href='/loom/a'>« Previous</a> <a href='/loom/c'>Next »</a>"),
            "/loom/c": tutorial(
                3, "three", "<a rel=prev href='b'>two</a> <a rel='next noopener' href='d'>d</a>"
            ),
            "/loom/d": tutorial(4, "four", "<a rel=prev href='c'>c</a> <a rel=next href='/loom/a'>again</a>"),
            "/news-1": document("News 1", "The first news of the weavers came in the summer of that year."),
            "/news-2": document("News 2", "The second news of the weavers came in the autumn of that year."),
            "/news-3": document("News 3", "The third news of the weavers came in the winter of that year."),
            "/hours": lambda: document("Hours", version[0]),
            "/closed": document(
                "Closed", "Copies are forbidden.", head="<meta name=robots content=noarchive>"
            ),
        }
    }
    return Toy(pages)


@pytest.fixture(scope="module")
def weavers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str, float]]:
    """A web that was crawled twice, the address of its first page, and a time between the crawls."""
    version, folder = [OLD], tmp_path_factory.mktemp("sites") / "weavers.web"
    with serving(make_world(version)) as running, Web(folder) as web:
        seed = f"http://{HOST}:{running.port}/"
        web.run([make_quick_task(running, seeds=[seed], delay_s=0.0)])
        between_s = web.store.last_visit_s() + 0.001
        version[0] = NEW
        due = [visit_now(page.id) for page in web.store.pages()]
        web.run(again=schedule_visits(web.store, due, time.time()))
        web.index()
        yield folder, seed, between_s


@pytest.fixture
def web(weavers: tuple[Path, str, float]) -> Iterator[Web]:
    with open_to_read(weavers[0]) as opened:
        yield opened


LOOM = ["Loom 1", "Loom 2", "Loom 3", "Loom 4"]


@pytest.mark.parametrize("part", "abcd")
def test_a_tutorial_is_the_same_sequence_from_each_of_its_parts(
    web: Web, weavers: tuple[Path, str, float], part: str
) -> None:
    assert [one.title for one in find_sequence(web, f"{weavers[1]}loom/{part}")] == LOOM


def test_numbered_siblings_are_a_sequence(web: Web, weavers: tuple[Path, str, float]) -> None:
    for number in (1, 2, 3):
        found = find_sequence(web, f"{weavers[1]}news-{number}")
        assert [one.title for one in found] == ["News 1", "News 2", "News 3"]


def test_other_pages_are_in_no_sequence(web: Web, weavers: tuple[Path, str, float]) -> None:
    for path in ("", "hours", "news-9", "unknown"):
        assert find_sequence(web, f"{weavers[1]}{path}") == ()


def test_the_overview_of_a_site(web: Web, weavers: tuple[Path, str, float]) -> None:
    _, seed, between_s = weavers
    found = describe_site(web, f"{seed}loom/c", between_s)
    assert (found.site, found.pages, found.looked_at, found.start) == (HOST, 10, 10, seed)
    assert {one.depth: one.pages for one in found.depths} == {0: 1, 1: 6, 2: 1, 3: 1, 4: 1}
    assert [(one.title, one.is_new) for one in found.changed] == [("Hours", False)]
    assert [one.title for one in found.sequence] == LOOM
    assert describe_site(web, seed).changed == ()
    assert all(one.is_new for one in describe_site(web, seed, 0.0).changed)
    assert describe_site(web, "http://unknown.example/").pages == 0
    with pytest.raises(BadInput):
        describe_site(web, "no address")


def test_versions_show_the_words_that_differ(web: Web, weavers: tuple[Path, str, float]) -> None:
    found = list_versions(web, f"{weavers[1]}hours")
    assert (found.visits, len(found.items), found.note) == (2, 2, "")
    newest, oldest = found.items
    assert (oldest.blocks, newest.before_s) == ((), oldest.fetched_s)
    words = [
        (one.kind, one.text.strip()) for block in newest.blocks for one in block.words if one.kind != "same"
    ]
    assert words == [("gone", "nine"), ("new", "ten")]
    assert len(list_versions(web, f"{weavers[1]}news-1").items) == 1
    assert "allows no copies" in list_versions(web, f"{weavers[1]}closed").note
    assert "does not have" in list_versions(web, f"{weavers[1]}nothing").note


def test_a_tutorial_can_be_read_as_one(web: Web, weavers: tuple[Path, str, float]) -> None:
    parts = list(read_parts(web, find_sequence(web, f"{weavers[1]}loom/b")))
    texts = [" ".join(block.text for block in part.blocks) for part in parts]
    for text, word in zip(texts, ("one", "two", "three", "four"), strict=True):
        assert f"Chapter {word} explains" in text
    with PageContext(weavers[0]) as context:
        app = make_application(context, Guard())
        page = ask(app, f"/read?url={weavers[1]}loom/b")
        assert (page.status, "4 parts" in page.text) == (200, True)
        places = [page.text.index(f"Chapter {word} explains") for word in ("one", "two", "three", "four")]
        assert places == sorted(places)
        assert "allows no copies" in ask(app, f"/read?url={weavers[1]}closed").text
        assert "Copies are forbidden" not in ask(app, f"/read?url={weavers[1]}closed").text
        assert ask(app, "/read?url=http://[").status == 400
        assert ask(app, "/read").status == 200


def test_a_page_stands_on_the_map_of_its_site(web: Web, weavers: tuple[Path, str, float]) -> None:
    start = weavers[1]
    found = find_place_in_site(web, f"{start}loom/c")
    assert [one.title for one in found.way] == ["Weavers", "Loom 1", "Loom 2", "Loom 3"]
    assert [one.title for one in found.before] == ["Loom 4"]
    assert (found.after, found.left_out, found.site) == ((), 0, HOST)
    first = find_place_in_site(web, start)
    assert [one.url for one in first.way] == [start]
    assert {one.title for one in first.after} >= {"News 1", "News 2", "News 3", "Hours"}


def test_an_unknown_page_has_a_place_of_its_own(web: Web) -> None:
    found = find_place_in_site(web, "http://unknown.example/page")
    assert ([one.url for one in found.way], found.before, found.after) == (
        ["http://unknown.example/page"],
        (),
        (),
    )
