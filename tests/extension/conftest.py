"""Fixtures: a collection with its server, and a browser with the extension that is paired with it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.extension.reading_browser import FORGET_SETTINGS, Browser, Collection, collect, open_browser


@pytest.fixture(scope="session")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Collection]:
    with collect(tmp_path_factory.mktemp("served") / "music.web", rendered="/painted") as found:
        yield found


@pytest.fixture(scope="module")
def server(collection: Collection) -> Iterator[Collection]:
    with collection.serve():
        yield collection


@pytest.fixture(scope="module")
def unpaired(collection: Collection, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser with the extension as it is installed; the collection comes first, since its crawl needs an event loop of its own."""
    with open_browser(tmp_path_factory.mktemp("browser")) as found:
        yield found


@pytest.fixture(scope="module")
def browser(unpaired: Browser, server: Collection) -> Browser:
    """A browser that is paired with the server."""
    unpaired.pair(server.address)
    return unpaired


OpenPage = Callable[[str], Any]


@pytest.fixture
def open_page(browser: Browser, server: Collection) -> Iterator[OpenPage]:
    """A function that opens a page of the lab web, with cards and marks as they are at first."""
    pages: list[Any] = []

    def open_lab_page(path: str) -> Any:
        pages.append(browser.open(server.url(path)))
        return pages[-1]

    yield open_lab_page
    for page in pages:
        page.close()
    browser.worker.evaluate(FORGET_SETTINGS, server.address)
