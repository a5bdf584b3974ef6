"""A page that attacks by its browser: none of its attempts reaches an address that the crawl may not reach."""

import asyncio
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from tests.rendering.harness import open_show
from tests.rendering.silent_listener import SilentListener

from gossamer.lab.script_options import Scripted
from gossamer.lab.scripts.probe_script import ATTEMPTS
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.lab.world.world import World

pytestmark = pytest.mark.slow


def serve_probes(listener: SilentListener) -> AbstractContextManager[LabServer]:
    """Serve a web of the lab whose pages try to reach the listener."""
    scripted = Scripted(probes=1.0, probed=f"{listener.address}:{listener.port}")
    return serving(World(hosts=1, pages=10, languages=("en",), scripted=scripted))


def find_probing_page(running: LabServer) -> str:
    world = running.world
    assert isinstance(world, World)
    urls = map(world.url, range(10))
    return next(url for url in urls if (page := world.page(url)) is not None and page.scripted == "probes")


def test_no_attempt_gets_through(tmp_path: Path) -> None:
    hosts = tmp_path / "hosts"
    hosts.write_text("127.0.0.9 inner.example\n127.1.0.1 rebind.example\n127.0.0.9 rebind.example\n", "utf-8")
    listener = SilentListener()

    async def run() -> None:
        with serve_probes(listener) as running:
            async with open_show(allowed=("127.1.0.1/32",), hosts=hosts) as show:
                page = await show.render(find_probing_page(running))
                assert ATTEMPTS >= 100
                assert f'data-tried="{ATTEMPTS}"'.encode() in page.html, page.html[:500]
                assert page.refused["private address"] >= 30, page.refused
                assert page.refused["WebSocket"] >= 8, page.refused

    try:
        asyncio.run(run())
        assert listener.heard == []
    finally:
        listener.close()


def test_the_listener_hears_what_gets_through(tmp_path: Path) -> None:
    listener = SilentListener()

    async def run() -> None:
        with serve_probes(listener) as running:
            async with open_show(allowed=("127.0.0.0/8",)) as show:
                await show.render(find_probing_page(running))

    try:
        asyncio.run(run())
        assert len(listener.heard) > 20
    finally:
        listener.close()
