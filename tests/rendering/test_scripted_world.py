"""A crawl that shows every page of the lab's web in a browser finds all of its truth: pages, links, texts and pictures."""

from collections.abc import Iterable
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import pytest
from tests.crawl.harness import check_links, get_world, make_quick_task, read_pages, run, serve_lab
from tests.rendering.harness import need_browser

from gossamer.lab.options import Shape
from gossamer.lab.script_options import RESTING_SCRIPTS, Scripted
from gossamer.lab.server.serve_world import LabServer
from gossamer.lab.world.world import World
from gossamer.net import html
from gossamer.net.url import page_id
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.opening.open_archive import open_reader
from gossamer.web import Web

pytestmark = pytest.mark.slow
_RESTLESS = {"timers": 0.02, "noise": 0.02, "hang": 0.01, "memory": 0.02}


def make_world(pages: int = 80) -> World:
    shares = dict.fromkeys(RESTING_SCRIPTS, 0.06) | _RESTLESS
    scripted = Scripted(**shares)  # type: ignore[arg-type]  # names of shares
    return World(seed=12, hosts=2, pages=pages, languages=("en",), scripted=scripted, shape=Shape(groups=()))


def crawl(running: LabServer, web: Path, render: Literal["never", "always"]) -> dict[str, str]:
    """Crawl a world; return the kind of script of each page that was kept."""
    run(web, make_quick_task(running, render=render, render_time_s=10.0))
    world = get_world(running)
    found = {url: world.page(url) for url in read_pages(web)}
    return {url: page.scripted for url, page in found.items() if page is not None}


def test_a_crawl_with_a_browser_finds_all_pages_links_texts_and_pictures(tmp_path: Path) -> None:
    need_browser()
    with serve_lab(make_world()) as running:
        kinds = crawl(running, tmp_path / "web", "always")
        world, asked = get_world(running), {(one.host, one.target) for one in running.log.entries()}
    assert set(kinds) == set(world.reachable())
    assert set(kinds.values()) >= {*RESTING_SCRIPTS, "timers", "noise"}
    # Where a script starts a download, its file is one more link.
    plain = [url for url, kind in kinds.items() if kind != "download"]
    assert check_links(tmp_path / "web", world, plain) > len(plain)
    check_downloads(tmp_path / "web", world, set(kinds) - set(plain))
    check_texts(tmp_path / "web", world, kinds)
    for url in kinds:
        page = world.page(url)
        assert page is not None
        for picture in page.pictures:
            parts = urlsplit(picture)
            assert (parts.netloc, parts.path) in asked or (parts.hostname, parts.path) in asked, picture
    assert not any(target.startswith("/scripts/popup?") for _, target in asked)


def check_downloads(folder: Path, world: World, urls: set[str]) -> None:
    """Check that pages that start a download have the links of the truth, and the file."""
    with Web(folder, create=False) as web:
        for url in urls:
            truth = world.page(url)
            assert truth is not None
            targets = {link.target for link in web.store.links_from(page_id(url))}
            found = {
                name.partition("/scripts/file.bin")[1] or name for name in web.store.urls(targets).values()
            }
            assert found == {link.url for link in truth.links} | {"/scripts/file.bin"}, url


def check_texts(folder: Path, world: World, urls: Iterable[str]) -> None:
    """Check that what was kept as a page has every line of the true text, in order."""
    reader = open_reader(folder / "archive")
    kept = read_pages(folder)
    for url in urls:
        truth = world.page(url)
        shown = reader.read(WarcPosition(kept[url].warc, kept[url].warc_offset))
        assert truth is not None
        assert shown is not None, url
        text = " ".join(html.read(shown.body, url, "text/html; charset=utf-8").text.split())
        at = 0
        for line in truth.text.splitlines():
            at = text.find(" ".join(line.split()), at)
            assert at >= 0, (url, truth.scripted, line, text)


def test_a_crawl_without_a_browser_finds_what_needs_none(tmp_path: Path) -> None:
    with serve_lab(make_world(60)) as running:
        kinds = crawl(running, tmp_path / "web", "never")
        world = get_world(running)
    assert set(kinds) == set(world.reachable(scripts=False)) < set(world.reachable())


def test_auto_shows_no_page_of_a_world_that_needs_no_browser(tmp_path: Path) -> None:
    need_browser()
    with serve_lab(World(seed=7, hosts=5, pages=120, languages=("en",))) as running:
        world = get_world(running)
        run(tmp_path / "web", make_quick_task(running, seeds=world.seeds(everywhere=True), render="auto"))
    truths = [(world.page(url), page) for url, page in read_pages(tmp_path / "web").items()]
    # Articles without links, some of them beside a script that mentions one.
    assert any(truth is not None and not truth.links for truth, _ in truths)
    assert not any({"rendered", "unrendered"} & page.marks.keys() for _, page in truths)
