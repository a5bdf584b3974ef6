"""The page of hot stories in a real browser: on a phone and on a wide screen, light and dark, without scripts."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.browser.conftest import Site

from gossamer.context.hot.stored_texts import FOLDER, add_segment, finish_refresh, open_texts
from gossamer.context.hot.text_date import TextDate
from gossamer.context.hot.text_segment import TextRow, make_segment
from gossamer.web import open_to_read

pytestmark = pytest.mark.slow
_HOSTILE = "<img src=x onerror=\"document.documentElement.dataset.ran='yes'\">" + "w" * 80
_STORY = frozenset({"earthquake", "rescue", _HOSTILE})


@pytest.fixture(scope="module")
def stories(site: Site) -> None:
    """The pages of the library told a story on the last of eight days."""
    with open_to_read(site.folder) as web:
        ids = [page.id for page in web.store.pages()]
    rows = [
        TextRow(
            ids[at % len(ids)] if day == 7 else day * 1000 + at,
            TextDate(738_000 + day, "page"),
            "a.example",
            "en",
            frozenset({"usual", f"word{at}"}) | (_STORY if day == 7 and at < 5 else frozenset()),
        )
        for day in range(8)
        for at in range(20)
    ]
    (site.folder / FOLDER).mkdir(exist_ok=True)
    texts = open_texts(site.folder)
    finish_refresh(add_segment(texts, make_segment(rows, {1: (1, 1)}, set(), [])), 1e9)


@pytest.mark.parametrize("width", [360, 1200])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_stories_fit_and_run_nothing(
    stories: None, open_page: Callable[..., Any], width: int, scheme: str
) -> None:
    page = open_page(
        "/hot", viewport={"width": width, "height": 800}, color_scheme=scheme, java_script_enabled=width > 500
    )
    story = page.locator(".story").first
    assert "earthquake" in story.locator("h2").inner_text()
    assert story.locator("svg polyline").get_attribute("points").count(",") == 14
    assert story.locator("li a").count() >= 3
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("document.documentElement.dataset.ran") is None


def test_forms_work_without_scripts(stories: None, open_page: Callable[..., Any]) -> None:
    page = open_page("/hot", java_script_enabled=False)
    page.get_by_label("Language").fill("fr")
    page.get_by_role("button", name="Show").click()
    assert "language=fr" in page.url
    assert "no dated text in fr" in page.locator(".note").inner_text()
    page = open_page("/topics", java_script_enabled=False)
    assert "topics train" in page.locator("main").inner_text()


def test_feed_and_json_have_the_same_story(stories: None, open_page: Callable[..., Any], site: Site) -> None:
    page = open_page("/hot", java_script_enabled=False)
    feed = page.request.get(f"{site.address}/hot.atom")
    assert feed.headers["content-type"].startswith("application/atom+xml")
    assert "earthquake" in feed.text()
    assert "<img" not in feed.text()
    answer = page.request.get(f"{site.address}/api/hot?since=3d").json()
    assert "earthquake" in answer["stories"][0]["words"]
    assert page.request.get(f"{site.address}/api/hot?since=x").status == 400
