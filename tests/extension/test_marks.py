"""Marks on links in a real Chromium: which, where, and that nothing moves."""

import pytest
from tests.extension.closed_roots import read_marks, wait_for
from tests.extension.conftest import OpenPage
from tests.extension.reading_browser import Browser, Collection

pytestmark = pytest.mark.slow
ALL = (
    "dead",
    "moved",
    "large",
    "language",
    "relevant",
    "external",
    "known",
)
PLACES = """() => JSON.stringify([...document.querySelectorAll("body *")].map((one) => one.getBoundingClientRect()))"""


def test_links_say_what_they_are(open_page: OpenPage) -> None:
    page = open_page("/")
    found = wait_for(lambda: read_marks(page))
    assert found == [
        "Gone: a page that is gone",
        "Moved: a page that has moved",
        "In German: Lieder und Sinfonien",
    ]


def test_marks_are_chosen_and_come_for_links_that_are_added(open_page: OpenPage, browser: Browser) -> None:
    browser.change(marks={name: name in ("external", "known") for name in ALL})
    page = open_page("/")
    found = wait_for(lambda: read_marks(page))
    assert "In your collection: the page about Haydn" in found
    assert "Another site: a page outside the collection" in found
    assert not [one for one in found if one.startswith(("Gone", "Moved"))]
    browser.change(marks={name: name == "dead" for name in ALL})
    wait_for(lambda: read_marks(page), lambda names: names == ["Gone: a page that is gone"])
    page.evaluate("document.body.insertAdjacentHTML('afterbegin', '<p><a href=/gone>added later</a>')")
    wait_for(lambda: read_marks(page), lambda names: "Gone: added later" in names)


def test_nothing_of_the_page_moves_or_is_changed(open_page: OpenPage, browser: Browser) -> None:
    page = open_page("/")
    wait_for(lambda: read_marks(page))
    with_marks, html = page.evaluate(PLACES), page.evaluate("document.body.outerHTML")
    shifts = page.evaluate(
        """() => new Promise((resolve) => { let sum = 0; new PerformanceObserver((list) => { for (const one of list.getEntries()) sum += one.value; })
        .observe({type: "layout-shift", buffered: true}); setTimeout(() => resolve(sum), 200); })"""
    )
    browser.change(on=False)
    wait_for(lambda: read_marks(page), lambda names: not names)
    assert page.evaluate(PLACES) == with_marks
    assert page.evaluate("document.body.outerHTML") == html
    assert shifts == 0
    browser.change(on=True)


def test_marks_follow_their_links(open_page: OpenPage) -> None:
    page = open_page("/")
    wait_for(lambda: read_marks(page))
    link = page.locator("#gone").bounding_box()
    before = page.screenshot(
        clip={"x": link["x"] + link["width"], "y": link["y"] - 8, "width": 30, "height": 30}
    )
    page.evaluate("document.querySelector('h1').style.marginBottom = '120px'")
    page.wait_for_timeout(500)
    moved = page.locator("#gone").bounding_box()
    assert moved["y"] > link["y"] + 50
    after = page.screenshot(
        clip={"x": moved["x"] + moved["width"], "y": moved["y"] - 8, "width": 30, "height": 30}
    )
    assert before == after


def test_only_links_on_the_screen_are_asked_about(open_page: OpenPage, browser: Browser) -> None:
    asked = browser.worker.evaluate_handle(
        """() => { const asked = [], fetched = fetch;
        globalThis.fetch = (url, options) => { if (String(url).endsWith("/marks")) asked.push(JSON.parse(options.body).links.length); return fetched(url, options); };
        return asked; }"""
    )
    page = open_page("/many")
    sent = wait_for(lambda: asked.evaluate("asked => asked"))
    assert len(sent) == 1
    assert 20 < sent[0] <= 500
    page.set_viewport_size({"width": 300, "height": 300})
    page.goto(page.url.replace("/many", "/narrow"))
    fewer = wait_for(lambda: asked.evaluate("asked => asked.slice(1)"))
    assert sum(fewer) < sent[0]


def test_password_pages_and_the_pages_of_the_server_are_left_alone(
    open_page: OpenPage, browser: Browser, server: Collection
) -> None:
    login = open_page("/login")
    own = browser.open(f"{server.address}/")
    login.wait_for_timeout(1_000)
    for page in (login, own):
        assert page.evaluate("document.documentElement.childElementCount") == 2
        assert read_marks(page) == []
    browser.change(passwords=True)
    wait_for(lambda: read_marks(login))
    browser.change(passwords=False)
    own.close()
