"""Saved pages: in archive and index, also if a crawl holds the web meanwhile."""

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.types import ASGIApp
from tests.crawl.harness import Toy, make_link_page, make_quick_task
from tests.unit.ui.app_client import ask
from tests.wait_until import wait_until

from gossamer.crawl.from_archive.archived_pages import read_document
from gossamer.crawl.from_archive.saved_pages import FOLDER, SavedPage, count_waiting, save_page
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import serving
from gossamer.net.url import page_id
from gossamer.store.lock import Lock
from gossamer.store.opening.open_archive import open_reader
from gossamer.ui.access.guard import Guard
from gossamer.ui.access.paired_browsers import PairedBrowsers
from gossamer.ui.app import make_application
from gossamer.ui.navigate.reading_parts import ReadingParts
from gossamer.ui.navigate.saved_page_taker import SavedPageTaker
from gossamer.ui.page_context import PageContext
from gossamer.web import Web

URL = "https://shop.example/basket?view=1"
HTML = (
    "<!doctype html><html lang=en><head><title>My basket</title></head><body><h1>Basket</h1><p>A periscope of brass, "
    "which the scripts of this page have put here after it was loaded, and no robot has seen.</p>"
    "<a href='/periscopes'>more</a></body></html>"
)


@pytest.fixture
def own(library: Path, tmp_path: Path) -> Path:
    """A copy of a web, which a test may change."""
    folder = tmp_path / "own.web"
    shutil.copytree(library, folder)
    return folder


@pytest.fixture
def taker(own: Path) -> Iterator[SavedPageTaker]:
    made = SavedPageTaker(own)
    yield made
    made.close()


@pytest.fixture
def served(own: Path, tmp_path: Path, taker: SavedPageTaker) -> Iterator[tuple[ASGIApp, dict[str, str]]]:
    """The application, and the headers of a paired browser."""
    browsers = PairedBrowsers(tmp_path / "browsers.json")
    pairing, secret = browsers.begin("a browser")
    browsers.agree(pairing.code, "")
    collected = browsers.collect(pairing.code, secret)
    assert collected is not None
    headers = {"authorization": f"Bearer {collected.token}", "content-type": "application/json"}
    with PageContext(own) as context:
        yield make_application(context, Guard(), browsers, ReadingParts(saves=taker)), headers


def save(served: tuple[ASGIApp, dict[str, str]], **given: str) -> tuple[int, dict[str, object]]:
    """Return the answer to a page that is to be saved."""
    app, headers = served
    sent = json.dumps({"url": URL, "title": "My basket", "html": HTML, **given}).encode()
    answer = ask(app, "/api/navigate/saves", "POST", headers, sent)
    return answer.status, json.loads(answer.text)


def find(folder: Path) -> list[str]:
    """Return the addresses that a search for a word of the saved page finds."""
    with Web(folder, read_only=True) as web:
        return [one.url for one in web.search("periscope brass").answers]


def test_a_saved_page_is_found_and_in_the_archive(served: tuple[ASGIApp, dict[str, str]], own: Path) -> None:
    assert find(own) == []
    assert save(served) == (200, {"kept": True, "note": ""})
    wait_until(lambda: find(own) == [URL])
    with Web(own, read_only=True) as web:
        page = web.store.page(page_id(URL))
        assert page is not None
        assert (page.title, page.kind, page.status, page.language) == ("My basket", "html", 200, "en")
        document = read_document(page, open_reader(own / "archive"))
        assert document is not None
        assert "scripts of this page" in document.text
        assert [link.target for link in web.store.links_from(page.id)] == [
            page_id("https://shop.example/periscopes")
        ]
        assert [note.name for note in web.tasks()].count("saved") == 1
    assert count_waiting(own) == 0


def test_several_saves_are_one_task_and_the_last_version_counts(own: Path) -> None:
    for number in (1, 2, 3):
        save_page(own, SavedPage(URL, HTML.replace("My basket", f"Basket {number}"), 2e9 + number))
        SavedPageTaker(own)._take_in()
    with Web(own, read_only=True) as web:
        page = web.store.page(page_id(URL))
        assert page is not None
        assert page.title == "Basket 3"
        assert len(web.store.visits(page.id)) == 3
        assert [note.name for note in web.tasks()].count("saved") == 1


def test_a_page_waits_while_a_crawl_holds_the_web(served: tuple[ASGIApp, dict[str, str]], own: Path) -> None:
    with Lock(own):
        status, answer = save(served)
        assert (status, "A crawl is at work" in str(answer["note"])) == (200, True)
        assert count_waiting(own) == 1
        (file,) = (own / FOLDER).iterdir()
        assert file.stat().st_mode & 0o777 == 0o600
        assert find(own) == []
    wait_until(lambda: find(own) == [URL])


def test_a_crawl_takes_in_what_waits_when_it_begins_and_when_it_ends(tmp_path: Path) -> None:
    folder = tmp_path / "new.web"
    host = "127.9.14.1"

    def answer() -> LabAnswer:
        save_page(folder, SavedPage("https://late.example/", HTML, time.time()))
        return make_link_page(text="a page")

    with serving(Toy({host: {"/robots.txt": LabAnswer(404), "/": answer}})) as running, Web(folder) as web:
        save_page(folder, SavedPage(URL, HTML, time.time()))
        web.run([make_quick_task(running, seeds=[running.url(host)])])
        assert {page.url for page in web.store.pages()} == {
            running.url(host),
            URL,
            "https://late.example/",
        }
        assert count_waiting(folder) == 0


def test_a_damaged_file_is_left_out_and_keeps_nothing_back(own: Path) -> None:
    save_page(own, SavedPage(URL, HTML, time.time()))
    (own / FOLDER / "0.json").write_bytes(b"{")
    assert SavedPageTaker(own)._take_in()
    assert count_waiting(own) == 0
    assert find(own) == [URL]


def test_what_cannot_be_saved_is_told_in_a_sentence(served: tuple[ASGIApp, dict[str, str]]) -> None:
    for url in ("file:///etc/passwd", "about:blank", "no address", "https://me:secret@x.example/"):
        status, answer = save(served, url=url)
        assert (status, "not the address of a page" in str(answer["error"])) == (400, True)
    status, answer = save(served, html="x" * 10_000_001)
    assert (status, "at most 10 MB" in str(answer["error"])) == (400, True)
    app, headers = served
    stranger = {**headers, "authorization": "Bearer guess"}
    assert ask(app, "/api/navigate/saves", "POST", stranger, b"{}").status == 401
