"""Pictures of pages beside what is said about them, in a real Chromium: with a text, lazily, and without a shift of the layout."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from tests.browser.pictures import open_browser
from tests.crawl.harness import make_quick_task, run, serve_lab
from tests.rendering.harness import need_browser

from gossamer.lab.options import Shape
from gossamer.lab.script_options import Scripted
from gossamer.lab.world.world import World
from gossamer.web import Web

pytest.importorskip("playwright", reason="playwright is not installed (extra browser)")
pytestmark = pytest.mark.slow

_GOSSAMER = [sys.executable, "-m", "gossamer.cli.main"]
_PLACES = {
    "explain": "/console/explain?url={}",
    "backlinks": "/backlinks?url={}",
    "documents": "/console/documents?task=1&count=downloaded",
}
_WATCH_SHIFTS = """window.shifts = 0; new PerformanceObserver(list => {
  for (const one of list.getEntries()) window.shifts += one.value; }).observe({type: 'layout-shift', buffered: true});"""


@contextmanager
def serve_pictured(folder: Path, *options: str) -> Iterator[tuple[str, str]]:
    """Crawl a small world with a browser and serve the web; yield its address and that of a page."""
    world = World(
        seed=3, hosts=1, pages=8, languages=("en",), shape=Shape(groups=()), scripted=Scripted(client=0.5)
    )
    with serve_lab(world) as running:
        screenshots = "pictures" in options
        run(folder / "web", make_quick_task(running, render="always", screenshots=screenshots))
    with Web(folder / "web") as web:
        url = next(page.url for page in web.store.pages() if "rendered" in page.marks)
    subprocess.run([*_GOSSAMER, "index", "--web", str(folder / "web")], check=True, capture_output=True)
    command = [*_GOSSAMER, "serve", "--json", "--port", "0", "--time", "600", "--web", str(folder / "web")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        yield json.loads(server.stdout.readline())["address"].rstrip("/"), url
        server.terminate()


def test_pages_with_pictures_show_them(tmp_path: Path) -> None:
    need_browser()
    with serve_pictured(tmp_path, "pictures") as (address, url), open_browser() as browser:
        for place in _PLACES.values():
            page = browser.new_context(viewport={"width": 360, "height": 740}).new_page()
            page.add_init_script(_WATCH_SHIFTS)
            page.goto(address + place.format(quote(url, "")), wait_until="networkidle")
            check_picture(page.locator("img.thumbnail").first)
            assert page.evaluate("window.shifts") < 0.01, place
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), place
        check_workbench(browser.new_page(), address)
        check_assess(browser.new_page(), address)


def check_picture(picture: Any) -> None:
    """Check that a picture is shown, with a text and in the room that was left for it."""
    assert picture.evaluate("async one => { await one.decode(); return one.naturalWidth }") == 320
    assert str(picture.get_attribute("alt")).startswith("Picture of ")
    assert picture.get_attribute("loading") == "lazy"
    assert (picture.get_attribute("width"), picture.get_attribute("height")) == ("120", "90")


def check_workbench(page: Any, address: str) -> None:
    page.goto(f"{address}/workbench", wait_until="networkidle")
    page.evaluate("Workbench.openNode('0')")
    page.wait_for_selector("#panel img")
    check_picture(page.locator("#panel img"))


def check_assess(page: Any, address: str) -> None:
    page.goto(f"{address}/assess")
    page.fill("#name", "sample")
    page.get_by_role("button", name="Draw").click()
    page.wait_for_url("**/assess/sample**")
    page.goto(f"{address}/assess/sample?judge=anna", wait_until="networkidle")
    check_picture(page.locator(".about-page img"))


def test_pages_without_pictures_show_nothing(tmp_path: Path) -> None:
    need_browser()
    with serve_pictured(tmp_path) as (address, url), open_browser() as browser:
        page = browser.new_page()
        for place in _PLACES.values():
            page.goto(address + place.format(quote(url, "")), wait_until="networkidle")
            assert page.locator("img.thumbnail, .beside-picture").count() == 0
        page.goto(f"{address}/workbench", wait_until="networkidle")
        page.evaluate("Workbench.openNode('0')")
        page.wait_for_selector("#panel dl")
        assert page.locator("#panel img").count() == 0
