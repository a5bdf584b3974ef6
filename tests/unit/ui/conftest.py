"""A crawled and indexed web about music, and the application over it."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.types import ASGIApp
from tests.unit.ui.app_client import Reply, ask
from tests.unit.ui.library import crawl_library

from gossamer.ui.access.guard import Guard
from gossamer.ui.app import make_application
from gossamer.ui.page_context import PageContext
from gossamer.ui.route_tables import NAVIGATION
from gossamer.web import Web

GetPage = Callable[..., Reply]


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A web that no test changes."""
    folder = tmp_path_factory.mktemp("library") / "music.web"
    crawl_library(folder)
    return folder


@pytest.fixture(scope="session")
def start(library: Path) -> str:
    """The address of its first page."""
    with Web(library) as web:
        return next(page.url for page in web.store.pages() if page.kind == "html")


@pytest.fixture(scope="session")
def app(library: Path) -> Iterator[ASGIApp]:
    with PageContext(library, NAVIGATION) as context:
        yield make_application(context, Guard())


@pytest.fixture(scope="session")
def get_page(app: ASGIApp) -> GetPage:
    """A function that requests a page of the library."""
    return lambda address, **options: ask(app, address, **options)


@pytest.fixture
def own(library: Path, tmp_path: Path) -> Path:
    """A copy of the library that a test may change."""
    return Path(shutil.copytree(library, tmp_path / "own.web"))
