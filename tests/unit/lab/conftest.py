"""A fixture for tests of the server: the toy world, served."""

from collections.abc import Iterator

import pytest
from tests.unit.lab.toy import LIMITS, Toy

from gossamer.lab.server.serve_world import Running, serving


@pytest.fixture
def lab() -> Iterator[Running]:
    with serving(Toy(), limits=LIMITS) as running:
        yield running
