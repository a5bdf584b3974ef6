"""Forms of the console in a web that another program has locked, and of a task that ended meanwhile."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.unit.ui.console.test_console_pages import Pages, read_text

from gossamer.crawl.control.command_mailbox import Mailbox, Submit, read_spec
from gossamer.store.batch import Batch
from gossamer.ui.console.tasks import steer_tasks
from gossamer.ui.page_context import PageContext
from gossamer.ui.route_tables import NAVIGATION
from gossamer.web import Web

HOLD = """
import sys
from pathlib import Path
from gossamer.store.lock import Lock
with Lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def pages(own: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pages]:
    monkeypatch.setattr(steer_tasks, "WAIT_S", 0.1)
    with PageContext(own, NAVIGATION) as context:
        yield Pages(own, context)


def test_a_web_that_another_program_has_locked_takes_orders_and_loses_none(pages: Pages, start: str) -> None:
    command = [sys.executable, "-c", HOLD, str(pages.folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        told = pages.send("/console/task/submit", number="2", pages=f"{start}first")
        assert (told.status, told.headers["location"]) == (303, "/console/task?number=2&done=told")
        assert "has not answered yet" in read_text(pages.get(told.headers["location"]))
        assert f"{start}first" not in read_spec(pages.task(2)).seeds
        wrong = pages.send("/console/task/submit", number="2", pages="http://[broken")
        assert wrong.status == 400
        assert "http://[broken" in wrong.text
        other.stdin.close()
    sent = pages.send("/console/task/submit", number="2", pages=f"{start}second")
    assert sent.headers.get("location", read_text(sent)) == "/console/task?number=2&done=submit"
    kept = {
        url for order in Mailbox(pages.folder).read_new() if isinstance(order, Submit) for url in order.urls
    }
    assert kept == {f"{start}first", f"{start}second"}
    assert read_text(pages.get("/console/task?number=2")).count("waits for a crawl to take it up") == 2


def test_a_task_that_ended_while_its_form_was_open_is_told(pages: Pages) -> None:
    def set_state(state: str) -> None:
        with Web(pages.folder) as web:
            note = msgspec.structs.replace(web.task("2"), state=state, reason="a limit")
            web.store.commit(Batch(tasks=[note]))

    set_state("running")
    assert "Stop the task" in pages.get("/console/task/stop?number=2").text
    form = pages.get("/console/task/change?number=2").text
    (base,) = re.findall(r'name="base" value="(\w+)"', form)
    set_state("finished")
    for step in ("stop", "pause"):
        refused = pages.send(f"/console/task/{step}", number="2")
        assert refused.status == 400
        assert "library has finished meanwhile (a limit): there is nothing to stop" in read_text(refused)
        assert pages.task(2).state == "finished"
    # Its options can still be changed, with the form as it was typed.
    fields = dict(re.findall(r'name="(\w+)" id="\w+" value="([^"]*)"', form))
    for unticked in re.findall(r'type="checkbox" name="(\w+)" id="\w+" value="yes" aria', form):
        del fields[unticked]
    fields |= {"kinds": "html\ntext", "allow_private": "127.0.0.0/8", "scope": "any"}
    typed = {**fields, "number": "2", "base": base, "exclude": "typed", "do": "apply"}
    assert pages.send("/console/task/change", **typed).status == 200
    assert read_spec(pages.task(2)).filters.exclude == ("typed",)
