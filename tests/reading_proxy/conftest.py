"""The proxy of mitmproxy's own environment between real clients and real sites; without it, these tests are skipped."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.crawl.harness import make_quick_task
from tests.reading_proxy.running_proxy import RunningProxy, make_environment, pair, run_proxy, run_server
from tests.reading_proxy.sites import make_world, serve_securely

from gossamer.errors import BadInput
from gossamer.lab.server.serve_world import serving
from gossamer.reading_proxy.start_proxy import find_mitmdump
from gossamer.web import Web


class Surroundings(NamedTuple):
    """Everything around a proxy: two sites, the server of a web of one of them, and the variables of programs."""

    plain: str
    secure: str
    authority: Path
    server: str
    environment: dict[str, str]


@pytest.fixture(scope="session")
def around(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Surroundings]:
    try:
        find_mitmdump()
    except BadInput:
        pytest.skip("mitmproxy is not installed: run `make proxy`")
    folder = tmp_path_factory.mktemp("proxy")
    environment = make_environment(folder / "config")
    with serving(make_world()) as lab, serve_securely(folder) as (secure, certificate):
        with Web(folder / "music.web") as web:
            web.run([make_quick_task(lab, delay_s=0.0, depth=1)])
        with run_server(folder / "music.web", environment) as server:
            pair(server, environment)
            yield Surroundings(lab.seeds[0].rstrip("/"), secure, certificate, server, environment)


@pytest.fixture(scope="session")
def proxy(around: Surroundings) -> Iterator[RunningProxy]:
    with run_proxy(around.authority, around.environment) as running:
        yield running
