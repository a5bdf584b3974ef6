from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.context.passages.webs import make_web

from gossamer.web import Web


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    folder: Path = make_web(tmp_path_factory.mktemp("bread") / "bread.web")
    with Web(folder, read_only=True) as opened:
        yield opened
