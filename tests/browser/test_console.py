"""The console steers crawls that run in other processes: every button, in a real browser, against real crawls."""

import json
import os
import random
import re
import socket
import subprocess
import sys
import time
import tomllib
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from typing import Any

import pytest
from tests.browser.page_faults import find_faults
from tests.wait_until import wait_until

from gossamer.crawl.control.command_mailbox import is_running, read_spec
from gossamer.lab.server.answer import LabAnswer, LabRequest
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.store.batch import TaskNote
from gossamer.web import open_to_read

HOST, OTHER, THIRD = "127.9.8.1", "127.9.8.2", "127.9.8.3"
_WORDS = (
    *("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath"),
    *("inlet", "jetty", "knoll", "larch", "marsh", "north", "ochre", "pond"),
)
_LETTERS = "abcdefgh"
_PATIENCE_MS = 60_000
_PATIENCE_S = 60.0
ATTACK = "<script>document.documentElement.dataset.ran = 'yes'</script>"
HOSTILE_PATH = "/x%22%3E%3Cimg%20src=x%20onerror=document.documentElement.dataset.ran=1%3E'\"><b>"

OPEN_ALL = "document.querySelectorAll('main details').forEach(one => { one.open = true })"

pytestmark = pytest.mark.slow


class EndlessWorld:
    """A site without end: each page has its own words and two further pages; its titles and links are hostile."""

    def answer(self, asked: LabRequest, now_s: float) -> LabAnswer:
        """Answer with a page; the answers of the second host come late."""
        if asked.target == "/robots.txt":
            return LabAnswer(404)
        here = asked.target.strip("/")
        some = random.Random(f"{asked.host}{asked.target}")
        text = " ".join(some.choice(_WORDS) + some.choice(_WORDS) for _ in range(80))
        links = [f"/{here}{letter}" for letter in some.sample(_LETTERS, 3)] + [HOSTILE_PATH]
        anchors = "".join(f'<a href="{escape(link)}">{escape(ATTACK)}</a> ' for link in links)
        body = f"<title>{escape(ATTACK)} {text[:20]}</title><p>{text}</p>{anchors}"
        return LabAnswer(200, (("Content-Type", "text/html; charset=utf-8"),), body.encode())

    def hosts(self) -> list[str]:
        """Return the hosts of the site."""
        return [HOST, OTHER, THIRD]


class Console:
    """A served web, with a crawl in another process."""

    def __init__(self, folder: Path, lab: LabServer, address: str) -> None:
        self.folder = folder
        self.lab = lab
        self.address = address
        self.times: dict[str, float] = {}

    def run(self, *arguments: str) -> str:
        """Run a verb of Gossamer on the web."""
        command = [sys.executable, "-m", "gossamer.cli.main", *arguments, "--web", str(self.folder)]
        return subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ).stdout

    def post(self, step: str, **body: Any) -> dict[str, Any]:
        """Send a request to the JSON API."""
        headers = {"Content-Type": "application/json"}
        asked = urllib.request.Request(  # noqa: S310 - a server of this test
            f"{self.address}/api/console/{step}", json.dumps(body).encode(), headers
        )
        with urllib.request.urlopen(asked) as answer:  # noqa: S310
            found: dict[str, Any] = json.loads(answer.read())
        return found

    def ensure_running(self) -> None:
        """Have both tasks crawled, whatever an earlier test left."""
        for number in (1, 2):
            if not self.is_active(number):
                self.post("task/resume", task=number)
                wait_until(lambda: self.is_active(number))  # noqa: B023 - called within this turn

    def is_active(self, number: int) -> bool:
        """Say whether a process works on a task."""
        with open_to_read(self.folder) as web:
            return web.task(str(number)).state == "running" and is_running(self.folder)

    def find(self, name: str) -> TaskNote:
        """Return a task as another process reads it."""
        with open_to_read(self.folder) as web:
            return web.task(name)

    def tasks(self) -> dict[str, dict[str, Any]]:
        """Return the tasks as the command line shows them."""
        return {one["name"]: one for one in map(json.loads, self.run("tasks", "--json").splitlines())}


@pytest.fixture(scope="module")
def console(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    """A web that a process crawls, with two tasks, and a server for it."""
    folder = tmp_path_factory.mktemp("steered") / "a web.web"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = [sys.executable, "-m", "gossamer.cli.main"]
    with serving(EndlessWorld()) as lab:
        options = ["--delay", "0.05", "--adaptive", "0", "--allow-private", "127.0.0.0/8", "--json"]
        crawl = [*program, "crawl", lab.url(HOST), "--name", "first", *options, "--web", str(folder)]
        serve = [*program, "serve", "--json", "--time", "900", "--port", str(port), "--web", str(folder)]
        with subprocess.Popen(crawl, stdout=subprocess.PIPE, env=os.environ) as crawling:
            assert crawling.stdout is not None
            crawling.stdout.readline()  # the first page is there
            drain = subprocess.Popen(["cat"], stdin=crawling.stdout, stdout=subprocess.DEVNULL)
            with subprocess.Popen(serve, stdout=subprocess.PIPE, env=os.environ) as server:
                assert server.stdout is not None
                server.stdout.readline()
                found = Console(folder, lab, f"http://127.0.0.1:{port}")
                second = {"name": "second", "seeds": [lab.url(OTHER)]}
                began_s = time.monotonic()
                started = found.post("tasks", like=1, options=second)
                found.times["new task until the running crawl has it"] = time.monotonic() - began_s
                assert (started["task"], started["done"], started["process_started"]) == (2, True, False)
                yield found
                found.run("stop")
                wait_until(lambda: not is_running(folder))
                server.terminate()
            crawling.wait(60)
            drain.wait(60)
    assert server.returncode == 0
    print("\n".join(f"{name}: {took_s:.2f} s" for name, took_s in found.times.items()))


OpenTab = Callable[..., Any]


@pytest.fixture
def open_tab(browser: Any, console: Console) -> Iterator[OpenTab]:
    """A function that opens a page of the console; it may ask this server only, and no script of a page may run."""
    contexts: list[Any] = []
    errors: list[str] = []
    foreign: list[str] = []
    pages: list[Any] = []

    def open_in_context(path: str, **options: Any) -> Any:
        context = browser.new_context(**options)
        context.set_default_timeout(_PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        pages.append(page)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "request",
            lambda asked: None if asked.url.startswith(console.address + "/") else foreign.append(asked.url),
        )
        page.goto(console.address + path)
        return page

    yield open_in_context
    for page in pages:
        assert page.locator("html[data-ran]").count() == 0
    for context in contexts:
        context.close()
    assert (errors, foreign) == ([], [])


def state_of(page: Any) -> Any:
    return page.locator("#task-facts .state")


def await_state(page: Any, state: str) -> None:
    page.locator(f"#task-facts .state.{state}").wait_for()


def test_a_paused_task_is_resumed_in_the_same_process_and_other_tabs_show_it(
    console: Console, open_tab: OpenTab
) -> None:
    console.ensure_running()
    holder = (console.folder / "lock").read_text()
    page, other = open_tab("/console/task?number=1"), open_tab("/console")
    await_state(page, "running")
    row = other.locator("tr", has=other.locator("#task-1"))
    row.locator(".state.running").wait_for()
    began_s = time.monotonic()
    page.get_by_role("button", name="Pause first").click()
    await_state(page, "paused")
    console.times["pause until this page shows it"] = time.monotonic() - began_s
    row.locator(".state.paused").wait_for()  # without any click
    console.times["pause until another tab shows it"] = time.monotonic() - began_s
    assert console.tasks()["first"]["state"] == "paused"
    began_s = time.monotonic()
    page.get_by_role("button", name="Resume first").click()
    page.get_by_text("A crawl works on the task").wait_for()
    await_state(page, "running")
    console.times["resume in the running crawl"] = time.monotonic() - began_s
    row.locator(".state.running").wait_for()
    assert (console.folder / "lock").read_text() == holder


def test_stop_asks_first_and_a_process_is_started_to_resume(console: Console, open_tab: OpenTab) -> None:
    console.ensure_running()
    console.post("task/pause", task=2)
    page = open_tab("/console/task?number=1")
    await_state(page, "running")
    page.get_by_role("link", name="Stop first").click()
    page.get_by_text("You can resume it later").wait_for()
    page.get_by_text("The same on the command line").click()
    assert "gossamer stop 1 --web" in page.locator(".command").inner_text()
    page.get_by_role("link", name="Keep it running").click()
    await_state(page, "running")
    page.get_by_role("link", name="Stop first").click()
    began_s = time.monotonic()
    page.get_by_role("button", name="Stop the task").click()
    await_state(page, "stopped")
    console.times["stop until the page shows it"] = time.monotonic() - began_s
    wait_until(lambda: not is_running(console.folder))  # no task is left in it
    console.times["stop until the process has ended"] = time.monotonic() - began_s
    assert_nothing_lost(console)
    began_s = time.monotonic()
    page.get_by_role("button", name="Resume first").click()
    page.get_by_text("A process was started").wait_for()
    console.times["resume until the page shows that a process starts"] = time.monotonic() - began_s
    await_state(page, "running")
    console.times["resume until a new process crawls"] = time.monotonic() - began_s
    assert_nothing_lost(console)


def assert_nothing_lost(console: Console) -> None:
    """Check that no page was fetched twice, and that the counts of the first task add up."""
    with open_to_read(console.folder) as web:
        visits = Counter(
            one.page for one in web.store.all_visits() if one.task == 1 and one.result == "fetched"
        )
        counts = web.task("1").counts
    assert set(visits.values()) == {1}
    filtered = sum(times for name, times in counts.items() if name.startswith("filtered:"))
    assert counts["checked"] == counts["queued"] + counts.get("seen", 0) + filtered


def test_a_new_task_is_previewed_downloaded_and_started(console: Console, open_tab: OpenTab) -> None:
    console.ensure_running()
    page = open_tab("/console/new?like=1")
    page.get_by_label("name", exact=True).fill("third")
    page.get_by_label("start pages", exact=True).fill(console.lab.url(THIRD))
    page.get_by_label("depth", exact=True).fill("2")
    page.get_by_label("exclude", exact=True).fill("/[ab]+$")
    page.locator("#preview .sum").wait_for()  # after a pause in typing
    summary = page.locator("#preview .sum").inner_text()
    assert re.fullmatch(r"This would take up [\d,]+ of the [\d,]+ links known\.", summary)
    with page.expect_download() as coming:
        page.get_by_role("button", name="Download as TOML").click()
    task = tomllib.loads(Path(coming.value.path()).read_text("utf-8"))
    assert (task["name"], task["seeds"]) == ("third", [console.lab.url(THIRD)])
    assert (task["limits"]["depth"], task["filters"]["exclude"]) == (2, ["/[ab]+$"])
    began_s = time.monotonic()
    page.get_by_role("button", name="Start the task").click()
    page.get_by_text("a crawl works on it").wait_for()
    console.times["new task until the page shows it"] = time.monotonic() - began_s
    wait_until(lambda: console.find("third").counts.get("downloaded", 0) > 1)
    await_state(page, "finished")


def test_a_change_is_previewed_applied_and_undone(console: Console, open_tab: OpenTab) -> None:
    console.ensure_running()
    page = open_tab("/console/task/change?number=1")
    page.get_by_label("exclude", exact=True).fill("aa")
    page.get_by_label("page limit", exact=True).fill("100000")
    page.get_by_role("button", name="Preview").click()
    page.get_by_text("no longer taken up").wait_for()
    page.locator("#preview details.same summary").click()
    command = page.locator("#preview .command").inner_text()
    assert "gossamer change 1 --pages 100000 --exclude aa --web" in command
    began_s = time.monotonic()
    page.get_by_role("button", name="Apply").click()
    page.get_by_text("The options are changed").wait_for()
    console.times["change until it is applied"] = time.monotonic() - began_s
    assert find_exclude(console) == ("aa",)
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("The options are changed").wait_for()
    assert find_exclude(console) == ()


def find_exclude(console: Console) -> tuple[str, ...]:
    return read_spec(console.find("1")).filters.exclude


def test_bad_input_is_answered_beside_the_field_and_what_was_typed_stays(
    console: Console, open_tab: OpenTab
) -> None:
    page = open_tab("/console/task/change?number=1")
    page.get_by_label("exclude", exact=True).fill("(unclosed")
    page.get_by_label("page limit", exact=True).fill("1")
    page.get_by_role("button", name="Apply").click()
    page.locator("#exclude-wrong").wait_for()
    assert "is not a regular expression" in page.locator("#exclude-wrong").inner_text()
    assert page.get_by_label("exclude", exact=True).input_value() == "(unclosed"
    page.get_by_label("exclude", exact=True).fill("")
    page.get_by_role("button", name="Apply").click()
    assert "pages are kept already" in page.locator("#pages-wrong").inner_text()
    assert page.get_by_label("page limit", exact=True).input_value() == "1"


def test_pages_are_submitted_and_one_outside_the_scope_asks_first(
    console: Console, open_tab: OpenTab
) -> None:
    console.ensure_running()
    page = open_tab("/console/task?number=1")
    far = "http://127.9.8.9:9/far"
    page.get_by_label("Submit pages").fill(far)
    page.get_by_role("button", name="Submit", exact=True).click()
    assert "outside the scope of every task" in page.locator("#pages-wrong").inner_text()
    assert page.get_by_label("Submit pages").input_value().strip() == far
    near = console.lab.url(HOST, "/hgfedcba")
    page.get_by_label("Submit pages").fill(near)
    page.get_by_role("button", name="Submit", exact=True).click()
    page.get_by_text("The pages were submitted").wait_for()
    wait_until(lambda: near in read_spec(console.find("first")).seeds)


def test_a_submitted_page_is_withdrawn_before_it_is_fetched(console: Console, open_tab: OpenTab) -> None:
    console.ensure_running()
    console.run("stop", "1", "--pause")  # so that the page is still there to be taken back
    page = open_tab("/console/task?number=1")
    near = console.lab.url(HOST, "/abcdefghabcdefgh")
    page.get_by_label("Submit pages").fill(near)
    page.get_by_role("button", name="Submit", exact=True).click()
    page.get_by_text("The pages were submitted").wait_for()
    wait_until(lambda: near in read_spec(console.find("first")).seeds)
    page.goto(console.address + "/console/task?number=1")
    page.get_by_role("button", name=f"Withdraw {near}").click()
    page.get_by_text("The page was withdrawn").wait_for()
    wait_until(lambda: near not in read_spec(console.find("first")).seeds)
    listed = map(json.loads, console.run("submit", "--list", "--json").splitlines())
    states = [(one["state"], one["cause"]) for one in listed if one["url"] == near]
    assert set(states) <= {("withdrawn", "")}
    console.ensure_running()
    assert "/abcdefghabcdefgh" not in [asked.target for asked in console.lab.log.entries()]


def test_rules_say_what_decides_for_each_url(console: Console, open_tab: OpenTab) -> None:
    page = open_tab("/console/rules?task=1")
    page.get_by_label("URLs").fill(f"{console.lab.url(HOST)}\nhttps://elsewhere.example/\n{HOSTILE_PATH}")
    page.get_by_label("Pattern").fill("script|onerror")
    page.get_by_role("button", name="Which rule decides?").click()
    rows = page.locator(".verdicts tbody tr")
    rows.first.wait_for()
    texts = rows.all_inner_texts()
    assert "followed" in texts[0]
    assert "outside the scope" in texts[1]
    assert "--scope any" in texts[1]
    assert "not a URL" in texts[2]
    assert any("onerror" in text for text in texts[3:])  # the hostile address is text


def test_forms_are_filled_with_the_options_of_a_task(console: Console, open_tab: OpenTab) -> None:
    options = {"name": "filled", "seeds": [console.lab.url(THIRD)], "exclude": ["/never$"], "pages": 1}
    task = str(console.post("tasks", like=1, options=options)["task"])
    page = open_tab("/console/new")
    page.get_by_label("Like task").select_option(task)
    page.get_by_role("button", name="Fill in").click()
    assert page.get_by_label("start pages", exact=True).input_value().strip() == console.lab.url(THIRD)
    assert page.get_by_label("exclude", exact=True).input_value().strip() == "/never$"
    page.goto(console.address + "/console/rules?task=1")
    page.get_by_label("Task", exact=True).select_option(task)
    page.get_by_role("button", name="Load its rules").click()
    page.get_by_text("Try other rules").click()
    assert page.get_by_label("exclude", exact=True).input_value().strip() == "/never$"


def test_the_console_is_read_and_steered_without_javascript(console: Console, open_tab: OpenTab) -> None:
    console.ensure_running()
    page = open_tab("/console", java_script_enabled=False)
    assert page.locator("tbody .state").count() >= 2
    page.get_by_role("link", name="Stop second").click()
    page.get_by_role("button", name="Stop the task").click()
    page.get_by_text("The task has stopped").wait_for()
    page.goto(console.address + "/console/new?like=1")
    page.get_by_role("button", name="Preview").click()
    assert "links known" in page.locator("#preview .sum").inner_text()
    with page.expect_download():
        page.get_by_role("button", name="Download as TOML").click()


def test_everything_is_reached_with_the_keyboard_and_the_focus_stays(
    console: Console, open_tab: OpenTab
) -> None:
    console.ensure_running()
    page = open_tab("/console")
    reached = set()
    for _ in range(80):  # each number that is not 0 is a link
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.textContent.trim()"))
    assert {"New task", "task-1", "pause-1", "stop-1", "task-2"} <= reached
    for path in ("/console/events*", "/console/nothing"):  # at first without events
        page.route(f"**{path}", lambda route: route.abort())
        page.goto(console.address + "/console")
        page.locator("#stop-1").focus()
        kept = page.locator("tr", has=page.locator("#stop-1")).locator("[data-label=kept]")
        before = kept.inner_text()
        page.wait_for_function(
            "before => document.querySelector('tr:has(#stop-1) [data-label=kept]').innerText !== before",
            arg=before,
        )
        assert page.evaluate("document.activeElement.id") == "stop-1"
        page.unroute(f"**{path}")


def is_task_list(one: Any) -> bool:
    return str(one.url).endswith("/console/tasks")


def test_events_bring_news_and_where_they_do_not_come_the_page_asks(
    console: Console, open_tab: OpenTab
) -> None:
    console.ensure_running()
    page = open_tab("/console/hosts")
    row = page.locator("tr", has=page.locator("#task-2"))
    page.route("**/console/tasks", lambda route: route.abort())
    page.goto(console.address + "/console")
    console.post("task/pause", task=2)
    row.locator(".state.paused").wait_for()
    with page.expect_navigation():
        row.get_by_role("button", name="Resume second").click()  # its form has the key of this visitor
    page.unroute("**/console/tasks")
    page.route("**/console/events*", lambda route: route.abort())
    page.goto(console.address + "/console")
    row.locator(".state.running").wait_for()
    with page.expect_response(is_task_list):
        pass
    console.post("task/pause", task=2)
    row.locator(".state.paused").wait_for()


def test_a_page_that_gets_events_does_not_ask(console: Console, open_tab: OpenTab) -> None:
    page = open_tab("/console")
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    for _ in range(20):  # on a busy machine events need some seconds
        asked.clear()
        page.wait_for_timeout(2_500)
        if not asked:
            break
    assert asked == []


def test_the_page_of_a_task_keeps_all_of_its_counts_new_and_says_if_no_news_come(
    console: Console, open_tab: OpenTab
) -> None:
    console.ensure_running()
    page = open_tab("/console/hosts")
    rises = """before => [...document.querySelectorAll('#task-counts tr')].some(
        row => row.cells[0].innerText === 'downloaded' && Number(row.cells[1].innerText.replace(/,/g, '')) > before)"""
    for blocked in ("**/nothing", "**/console/events*"):
        page.route(blocked, lambda route: route.abort())
        page.goto(console.address + "/console/task?number=1")
        before = console.find("first").counts["downloaded"]
        page.wait_for_function(rises, arg=before + 5)
        assert page.locator("#task-counts").count() == 1
        assert not page.is_visible("#no-news")
    page.route("**/console/task/facts*", lambda route: route.abort())
    page.get_by_text("The server does not answer; trying again.").wait_for()
    page.unroute("**/console/task/facts*")
    page.locator("#no-news").wait_for(state="hidden")


def test_a_hidden_tab_asks_for_nothing_until_it_is_shown_again(console: Console, open_tab: OpenTab) -> None:
    page = open_tab("/console/hosts")
    page.route("**/console/events*", lambda route: route.abort())
    page.goto(console.address + "/console")
    with page.expect_response(is_task_list):
        pass
    page.evaluate("Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    page.wait_for_timeout(2_500)
    assert asked == []
    page.evaluate("delete document.hidden")
    with page.expect_response(is_task_list):
        pass


@pytest.mark.parametrize("width", [360, 768, 1440])
def test_no_page_is_wider_than_the_screen(console: Console, open_tab: OpenTab, width: int) -> None:
    page = open_tab("/console", viewport={"width": width, "height": 800})
    for path in ("/console", "/console/task?number=1", "/console/new", "/console/task/change?number=1"):
        page.goto(console.address + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_forms_and_lists_are_accessible_in_both_schemes(console: Console, open_tab: OpenTab) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = open_tab("/console", viewport={"width": 768, "height": 1_000})
    steps: dict[str, Callable[[], None]] = {
        "/console": lambda: None,
        "/console/task?number=1": lambda: None,
        "/console/task/stop?number=1": lambda: None,
        "/console/new?like=1": lambda: page.get_by_role("button", name="Preview").click(),
        "/console/task/change?number=1&exclude=h": lambda: page.get_by_role("button", name="Preview").click(),
        "/console/rules?task=1&urls=https%3A%2F%2Fa.example%2F": lambda: page.get_by_role(
            "button", name="Which rule"
        ).click(),
    }
    for path, step in steps.items():
        page.goto(console.address + path)
        page.evaluate(OPEN_ALL)
        step()
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert (path, scheme, find_faults(page, axe)) == (path, scheme, [])


def test_another_site_and_a_form_without_its_key_change_nothing(console: Console, open_tab: OpenTab) -> None:
    page = open_tab("/console")
    before = console.find("first").state
    without_key = page.request.post(console.address + "/console/task/stop", form={"number": "1"})
    assert without_key.status == 400
    key = page.locator("input[name=form_key]").first.get_attribute("value")
    foreign = page.request.post(
        console.address + "/console/task/stop",
        form={"number": "1", "form_key": key},
        headers={"Origin": "http://evil.example"},
    )
    assert foreign.status == 403
    assert console.find("first").state == before
