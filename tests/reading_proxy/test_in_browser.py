"""Cards and marks in a real browser that knows nothing of Gossamer but its proxy."""

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.reading_proxy.conftest import Surroundings
from tests.reading_proxy.running_proxy import RunningProxy
from tests.reading_proxy.sites import SENTENCE

pytestmark = pytest.mark.slow
NAMES = ("chromium", "chromium-browser", "google-chrome")
OpenPage = Callable[..., Any]


@pytest.fixture(scope="module")
def browser(proxy: RunningProxy) -> Iterator[Any]:
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("there is no chromium: apt-get install chromium")
    play_with = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (extra dev)")
    with play_with.sync_playwright() as play:
        # Browsers usually ask this machine without a proxy.
        through = {"server": f"http://{proxy.address}", "bypass": "<-loopback>"}
        # The authority is not installed for the user of the tests; clients in test_proxy.py check certificates with it.
        arguments = ["--no-sandbox", "--disable-gpu", "--ignore-certificate-errors"]
        started = play.chromium.launch(executable_path=found, args=arguments, proxy=through)
        yield started
        started.close()


@pytest.fixture
def open_page(browser: Any, around: Surroundings) -> Iterator[OpenPage]:
    context = browser.new_context()
    context.set_default_timeout(90_000)

    def open_in_context(path: str, origin: str = around.plain) -> Any:
        page = context.new_page()
        page.goto(origin + path)
        return page

    yield open_in_context
    context.close()


def _find_frame(page: Any) -> Any:
    return page.frame_locator('iframe[title^="Gossamer"]')


def _list_marks(page: Any) -> list[str]:
    frame = _find_frame(page)
    frame.locator("#marks span").first.wait_for(state="attached")
    found: list[str] = frame.locator("#marks span").all_inner_texts()
    return found


@pytest.mark.parametrize("scheme", ["plain", "secure"])
def test_a_card_appears_when_a_person_rests_on_a_link(
    open_page: OpenPage, around: Surroundings, scheme: str
) -> None:
    page = open_page("/", getattr(around, scheme))
    if scheme == "secure":  # its links lead to the crawled site
        page.evaluate("origin => document.querySelector('#haydn').href = origin + '/haydn'", around.plain)
    card = _find_frame(page).locator("#card")
    card.wait_for(state="attached")
    page.hover("#haydn")
    card.wait_for(state="visible")
    assert "Haydn" in card.inner_text()
    assert SENTENCE in card.inner_text()
    page.keyboard.press("Escape")
    card.wait_for(state="hidden")


def test_links_are_marked_beside_their_words_and_nothing_moves(open_page: OpenPage) -> None:
    page = open_page("/")
    assert _list_marks(page) == ["●", "✕", "↪", "✕"]
    shifts = "new Promise(done => new PerformanceObserver(l => done(l.getEntries().length)).observe({type: 'layout-shift', buffered: true}) || setTimeout(() => done(0), 500))"
    assert page.evaluate(shifts) == 0
    link = page.locator("#haydn").bounding_box()
    sign = _find_frame(page).locator("#marks span").first.bounding_box()
    assert abs(sign["x"] - (link["x"] + link["width"])) < 2
    assert abs(sign["y"] - link["y"]) < 12


def test_the_keyboard_shows_a_card_and_a_link_still_works(open_page: OpenPage, around: Surroundings) -> None:
    page = open_page("/")
    card = _find_frame(page).locator("#card")
    card.wait_for(state="attached")
    _list_marks(page)
    page.keyboard.press("Tab")
    card.wait_for(state="visible")
    assert card.get_attribute("role") == "status"
    page.click("#haydn")
    page.wait_for_url(f"{around.plain}/haydn")


def test_one_key_turns_all_off_for_a_site_and_on_again(open_page: OpenPage) -> None:
    page = open_page("/")
    _list_marks(page)
    page.keyboard.press("Alt+Shift+G")
    frame = _find_frame(page)
    frame.locator("#marks span").first.wait_for(state="detached")
    assert "Alt+Shift+G turns them on" in frame.locator("#card").inner_text()
    page.goto(page.url)
    page.hover("#haydn")
    page.wait_for_timeout(1_500)
    assert page.locator("iframe").count() == 0
    page.keyboard.press("Alt+Shift+G")
    assert _list_marks(page) == ["●", "✕", "↪", "✕"]


def test_a_new_link_is_marked_too(open_page: OpenPage) -> None:
    page = open_page("/haydn")
    _find_frame(page).locator("#card").wait_for(state="attached")
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<a href=\"/gone\">later</a>')")
    assert _list_marks(page) == ["✕"]


def test_a_page_with_a_nonce_has_marks_and_its_policy_still_holds(open_page: OpenPage) -> None:
    page = open_page("/nonce")
    assert _list_marks(page)
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.ran = 1\">')")
    page.evaluate(
        "const s = document.createElement('script'); s.textContent = 'window.ran = 2'; document.body.append(s)"
    )
    page.wait_for_timeout(300)
    assert page.evaluate("window.ran") is None


@pytest.mark.parametrize("path", ["/closed", "/still"])
def test_a_page_that_forbids_us_has_no_frame(open_page: OpenPage, path: str) -> None:
    page = open_page(path)
    page.wait_for_timeout(500)
    assert page.locator("iframe").count() == 0


def test_a_hostile_page_learns_nothing(open_page: OpenPage, proxy: RunningProxy) -> None:
    page = open_page("/hostile")
    page.wait_for_function("window.done")
    _list_marks(page)
    page.hover("a")
    _find_frame(page).locator("#card").wait_for(state="visible")
    found = page.evaluate("window.found")
    assert found.count("refused: TypeError") == 5
    assert "own: 404" in found
    assert [line for line in found if line.startswith("message") and line != 'message: "ready"'] == []
    assert not any(SENTENCE in line or "known" in line for line in found if not line.startswith("script"))
    assert "null" in page.evaluate("String(document.querySelector('iframe[title]').contentDocument)")
    assert page.evaluate("document.querySelector('iframe[title]').contentWindow.length") == 0


def test_scripts_of_pages_with_integrity_run(open_page: OpenPage) -> None:
    page = open_page("/")
    page.evaluate(
        """async () => { const text = "window.ran = true;", script = document.createElement("script");
        const digest = await new Promise(done => done(null)); script.src = "/script.js";
        script.integrity = "sha256-HASH"; document.body.append(script); }""".replace("HASH", _digest())
    )
    page.wait_for_function("window.ran === true")


def _digest() -> str:
    from base64 import b64encode
    from hashlib import sha256

    return b64encode(sha256(b"window.ran = true;").digest()).decode()
