"""A fixture for tests of the server: the toy world, served."""

from collections.abc import Iterator

import pytest
from tests.unit.lab.toy import LIMITS, Toy

from gossamer.lab.server.serve_world import LabServer, serving


@pytest.fixture
def lab() -> Iterator[LabServer]:
    with serving(Toy(), limits=LIMITS) as running:
        yield running
