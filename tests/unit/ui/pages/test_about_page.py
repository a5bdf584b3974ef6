"""The page about the robot: what webmasters read there, and that it exists only if it is asked for."""

import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import msgspec
import pytest
from tests.unit.ui.app_client import Reply, ask

from gossamer.cli.main import run_verb
from gossamer.config import Politeness, TaskSpec
from gossamer.errors import BadInput
from gossamer.store.batch import Batch, TaskNote
from gossamer.ui.access.guard import Guard
from gossamer.ui.app import make_application
from gossamer.ui.page_context import PageContext
from gossamer.ui.run_server import make_about
from gossamer.web import Web

WHO = "Example University <Trier>"


def request_about(folder: Path, who: str = WHO, contact: str = "", addresses: tuple[str, ...] = ()) -> Reply:
    """Request the page as a visitor without a login."""
    with PageContext(folder) as context:
        context.about = make_about(who, contact, addresses)
        return ask(make_application(context, Guard()), "/about")


def change_tasks(folder: Path, **manners: object) -> None:
    """Give all tasks of a web these manners."""
    with Web(folder, create=False) as web:
        tasks: list[TaskNote] = []
        for note in web.tasks():
            spec = msgspec.json.decode(note.spec, type=TaskSpec)
            spec = msgspec.structs.replace(
                spec, politeness=msgspec.structs.replace(spec.politeness, **manners)
            )
            tasks.append(msgspec.structs.replace(note, spec=msgspec.json.encode(spec)))
        web.store.commit(Batch(tasks=tasks))


def read_text(reply: Reply) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", reply.text).split())


def test_there_is_no_such_page_unless_the_server_is_told_who_runs_the_robot(library: Path) -> None:
    assert request_about(library, who="").status == 404


def test_webmasters_read_how_the_robot_behaves_and_how_to_exclude_it(own: Path) -> None:
    change_tasks(
        own,
        contact="robot@uni.example",
        delay_s=2.5,
        robots_age_s=43_200.0,
        bandwidth=("500KB/s",),
        host_bandwidth=("50KB/s",),
        quiet_hours=("8-18 Europe/Berlin",),
    )
    reply = request_about(own, addresses=("192.0.2.7", "2001:db8::/32"))
    said = read_text(reply)
    agent = f"{Politeness().user_agent} (+robot@uni.example)"
    assert reply.status == 200
    assert "It collects web pages for Example University &lt;Trier&gt; ." in said
    assert "<Trier>" not in reply.text
    assert said.count(agent) == 2, "two tasks with the same manners are one robot"
    assert "From robot@uni.example" in said
    assert "2.5 s at least" in said
    assert "at most 500KB/s, 50KB/s for each host" in said
    assert "Quiet hours 8-18 Europe/Berlin" in said
    assert f"User-agent: {Politeness().user_agent.split('/')[0]} Disallow: /" in said
    assert "It reads robots.txt again after 12 hours." in said
    assert "Write to the contact above if pages of yours are to be removed." in said
    assert "It comes from 192.0.2.7 , 2001:db8::/32 ." in said


def test_a_robot_that_ignores_robots_txt_does_not_pretend_that_it_helps(own: Path) -> None:
    change_tasks(own, robots=False, contact="https://uni.example/robot")
    reply = request_about(own)
    said = read_text(reply)
    assert "robots.txt is not read" in said
    assert "Disallow" not in said
    assert "Your robots.txt does not keep it out: write to the contact above." in said
    assert 'href="https://uni.example/robot"' in reply.text
    assert "From" not in said, "a URL is no sender"


def test_a_contact_of_the_server_comes_before_those_of_tasks(own: Path) -> None:
    change_tasks(own, contact="robot@uni.example")
    said = read_text(request_about(own, contact="desk@uni.example"))
    assert "wishes: desk@uni.example." in said


def test_strangers_may_read_it_where_all_else_needs_a_login(library: Path) -> None:
    with PageContext(library) as context:
        context.about = make_about(WHO, "", ())
        app = make_application(context, Guard("a secret of many letters"))
        assert ask(app, "/about").status == 200
        assert ask(app, "/search?q=haydn").status != 200


def test_a_server_over_several_webs_shows_the_usual_robot(library: Path, own: Path) -> None:
    with PageContext(None, webs=(str(library), str(own))) as context:
        context.about = make_about(WHO, "", ())
        reply = ask(make_application(context, Guard()), "/about")
    assert reply.status == 200
    assert Politeness().user_agent in read_text(reply)


def test_wrong_use_gets_a_sentence(capsys: pytest.CaptureFixture[str], library: Path) -> None:
    with pytest.raises(BadInput, match="is no IP address"):
        make_about(WHO, "", ("192.0.2",))
    for option in (["--about-contact", "desk@uni.example"], ["--about-address", "192.0.2.7"]):
        assert run_verb(["serve", "--web", str(library), "--port", "0", *option]) == 2
        assert "need --about WHO" in capsys.readouterr().err


def test_the_verb_serves_the_page(library: Path) -> None:
    command = [sys.executable, "-m", "gossamer.cli.main", "serve", "--json", "--time", "600", "--port", "0"]
    command += ["--web", str(library), "--about", WHO, "--about-address", "192.0.2.7"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = json.loads(server.stdout.readline())["address"]
            with urlopen(f"{address}about", timeout=200) as page:  # noqa: S310 - our own server
                assert "Example University &lt;Trier&gt;" in page.read().decode()
        finally:
            server.terminate()
