import json
import re
import shlex
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.unit.ui.app_client import Reply, ask
from tests.unit.ui.conftest import GetPage

from gossamer.ui.access.guard import Guard
from gossamer.ui.app import make_application
from gossamer.ui.page_context import PageContext
from gossamer.ui.route_tables import NAVIGATION
from gossamer.web import Web

BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture(scope="module")
def page(get_page: GetPage) -> str:
    return get_page("/api", headers=BROWSER).text


def list_commands(page: str) -> list[list[str]]:
    return [
        shlex.split(unescape(one))
        for one in re.findall(r'<pre class="command"[^>]*><code>(.*?)</code>', page)
    ]


def test_browsers_get_a_page_and_programs_json(get_page: GetPage, page: str) -> None:
    assert "<h1>The JSON API</h1>" in page
    for headers in ({}, {"accept": "*/*"}, {"accept": "application/json"}):
        reply = get_page("/api", headers=headers)
        assert (json.loads(reply.text)["openapi"], reply.headers["vary"]) == ("3.1.0", "accept")
    assert json.loads(get_page("/api/openapi.json", headers=BROWSER).text)["info"]["title"] == "Gossamer"


def test_every_address_has_a_line_for_curl(get_page: GetPage, page: str) -> None:
    paths = json.loads(get_page("/api").text)["paths"]
    assert [urlsplit(command[-1]).path for command in list_commands(page)] == list(paths)


def send(get_page: GetPage, command: list[str]) -> Reply:
    """Send the request of a line for curl."""
    address = urlsplit(command[-1])
    path = f"{address.path}?{address.query}" if address.query else address.path
    if "-d" not in command:
        return get_page(path)
    name, _, value = command[command.index("-H") + 1].partition(": ")
    return get_page(
        path, method="POST", headers={name.lower(): value}, body=command[command.index("-d") + 1].encode()
    )


def test_the_lines_for_curl_work(own: Path) -> None:
    with PageContext(own, NAVIGATION) as context:
        app = make_application(context, Guard())
        commands = list_commands(ask(app, "/api", headers=BROWSER).text)
        for command in sorted(commands, key=lambda one: "draw" not in one[-1]):
            if "judge" in command[-1] and "-d" in command:
                continue  # its page may not be in the sample
            if "/api/console/task" in command[-1]:
                continue  # they would start a crawl, or steer one that does not run
            if command[-1].endswith("/api/hot"):
                continue  # all texts of this web are of one day
            if "/api/theme" in command[-1]:
                continue  # the themes of this web were not found yet
            if "/api/navigate/" in command[-1] and not command[-1].endswith("/pairings"):
                continue  # they need the token of a paired browser, or the code of a pairing
            reply = send(lambda path, **options: ask(app, path, **options), command)
            assert reply.status in (200, 201, 202), (command, reply.text)


def test_lines_are_quoted_for_the_shell_and_name_the_token(own: Path) -> None:
    with PageContext(own, NAVIGATION) as context:
        app = make_application(context, Guard(token="x" * 20, names=()))
        headers = {**BROWSER, "authorization": f"Bearer {'x' * 20}", "host": "a.example:8080"}
        shown = ask(app, "/api", headers=headers).text
    commands = list_commands(shown)
    assert all("Authorization: Bearer TOKEN" in command for command in commands)
    assert "x" * 20 not in shown
    assert all(command[-1].startswith("http://a.example:8080/api") for command in commands)


def test_the_description_has_the_title_of_the_web(own: Path) -> None:
    with Web(own) as web:
        web.set_title("Notes </title><b>")
    with PageContext(own, NAVIGATION) as context:
        app = make_application(context, Guard())
        assert json.loads(ask(app, "/api").text)["info"]["title"] == "Notes </title><b>"
        assert "API · Notes &lt;/title&gt;&lt;b&gt;</title>" in ask(app, "/api", headers=BROWSER).text
