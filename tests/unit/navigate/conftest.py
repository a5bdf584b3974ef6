"""A crawled and indexed web about music."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.ui.library import crawl_library

from gossamer.web import Web, open_to_read


@pytest.fixture(scope="module")
def library_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("navigate") / "music.web"
    crawl_library(folder)
    return folder


@pytest.fixture(scope="module")
def music(library_folder: Path) -> Iterator[Web]:
    """A web that no test changes."""
    with open_to_read(library_folder) as web:
        yield web


@pytest.fixture(scope="module")
def start(music: Web) -> str:
    """The address of its first page."""
    return next(page.url for page in music.store.pages() if page.kind == "html")
