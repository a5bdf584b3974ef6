"""The pages of the console: what they show, what their buttons do, and what they refuse."""

import re
import sqlite3
import tomllib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import msgspec
import pytest
from starlette.types import ASGIApp
from tests.unit.ui.app_client import Reply, ask, read_form_key

from gossamer.config import TaskSpec, from_options
from gossamer.crawl.control.command_mailbox import Change, Mailbox, Stop, Submit, read_spec
from gossamer.crawl.patterns import try_patterns
from gossamer.store.batch import Batch, TaskNote
from gossamer.store.lock import Lock
from gossamer.store.opening.open_store import STATE
from gossamer.ui.access.guard import Guard
from gossamer.ui.app import make_application
from gossamer.ui.console.tasks import steer_tasks
from gossamer.ui.page_context import PageContext
from gossamer.ui.route_tables import NAVIGATION
from gossamer.web import Web

ORIGIN = {"origin": "http://127.0.0.1:8080"}
HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"


class Pages:
    """The application over a web that a test may change."""

    def __init__(self, folder: Path, context: PageContext) -> None:
        self.folder = folder
        self.app: ASGIApp = make_application(context, Guard())
        self._key = read_form_key(self.app)

    def get(self, path: str, **headers: str) -> Reply:
        return ask(self.app, path, headers=headers)

    def send(self, path: str, **form: str) -> Reply:
        return ask(self.app, path, "POST", ORIGIN, urlencode({"form_key": self._key, **form}).encode())

    def task(self, number: int) -> TaskNote:
        with Web(self.folder) as web:
            return web.task(str(number))


@pytest.fixture
def pages(own: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pages]:
    monkeypatch.setattr(steer_tasks, "WAIT_S", 0.1)
    with PageContext(own, NAVIGATION) as context:
        yield Pages(own, context)


def read_text(reply: Reply) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", reply.text))


def find_sentence(reply: Reply, field: str) -> str:
    """Return what is told beside a field."""
    found = re.search(rf'id="{field}-wrong">(.*?)</p>', reply.text)
    return found[1] if found else ""


def test_tasks_are_listed_with_their_states_and_counts(pages: Pages) -> None:
    text = read_text(pages.get("/console"))
    assert text.index("2 library") < text.index("1 looks")  # the newest first
    assert "finished nothing left to fetch" in text
    assert "gossamer tasks --web" in text


def test_a_part_of_the_page_is_sent_only_if_it_has_changed(pages: Pages) -> None:
    first = pages.get("/console/tasks")
    (digest,) = re.findall(r'"x-digest": "([0-9a-f]+)"', first.text)
    assert pages.get("/console/tasks", **{"x-digest": digest}).status == 204
    pages.send("/console/task/submit", number="2", pages="https://new.example/", widen="yes")
    assert pages.get("/console/tasks", **{"x-digest": digest}).status == 200


def test_a_task_shows_its_counts_options_and_commands(pages: Pages) -> None:
    text = read_text(pages.get("/console/task?number=2"))
    assert "--kinds html text" in text
    assert "not followed" in text
    assert "gossamer submit URL --task 2 --web" in text
    assert "This web has no task number" in read_text(pages.get("/console/task?number=77"))


def test_a_stop_asks_first_and_a_finished_task_cannot_be_stopped(pages: Pages) -> None:
    assert "There is nothing to stop" in read_text(pages.get("/console/task/stop?number=2"))
    refused = pages.send("/console/task/stop", number="2")
    assert refused.status == 400
    assert "has finished meanwhile" in read_text(refused)
    assert "nothing left to fetch: widen its rules" in read_text(
        pages.send("/console/task/resume", number="2")
    )


def test_a_task_is_paused_in_the_store_or_by_the_crawl(pages: Pages) -> None:
    with Web(pages.folder) as web:
        web.store.commit(Batch(tasks=[msgspec.structs.replace(web.task("2"), state="running")]))
    assert "resume continues it" in read_text(pages.get("/console/task?number=2"))  # no process works on it
    asked = read_text(pages.get("/console/task/stop?number=2"))
    assert "You can resume it later" in asked
    done = pages.send("/console/task/pause", number="2")
    assert (done.status, done.headers["location"]) == (303, "/console/task?number=2&done=pause")
    assert pages.task(2).state == "paused"
    with Lock(pages.folder):
        told = pages.send("/console/task/stop", number="2")
    assert told.headers["location"].endswith("done=told")
    assert Mailbox(pages.folder).read_new() == [Stop(2, False, "stopped by a person")]


def test_the_address_cannot_bring_a_sentence(pages: Pages) -> None:
    assert "Nothing is lost" in pages.get("/console/task?number=2&done=stop").text
    assert 'role="status"' not in pages.get("/console/task?number=2&done=Send+money").text


def test_a_page_is_submitted_once_the_scope_may_grow(pages: Pages, start: str) -> None:
    far = "https://elsewhere.example/page"
    refused = pages.send("/console/task/submit", number="1", pages=f"\n{far}\n")
    assert refused.status == 400
    assert "task 2 would take it" in find_sentence(refused, "pages")  # its scope is any
    assert far in refused.text
    assert pages.send("/console/task/submit", number="1", pages=far, widen="yes").status == 303
    assert Mailbox(pages.folder).read_new() == [Submit(1, (far,))]
    shown = pages.get("/console/task?number=1")
    assert "waits for a crawl to take it up" in shown.text
    assert pages.send("/console/task/withdraw", number="1", url=far).status == 303
    assert "at least one address" in pages.send("/console/task/submit", number="1", pages=" ").text
    assert "command line" in pages.send("/console/task/submit", number="1", pages="file:///etc/passwd").text


def test_a_new_task_is_previewed_and_downloaded(pages: Pages, start: str) -> None:
    form = {"like": "2", "seeds": start, "scope": "host", "depth": "1", "name": "again", "do": "preview"}
    shown = read_text(pages.send("/console/new", **form, exclude="/symphony/1", traps="yes"))
    found = re.search(r"This would take up (\d+) of the (\d+) links known", shown)
    assert found
    assert 10 < int(found[1]) < int(found[2])
    assert "an exclude pattern matches 6" in shown  # symphonies 1 and 10 to 14
    sent = pages.send("/console/new", **form | {"do": "toml"})
    assert sent.headers["content-disposition"] == "attachment; filename*=UTF-8''again.toml"
    task = tomllib.loads(sent.text)
    assert (task["name"], task["limits"]) == ("again", {"depth": 1})
    assert pages.send("/console/new.toml", **form).body == sent.body


def test_a_started_task_is_given_to_the_running_crawl(pages: Pages) -> None:
    with Lock(pages.folder):
        done = pages.send("/console/new", seeds="https://new.example/", name="new", do="start")
    assert done.headers["location"] == "/console/task?number=3&done=told"
    assert pages.task(3).name == "new"
    assert [order.task for order in Mailbox(pages.folder).read_new()] == [3]


def test_wrong_fields_are_named_and_nothing_typed_is_lost(pages: Pages) -> None:
    typed = {
        "seeds": "nothing <b>",
        "pages": "many",
        "include": "(",
        "user_agent": HOSTILE,
        "topic": "x" * 5_000,
    }
    for wish in ("preview", "toml", "start"):
        shown = pages.send("/console/new", **typed, do=wish)
        assert shown.status == 400
        assert "is not a page" in find_sentence(shown, "seeds")
        assert "is not a whole number" in find_sentence(shown, "pages")
        assert "regular expression" in find_sentence(shown, "include")
        assert 'value="many"' in shown.text
        assert "nothing &lt;b&gt;" in shown.text
        assert "<script>alert" not in shown.text
    assert len(Web(pages.folder).tasks()) == 2


def test_a_change_is_previewed_applied_and_can_be_undone(pages: Pages) -> None:
    page = pages.get("/console/task/change?number=2").text
    form = dict(re.findall(r'name="(\w+)" id="\w+" value="([^"]*)"', page))
    for unticked in re.findall(r'type="checkbox" name="(\w+)" id="\w+" value="yes" aria', page):
        del form[unticked]
    form |= {"number": "2", "scope": "any", "kinds": "html\ntext", "allow_private": "127.0.0.0/8"}
    shown = read_text(pages.send("/console/task/change", **form, exclude="symphony", do="preview"))
    assert "no longer taken up 14" in shown
    assert "gossamer change 2 --exclude symphony --web" in shown
    assert read_spec(pages.task(2)).filters.exclude == ()
    done = pages.send("/console/task/change", **form, exclude="symphony", do="apply")
    assert read_spec(pages.task(2)).filters.exclude == ("symphony",)
    undo = re.search(r'<form class="undo".*?</form>', done.text, re.DOTALL)
    assert undo
    former = dict(re.findall(r'name="(\w+)" value="([^"]*)"', undo[0]))
    assert pages.send("/console/task/change", **former).status == 200
    assert read_spec(pages.task(2)).filters.exclude == ()


def test_a_limit_below_what_is_done_and_a_stale_form_are_refused(pages: Pages) -> None:
    low = pages.send("/console/task/change", number="2", pages="3", exclude="(", do="apply")
    assert "regular expression" in find_sentence(low, "exclude")
    assert '<a href="#pages">pages</a>' in low.text
    assert "pages are kept already" in find_sentence(low, "pages")
    assert 'value="3"' in low.text
    stale = pages.send("/console/task/change", number="2", base="0123", depth="5", do="apply")
    assert "were changed since this form was loaded" in read_text(stale)
    with Lock(pages.folder):
        told = pages.send("/console/task/change", number="2", depth="5", scope="any", do="apply")
    assert "has not answered yet" in read_text(told)
    (order,) = Mailbox(pages.folder).read_new()
    assert isinstance(order, Change)
    assert order.told["depth"] == 5


def test_rules_are_asked_for_urls_and_patterns(pages: Pages, start: str) -> None:
    shown = read_text(
        pages.send("/console/rules", task="2", urls=f"{start}\nftp://x/\n{start}new", pattern="haydn")
    )
    assert "followed a start page: no rule refuses it" in shown
    assert "haydn Why? followed by now: fetched" in shown
    wrong = pages.send("/console/rules", task="2", urls="kept", pattern="(")
    assert "is not a regular expression" in find_sentence(wrong, "pattern")
    assert ">\nkept</textarea>" in wrong.text
    tried = read_text(
        pages.send("/console/rules", task="2", urls=f"{start}haydn", scope="any", exclude="haydn")
    )
    assert "an exclude pattern matches haydn" in tried
    assert "without --exclude haydn" in tried
    assert "no longer taken up" in tried
    assert "has no task number" in read_text(pages.send("/console/rules", task="9"))


RUNAWAY = "([^?]+)+[?]$"


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/console/new", "exclude"),
        ("/console/rules", "pattern"),
        ("/console/rules", "include"),
        ("/console/task/change", "include"),
    ],
)
def test_a_pattern_that_takes_too_long_is_told_beside_its_field(
    pages: Pages, start: str, monkeypatch: pytest.MonkeyPatch, path: str, field: str
) -> None:
    monkeypatch.setattr(try_patterns, "MOST_CPU_S", 0.2)
    form = {"task": "2", "number": "2", "do": "preview", "seeds": start, "scope": "any", "depth": "7"}
    reply = pages.send(path, **form, **{field: RUNAWAY})
    assert reply.status == 400
    assert "takes too long" in find_sentence(reply, field)
    assert reply.text.count(RUNAWAY) >= 2, "what was typed stays"
    assert 'value="7"' in reply.text


def test_a_task_with_a_pattern_that_takes_too_long_is_not_started(
    pages: Pages, start: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(try_patterns, "MOST_CPU_S", 0.2)
    reply = pages.send("/console/new", do="start", seeds=start, scope="any", include=RUNAWAY)
    assert "takes too long" in find_sentence(reply, "include")
    with Web(pages.folder) as web:
        assert len(web.tasks()) == 2


def test_the_patterns_of_a_stored_task_are_tried_before_pages_use_them(
    pages: Pages, start: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(try_patterns, "MOST_CPU_S", 0.2)
    spec = from_options(seeds=(start,), scope="any", exclude=(RUNAWAY,))
    note = TaskNote(
        3, "slow", msgspec.json.encode(spec), "finished", counts={"filtered:exclude": 3, "checked": 3}
    )
    with Web(pages.folder) as web:
        web.store.commit(Batch(tasks=[note]))
    for address in (
        "documents?task=3&count=filtered",
        "documents?task=3&count=checked",
        f"explain?url={start}x",
    ):
        reply = pages.get(f"/console/{address}")
        assert reply.status == 400, address
        assert "takes too long" in reply.text


def test_hostile_names_and_addresses_are_text(pages: Pages) -> None:
    spec = msgspec.json.encode(TaskSpec(seeds=(f"https://a.example/{HOSTILE}",)))
    with Web(pages.folder) as web:
        note = TaskNote(3, HOSTILE, spec, "stopped", HOSTILE, counts={f"failed:{HOSTILE}": 1})
        web.store.commit(Batch(tasks=[note]))
    for path in (
        *("/console", "/console/tasks", "/console/task?number=3", "/console/task/stop?number=3"),
        *("/console/new?like=3", "/console/task/change?number=3", "/console/rules?task=3"),
        f"/console/rules?{urlencode({'urls': HOSTILE})}",
    ):
        text = pages.get(path).text
        assert "<script>alert" not in text, path
        assert "<img src=x" not in text, path
        assert "\"'>" not in text, path


def test_a_form_without_its_key_or_from_another_site_is_refused(pages: Pages) -> None:
    for path in (
        "task/stop",
        "task/pause",
        "task/resume",
        "task/submit",
        "task/withdraw",
        "task/change",
        "new",
    ):
        body = urlencode({"number": "2"}).encode()
        assert ask(pages.app, f"/console/{path}", "POST", ORIGIN, body).status == 400
        assert (
            ask(pages.app, f"/console/{path}", "POST", {"origin": "http://evil.example"}, body).status == 403
        )


def test_a_web_that_was_moved_is_told_and_nothing_typed_is_lost(pages: Pages) -> None:
    moved = pages.folder.with_name("moved.web")
    pages.folder.rename(moved)
    page = "https://typed.example/"
    for path, form in (
        ("task/stop", {"number": "2"}),
        ("task/submit", {"number": "2", "pages": page}),
        ("task/change", {"number": "2", "contact": page, "do": "apply"}),
        ("new", {"seeds": page, "do": "start"}),
    ):
        shown = pages.send(f"/console/{path}", **form)
        assert shown.status == 400, path
        assert "there is no web at" in read_text(shown), path
        assert path == "task/stop" or page in shown.text, path
    moved.rename(pages.folder)


def test_a_web_of_another_version_is_told_and_nothing_typed_is_lost(pages: Pages) -> None:
    with sqlite3.connect(pages.folder / STATE) as newer:
        newer.execute("pragma user_version = 999")
    newer.close()
    page = "https://typed.example/"
    for path, form in (
        ("task/submit", {"number": "2", "pages": page}),
        ("task/change", {"number": "2", "contact": page, "do": "apply"}),
        ("new", {"seeds": page, "do": "start"}),
    ):
        shown = pages.send(f"/console/{path}", **form)
        assert shown.status == 400, path
        assert "is in format 999" in read_text(shown), path
        assert page in shown.text, path


def test_an_empty_web_says_what_to_do(tmp_path: Path) -> None:
    Web(tmp_path / "w").close()
    with PageContext(tmp_path / "w", NAVIGATION) as context:
        empty = Pages(tmp_path / "w", context)
        assert "has no tasks yet" in read_text(empty.get("/console"))
        assert "no task yet: the defaults" in read_text(empty.get("/console/rules"))
        shown = read_text(empty.send("/console/new", seeds="https://a.example/", do="preview"))
        assert "This would take up 0 of the 0 links known" in shown


def test_passwords_of_older_versions_are_not_shown(pages: Pages) -> None:
    spec = msgspec.json.encode(
        from_options(seeds=["https://a.example/"], proxy="http://me:secret@proxy.example:1")
    )
    with Web(pages.folder) as web:
        web.store.commit(Batch(tasks=[TaskNote(3, "old", spec, "stopped")]))
    for path in ("/console/task?number=3", "/console/new?like=3", "/console/task/change?number=3"):
        assert "secret" not in pages.get(path).text, path
