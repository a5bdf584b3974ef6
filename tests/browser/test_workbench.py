"""The workbench in a real Chromium: the graph of a crawled web, with pages that would like to run scripts in it."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.browser.pictures import find_browser
from tests.crawl.harness import Toy, make_quick_task
from tests.unit.ui.library import document

from gossamer.assess.judgements import list_samples
from gossamer.crawl.control.submitted_pages import list_submitted
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import serving
from gossamer.net.url import page_id
from gossamer.records import Page, Visit
from gossamer.store.batch import Batch, LinkColumns
from gossamer.web import Web

pytestmark = pytest.mark.slow
NORTH, SOUTH = "127.9.8.1", "127.9.8.2"
SCRIPT = "<script>document.documentElement.dataset.ran='yes'</script>"
EVIL = (
    f"{SCRIPT}<img src=x onerror=document.documentElement.dataset.ran='yes'><style>*{{display:none}}</style>"
)
SOFTWARE = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
PAGES = 15
"""How many pages the crawl fetches."""


def _make_world(port: list[int]) -> Toy:
    """Return two hosts, served at a port that is not known yet: a ring of pages, two hubs, and a hostile title and address."""
    ring = {
        f"/stone/{n}": document(
            f"Stone {n}", f"Stone number {n}.", f"<a href='/stone/{(n + 1) % 6}'>next</a>"
        )
        for n in range(6)
    }
    hub = "".join(f"<a href='/stone/{n}'>{n}</a> " for n in range(6))
    hub += "<a href='/evil?a=%22%3E%3Csvg/onload=alert(1)%3E'>evil</a>"
    evil = document(EVIL.replace("<", "&lt;").replace(">", "&gt;"), "Malice.", "<a href='/'>home</a>")
    north: dict[str, LabAnswer | Callable[[], LabAnswer]] = {
        "/robots.txt": LabAnswer(404),
        "/": lambda: document(
            "Quarry", "All stones.", f"{hub} <a href='http://{SOUTH}:{port[0]}/'>south</a>"
        ),
        "/evil?a=%22%3E%3Csvg/onload=alert(1)%3E": evil,
        **ring,
    }
    south = {f"/sand/{n}": document(f"Sand {n}", "Grains.", "<a href='/'>shore</a>") for n in range(6)}
    shore = document("Shore", "All sands.", "".join(f"<a href='/sand/{n}'>{n}</a> " for n in range(6)))
    return Toy({NORTH: north, SOUTH: {"/robots.txt": LabAnswer(404), "/": shore, **south}})


class Quarry:
    """A served web: its folder and its address."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.address = f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def quarry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Quarry]:
    """Crawl the world, give its pages marks, one of them hostile, and serve it."""
    folder = tmp_path_factory.mktemp("quarry") / "stones.web"
    port_of_world: list[int] = []
    with serving(_make_world(port_of_world)) as running, Web(folder) as web:
        port_of_world.append(running.port)
        web.run(
            [make_quick_task(running, seeds=[f"http://{NORTH}:{running.port}/"], scope="any", name="stones")]
        )
        pages = list(web.store.pages())
        marks = [{EVIL: EVIL, "relevance": f"{at / len(pages):.3f}"} for at in range(len(pages))]
        marked = [msgspec.structs.replace(page, marks=own) for page, own in zip(pages, marks, strict=True)]
        web.store.commit(Batch(pages=marked))
    with _serve(folder) as served:
        yield served


@contextmanager
def _serve(folder: Path) -> Iterator[Quarry]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "gossamer.cli.main", "serve", "--json", "--time", "1800"]
    command += ["--port", str(port), "--web", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ) as running:
        assert running.stdout is not None
        assert "address" in json.loads(running.stdout.readline())
        yield Quarry(folder, port)
        running.terminate()


OpenGraph = Callable[..., Any]


@pytest.fixture(scope="module")
def chromium(quarry: Quarry) -> Iterator[Any]:
    found = find_browser()
    if found is None:
        pytest.skip("there is no chromium: apt-get install chromium")
    play_with = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (extra dev)")
    with play_with.sync_playwright() as play:
        started = play.chromium.launch(executable_path=found, args=SOFTWARE)
        yield started
        started.close()


@pytest.fixture
def open_graph(chromium: Any, quarry: Quarry) -> Iterator[OpenGraph]:
    """A function that opens the workbench until it is drawn. No page may run foreign scripts, ask elsewhere, or fail."""
    contexts, wrong = [], list[str]()

    def open_in_context(
        path: str = "/workbench", drawn: bool = True, served: Quarry = quarry, **options: Any
    ) -> Any:
        context = chromium.new_context(viewport={"width": 1200, "height": 800}, **options)
        context.set_default_timeout(60_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: wrong.append(dialog.message))
        page.on("console", lambda said: wrong.append(said.text) if "Content Security" in said.text else None)
        page.on("request", lambda asked: None if _is_ours(asked.url, served) else wrong.append(asked.url))
        page.goto(served.address + path)
        if drawn:
            page.wait_for_selector("#graph[data-drawn]")
        return page

    yield open_in_context
    for context in contexts:
        for page in context.pages:
            assert page.evaluate("document.documentElement.dataset.ran || ''") == ""
        context.close()
    assert wrong == []


def _is_ours(url: str, quarry: Quarry) -> bool:
    return url.startswith((quarry.address, f"blob:{quarry.address}"))


def _click_node(page: Any, title: str) -> None:
    """Click the node with this title on the canvas."""
    at = page.evaluate(
        """(title) => { const graph = workbench.graph();
        const node = graph.findNode((_, own) => own.label.includes(title));
        return workbench.renderer().graphToViewport(graph.getNodeAttributes(node)); }""",
        title,
    )
    box = page.locator("#graph").bounding_box()
    page.mouse.click(box["x"] + at["x"], box["y"] + at["y"])


def test_a_click_on_a_node_shows_its_facts_and_its_neighbours(open_graph: OpenGraph) -> None:
    page = open_graph()
    assert f"{PAGES} pages" in page.inner_text("#status")
    _click_node(page, "Quarry")
    page.wait_for_selector("#panel h2")
    assert page.inner_text("#panel h2") == "Quarry"
    facts = page.inner_text("#panel")
    assert NORTH in facts
    assert "All stones." in facts
    assert "PageRank" in facts
    assert "/console/explain?url=http" in page.get_attribute("#panel a", "href")
    page.locator("#panel button", has_text="Shore").click()
    page.wait_for_function("() => document.querySelector('#panel h2').textContent === 'Shore'")


def test_hostile_titles_addresses_and_marks_are_shown_as_text_and_do_nothing(open_graph: OpenGraph) -> None:
    page = open_graph()
    _click_node(page, "<script>")
    page.wait_for_selector("#panel h2")
    assert page.inner_text("#panel h2") == EVIL
    assert f"mark {EVIL}" in page.inner_text("#panel dl")
    page.select_option("#colour", f"mark:{EVIL}")
    assert EVIL[:30] in page.inner_text("#legend")
    page.fill("#words", "<script>")
    page.wait_for_selector("#found button")
    assert EVIL in page.inner_text("#found")
    assert page.locator("#found script, #panel script, #legend img, main style").count() == 0
    page.goto(
        page.url.replace("/workbench", f"/workbench?host={'%3Cscript%3E'}&within=host:%22%3E%3Cscript%3E")
    )
    assert page.locator("main script").count() == 0


def test_a_filter_hides_nodes_and_search_finds_one(open_graph: OpenGraph) -> None:
    page = open_graph()
    page.locator("summary", has_text="Filter").click()
    page.fill("#host", f"{SOUTH}*")
    page.locator("#controls button").click()
    page.wait_for_function("() => document.getElementById('status').textContent.startsWith('7 of')")
    hidden = page.evaluate("workbench.graph().filterNodes((_, own) => own.hidden).length")
    assert hidden == PAGES - 7
    page.fill("#words", "sand 3")
    page.locator("#found button").first.click()
    page.wait_for_selector("#panel h2")
    assert page.inner_text("#panel h2") == "Sand 3"


def test_marks_filter_by_a_range_of_numbers_and_by_values(open_graph: OpenGraph) -> None:
    page = open_graph()
    page.locator("summary", has_text="Filter").click()
    page.select_option("#mark", "mark:relevance")
    page.fill("#greatest", "0.3")
    page.select_option("#category", "host")
    page.fill("#values", f"{SOUTH}:1, nowhere")
    page.locator("#controls button").click()
    # In one step: the page looks for growth now and then, and says something else meanwhile.
    told = page.wait_for_function(
        "() => { const said = document.getElementById('status').textContent; return said.startsWith('no node has') && said }"
    ).json_value()
    (north,) = re.findall(rf"{re.escape(NORTH)}:\d+", told)
    page.fill("#values", north.upper())
    page.fill("#greatest", "")
    page.locator("#controls button").click()
    page.wait_for_function(
        f"() => document.getElementById('status').textContent.startsWith('{PAGES - 7} of')"
    )
    page.fill("#values", "")
    page.fill("#greatest", "0.3")
    page.locator("#controls button").click()
    low = sum(round(at / PAGES, 3) <= 0.3 for at in range(PAGES))
    page.wait_for_function(f"() => document.getElementById('status').textContent.startsWith('{low} of')")


def test_a_selected_region_is_given_to_a_task(open_graph: OpenGraph, quarry: Quarry) -> None:
    page = open_graph()
    page.click("#select")
    box = page.locator("#graph").bounding_box()
    page.mouse.move(box["x"] + 3, box["y"] + 3)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 3, box["y"] + box["height"] - 3, steps=4)
    page.mouse.up()
    assert page.inner_text("#selected") == f"{PAGES} pages"
    page.locator("summary", has_text="Filter").click()
    page.fill("#host", f"{NORTH}*")
    page.fill("#community", "")
    page.locator("#controls button").click()
    page.wait_for_function("() => document.getElementById('status').textContent.startsWith('8 of')")
    page.click("#select-shown")
    assert page.inner_text("#selected") == "8 pages"
    page.locator("button[value=crawl]").click()
    page.wait_for_selector("h1:has-text('8 pages were given to stones')")
    with Web(quarry.folder, read_only=True) as web:
        submitted = list_submitted(web.store, quarry.folder)
    assert len(submitted) == 8
    assert all(NORTH in one.url for one in submitted)


def test_a_selection_is_exported_judged_and_excluded(open_graph: OpenGraph, quarry: Quarry) -> None:
    page = open_graph()
    page.click("#select-shown")
    with page.expect_download() as gexf:
        page.locator("button[value=gexf]").click()
    text = Path(gexf.value.path()).read_text("utf-8")
    assert text.count("<node ") == PAGES
    assert "<script>" not in text
    with page.expect_download() as svg:
        page.locator("button[value=svg]").click()
    drawn = Path(svg.value.path()).read_text("utf-8")
    assert drawn.count("<circle") == PAGES
    assert "<script" not in drawn
    with page.expect_download() as png:
        page.click("#png")
    assert Path(png.value.path()).read_bytes().startswith(b"\x89PNG")
    page.fill("#selection [name=name]", "stones-and-sand")
    page.locator("button[value=judge]").click()
    page.wait_for_url("**/assess/stones-and-sand*")
    with Web(quarry.folder, read_only=True) as web:
        assert [len(sample.items) for sample in list_samples(web.store)] == [PAGES]
    page = open_graph()
    page.click("#select-shown")
    with page.expect_request("**/console/task/change?**") as asked:
        page.locator("button[value=exclude]").click()
    assert "exclude=" in asked.value.url
    assert NORTH.replace(".", "%5C.") in asked.value.url


def test_the_keyboard_moves_zooms_and_opens_nodes(open_graph: OpenGraph) -> None:
    page = open_graph()
    page.focus("#graph")
    before = page.evaluate("workbench.camera().getState()")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("+")
    page.wait_for_function("(ratio) => workbench.camera().ratio < ratio", arg=before["ratio"])
    assert page.evaluate("workbench.camera().x") > before["x"]
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    page.wait_for_selector("#panel h2")
    page.focus("#graph")
    page.keyboard.press("Escape")
    assert not page.is_visible("#panel")


def test_the_tools_zoom_show_all_clear_a_selection_and_lay_out_anew(open_graph: OpenGraph) -> None:
    page = open_graph("/workbench?links=all")
    page.click("#zoom-in")
    page.wait_for_function("() => workbench.camera().ratio < 0.9")
    page.click("#zoom-out")
    page.wait_for_function("() => workbench.camera().ratio > 0.95")
    page.click("#zoom-in")
    page.wait_for_function("() => workbench.camera().ratio < 0.9")
    page.click("#fit")
    page.wait_for_function("() => workbench.camera().ratio === 1")
    page.click("#select-shown")
    assert page.inner_text("#selected") == f"{PAGES} pages"
    page.click("#unselect")
    assert not page.is_visible("#selection")
    before = page.evaluate("workbench.picture().stamp")
    with page.expect_navigation():
        page.get_by_role("button", name="Lay out anew").click()
    page.wait_for_function(
        "(before) => document.querySelector('#graph[data-drawn]') && workbench.picture().stamp !== before",
        arg=before,
    )
    assert f"{PAGES} pages" in page.inner_text("#status")


def test_hosts_are_nodes_too_and_lead_to_their_pages(open_graph: OpenGraph) -> None:
    page = open_graph("/workbench?level=hosts")
    assert "2 hosts" in page.inner_text("#status")
    page.evaluate("workbench.camera().setState({ ratio: 0.2 })")
    page.evaluate(
        "() => { const at = workbench.renderer().getNodeDisplayData('1'); workbench.camera().setState({ x: at.x, y: at.y }); }"
    )
    page.wait_for_function("() => workbench.graph().order > 2")  # enlarged, a host shows its pages
    assert page.evaluate("workbench.graph().filterNodes((_, own) => own.group === 1).length") == 7
    page.evaluate("workbench.camera().setState({ x: 0.5, y: 0.5, ratio: 1 })")
    page.wait_for_function("() => workbench.graph().order === 2")
    _click_node(page, SOUTH)
    page.wait_for_selector("#panel h2")
    page.locator("#panel a", has_text="Open its pages").click()
    page.wait_for_selector("#graph[data-drawn]")
    assert "7 pages of host:" in page.inner_text("#status")


def test_a_page_that_was_opened_before_its_picture_was_ready_offers_the_marks_too(
    open_graph: OpenGraph,
) -> None:
    page = open_graph("/workbench?level=pages&links=all")  # no other test looks at this picture
    page.select_option("#colour", "mark:relevance")


def test_without_scripts_there_are_a_picture_and_a_table(open_graph: OpenGraph) -> None:
    open_graph()  # it is ready now
    page = open_graph(drawn=False, java_script_enabled=False)
    assert page.locator("#fallback img").evaluate("image => image.naturalWidth") > 0
    page.locator("summary", has_text="as a table").click()
    assert "Quarry" in page.inner_text(".best-nodes")


def test_the_picture_grows_with_the_web_and_the_rest_stays(
    open_graph: OpenGraph, quarry: Quarry, tmp_path: Path
) -> None:
    shutil.copytree(quarry.folder, tmp_path / "growing.web")
    with _serve(tmp_path / "growing.web") as growing:
        page = open_graph(served=growing)
        places = "workbench.graph().mapNodes((node, own) => [own.x, own.y])"
        before = page.evaluate(places)
        with Web(growing.folder) as web:
            hub = next(one for one in web.store.pages() if one.title == "Quarry")
            url = f"{hub.url}fresh"
            fresh = Page(page_id(url), url, hub.host, 1, 1, 1.8e9, 200, "html", "Fresh stone")
            links = LinkColumns(fresh.id, [hub.id], b"\0", ["home"])
            visit = Visit(fresh.id, 1, fresh.fetched_s, "fetched", 200)
            web.store.commit(Batch(pages=[fresh], links=[links], visits=[visit]))
        page.wait_for_function("(nodes) => workbench.graph().order === nodes", arg=PAGES + 1)
        after = page.evaluate(places)
        assert after[:PAGES] == before
        assert page.evaluate("workbench.graph().someNode((_, own) => own.label === 'Fresh stone')")
