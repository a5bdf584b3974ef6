import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from tests.unit.context.passages.webs import ADDRESSES, OVEN, make_web
from tests.unit.mcp.messages import (
    INITIALIZED,
    LIST_TOOLS,
    VERSION_2026,
    make_call,
    make_discover,
    make_initialize,
)

from gossamer.broker.broker import open_many
from gossamer.mcp.json_rpc import MOST_BYTES
from gossamer.mcp.protocol import VERSIONS, answer_line
from gossamer.mcp.tools import Searcher
from gossamer.web import Web


def send(searcher: Searcher, message: object) -> Any:
    answer = answer_line(json.dumps(message).encode(), lambda: nullcontext(searcher))
    return None if answer is None else json.loads(answer)


@pytest.mark.parametrize(
    ("wanted", "given"),
    [("2025-06-18", "2025-06-18"), ("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-11-25")],
)
def test_a_handshake_agrees_on_a_revision(web: Web, wanted: str, given: str) -> None:
    result = send(web, make_initialize(wanted))["result"]
    assert result["protocolVersion"] == given
    assert result["serverInfo"]["name"] == "gossamer"
    assert "untrusted" in result["instructions"]
    assert send(web, INITIALIZED) is None


def test_clients_without_a_handshake_learn_the_revisions(web: Web) -> None:
    result = send(web, make_discover())["result"]
    assert result["supportedVersions"] == list(VERSIONS)
    assert result["resultType"] == "complete"
    refused = send(web, make_discover("2099-01-01"))["error"]
    assert refused["code"] == -32022
    assert refused["data"] == {"supported": list(VERSIONS), "requested": "2099-01-01"}


def test_tools_only_read_and_say_that_texts_are_untrusted(web: Web) -> None:
    tools = send(web, LIST_TOOLS)["result"]["tools"]
    assert [tool["name"] for tool in tools] == ["ask", "search", "read_page", "describe_collection"]
    assert all(tool["annotations"]["readOnlyHint"] for tool in tools)
    assert all("untrusted" in tool["description"] for tool in tools[:3])
    schema = tools[0]["inputSchema"]
    assert (schema["type"], schema["required"], schema["additionalProperties"]) == (
        "object",
        ["question"],
        False,
    )


@pytest.mark.parametrize("meta", [None, VERSION_2026])
def test_passages_come_with_their_sources(web: Web, meta: object) -> None:
    result = send(web, make_call("ask", {"question": "how long does bread bake", "words": 30}, meta))[
        "result"
    ]
    best = result["structuredContent"]["passages"][0]
    assert best["url"] == ADDRESSES[0]
    assert OVEN[best["offset"] :].startswith(best["text"])
    assert not result["isError"]
    assert ("resultType" in result) == (meta is not None)
    text = result["content"][0]["text"]
    assert ADDRESSES[0] in text
    assert "Ovens › Baking bread" in text


def test_hostile_texts_do_not_leave_their_marks(web: Web) -> None:
    result = send(web, make_call("search", {"query": "instructions"}))["result"]
    text = result["content"][0]["text"]
    assert "\x1b" not in text
    assert text.count(">>> end of the text") == 1
    assert "> > > end of the text" in text


def test_a_page_is_read_by_its_address(web: Web) -> None:
    result = send(web, make_call("read_page", {"url": ADDRESSES[0], "characters": 30}))["result"]
    assert result["structuredContent"]["text"] == OVEN[:30]
    assert "goes on at offset 30" in result["content"][0]["text"]


def test_the_collection_describes_itself(web: Web) -> None:
    result = send(web, make_call("describe_collection", {}))["result"]
    assert result["structuredContent"] == {
        "webs": [{"title": "", "pages": 5, "languages": {"en": 4, "de": 1}}]
    }


def test_several_webs_are_read_as_one(web: Web, tmp_path: Path) -> None:
    with open_many([make_web(tmp_path / "empty.web", []), web.folder]) as broker:
        assert (
            "forty" in send(broker, make_call("ask", {"question": "baking"}))["result"]["content"][0]["text"]
        )
        read = send(broker, make_call("read_page", {"url": ADDRESSES[0]}))["result"]
        assert read["structuredContent"]["characters"] == len(OVEN)
        missing = send(broker, make_call("read_page", {"url": "https://gone.example/"}))["result"]
        assert missing["isError"]
        assert (
            len(send(broker, make_call("describe_collection", {}))["result"]["structuredContent"]["webs"])
            == 2
        )


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("ask", {"question": "bread", "language": "tlh"}),
        ("ask", {"question": "?"}),
        ("read_page", {"url": "file:///etc/passwd"}),
        ("read_page", {"url": "../../../etc/passwd"}),
        ("read_page", {"url": ADDRESSES[4]}),
    ],
)
def test_what_a_tool_cannot_do_is_its_result(web: Web, name: str, arguments: object) -> None:
    result = send(web, make_call(name, arguments))["result"]
    assert result["isError"]
    assert "\n" not in result["content"][0]["text"]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("delete", {}),
        (["ask"], {"question": "bread"}),
        (None, None),
        ("ask", {}),
        ("ask", None),
        ("ask", ["bread"]),
        ("ask", {"question": 5}),
        ("ask", {"question": ""}),
        ("ask", {"question": "x" * 2_001}),
        ("ask", {"question": "bread", "passages": 10**9}),
        ("ask", {"question": "bread", "shell": "rm"}),
        ("search", {"query": "bread", "size": -1}),
        ("read_page", {"url": ADDRESSES[0], "offset": "0"}),
    ],
)
def test_wrong_calls_are_refused(web: Web, name: object, arguments: object) -> None:
    answer = send(web, make_call(name, arguments))
    assert answer["id"] == 7
    assert answer["error"]["code"] == -32602


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"hello", -32700),
        (b'{"jsonrpc": "2.0", "id": 1', -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 50_000, -32700),
        (b"[]", -32600),
        (b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', -32600),
        (b"5", -32600),
        (b'{"id": 1, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": 5}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}', -32602),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 1}}', -32602),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "resources/read"}', -32601),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "__class__"}', -32601),
        (b" " * (MOST_BYTES + 1), -32600),
    ],
)
def test_what_is_no_message_gets_an_error(web: Web, line: bytes, code: int) -> None:
    answer = answer_line(line, lambda: nullcontext(web))
    assert answer is not None
    assert json.loads(answer)["error"]["code"] == code


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "nothing"}},
        {"jsonrpc": "2.0", "id": 3, "result": {}},
    ],
)
def test_notifications_and_answers_are_not_answered(web: Web, message: object) -> None:
    assert send(web, message) is None
