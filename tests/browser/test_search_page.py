"""Use the search page in a real browser, and open copies of hostile pages."""

import re
import time
from typing import Any

import pytest
from tests.browser.conftest import OpenPage, Site

from gossamer.crawl.control.command_mailbox import Mailbox
from gossamer.store.click_counts import all_openings
from gossamer.ui.render_template import SUGGESTIONS_SCRIPT, has_script
from gossamer.web import Web

pytestmark = pytest.mark.slow

TELEPHONE = {"viewport": {"width": 360, "height": 640}, "is_mobile": True, "has_touch": True}
# All pages share their colours: these are enough to check both schemes.
PAGES = {
    "/": ("light",),
    "/search?q=symphony&language=en": ("light", "dark"),
    "/search?q=zzzz": ("light",),
    "/submit": ("dark",),
    "/help": ("light",),
    "/related?q=haydn": (),
    "/groups?q=symphony": ("light", "dark"),
    "/nowhere": ("dark",),
    "/api": ("light", "dark"),
    "/cached?url=STARThaydn&q=eisenstadt": ("light", "dark"),
}
needs_htmx = pytest.mark.skipif(
    not has_script(SUGGESTIONS_SCRIPT),
    reason="htmx was not fetched when the program was installed: npm was missing",
)


def titles(page: Any) -> list[str]:
    return [str(text) for text in page.locator(".answers .title").all_inner_texts()]


def fits(page: Any) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


def wait_for_count(site: Site, url: str) -> int:
    """Wait until a click was counted, and return how often the page was opened."""
    until_s = time.monotonic() + 150  # a guard against hanging
    with Web(site.folder) as web:
        while True:
            times = {web.store.url(page): count.times for page, count in all_openings(web.store)}.get(url, 0)
            if times or time.monotonic() > until_s:
                return times
            time.sleep(0.05)


def test_a_person_searches_and_opens_an_answer(open_page: OpenPage, site: Site) -> None:
    page = open_page("/")
    page.locator("#q:focus").wait_for()
    page.keyboard.type("eisenstadt orchestra")  # the box has the focus
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=*")
    assert titles(page)[0] == "Joseph Haydn"
    assert "Eisenstadt" in page.locator("mark").all_inner_texts()
    page.context.route("**/haydn", lambda route: route.fulfill(body="The live page"))
    sent: list[str] = []
    page.context.on("request", lambda one: sent.append(one.url))
    page.locator(".answers .title").first.click()
    page.wait_for_url(f"{site.start}haydn")
    assert wait_for_count(site, f"{site.start}haydn") == 1
    assert sent.count(f"{site.address}/opened") == 1  # by the script, or by the link itself


def test_clicks_are_counted_without_scripts_too(open_page: OpenPage, site: Site) -> None:
    page = open_page("/search?q=malice", java_script_enabled=False)
    page.context.route("**/hostile", lambda route: route.fulfill(body="The live page"))
    title = page.locator(".answers .title").first
    assert title.get_attribute("href") == f"{site.start}hostile"  # no redirect in between
    title.click()
    page.wait_for_url(f"{site.start}hostile")
    assert wait_for_count(site, f"{site.start}hostile") == 1


@needs_htmx
def test_suggestions_appear_while_typing_and_follow_keys(open_page: OpenPage) -> None:
    page = open_page("/")
    page.locator("#q:focus").wait_for()
    page.keyboard.type("eisenstadt orch", delay=10)
    options = page.locator("#suggestions [role=option]")
    # Earlier ones are for what was typed by then.
    page.locator("#suggestions [role=option]:first-child", has_text="orch").wait_for()
    box = page.locator("#q")
    assert box.get_attribute("aria-expanded") == "true"
    page.keyboard.press("ArrowDown")
    assert box.get_attribute("aria-activedescendant") == options.first.get_attribute("id")
    assert box.input_value() == options.first.inner_text() != "eisenstadt orch"
    page.keyboard.press("ArrowUp")
    assert box.input_value() == "eisenstadt orch"
    page.keyboard.press("Escape")
    assert not options.first.is_visible()
    page.locator("#q:focus").wait_for()
    page.keyboard.type("e")
    options.first.wait_for()
    page.keyboard.type("xyz")  # the earlier suggestions do not fit any more
    assert options.count() == 0
    for _ in "xyz":
        page.keyboard.press("Backspace")
    options.first.wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=eisenstadt*")
    assert "Joseph Haydn" in titles(page)


@needs_htmx
def test_related_words_load_when_they_are_visible(open_page: OpenPage) -> None:
    page = open_page("/search?q=symphony")
    assert page.locator(".related a").inner_text() == "Related words and pages"
    page.goto(page.url.replace("symphony", "eisenstadt"))
    page.locator(".related").scroll_into_view_if_needed()
    word = page.locator(".related .words a").first
    word.wait_for()
    word.click()
    page.wait_for_url("**/search?q=eisenstadt%20*")
    assert titles(page)


def test_keys_move_through_the_answers(open_page: OpenPage) -> None:
    page = open_page("/search?q=symphony")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "q"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    focused = "document.activeElement.innerText"
    assert page.evaluate(focused) == titles(page)[1]
    page.keyboard.press("ArrowUp")
    assert page.evaluate(focused) == titles(page)[0]
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") == "q"


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_filters_pages_and_neighbours_with_and_without_scripts(open_page: OpenPage, scripts: bool) -> None:
    page = open_page("/", java_script_enabled=scripts)
    page.fill("#q", "sinfonien OR symphony")
    page.click("text=Search >> nth=-1")
    everything = int(page.locator(".stats").inner_text().split()[0])
    page.click(".filters a:has-text('German')")
    assert int(page.locator(".stats").inner_text().split()[0]) < everything
    assert all("ymphony" not in title for title in titles(page))
    page.click(".chips a")
    first = titles(page)
    page.click("a[rel=next]")
    assert titles(page)
    assert not set(titles(page)) & set(first)
    page.goto(page.url.partition("?")[0] + "?q=joseph+haydn")
    page.click(".answers li:first-child a:has-text('here')")
    assert "Music library" in titles(page)
    assert "the Haydn page" in page.locator(".links-as").first.inner_text()
    page.click(".answers li:first-child a:has-text('similar')")
    assert page.locator("h1").inner_text().startswith("Pages like")
    page.fill("input[name=after]", "2023-01-01")
    page.click(".dates button")
    assert "after=2023-01-01" in page.url


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_a_page_is_submitted(open_page: OpenPage, scripts: bool) -> None:
    page = open_page("/submit", java_script_enabled=scripts)
    page.fill("#url", "https://new.example/page")
    page.click("main button")
    assert "waits for the next run" in page.locator(".done").inner_text()
    page.fill("#url", "https://user:word@new.example/")
    page.click("main button")
    assert "is not a page" in page.locator(".wrong").inner_text()


@pytest.mark.parametrize("scripts", [True, False])
def test_groups_beside_the_filters_narrow_the_answers(open_page: OpenPage, scripts: bool) -> None:
    page = open_page("/search?q=symphony", java_script_enabled=scripts)
    if not scripts:
        page.click("text=Group answers that share words")
    group = page.locator(".groups li > a").first
    label, count = group.locator(".value").inner_text(), group.locator(".count").inner_text()
    group.click()
    assert page.locator(".groups a[aria-current] .value").inner_text() == label
    assert page.locator(".stats").inner_text().startswith(f"{count} of ")
    assert 0 < page.locator("ol.answers > li").count() <= int(count)
    page.click(f'[aria-label="Remove the filter {label}"]')
    assert "group=" not in page.url


def test_pages_fit_on_a_phone_and_are_accessible(open_page: OpenPage, site: Site) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = open_page("/", **TELEPHONE)
    for path, schemes in PAGES.items():
        page.goto(site.address + path.replace("START", site.start))
        assert fits(page), path
        for scheme in schemes:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # colours change at once
            faults = axe.run(page, options={"iframes": False}).response["violations"]
            found = [(fault["id"], [node["html"] for node in fault["nodes"]]) for fault in faults]
            assert (path, scheme, found) == (path, scheme, [])


def test_the_page_loads_little(open_page: OpenPage) -> None:
    page = open_page("/search?q=symphony")
    size = page.evaluate(
        "performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))"
        ".reduce((sum, one) => sum + one.decodedBodySize, 0)"
    )
    assert 0 < size < 120_000  # with all that it loads
    assert re.search(r"\d+ pages in [\d,]+ ms", page.locator(".stats").inner_text())


def copy_in(page: Any) -> Any:
    frame = page.frame_locator("iframe[title='The copy']")
    frame.locator("body").wait_for()
    return frame


@pytest.mark.parametrize("looks", ["", "&looks=live"], ids=["archived only", "with live assets"])
def test_a_hostile_copy_runs_nothing_and_reaches_nothing(open_page: OpenPage, site: Site, looks: str) -> None:
    page = open_page("/help")
    responses: list[tuple[str, int]] = []
    page.on("response", lambda got: responses.append((got.url.removeprefix(site.address), got.status)))
    orders = len(Mailbox(site.folder).read_new())
    page.goto(f"{site.address}/cached?url={site.start}hostile{looks}")
    frame = copy_in(page)
    frame.locator("#on").wait_for()
    page.wait_for_load_state("networkidle")
    assert page.title().startswith("Copy of Hostile <script>")
    # The frame has an opaque origin, and no script in it has run.
    (inner,) = [one for one in page.frames if "/cached/page" in one.url]
    assert inner.evaluate("[self.origin, document.documentElement.dataset.ran ?? 'no']") == ["null", "no"]
    assert (
        inner.evaluate("(() => { try { return localStorage.length } catch { return 'blocked' } })()")
        == "blocked"
    )
    # Its own requests to this server were never sent, or refused.
    own_requests = [(url, status) for url, status in responses if url.startswith("/api") or "q=haydn" in url]
    assert [one for one in own_requests if one[1] != 403] == []
    frame.locator("#send").click()
    assert len(Mailbox(site.folder).read_new()) == orders
    assert page.url.startswith(f"{site.address}/cached")


def test_a_copy_has_its_styles_and_loads_nothing(open_page: OpenPage, site: Site) -> None:
    page = open_page("/help")
    page.wait_for_load_state("networkidle")  # otherwise aborted requests would be counted below
    answered: list[str] = []
    failed: dict[str, str] = {}
    page.on("response", lambda got: answered.append(got.url.removeprefix(site.address)))
    page.on("requestfailed", lambda one: failed.update({one.url: one.failure}))
    page.goto(f"{site.address}/cached?url={site.start}dressed")
    frame = copy_in(page)
    frame.locator("#word").wait_for()
    page.wait_for_load_state("networkidle")
    style = "node => [getComputedStyle(node).color, getComputedStyle(node).backgroundImage.slice(0, 14)]"
    assert frame.locator("p").evaluate(style) == ["rgb(200, 0, 0)", 'url("data:imag']
    assert frame.locator("em").evaluate(style) == ["rgb(0, 0, 200)", 'url("data:imag']
    assert frame.locator("#dot").evaluate("image => [image.complete, image.naturalWidth]") == [True, 1]
    assert frame.locator("#far").evaluate("image => image.naturalWidth") == 0
    (inner,) = [one for one in page.frames if "/cached/page" in one.url]
    assert inner.evaluate("[document.compatMode, document.documentElement.dataset.ran ?? 'no']") == [
        "BackCompat",
        "no",
    ]
    # The browser blocks what the sheets refer to by the policy (csp), before any request.
    assert len(failed) > 5
    assert set(failed.values()) == {"csp"}
    assert [url for url in answered if not url.startswith(("/cached", "/static/", "data:"))] == []
    wanted = ("?source", "?set", "?far", "?begins", "?cursor", "?border", "?imported", ".woff")
    assert [url for url in answered if any(mark in url for mark in wanted)] == []


def test_a_copy_without_its_banner_is_sandboxed_too(open_page: OpenPage, site: Site) -> None:
    page = open_page(f"/cached/page?url={site.start}hostile")
    assert page.title() == "Hostile <script>alert(1)</script> concert"
    assert page.evaluate("[self.origin, document.documentElement.dataset.ran ?? 'no']") == ["null", "no"]
    reached = page.evaluate(
        f"fetch('{site.address}/api/search?q=haydn').then(() => 'reached', () => 'blocked')"
    )
    assert reached == "blocked"


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_a_reader_goes_from_copy_to_copy_with_marked_words(
    open_page: OpenPage, site: Site, scripts: bool
) -> None:
    page = open_page("/search?q=eisenstadt", java_script_enabled=scripts)
    page.click(".answers li:has-text('Joseph Haydn') >> text=cached")
    frame = copy_in(page)
    assert frame.locator("mark").first.inner_text() == "Eisenstadt"
    page.click("text=go to first")
    frame.locator("mark:target").wait_for()
    frame.locator("text=Home of the library").click()
    page.wait_for_url("**/cached?*")
    home = copy_in(page)
    home.locator("h1:has-text('Music library')").wait_for()
    assert page.locator(".banner .where").inner_text() == site.start.split("/")[2]
    assert "no word of “eisenstadt”" in page.locator(".banner").inner_text()
    home.locator("text=the Haydn page").click()
    copy_in(page).locator("h1:has-text('Joseph Haydn')").wait_for()
    assert page.url.startswith(f"{site.address}/cached?url=")


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_an_example_on_the_help_page_finds_something(open_page: OpenPage, scripts: bool) -> None:
    page = open_page("/help", java_script_enabled=scripts)
    page.locator("a.example").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=*")
    assert titles(page)


def test_answers_are_paged_by_number(open_page: OpenPage) -> None:
    page = open_page("/search?q=the+OR+der", java_script_enabled=False)
    numbers = page.locator(".pages [aria-label^=Page]").all_inner_texts()
    assert numbers[:2] == ["1", "2"]
    page.click(f".pages >> text='{numbers[-1]}'")
    page.wait_for_url(f"**page={numbers[-1]}")
    assert titles(page)


def test_a_copy_shows_its_date_and_links_to_the_live_page(open_page: OpenPage, site: Site) -> None:
    page = open_page("/search?q=malice")
    page.click("text=cached")
    frame = copy_in(page)
    assert page.locator(".banner h1").inner_text().startswith("A copy from 20")
    assert frame.locator("#on").evaluate("link => link.href") == f"{site.start}further.html"
    page.context.route("**/further.html", lambda route: route.fulfill(body="The live page"))
    frame.locator("#on").click()
    page.wait_for_url(f"{site.start}further.html")


def test_a_page_with_noarchive_has_no_copy(open_page: OpenPage, site: Site) -> None:
    page = open_page("/search?q=memoir")
    assert page.locator(".answers .title").first.inner_text() == "A secret memoir"
    assert page.locator("text=cached").count() == 0
    page.goto(f"{site.address}/cached?url={site.start}secret")
    assert "noarchive" in page.locator(".sentence").inner_text()
