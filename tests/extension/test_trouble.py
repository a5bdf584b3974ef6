"""Bad days: a server that is not there, another program at its address, an unpaired browser. Each is one sentence; pages go on."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from tests.extension.closed_roots import read_cards, read_marks, wait_for
from tests.extension.reading_browser import Browser, Collection, find_free_port

pytestmark = pytest.mark.slow


class _OtherProgram(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = b"<h1>Printer</h1>"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing on the terminal."""


def test_a_server_that_does_not_run_is_told_in_a_sentence(unpaired: Browser, collection: Collection) -> None:
    with collection.serve():
        unpaired.pair(collection.address)
        page = unpaired.open(collection.start)
        wait_for(lambda: read_marks(page))
    sentence = f"Gossamer does not run at {collection.address}: start it with “gossamer serve"
    popup = unpaired.open_own("popup.html")
    popup.get_by_text(sentence).wait_for()
    tab = unpaired.worker.evaluate(
        "async url => (await chrome.tabs.query({})).length && (await Promise.all((await chrome.tabs.query({})).map(async (tab) => "
        "[tab.id, (await chrome.tabs.sendMessage(tab.id, {say: 'where'}).catch(() => null))?.url]))).find(([, one]) => one === url)[0]",
        collection.start,
    )
    panel = unpaired.open_own(f"panel.html?tab={tab}")
    panel.get_by_text(sentence).wait_for()
    assert unpaired.worker.evaluate("async () => await chrome.action.getBadgeText({})") == "!"
    page.bring_to_front()
    page.hover("#haydn")
    page.wait_for_timeout(900)
    assert read_cards(page) == ""  # a hover is no question
    page.keyboard.press("Control")
    wait_for(lambda: read_cards(page), lambda text: "Gossamer does not run" in text)
    with collection.serve():
        panel.get_by_role("button", name="Try again").click()
        panel.get_by_text("1 page links here").wait_for()
        badge = "async () => await chrome.action.getBadgeText({})"
        wait_for(lambda: unpaired.worker.evaluate(badge), lambda text: text == "")
    for one in (popup, panel, page):
        one.close()


def test_another_program_at_the_address_is_told_in_a_sentence(unpaired: Browser) -> None:
    port = find_free_port()
    with ThreadingHTTPServer(("127.0.0.1", port), _OtherProgram) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        unpaired.change(server=f"127.0.0.1:{port}")
        options = unpaired.open_own("options.html")
        options.click("#pair")
        options.get_by_text("is another program or an older Gossamer").wait_for()
        other.shutdown()
    options.close()


@pytest.fixture
def unpaired_again(unpaired: Browser) -> Iterator[Browser]:
    """The browser without the token that another test may have left, and none of its own after it."""
    _unpair(unpaired)
    yield unpaired
    _unpair(unpaired)


def _unpair(browser: Browser) -> None:
    own = browser.open_own("popup.html")
    own.evaluate("chrome.runtime.sendMessage({ask: 'unpair'})")
    own.close()


def test_what_a_server_does_no_longer_is_told_in_a_sentence(
    unpaired_again: Browser, collection: Collection
) -> None:
    browser = unpaired_again
    with collection.serve():
        browser.pair(collection.address)
        browser.change(previews=True)
        page = browser.open(collection.url("/gallery"))
        wait_for(lambda: read_marks(page))  # the page knows by now what it may show
    with collection.serve("--history"):
        page.bring_to_front()
        page.hover("#unknown")
        wait_for(lambda: read_cards(page), lambda text: "This server makes no previews; start it" in text)
        assert browser.worker.evaluate("async () => await chrome.action.getBadgeText({})") == ""
        options = browser.open_own("options.html")
        options.locator("#history").wait_for()
        assert not options.is_visible("#previews")
        options.close()
    page.close()
