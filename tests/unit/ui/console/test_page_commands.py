"""Each page of the console and of the workbench shows a command that does the same, and that the program accepts."""

from pathlib import Path
from urllib.parse import urlencode

import pytest
import typer
from starlette.types import ASGIApp
from tests.unit.ui.app_client import ask, read_form_key
from tests.unit.ui.console.shown_commands import list_commands, parse

ORIGIN = {"origin": "http://127.0.0.1:8080"}

PAGES = (
    "/console",
    "/console/task?number=2",
    "/console/live",
    "/console/documents?task=2&count=failed:404",
    "/console/documents?task=2&count=downloaded&after=20",
    "/console/hosts?order=failures&name=127&task=2",
    "/console/explain?url={start}haydn",
    "/workbench",
    "/workbench?level=hosts&links=all&depth_from=1&depth_to=3",
    "/workbench?level=communities",
    "/workbench/tree",
    "/workbench/tree?site=127&sort=bytes",
    "/workbench/tree?site={host}&folder=/symphony/",
    "/workbench/around?url={start}haydn",
    "/workbench/path",
    "/workbench/path?from={start}&to={start}haydn",
    "/workbench/reports",
    "/workbench/reports/languages",
)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_a_command_that_the_program_accepts(
    app: ASGIApp, library: Path, start: str, page: str
) -> None:
    reply = ask(app, page.format(start=start, host=start.split("/")[2]))
    assert reply.status == 200
    commands = list_commands(reply)
    assert commands
    for command in commands:
        assert parse(command)["web"] in (library, [str(library)])


FORMS = {
    "/console/new": {
        "seeds": "https://www.example.org/",
        "scope": "any",
        "exclude": "-dash\n'quote'",
        "do": "preview",
    },
    "/console/task/change": {"number": "2", "exclude": "symphony", "do": "preview"},
    "/console/rules": {"task": "2", "urls": "https://a.example/\n-x", "pattern": "-haydn", "exclude": "sym"},
}


@pytest.mark.parametrize("page", FORMS)
def test_a_form_shows_the_commands_that_answer_and_do_the_same(app: ASGIApp, page: str) -> None:
    form = {"form_key": read_form_key(app), **FORMS[page]}
    reply = ask(app, page, "POST", ORIGIN, urlencode(form).encode())
    assert reply.status == 200
    commands = list_commands(reply)
    assert commands
    for command in commands:
        assert parse(command)["exclude"]


def test_the_parameters_of_a_page_are_those_of_its_command(app: ASGIApp, start: str) -> None:
    (listed,) = list_commands(ask(app, "/console/documents?task=2&count=failed:404"))
    assert parse(listed) | {"list_": "failed:404", "task": "2"} == parse(listed)
    (hosts,) = list_commands(ask(app, "/console/hosts?order=pause&name=-127"))
    assert parse(hosts) | {"hosts_by": "pause", "hosts_like": "-127"} == parse(hosts)
    (tree,) = list_commands(
        ask(app, f"/workbench/tree?site={start.split('/')[2]}&folder=/symphony/&sort=bytes")
    )
    assert parse(tree) | {"folder": "/symphony/", "sort": "bytes"} == parse(tree)


def test_a_command_that_does_not_exist_would_be_noticed() -> None:
    with pytest.raises(typer.TyperException):
        parse(["gossamer", "status", "--no-such-option"])
