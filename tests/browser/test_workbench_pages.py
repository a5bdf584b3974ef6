"""Reports, folders, paths and surroundings in a real browser: with and without scripts, on a phone and on a wide screen."""

from typing import Any
from urllib.parse import quote

import pytest
from tests.browser.conftest import OpenPage, Site
from tests.browser.page_faults import find_faults

from gossamer.web import Web

pytestmark = pytest.mark.slow
PHONE, WIDE = {"width": 360, "height": 740}, {"width": 1440, "height": 900}


def watch_policy(page: Any) -> list[str]:
    """Collect what the browser refuses because of the policy of the page."""
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text) if "Content" in message.text else None)
    return refused


def fits(page: Any) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.fixture(scope="module")
def host(site: Site) -> str:
    with Web(site.folder) as web:
        return next(page.host for page in web.store.pages() if "/symphony/" in page.url)


def test_a_report_is_made_and_shown(open_page: OpenPage) -> None:
    page = open_page("/workbench/reports", viewport=WIDE)
    refused = watch_policy(page)
    page.get_by_role("link", name="Languages", exact=True).click()
    page.get_by_role("button", name="Make this report").click()
    page.locator("figure img").first.wait_for()
    assert page.locator("progress").count() == 0
    assert "English" in page.locator("table").first.inner_text()
    picture = page.locator("figure img").first
    assert picture.evaluate("async img => { await img.decode(); return img.naturalWidth }") > 100
    with page.expect_download() as saved:
        page.get_by_role("link", name="CSV").first.click()
    assert saved.value.suggested_filename.endswith("languages-1-1.csv")
    page.set_viewport_size(PHONE)
    assert fits(page)
    assert refused == []


def test_folders_open_with_and_without_scripts(open_page: OpenPage, host: str) -> None:
    page = open_page(f"/workbench/tree?site={host}", viewport=PHONE)
    refused = watch_policy(page)
    folder = page.locator("details", has_text="symphony/")
    folder.locator("summary").click()
    folder.locator(".leaf").first.wait_for()
    assert folder.locator(".leaf").count() == 14
    assert fits(page)
    assert refused == []
    plain = open_page(f"/workbench/tree?site={host}", viewport=PHONE, java_script_enabled=False)
    folder = plain.locator("details", has_text="symphony/")
    folder.locator("summary").click()
    folder.get_by_role("link", name="Open this folder").click()
    assert plain.locator(".leaf").count() == 14


def test_a_path_is_found_and_its_pages_lead_on(open_page: OpenPage, site: Site) -> None:
    page = open_page("/workbench/path", viewport=WIDE, java_script_enabled=False)
    page.get_by_label("From").fill(f"{site.start}haydn")
    page.get_by_label("To", exact=True).fill("http://")
    page.get_by_role("button", name="Find the path").click()
    assert "This is not an address" in page.locator("#to-wrong").inner_text()
    assert page.get_by_label("From").input_value() == f"{site.start}haydn"
    page.get_by_label("To", exact=True).fill(f"{site.start}symphony/3")
    page.get_by_role("button", name="Find the path").click()
    assert page.locator(".steps").first.locator("> li").count() == 3
    page.locator(".steps li").nth(1).get_by_role("link", name="links").click()
    assert page.get_by_role("heading", level=1).inner_text() == "Music library"


def test_the_picture_of_a_page_leads_to_its_neighbours(open_page: OpenPage, site: Site) -> None:
    page = open_page(f"/workbench/around?url={quote(site.start, safe='')}", viewport=WIDE)
    refused = watch_policy(page)
    page.locator(".ego svg text", has_text="Joseph Haydn").first.click()
    page.get_by_role("heading", level=1, name="Joseph Haydn", exact=True).wait_for()
    hostile = open_page(f"/workbench/around?url={quote(site.start + 'hostile', safe='')}", viewport=PHONE)
    assert "<script>" in hostile.get_by_role("heading", level=1).inner_text()
    assert hostile.evaluate("document.documentElement.dataset.ran") is None
    assert fits(hostile)
    assert refused == []


def test_the_pages_are_accessible_in_both_schemes(open_page: OpenPage, site: Site, host: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = open_page("/workbench/reports", viewport=WIDE)
    page_address = quote(f"{site.start}haydn", safe="")
    for path in (
        "/workbench",
        "/workbench/reports",
        "/workbench/reports/freshness",
        "/workbench/tree",
        f"/workbench/tree?site={quote(host)}",
        "/workbench/path",
        f"/workbench/path?from={quote(site.start, safe='')}&to={page_address}",
        f"/workbench/around?url={page_address}",
    ):
        page.goto(site.address + path)
        page.evaluate("document.querySelectorAll('main details').forEach(one => { one.open = true })")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert (path, scheme, find_faults(page, axe)) == (path, scheme, [])
