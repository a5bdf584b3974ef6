"""No page runs over the edge of a phone or is cut; bench/look_at_pages.py looks at more webs, widths and colours."""

import sys
from typing import Any

import pytest
from tests.browser.conftest import OpenPage, Site
from tests.browser.page_faults import find_faults

sys.path.insert(0, "bench")

from look_at_pages import list_paths

pytestmark = pytest.mark.slow
BROKEN = """<!doctype html><html lang=en><title>t</title><main><h1>h</h1><div id=far style="width: 900px">far</div>
<p id=cut style="width: 40px; overflow: hidden; white-space: nowrap">much more than forty pixels</p>
<img src="" width=20 height=20><span>undefined</span><button style="outline: none; width: 10px">press here</button></main>"""


def test_all_pages_are_without_faults(open_page: OpenPage, site: Site) -> None:
    page = open_page("/help", viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    examples = {path.partition("?")[0]: path for path in list_paths(site.folder)}
    assert len(examples) > 25
    faults: list[str] = []
    for path in examples.values():
        answer = page.goto(site.address + path, wait_until="domcontentloaded")
        if answer.headers["content-type"].startswith("text/html"):
            faults += [f"{path}: {fault}" for fault in find_faults(page)]
    assert faults == []


def test_faults_are_found(open_page: OpenPage) -> None:
    page: Any = open_page("/help", viewport={"width": 360, "height": 740})
    page.goto("about:blank")  # without the policy of our pages, which allows no styles in the text
    page.set_content(BROKEN)
    page.keyboard.press("Tab")
    found = "\n".join(find_faults(page, focus=True))
    for what in (
        "the page is",
        "outside the window",
        "text is cut: p#cut",
        "no alternative text",
        "no value: span",
        "text runs out: button",
        "no sign of the focus: button",
    ):
        assert what in found
