"""Judge pages in a real browser: keys and buttons, undo, hostile pages, results."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.browser.conftest import OpenPage, Site, serve_library

from gossamer.assess.judgements import read_judgements
from gossamer.web import open_to_read

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server of its own: other tests keep the shared one busy with reports."""
    with serve_library(tmp_path_factory.mktemp("judged") / "music.web") as site:
        yield site


def list_verdicts(site: Site, sample: str, judge: str) -> list[str]:
    with open_to_read(site.folder) as web:
        return [one.verdict for one in read_judgements(web.store, sample, judge)]


def draw(page: Any, name: str, **form: str) -> None:
    page.get_by_label("Sample name").fill(name)
    for label, value in form.items():
        page.locator(f"#{label}").fill(value)
    page.get_by_role("button", name="Draw").click()
    page.get_by_label("Your name").fill("anna")
    page.get_by_role("button", name="Start").click()
    page.locator(".verdicts").wait_for()
    page.wait_for_load_state("load")  # the script that hears keys runs after the page is shown


def press(page: Any, keys: str) -> None:
    for key in keys:
        with page.expect_navigation():
            page.keyboard.press(key)


def test_a_person_judges_by_keys_and_buttons(open_page: OpenPage, site: Site) -> None:
    page = open_page("/assess")
    # Others have no source, or may not be copied.
    draw(page, "music", sample="6", where="url:symphony", question="Is this page about a symphony?")
    assert page.locator(".question").inner_text() == "Is this page about a symphony?"
    heading = page.locator(".about-page h1")
    first = heading.inner_text()
    assert "begins quietly" in page.locator("pre").first.inner_text()  # the text is open
    assert not page.locator("pre").last.is_visible()
    page.get_by_text("Source", exact=True).click()
    assert "<" in page.locator("pre").last.inner_text()
    press(page, "rn")
    assert "2 of 6 judged by anna: 1 relevant, 1 not, 0 unsure" in page.locator(".progress").inner_text()
    assert list_verdicts(site, "music", "anna") == ["relevant", "not"]
    third = heading.inner_text()
    press(page, "s")
    assert heading.inner_text() != third
    press(page, "z")
    assert heading.inner_text() == third
    press(page, "zz")
    assert heading.inner_text() == first
    assert list_verdicts(site, "music", "anna") == []
    for _ in range(6):
        with page.expect_navigation():
            page.get_by_role("button", name="Unsure").click()
    assert page.get_by_role("heading").inner_text() == "All pages are judged"
    page.get_by_role("link", name="See the results").click()
    assert page.get_by_role("row").filter(has_text="anna").inner_text().split() == ["anna", "0", "0", "6"]


def test_a_hostile_page_is_sandboxed(open_page: OpenPage, site: Site) -> None:
    page = open_page("/assess")
    draw(page, "hostile", where="url:hostile")
    here = page.url
    copy = page.frame_locator("iframe")
    copy.locator("#on").wait_for()
    (inner,) = [one for one in page.frames if "/cached/page" in one.url]
    assert inner.evaluate("[self.origin, document.documentElement.dataset.ran ?? 'no']") == ["null", "no"]
    for control in ("#on", "#away", "#send"):
        copy.locator(control).click()
    page.wait_for_timeout(300)
    assert page.url == here
    assert "OWNED" not in page.title()
    page.locator(".about-page h1").click()  # outside the frame, keys work again
    press(page, "n")
    assert list_verdicts(site, "hostile", "anna") == ["not"]


def test_pages_fit_on_a_phone_and_are_accessible(open_page: OpenPage) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = open_page("/assess", viewport={"width": 360, "height": 640}, is_mobile=True, color_scheme="dark")
    draw(page, "small", sample="3")
    here = page.url
    press(page, "r")
    results = here.partition("?")[0] + "/results"
    for address in (here, results, results.partition("/small")[0]):
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, address
        faults = axe.run(page, options={"iframes": False}).response["violations"]
        assert [(fault["id"], fault["nodes"][0]["html"]) for fault in faults] == [], address
