"""The application over a web of hostile pages."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.reports.hostile_web import write_hostile_web
from tests.unit.ui.app_client import ask
from tests.unit.ui.conftest import GetPage

from gossamer.ui.access.guard import Guard
from gossamer.ui.app import make_application
from gossamer.ui.page_context import PageContext
from gossamer.ui.route_tables import NAVIGATION
from gossamer.web import Web


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile") / "hostile.web"
    write_hostile_web(folder)
    return folder


@pytest.fixture(scope="session")
def get_hostile(hostile: Path) -> Iterator[GetPage]:
    """A function that requests a page of the hostile web."""
    with PageContext(hostile, NAVIGATION) as context:
        app = make_application(context, Guard())
        yield lambda address, **options: ask(app, address, **options)


@pytest.fixture
def get_empty(tmp_path: Path) -> Iterator[GetPage]:
    """A function that requests a page of a web without pages."""
    Web(tmp_path / "empty.web").close()
    with PageContext(tmp_path / "empty.web", NAVIGATION) as context:
        app = make_application(context, Guard())
        yield lambda address, **options: ask(app, address, **options)
