from collections.abc import Iterator

import pytest
from tests.unit.context.passages.webs import make_web

from gossamer.web import Web


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with Web(make_web(tmp_path_factory.mktemp("bread") / "bread.web"), read_only=True) as opened:
        yield opened
