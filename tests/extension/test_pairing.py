"""Pair the extension with the server, as a newcomer does, and take it back."""

import pytest
from tests.extension.closed_roots import read_cards, wait_for
from tests.extension.reading_browser import Browser, Collection

pytestmark = pytest.mark.slow


def test_one_click_pairs_the_browser_and_revoking_holds_at_once(
    unpaired: Browser, server: Collection
) -> None:
    page = unpaired.open(server.start)
    page.hover("#haydn")
    page.wait_for_timeout(900)
    assert read_cards(page) == ""
    unpaired.change(server=server.address)
    options = unpaired.open_own("options.html")
    with unpaired.context.expect_page() as opened:
        options.click("#pair")
    window = opened.value
    window.wait_for_load_state()
    shown = options.locator("#code")
    shown.wait_for()
    assert window.locator("strong code").inner_text() == shown.inner_text()
    assert "Chromium on Linux" in window.inner_text("main")
    with window.expect_event("close"):
        window.get_by_role("button", name="Pair this browser").click()
    options.get_by_text("Chromium on Linux is paired").wait_for()
    wait_for(lambda: options.inner_text("#state"), lambda text: "pages" in text)
    page.bring_to_front()
    page.mouse.move(5, 5)
    page.hover("#haydn")
    wait_for(lambda: read_cards(page), lambda text: "Joseph Haydn" in text)
    pairs = unpaired.open(f"{server.address}/pair")
    while pairs.get_by_role("button", name="Revoke").count():  # browsers of other tests, too
        pairs.get_by_role("button", name="Revoke").first.click()
    pairs.get_by_text("Browsers that may read").wait_for(state="detached")
    options.reload()
    options.get_by_text("does not know this browser any more").wait_for()
    assert options.locator("#pair").is_visible()


def test_a_server_elsewhere_is_refused_in_a_sentence(unpaired: Browser) -> None:
    options = unpaired.open_own("options.html")
    options.fill("#server", "http://evil.example:8080")
    options.keyboard.press("Tab")
    options.get_by_text("The server must be on this machine").wait_for()
    assert options.get_attribute("#server", "aria-invalid") == "true"
