import json
from typing import Any
from urllib.parse import quote

import pytest
from tests.unit.ui.conftest import GetPage


def get_json(get_page: GetPage, address: str) -> Any:
    reply = get_page(address)
    assert (reply.status, reply.headers["content-type"]) == (200, "application/json")
    return json.loads(reply.text)


def test_the_status_has_all_tasks_or_one(get_page: GetPage) -> None:
    found = get_json(get_page, "/api/console/status")
    assert [task["name"] for task in found["tasks"]] == ["looks", "library"]
    [one] = get_json(get_page, "/api/console/status?task=2")["tasks"]
    assert one["counts"]["downloaded"] > 10
    assert "spec" not in one, "settings may name secrets"


def test_hosts_history_and_documents(get_page: GetPage) -> None:
    hosts = get_json(get_page, "/api/console/hosts?order=name")["hosts"]
    names = [host["name"] for host in hosts]
    assert names == sorted(names)
    assert any(name.startswith("127.9.7.2") for name in names)
    history = get_json(get_page, "/api/console/history?task=&span=all")
    assert set(history) == {"when_s", "pages", "bytes", "failed", "waiting"}
    first = get_json(get_page, "/api/console/documents?task=2&count=downloaded&most=5")
    assert len(first["documents"]) == 5
    second = get_json(
        get_page, f"/api/console/documents?task=2&count=downloaded&most=5&after={first['next_after']}"
    )
    assert first["documents"] != second["documents"]


def test_a_story_is_told(get_page: GetPage, start: str) -> None:
    found = get_json(get_page, f"/api/console/explain?url={quote(start, safe='')}")
    assert (found["url"], found["known"]) == (start, True)
    [_, task] = found["tasks"]
    assert task["verdict"]["text"] == "It was fetched and kept."


@pytest.mark.parametrize(
    "address",
    [
        "status?task=99",
        "status?colour=red",
        "hosts?order=size",
        "hosts?page=0",
        "history?span=2h",
        "documents?task=2&count=nonsense",
        "documents?task=2&count=failed&most=0",
        "documents?task=2&count=failed&after=-1",
        "explain?url=nonsense",
        "explain",
    ],
)
def test_wrong_parameters_get_a_sentence(get_page: GetPage, address: str) -> None:
    reply = get_page(f"/api/console/{address}")
    assert reply.status == 400
    assert set(json.loads(reply.text)) == {"error"}
