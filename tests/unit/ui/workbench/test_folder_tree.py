"""The tree of a host shows states, leads to explanations and exclusions, and is cut into pages."""

from pathlib import Path
from urllib.parse import quote, unquote

from tests.unit.reports.hostile_web import HOST, SCRIPT
from tests.unit.ui.app_client import ask
from tests.unit.ui.conftest import GetPage

from gossamer.net import url as urls
from gossamer.records import HostNote
from gossamer.store.batch import Batch
from gossamer.ui.access.guard import Guard
from gossamer.ui.app import make_application
from gossamer.ui.page_context import PageContext
from gossamer.ui.route_tables import NAVIGATION
from gossamer.web import Web


def test_hosts_and_folders(get_hostile: GetPage) -> None:
    hosts = get_hostile("/workbench/tree").text
    assert f'href="/workbench/tree?site={HOST}"' in hosts
    whole = get_hostile(f"/workbench/tree?site={HOST}").text
    assert "8 URLs, 4.0 kB: 4 kept, 1 waiting, 1 redirected, 1 failed, 1 refused." in whole
    assert 'class="failed"' in whole
    assert '<a href="/console/explain?url=http%3A%2F%2Fa.example%2Falone">alone</a>' in whole
    part = get_hostile(f"/workbench/tree/folder?site={HOST}&folder=/a/")
    assert part.status == 200
    assert "<html" not in part.text
    assert "it&#39;s&#39;onclick" in part.text
    assert "'onclick" not in part.text
    lost = get_hostile(f"/workbench/tree?site={HOST}&folder=/nowhere/")
    assert lost.status == 404
    assert "knows no URL in this folder" in lost.text
    assert "No host of this web" in get_hostile(f"/workbench/tree?site={quote(SCRIPT)}").text


def test_folders_are_sorted(get_hostile: GetPage) -> None:
    by_name = get_hostile(f"/workbench/tree?site={HOST}").text
    by_failures = get_hostile(f"/workbench/tree?site={HOST}&sort=failures").text
    assert by_name.index("private/") < by_name.index(">(this folder)<") < by_name.index(">alone<")
    assert by_failures.index("private/") < by_failures.index(">alone<")
    wrong = get_hostile(f"/workbench/tree?site={HOST}&sort=<b>&page=x")
    assert wrong.status == 200


def test_a_folder_can_be_excluded_and_searched(get_page: GetPage, library: Path) -> None:
    with Web(library) as web:
        page = next(page for page in web.store.pages() if "/symphony/" in page.url)
    shown = get_page(f"/workbench/tree?site={page.host}&folder=/symphony/").text
    address = next(part for part in shown.split('href="') if part.startswith("/console/task/change?"))
    assert unquote(address.split('"')[0].replace("&amp;", "&")).endswith(
        f"exclude=^https?://{page.host.replace('.', chr(92) + '.')}/symphony/"
    )
    query = next(part for part in shown.split('href="') if part.startswith("/search?q=host"))
    found = get_page(query.split('"')[0].replace("&amp;", "&"))
    assert found.status == 200
    assert "Symphony number" in found.text


def test_a_folder_with_many_urls_is_paged(tmp_path: Path) -> None:
    addresses = [f"http://many.example/f/{number:04}" for number in range(1_000)]
    with Web(tmp_path / "web") as web:
        known = [(urls.page_id(url), url) for url in addresses]
        web.store.commit(Batch(known=known, hosts=[HostNote("many.example")]))
    with PageContext(tmp_path / "web", NAVIGATION) as context:
        app = make_application(context, Guard())
        first = ask(app, "/workbench/tree?site=many.example&folder=/f/").text
        last = ask(app, "/workbench/tree?site=many.example&folder=/f/&page=99").text
    assert "1 of 5" in first
    assert ">0000<" in first
    assert ">0200<" not in first
    assert "5 of 5" in last
    assert ">0999<" in last


def test_an_empty_web(get_empty: GetPage) -> None:
    assert "gossamer crawl URL" in get_empty("/workbench/tree").text
