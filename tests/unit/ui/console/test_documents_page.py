import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import msgspec
import pytest
from tests.unit.ui.app_client import ask
from tests.unit.ui.conftest import GetPage

from gossamer.config import TaskSpec
from gossamer.net.url import page_id
from gossamer.records import Visit
from gossamer.store.batch import Batch, TaskNote
from gossamer.ui.access.guard import Guard
from gossamer.ui.app import make_application
from gossamer.ui.page_context import PageContext
from gossamer.web import Web

GONE = 230
FORMULA = "=cmd|' /C calc'!A0"
HOSTILE = 'http://a.example/"><script>alert(1)</script>'


@pytest.fixture(scope="module")
def get_documents(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GetPage]:
    folder = tmp_path_factory.mktemp("documents") / "gone.web"
    urls = [f"http://a.example/{at}" for at in range(GONE)]
    spec = msgspec.json.encode(TaskSpec(seeds=("http://a.example/",)))
    counts = {"failed:404": GONE, "failed:timeout": 1, "refused:robots": 1, "queued": GONE + 2}
    visits = [Visit(page_id(url), 1, 1e9 + at, "failed", 404, "status", "404") for at, url in enumerate(urls)]
    visits.append(Visit(page_id(HOSTILE), 1, 2e9, "refused", 0, "robots", FORMULA))
    with Web(folder) as web:
        web.store.commit(
            Batch(
                tasks=[TaskNote(1, "<i>news</i>", spec, "finished", "done", counts=counts)],
                known=[(page_id(url), url) for url in (*urls, HOSTILE)],
                visits=visits,
            )
        )
    with PageContext(folder) as context:
        app = make_application(context, Guard())
        yield lambda address, **options: ask(app, address, **options)


def list_shown(page: str) -> list[str]:
    return re.findall(r'<a href="/console/explain\?url=([^"]*)"', page)


def test_a_count_opens_its_documents_page_by_page(get_documents: GetPage) -> None:
    address, shown = "/console/documents?task=1&count=failed:404", []
    for _ in range(10):
        page = get_documents(address).text
        shown += list_shown(page)
        further = re.search(r'href="([^"]*)" rel="next"', page)
        if further is None:
            break
        address = further[1].replace("&amp;", "&")
    assert len(shown) == len(set(shown)) == GONE
    assert "Failed: the server answered 404" in page
    assert "230 of the task" in page


def test_without_a_task_the_only_one_is_meant(get_documents: GetPage) -> None:
    page = get_documents("/console/documents?count=failed").text
    assert "231 of the task" in page


def test_without_a_task_the_tasks_are_listed(get_documents: GetPage, tmp_path: Path) -> None:
    folder = tmp_path / "two.web"
    notes = [TaskNote(at, f"task {at}", b"{}", "finished", counts={"failed:404": 7}) for at in (1, 2)]
    with Web(folder) as web:
        web.store.commit(Batch(tasks=notes))
    with PageContext(folder) as context:
        page = ask(make_application(context, Guard()), "/console/documents?count=failed").text
    assert "/console/documents?task=2&amp;count=failed" in page
    assert ">7</span>" in page


def test_the_failures_of_a_host_are_those_of_that_host(get_documents: GetPage) -> None:
    page = get_documents("/console/documents?task=1&count=failures:a.example").text
    assert "Failures at a.example" in page
    assert len(list_shown(page)) == 100
    assert not list_shown(get_documents("/console/documents?task=1&count=failures:b.example").text)


@pytest.mark.parametrize(
    "count", ["checked", "queued", "seen", "filtered", "loaded", "not loaded", "waiting:a.example"]
)
def test_every_sum_has_a_list(get_documents: GetPage, count: str) -> None:
    reply = get_documents(f"/console/documents?task=1&count={quote(count)}")
    assert reply.status == 200
    assert bool(list_shown(reply.text)) == (count in ("checked", "queued", "not loaded"))


def test_hostile_urls_and_details_are_text(get_documents: GetPage) -> None:
    page = get_documents("/console/documents?task=1&count=refused:robots").text
    assert "<script>alert" not in page
    assert "<i>news" not in page
    assert list_shown(page) == [quote(HOSTILE, safe="")]


def test_a_spreadsheet_runs_no_formulas(get_documents: GetPage) -> None:
    reply = get_documents("/console/documents.csv?task=1&count=refused:robots")
    assert reply.headers["content-type"] == "text/csv; charset=utf-8"
    assert reply.headers["content-disposition"] == 'attachment; filename="task-1-refused-robots.csv"'
    head, row = csv.reader(io.StringIO(reply.text))
    found = dict(zip(head, row, strict=True))
    assert found["detail"].endswith(FORMULA)
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row)
    assert (found["time"], found["count"]) == ("2033-05-18T03:33:20Z", "refused:robots")


def test_a_download_has_all_documents(get_documents: GetPage) -> None:
    reply = get_documents("/console/documents.json?task=1&count=failed:404")
    found = json.loads(reply.text)
    assert len({one["url"] for one in found["documents"]}) == GONE
    assert found["next_after"] == 0
    assert len(get_documents("/console/documents.csv?task=1&count=failed:404").text.splitlines()) == GONE + 1


@pytest.mark.parametrize(
    "query",
    [
        "task=1&count=nonsense",
        "task=1",
        "task=9&count=failed",
        "task=1&count=failed&after=x",
        "task=1&count=failed&after=" + "9" * 40,
        "task=1&count=" + "x" * 500,
    ],
)
def test_wrong_parameters_get_a_sentence(get_documents: GetPage, query: str) -> None:
    assert get_documents(f"/console/documents?{query}").status == 400
    assert get_documents(f"/console/documents.csv?{query}").status == 400
