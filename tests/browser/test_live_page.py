"""Watch a real crawl of another process in a real browser: with events, without them, and without scripts."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
from tests.crawl.harness import HTML, LOOPBACK, Toy

from gossamer.config import TaskSpec
from gossamer.lab.server.answer import Fault, LabAnswer
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.store.batch import Batch, TaskNote
from gossamer.ui.render_template import CURVES_SCRIPT, has_script
from gossamer.web import Web

pytestmark = pytest.mark.slow

HOST, SLOW_HOST = "127.9.8.1", "127.9.8.2"
PAGES = 600
MARK = "document.documentElement.dataset.ran='yes'"
HOSTILE_PATH = f"/%22%3E%3Cimg%20src=x%20onerror=%22{MARK}%22%3E"
HANGS_S = 60.0
TELEPHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
DOWNLOADED = "#sum-queued .term:nth-child(2) b"
READ = f"Number(document.querySelector('{DOWNLOADED}').textContent.replace(',', ''))"

OpenLive = Callable[..., Any]


class Watched:
    """A server over a web that another process crawls."""

    def __init__(self, address: str, lab: str) -> None:
        self.address = address
        self.lab = lab


def make_world() -> Toy:
    """Return endless work: many pages, one that never ends, some that are gone, and one with a hostile address."""
    links = "".join(f"<a href='/page/{at}'>{at}</a> " for at in range(PAGES))
    links = f"<a href='{HOSTILE_PATH}'>hostile</a> <a href='/gone/1'>gone</a> {links}"
    title = f"<title></title><script>{MARK}</script>"
    pages = {f"/page/{at}": LabAnswer(200, HTML, f"{title}<p>Page {at}".encode()) for at in range(PAGES)}
    slow = LabAnswer(200, HTML, b"<p>slow", fault=Fault(delay_s=300.0))
    start = LabAnswer(200, HTML, f"{title}{links}".encode())
    return Toy({HOST: {"/": start, **pages}, SLOW_HOST: {"/slow": slow}})


@contextmanager
def run_program(*options: str, **settings: Any) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "gossamer.cli.main", *options]
    with subprocess.Popen(command, env=os.environ, **settings) as running:
        try:
            yield running
        finally:
            running.kill()  # the slow page would delay a clean end


@contextmanager
def serve_web(folder: Path) -> Iterator[str]:
    """Serve a web by the real program; yield its address."""
    options = ("serve", "--json", "--time", "1800", "--port", "0", "--web", str(folder))
    with run_program(*options, stdout=subprocess.PIPE) as serving_it:
        assert serving_it.stdout is not None
        yield json.loads(serving_it.stdout.readline())["address"].rstrip("/")


def wait_for_pages(log: Path, crawl: subprocess.Popen[bytes]) -> None:
    """Wait until the crawl has fetched something."""
    until_s = time.monotonic() + 60
    while time.monotonic() < until_s and crawl.poll() is None:
        if log.read_text("utf-8").count('"fetched"') > 5:
            return
        time.sleep(0.05)
    raise AssertionError(log.read_text("utf-8")[-2_000:])


@contextmanager
def crawl_in_background(running: LabServer, folder: Path) -> Iterator[None]:
    lab = f"http://{HOST}:{running.port}"
    slow = f"http://{SLOW_HOST}:{running.port}/slow"
    options = [
        "crawl",
        f"{lab}/",
        slow,
        "--page-time",
        "900",
        "--first-byte-time",
        "900",
        "--web",
        str(folder),
        "--name",
        "watched",
        "--json",
        "--scope",
        "any",
    ]
    options += ["--delay", "0.3", "--adaptive", "0", "--allow-private", LOOPBACK[0], "--depth", "1"]
    log = folder.with_suffix(".log")
    with log.open("wb") as out, run_program(*options, stdout=out, stderr=out) as crawl:
        wait_for_pages(log, crawl)
        yield


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    folder = tmp_path_factory.mktemp("watched") / "watched.web"
    with (
        serving(make_world()) as running,
        crawl_in_background(running, folder),
        serve_web(folder) as address,
    ):
        yield Watched(address, f"http://{HOST}:{running.port}")


@pytest.fixture(scope="module")
def dead(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server over a web whose crawl has died."""
    folder = tmp_path_factory.mktemp("dead") / "dead.web"
    spec = msgspec.json.encode(TaskSpec(seeds=("http://a.example/",)))
    with Web(folder) as web:
        web.store.commit(Batch(tasks=[TaskNote(1, "left-behind", spec)]))
    with serve_web(folder) as address:
        yield address


@pytest.fixture
def open_live(watched: Watched, browser: Any) -> Iterator[OpenLive]:
    """A function that opens a page of the console; no page may raise a script error or break the policy."""
    contexts: list[Any] = []
    errors: list[str] = []

    def note(message: Any) -> None:
        if "Content Security Policy" in message.text:
            errors.append(message.text)

    def open_in_context(path: str, address: str = watched.address, block: str = "", **options: Any) -> Any:
        context = browser.new_context(**options)
        context.set_default_timeout(1_000 * HANGS_S)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", note)
        if block:
            page.route(block, lambda route: route.abort())
        page.goto(address + path)
        return page

    yield open_in_context
    for context in contexts:
        context.close()
    assert errors == []


def wait_until(page: Any, condition: str) -> None:
    """Wait until a condition holds; the policy of the page forbids playwright's own way."""
    until_s = time.monotonic() + HANGS_S
    while not page.evaluate(condition):
        if time.monotonic() > until_s:  # a guard against hanging
            raise TimeoutError(condition)
        page.wait_for_timeout(100)


def wait_for_more(page: Any) -> None:
    """Wait until the page shows more fetched pages than now, without doing anything."""
    wait_until(page, f"{READ} > {page.evaluate(READ)}")


def test_the_page_is_updated_by_events(open_live: OpenLive) -> None:
    page = open_live("/console/live")
    page.evaluate("window.isSame = true")
    wait_for_more(page)
    wait_for_more(page)
    assert page.evaluate("window.isSame"), "the page was not loaded again"
    assert page.locator("#live-state").inner_text().startswith("Live")
    assert page.locator(".figure b").inner_text().endswith("pages/s")
    assert "/slow" in page.locator("section:has(#visits-heading)").inner_text()


def test_without_events_the_page_asks(open_live: OpenLive) -> None:
    page = open_live("/console/live", block="**/console/events*")
    page.evaluate("window.isSame = true")
    wait_until(page, "document.getElementById('live-state').textContent.startsWith('Refreshed')")
    wait_for_more(page)
    assert page.evaluate("window.isSame")


def test_without_scripts_the_page_loads_itself_again(open_live: OpenLive) -> None:
    page = open_live("/console/live", java_script_enabled=False)
    assert page.locator(".figure b").inner_text().endswith("pages/s")
    assert not page.locator("#live-pause").is_visible()
    before = int(page.locator(DOWNLOADED).inner_text().replace(",", ""))
    page.click("text=Refresh")
    with page.expect_event("framenavigated"):
        pass  # by itself
    assert int(page.locator(DOWNLOADED).inner_text().replace(",", "")) > before


def test_the_sums_hold_in_every_message(open_live: OpenLive) -> None:
    page = open_live("/console/live")
    for _ in range(3):
        sums = page.evaluate(
            "['#sum-checked', '#sum-queued'].map((id) => [...document.querySelectorAll(`${id} .term b`)]"
            ".map((one) => Number(one.textContent.replaceAll(',', ''))))"
        )
        for total, *parts in sums:
            assert total == sum(parts) > 0
        wait_for_more(page)
    assert page.locator(".term.wrong").count() == 0


def test_focus_and_open_details_survive_updates_and_can_be_paused(open_live: OpenLive) -> None:
    page = open_live("/console/live")
    page.locator("#live-pause").wait_for()
    link = page.locator(f"{DOWNLOADED} a")
    link.focus()
    href = link.get_attribute("href")
    wait_for_more(page)
    assert page.evaluate("document.activeElement.getAttribute('href')") == href
    page.locator("#live-pause").focus()
    page.keyboard.press("Enter")
    assert page.locator("#live-state").inner_text() == "Paused"
    before = page.evaluate(READ)
    page.wait_for_timeout(2_500)
    assert page.evaluate(READ) == before
    page.keyboard.press("Enter")
    wait_for_more(page)


MORPH = """() => {
  const failed = [];
  let seed = 7;
  const draw = (most) => (seed = (seed * 48271) % 2147483647) % most;
  const make = () => {
    const ids = ["a", "b", "c", "d", "e"].filter(() => draw(3));
    if (!draw(5)) ids.reverse();
    return ids.map((id) => draw(2)
      ? `<details id="${id}"><summary>${draw(9)}</summary></details>`
      : ` <div id="${id}"><b>${draw(9)}</b>${draw(2) ? "<i>x</i>" : "y"}</div><p class="k${draw(3)}">z</p>`).join("\\n");
  };
  const put = (html) => { const made = document.createElement("div"); made.append(parse(html)); return made; };
  for (let round = 0; round < 500; round++) {
    const [before, after] = [make(), make()];
    const old = put(before), fresh = put(after);
    morph(old, fresh);
    if (old.innerHTML !== fresh.innerHTML) failed.push([before, after, old.innerHTML]);
  }
  const box = document.body.appendChild(document.createElement("div"));
  box.innerHTML = '<div id="first">1</div>\\n<div id="last"><a href="/here">2</a></div>';
  morph(box, parse('\\n<div id="first">1</div><div id="last"><a href="/here">2</a></div>'));
  box.querySelector("a").focus();
  const link = document.activeElement;
  const steps = ['<div id="first">1</div>\\n<details id="more"><p>3</p></details>\\n<div id="last"><a href="/here">4</a></div>',
    '<div id="last"><a href="/here">5</a></div>'];
  const kept = steps.map((html) => { morph(box, parse(html)); return document.activeElement === link && link.textContent; });
  box.remove();
  return [failed, kept];
}"""


def test_the_first_update_leaves_every_element(open_live: OpenLive, dead: str) -> None:
    """The parts that come later are parsed apart from the page: what is the same must stay."""
    page = open_live("/console/live", dead, block="**/console/events*")
    page.evaluate(
        "document.querySelectorAll('#live *, #live-head *').forEach((one) => { one.isOld = true; })"
    )
    wait_until(page, "document.getElementById('live-state').textContent.startsWith('Refreshed')")
    assert page.evaluate("[...document.querySelectorAll('#live *')].filter((one) => !one.isOld).length") == 0


def test_updates_make_the_same_tree_and_keep_the_focus(open_live: OpenLive, dead: str) -> None:
    """What comes or goes before a focused link, such as the reasons of failures, must not take the focus."""
    failed, kept = open_live("/console/live", dead).evaluate(MORPH)
    assert failed == []
    assert kept == ["4", "5"]


def test_the_keyboard_leads_from_a_count_to_a_story(open_live: OpenLive) -> None:
    page = open_live("/console/live")
    wait_until(page, "document.querySelector('#sum-queued a[href*=failed]') !== null")
    page.locator("#sum-queued a[href*=failed]").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/console/documents?*")
    page.locator(".documents a").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/console/explain?*")
    assert "the server answered 404" in page.locator(".verdict").inner_text()
    assert "What would have to change" in page.locator(".change-hint").inner_text()
    assert page.locator("#url").input_value().endswith("/gone/1")


def test_everything_that_can_be_used_is_reached_by_tab(open_live: OpenLive) -> None:
    page = open_live("/console/live", block="**/console/events*")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    reached = set()
    for _ in range(120):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.textContent.trim()"))
    assert {"live-pause", "last hour", "watched", "All hosts"} <= reached


@pytest.mark.skipif(not has_script(CURVES_SCRIPT), reason="uPlot was not fetched when the program was built")
def test_curves_are_drawn_with_and_without_scripts(open_live: OpenLive) -> None:
    page = open_live("/console/live?span=all")
    page.wait_for_selector("figure[data-curve=pages] canvas")
    assert page.locator(".curves canvas").count() == 4
    page.emulate_media(color_scheme="dark")
    page.wait_for_selector("figure[data-curve=pages] canvas")
    plain = open_live("/console/live?span=all", java_script_enabled=False)
    assert plain.locator(".curves polyline").count() == 4
    plain.locator("summary:has-text('table')").click()
    assert plain.locator("table.numeric tbody tr").count() > 0


def test_hostile_addresses_are_harmless_text(open_live: OpenLive, watched: Watched) -> None:
    address = f"{watched.lab}{HOSTILE_PATH}"
    for path in (
        "/console/live",
        "/console/documents?task=1&count=failed",
        f"/console/explain?url={quote(address, safe='')}",
        f"/console/hosts?name={quote('<img src=x onerror=' + MARK + '>')}",
    ):
        page = open_live(path)
        page.wait_for_timeout(300)
        assert page.evaluate("document.documentElement.dataset.ran") is None, path
        assert page.locator("main img").count() == 0, path
    assert (
        "onerror"
        in open_live(f"/console/explain?url={quote(address, safe='')}").locator("h2").first.inner_text()
    )


def test_a_dead_crawl_says_so_at_the_top(open_live: OpenLive, dead: str) -> None:
    page = open_live("/console/live", dead)
    assert "the process that crawled has died" in page.locator("#live-head .stall").inner_text()
    assert page.title().startswith("Stalled")
    assert (
        page.locator("#tasks-heading ~ * tr:has-text('left-behind')").inner_text().count("interrupted") == 1
    )


def test_pages_fit_and_are_accessible(open_live: OpenLive, watched: Watched, dead: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = open_live("/console/live", **TELEPHONE)
    paths = [
        f"{watched.address}{path}"
        for path in (
            "/console/live?span=all",
            "/console/hosts",
            "/console/documents?count=failed",
            "/console/documents?task=1&count=waiting",
            f"/console/explain?url={quote(f'{watched.lab}/page/1', safe='')}",
            "/console/explain?url=nonsense",
        )
    ]
    for address in (*paths, f"{dead}/console/live"):
        page.goto(address)
        assert page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        ), address
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            faults = axe.run(page).response["violations"]
            found = [(fault["id"], [node["html"] for node in fault["nodes"]][:3]) for fault in faults]
            assert (address, scheme, found) == (address, scheme, [])


def test_the_page_is_light(open_live: OpenLive) -> None:
    page = open_live("/console/live")
    page.wait_for_load_state("load")
    size = page.evaluate(
        "performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))"
        ".filter((one) => !one.name.includes('uPlot') && !one.name.includes('/api/') && !one.name.includes('/events'))"
        ".reduce((sum, one) => sum + one.transferSize, 0)"
    )
    assert 10_000 < size <= 120_000
