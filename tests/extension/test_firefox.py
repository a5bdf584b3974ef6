"""The packed extension in Debian's Firefox: paired by one click, with cards, marks, the panel and the history."""

from collections.abc import Iterator

import pytest
from tests.extension.firefox import Firefox, open_firefox
from tests.extension.music_world import UNKNOWN
from tests.extension.reading_browser import Collection

pytestmark = pytest.mark.slow
ASK = "return window.wrappedJSObject.browser.runtime.sendMessage(Cu.cloneInto(arguments[0], window)).then((found) => JSON.stringify(found));"


@pytest.fixture(scope="module")
def firefox(server: Collection, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """Firefox, paired as a person does it: one click in the options, one on the page of the server."""
    with open_firefox(tmp_path_factory.mktemp("firefox")) as found:
        options = found.open(f"{found.origin}/pages/options.html")
        found.find("#mark-dead")
        asked = {"ask": "change", "settings": {"server": server.address, "history": True, "previews": True}}
        found.run(ASK, asked)
        before = set(found.list_windows())
        found.click("#pair")
        (opened,) = found.wait(lambda: set(found.list_windows()) - before)
        found.switch(opened)
        found.find("main form.plain button")
        found.wait(lambda: found.run("return document.readyState"), lambda state: state == "complete")
        # The window may still be on its way to the screen; it is closed once the token was collected.
        found.wait(
            lambda: opened not in found.list_windows() or found.click_if_there("main form.plain button")
        )
        found.wait(lambda: opened not in found.list_windows())
        found.switch(options)
        found.wait(lambda: found.read_text("main"), lambda text: "is paired" in text)
        yield found


def test_links_get_marks_and_cards(firefox: Firefox, server: Collection) -> None:
    firefox.open(server.start)
    marks = firefox.wait(lambda: firefox.read_closed(".names"))
    assert marks.split("\n") == [
        "Gone: a page that is gone",
        "Moved: a page that has moved",
        "In German: Lieder und Sinfonien",
    ]
    firefox.hover("#haydn")
    card = firefox.wait(lambda: firefox.read_closed(".card"))
    assert "Joseph Haydn" in card
    assert "wrote more than a hundred symphonies" in card
    firefox.hover("h1")  # the card lies over the next links
    firefox.wait(lambda: firefox.read_closed(".card"), lambda text: not text)
    firefox.hover("#unknown")
    firefox.wait(lambda: firefox.read_closed(".card"), lambda text: "An unknown page" in text)
    assert [one.target for one in server.lab.log.entries(UNKNOWN)][-1] == "/unknown"


def test_the_page_sees_neither_card_nor_token(firefox: Firefox, server: Collection) -> None:
    firefox.open(server.start)
    firefox.wait(lambda: firefox.read_closed(".names"))
    seen = "return [...document.documentElement.children].filter((one) => one.shadowRoot || one.textContent.includes('Gone:')).length"
    assert firefox.run(seen, sandbox="default") == 0
    assert firefox.run("return typeof window.wrappedJSObject.browser", sandbox="default") == "undefined"


def test_the_panel_lists_backlinks_and_finds_what_was_read(firefox: Firefox, server: Collection) -> None:
    page = firefox.open(server.url("/haydn"))
    firefox.wait(lambda: firefox.run("return document.readyState"), lambda state: state == "complete")
    tab = firefox.open(f"{firefox.origin}/pages/panel.html")
    script = "return window.wrappedJSObject.browser.tabs.query(Cu.cloneInto({}, window)).then((tabs) => tabs.find((tab) => tab.title === 'Joseph Haydn').id);"
    number = firefox.run(script)
    firefox.switch(page)
    # A page counts as read once it was seen for a second and a half.
    firefox.switch(tab)
    firefox.command("WebDriver:Navigate", url=f"{firefox.origin}/pages/panel.html?tab={number}")
    firefox.wait(lambda: firefox.read_text("#count"), lambda text: "34 pages link here" in text)
    assert "symphonies of Joseph Haydn may read on there" in firefox.read_text("#items")
    firefox.switch(page)
    found = {"ask": "read", "what": "history", "asked": {"q": "symphonies"}}

    def search() -> str:
        firefox.switch(tab)
        answer = str(firefox.run(ASK, found))
        firefox.switch(page)
        return answer

    firefox.wait(search, lambda text: server.url("/haydn") in text)
