"""Pages that need JavaScript, in a real browser: what they show becomes the page, and what they try is bounded."""

import asyncio
import io
from contextlib import AbstractContextManager

import pytest
from PIL import Image
from tests.crawl.harness import LOOPBACK, get_world
from tests.rendering.harness import open_show
from tests.rendering.scripted_site import serve_scripts
from tests.rendering.test_scripted_world import make_world

from gossamer.fetch.browser import browser_pool
from gossamer.fetch.browser.rendered_page import NotRendered, PictureWish, RenderedPage, RenderLimits
from gossamer.lab.script_options import RESTING_SCRIPTS, Scripted
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.lab.world.world import World

pytestmark = pytest.mark.slow

_SHOWS = {
    "/": [b'href="/shell/1"', b'href="/shell/3"', b"Gadgets of /"],
    "/slow": [b'href="/came-late"'],
    "/away": [b"You are being redirected"],
    "/tricks": [b'href="/true"'],
    "/post": [b"refused"],
    "/worker": [b"no service worker"],
}
_REFUSED = {"dialogs": "dialog", "popups": "popup", "download": "download"}


def test_scripts_show_their_content_and_their_wishes_are_refused_by_name() -> None:
    with serve_scripts() as site:
        shown = asyncio.run(_show_all([site.url + path for path in _SHOWS]))
        for path, parts in _SHOWS.items():
            page = shown[site.url + path]
            assert isinstance(page, RenderedPage), (path, page)
            for part in parts:
                assert part in page.html, (path, page.html[:2000])
            assert page.ready == "quiet", (path, page)
        away = shown[f"{site.url}/away"]
        assert isinstance(away, RenderedPage)
        assert away.refused["navigation"]
        assert away.wanted == (f"{site.url}/target",)
        for path, name in (("/post", "method POST"), ("/worker", "service worker")):
            page = shown[site.url + path]
            assert isinstance(page, RenderedPage)
            assert page.refused.get(name) == 1, (path, page.refused)
        paths = [path for _, path, _ in site.requests]
        assert not {"/write", "/target", "/sw.js"} & set(paths)
        assert paths.count("/app.js") == 1
        assert all(agent["User-Agent"] == "Gossamer test" for _, _, agent in site.requests)


def test_every_kind_of_script_comes_to_rest_and_its_wishes_are_refused_by_name() -> None:
    with serving(make_world(80)) as running:
        pages = find_pages(running)
        shown = asyncio.run(_show_all([pages[kind] for kind in RESTING_SCRIPTS]))
        for kind in RESTING_SCRIPTS:
            page = shown[pages[kind]]
            assert isinstance(page, RenderedPage), (kind, page)
            assert page.ready == "quiet", (kind, page.refused, page.took_s)
            if name := _REFUSED.get(kind):
                assert page.refused.get(name), (kind, page.refused)


async def _show_all(urls: list[str]) -> dict[str, RenderedPage | NotRendered]:
    async with open_show(allowed=tuple(LOOPBACK)) as show:
        found = await asyncio.gather(*map(show.show, urls))
        return dict(zip(urls, found, strict=True))


def find_pages(running: LabServer) -> dict[str, str]:
    """Return a page of each kind that the lab serves."""
    world = get_world(running)
    pages = (world.page(world.url(number)) for number in range(world.options.pages))
    return {page.scripted: page.url for page in pages if page is not None}


def serve_attacks() -> AbstractContextManager[LabServer]:
    """Serve pages whose scripts never rest, or attack the browser."""
    attacks = Scripted(timers=0.25, noise=0.25, hang=0.25, memory=0.25)
    return serving(World(hosts=1, pages=30, languages=("en",), scripted=attacks))


def test_pages_that_never_get_quiet_are_taken_at_the_limit() -> None:
    async def run() -> None:
        with serve_attacks() as running:
            pages = find_pages(running)
            async with open_show(RenderLimits(time_s=3.0), tuple(LOOPBACK)) as show:
                for kind in ("timers", "noise"):
                    page = await show.render(pages[kind])
                    assert page.ready == "time"
                    assert b"<h1" in page.html.lower()

    asyncio.run(run())


def test_pages_that_hang_or_eat_memory_leave_the_browser_to_others() -> None:
    async def run() -> None:
        with serve_scripts() as site, serve_attacks() as running:
            pages = find_pages(running)
            async with open_show(RenderLimits(time_s=3.0), tuple(LOOPBACK)) as show:
                hostile = asyncio.gather(show.show(pages["hang"]), show.show(pages["memory"]))
                good = await show.show(f"{site.url}/")
                assert not any(isinstance(one, RenderedPage) for one in await hostile)
                assert isinstance(good, RenderedPage)
                after = await show.render(f"{site.url}/shell/1")
                assert b'href="/shell/4"' in after.html

    asyncio.run(run())


def test_nothing_of_a_page_is_there_for_the_next_one() -> None:
    async def run() -> None:
        with serve_scripts() as site:
            async with open_show() as show:
                for _ in range(3):
                    page = await show.render(f"{site.url}/cookie")
                    assert b"had:nullnull<" in page.html, page.html
                assert show.pool.started == 1

    asyncio.run(run())


def test_a_browser_that_dies_costs_no_page() -> None:
    async def run() -> None:
        with serve_scripts() as site:
            async with open_show() as show:
                await show.render(f"{site.url}/")
                under_way = asyncio.create_task(show.show(f"{site.url}/slow"))
                while not any(path == "/late" for _, path, _ in site.requests):
                    await asyncio.sleep(0.02)
                running = show.pool._current
                assert running is not None
                await running.process.end()
                page = await under_way
                assert isinstance(page, RenderedPage), page
                assert b"/came-late" in page.html
                assert show.pool.started == 2

    asyncio.run(run())


def test_browsers_are_recycled_by_pages() -> None:
    async def run() -> None:
        with serve_scripts() as site:
            async with open_show(most_pages=2) as show:
                for number in range(5):
                    await show.render(f"{site.url}/shell/{number}")
                assert show.pool.started == 3

    asyncio.run(run())


def test_browsers_are_recycled_by_age_and_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        with serve_scripts() as site:
            async with open_show() as show:
                await show.render(f"{site.url}/shell/1")
                await show.render(f"{site.url}/shell/2")
                assert show.pool.started == 1
                monkeypatch.setattr(browser_pool, "_MOST_AGE_S", 0.0)
                await show.render(f"{site.url}/shell/3")
                assert show.pool.started == 2
                monkeypatch.setattr(browser_pool, "_MOST_AGE_S", 600.0)
                await show.render(f"{site.url}/shell/4")
                assert show.pool.started == 2
                # The page that a browser shows when it takes too much is shown again in the next one.
                show.pool._most_bytes = 1
                under_way = asyncio.create_task(show.show(f"{site.url}/slow"))
                while show.pool._all:
                    await asyncio.sleep(0.02)
                show.pool._most_bytes = 1 << 40
                page = await under_way
                assert isinstance(page, RenderedPage), page
                assert show.pool.started == 3

    monkeypatch.setattr(browser_pool, "_MEASURE_S", 0.1)
    asyncio.run(run())


def test_pictures_are_small_and_whole() -> None:
    async def run() -> None:
        with serving(make_world(80)) as running:
            url = find_pages(running)["client"]
            async with open_show(allowed=tuple(LOOPBACK)) as show:
                page = await show.show(url, PictureWish(thumbnail=True, whole=True))
                assert isinstance(page, RenderedPage)
                with (
                    Image.open(io.BytesIO(page.thumbnail)) as small,
                    Image.open(io.BytesIO(page.picture)) as whole,
                ):
                    assert small.format == whole.format == "WEBP"
                    assert small.size == (320, 240)
                    assert whole.height > whole.width / 2
                    assert len(small.convert("L").getcolors(256) or ()) > 20, "it is empty"
                assert len(page.thumbnail) <= 30_000

    asyncio.run(run())
