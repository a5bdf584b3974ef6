import io
import json
import os
import subprocess
import sys

from tests.unit.mcp.messages import INITIALIZED, LIST_TOOLS, make_call, make_initialize

from gossamer.mcp.json_rpc import MOST_BYTES
from gossamer.mcp.serve_stdio import serve_stdio
from gossamer.web import Web


def test_each_line_is_answered_by_one_line(web: Web) -> None:
    lines = [json.dumps(make_initialize()), "", json.dumps(INITIALIZED), "nonsense", json.dumps(LIST_TOOLS)]
    target = io.BytesIO()
    serve_stdio(web, io.BytesIO("\r\n".join(lines).encode()), target)
    answers = [json.loads(line) for line in target.getvalue().splitlines()]
    assert [answer["id"] for answer in answers] == [0, None, 2]


def test_a_line_that_is_too_long_is_skipped(web: Web) -> None:
    ping = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n'
    target = io.BytesIO()
    serve_stdio(web, io.BytesIO(b"x" * (3 * MOST_BYTES) + b"\n" + ping), target)
    first, second = map(json.loads, target.getvalue().splitlines())
    assert first["error"]["code"] == -32600
    assert second == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_the_program_answers_on_its_streams(web: Web) -> None:
    command = [sys.executable, "-m", "gossamer.cli.main", "mcp", "--web", str(web.folder)]
    messages = [make_initialize(), INITIALIZED, make_call("ask", {"question": "baking bread"})]
    given = "".join(json.dumps(one) + "\n" for one in messages)
    ended = subprocess.run(
        command, input=given, capture_output=True, text=True, env=os.environ, timeout=60, check=True
    )
    hello, asked = map(json.loads, ended.stdout.splitlines())
    assert hello["result"]["protocolVersion"] == "2025-06-18"
    assert "forty minutes" in asked["result"]["structuredContent"]["passages"][0]["text"]
    assert ended.stderr == ""


def test_a_web_that_does_not_exist_gets_one_sentence() -> None:
    command = [sys.executable, "-m", "gossamer.cli.main", "mcp", "--web", "/nowhere/at.web"]
    ended = subprocess.run(
        command, input="", capture_output=True, text=True, env=os.environ, timeout=60, check=False
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.count("\n") == 1
