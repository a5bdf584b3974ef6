import re
import time
from collections.abc import Iterator

import pytest
from tests.unit.ui.app_client import ask
from tests.unit.ui.conftest import GetPage

from gossamer.records import HostNote
from gossamer.store.batch import Batch
from gossamer.ui.access.guard import Guard
from gossamer.ui.app import make_application
from gossamer.ui.page_context import PageContext
from gossamer.web import Web

HOSTS = 250


@pytest.fixture(scope="module")
def get_hosts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GetPage]:
    folder = tmp_path_factory.mktemp("hosts") / "hosts.web"
    with Web(folder) as web:
        later_s = time.time() + 1_000
        hosts = [
            HostNote(f"h{at:03}.example", later_s + at, at % 9, at % 5, f"127.0.0.{at}")
            for at in range(HOSTS)
        ]
        web.store.commit(Batch(hosts=[*hosts, HostNote("<b>bad</b>.example", 0.0, 0.0, 99, "127.1.1.1")]))
    with PageContext(folder) as context:
        app = make_application(context, Guard())
        yield lambda address, **options: ask(app, address, **options)


def list_names(page: str) -> list[str]:
    return re.findall(r'<td dir="auto"><a[^>]*>([^<]*)</a>', page)


def test_all_hosts_are_on_some_page(get_hosts: GetPage) -> None:
    names: list[str] = []
    for number in (1, 2, 3):
        page = get_hosts(f"/console/hosts?order=name&page={number}").text
        names += list_names(page)
        assert ('rel="next"' in page) == (number < 3)
        assert ('rel="prev"' in page) == (number > 1)
    assert len(names) == len(set(names)) == HOSTS + 1


def test_hosts_are_sorted_by_failures_and_pause(get_hosts: GetPage) -> None:
    page = get_hosts("/console/hosts?order=failures").text
    assert list_names(page)[0] == "&lt;b&gt;bad&lt;/b&gt;.example"
    assert 'aria-sort="descending"><a href="/console/hosts?order=failures"' in page
    slow = get_hosts("/console/hosts?order=pause").text
    pauses = [float(one) for one in re.findall(r'extra">([\d.]+) s<', slow)]
    assert pauses == sorted(pauses, reverse=True)
    assert pauses[0] == 8.0


def test_a_host_is_found_by_a_part_of_its_name(get_hosts: GetPage) -> None:
    page = get_hosts("/console/hosts?name=H24").text
    assert len(list_names(page)) == 10
    assert "10 hosts have “H24” in the name" in page
    none = get_hosts("/console/hosts?name=%3Cscript%3E").text
    assert "No host has “&lt;script&gt;” in its name" in none
    assert 'value="&lt;script&gt;"' in none


@pytest.mark.parametrize("query", ["order=size", "page=0", "page=x", "page=12345678", "task=a"])
def test_wrong_parameters_get_a_sentence(get_hosts: GetPage, query: str) -> None:
    assert get_hosts(f"/console/hosts?{query}").status == 400
