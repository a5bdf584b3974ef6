"""Reports are made on request in the background, shown harmlessly, and downloaded in formats that are safe to open."""

import csv
import io
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from starlette.types import ASGIApp
from tests.unit.reports.hostile_web import FORMULA, SCRIPT, write_hostile_web
from tests.unit.ui.app_client import Reply, ask, read_form_key
from tests.unit.ui.conftest import GetPage

from gossamer.net import url as urls
from gossamer.records import Page
from gossamer.reports.make_report import make_report
from gossamer.store.batch import Batch
from gossamer.ui.access.guard import Guard
from gossamer.ui.app import make_application
from gossamer.ui.page_context import PageContext
from gossamer.ui.route_tables import NAVIGATION
from gossamer.ui.workbench.recent_values import RecentValues
from gossamer.ui.workbench.report_jobs import ReportJob
from gossamer.web import Web

_PATIENCE_S = 120


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shown") / "hostile.web"
    write_hostile_web(folder)
    make_report("graph", folder, lambda _: None, 1e9)
    return folder


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[tuple[ASGIApp, str]]:
    with PageContext(folder, NAVIGATION) as context:
        app = make_application(context, Guard())
        yield app, read_form_key(app)


def order(served: tuple[ASGIApp, str], kind: str, key: str | None = None) -> Reply:
    app, form_key = served
    body = f"kind={kind}&form_key={form_key if key is None else key}".encode()
    headers = {"content-type": "application/x-www-form-urlencoded"}
    return ask(app, "/workbench/reports/make", "POST", headers, body)


@pytest.mark.slow
def test_a_report_is_shown_harmlessly(served: tuple[ASGIApp, str]) -> None:
    shown = ask(served[0], "/workbench/reports/graph")
    assert shown.status == 200
    assert "Made from 4 pages on 2001-09-09 01:46 UTC" in shown.text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;Start" in shown.text
    assert SCRIPT not in shown.text
    assert 'style="' not in shown.text
    assert "--links" not in shown.text
    assert '<a href="/console/explain?url=http%3A%2F%2Fa.example%2F"' in shown.text
    overview = ask(served[0], "/workbench/reports").text
    assert "4 pages, 2 links" in overview
    assert "No topic is trained yet: <code>gossamer topics train" in overview


@pytest.mark.slow
def test_downloads_are_safe(served: tuple[ASGIApp, str]) -> None:
    page = ask(served[0], "/workbench/reports/graph").text
    addresses = [part.split('"')[0] for part in page.split('href="') if part.split('"')[0].endswith(".csv")]
    tables = [ask(served[0], address) for address in addresses]
    assert all(table.headers["content-disposition"].startswith("attachment") for table in tables)
    cells = [cell for table in tables for row in csv.reader(io.StringIO(table.text)) for cell in row]
    assert f"'{FORMULA}" in cells
    assert not any(cell.startswith(("=", "@", "+")) for cell in cells)
    svg = ask(served[0], "/workbench/reports/graph/plot-3.svg")
    assert svg.headers["content-type"].startswith("image/svg+xml")
    assert svg.headers["content-security-policy"] == "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    assert SCRIPT.encode() not in svg.body
    assert ask(served[0], "/workbench/reports/graph/plot-1.png").body.startswith(b"\x89PNG")
    facts = msgspec.json.decode(ask(served[0], "/workbench/reports/graph/facts.json").body)
    assert facts["sections"]["PageRank"]["pages"]
    for missing in (
        "graph/plot-99.svg",
        "graph/plot-1.gif",
        "graph/table-0-99.csv",
        "nothing",
        "topics/facts.json",
    ):
        assert ask(served[0], f"/workbench/reports/{missing}").status == 404


@pytest.mark.slow
def test_a_report_is_made_again_in_the_background(folder: Path, served: tuple[ASGIApp, str]) -> None:
    url = "http://a.example/new"
    with Web(folder) as web:
        new = Page(urls.page_id(url), url, "a.example", 1, 1, 1e9, 200, "html", "New", words=3)
        web.store.commit(Batch(pages=[new], known=[(new.id, url)]))
    assert "Make this report" in ask(served[0], "/workbench/reports/languages").text
    assert "the web has 5 now" in ask(served[0], "/workbench/reports/graph").text
    assert order(served, "languages", key="wrong").status == 400
    assert order(served, "nothing").status == 400
    answer = order(served, "languages")
    assert (answer.status, answer.headers["location"]) == (303, "/workbench/reports/languages")
    until_s = time.monotonic() + _PATIENCE_S
    while (
        "HX-Refresh".lower() not in (asked := ask(served[0], "/workbench/reports/languages/progress")).headers
        and time.monotonic() < until_s
    ):
        assert "<progress" in asked.text
        time.sleep(0.1)
    shown = ask(served[0], "/workbench/reports/languages").text
    assert "Made from 5 pages" in shown
    assert "English" in shown


def test_an_empty_web_says_what_to_do(get_empty: GetPage) -> None:
    assert get_empty("/workbench/reports").text.count("gossamer crawl URL") == 5
    shown = get_empty("/workbench/reports/graph").text
    assert "gossamer crawl URL" in shown
    assert "<button" not in shown


def test_the_time_left_is_estimated() -> None:
    assert ReportJob().describe_time_left(10.0) == ""
    assert ReportJob(0.5, 0.0).describe_time_left(60.0) == "about 1:00 left"


def test_values_are_kept_while_they_are_young_or_hold() -> None:
    now_s = [0.0]
    values: RecentValues[list[int]] = RecentValues(1, 10.0, lambda: now_s[0])
    first = values.get("a", lambda: [1])
    assert values.get("a", lambda: [2]) is first
    now_s[0] = 11.0
    assert values.get("a", lambda: [2], lambda _: True) is first
    assert values.get("a", lambda: [3]) == [3]
    values.get("b", lambda: [4])
    assert values.get("a", lambda: [5]) == [5]
