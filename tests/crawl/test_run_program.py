"""`gossamer run` as people run it: real processes that are killed, a real web, and a real mail server."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from tests.cluster.database import wait_until
from tests.crawl.harness import Toy, make_link_page
from tests.smtp_server import SmtpServer, serve_smtp

from gossamer.cli.main import run_verb
from gossamer.lab.server.serve_world import serving
from gossamer.schedule.journal.journal import Journal
from gossamer.schedule.journal.journal_records import Run
from gossamer.schedule.run_file import look_at_run
from gossamer.web import Web

pytestmark = pytest.mark.slow
HOST = "127.9.4.1"
PAGES = 9
_TASK = """
name = "site"
seeds = ["{url}"]
scope = "host"
[politeness]
delay_s = {delay_s}
robots = false
[fetching]
allow_private = ["127.0.0.0/8"]
"""
_SCHEDULE = """
feed = "news.atom"
grace = "60 seconds"
[webs]
site = "site.web"
[mail]
to = ["me@example.org"]
from = "gossamer@example.org"
server = "127.0.0.1"
port = {port}
security = "none"
[[entries]]
name = "crawl"
web = "site"
do = "crawl"
task = "task.toml"
when = "on 29 February at 3"
"""


class Place:
    """A schedule whose entry runs when it is asked for, and those who run it."""

    def __init__(self, folder: Path, smtp: SmtpServer, url: str) -> None:
        self.folder, self.smtp, self._url = folder, smtp, url
        self.path = folder / "schedule.toml"
        self.path.write_text(_SCHEDULE.format(port=smtp.port), "utf-8")
        self.set_delay(0.5)

    def set_delay(self, delay_s: float) -> None:
        (self.folder / "task.toml").write_text(_TASK.format(url=self._url, delay_s=delay_s), "utf-8")

    @contextmanager
    def start(self, *options: str) -> "Iterator[subprocess.Popen[bytes]]":
        """Start a runner; kill it in the end, if it still runs."""
        command = [sys.executable, "-m", "gossamer.cli.main", "run", str(self.path), *options]
        with (self.folder / "runner.log").open("ab") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            yield process
        finally:
            process.kill()
            process.wait()

    def ask(self) -> None:
        """Ask for a run, once there is a journal to ask in."""
        wait_until(lambda: run_verb(["run", str(self.path), "--now", "crawl"]) == 0)

    def read_run(self) -> Run | None:
        with suppress(Exception):
            journal = Journal(self.folder / "schedule.run")
            try:
                return next(iter(journal.list_runs()), None)
            finally:
                journal.close()
        return None

    def change_journal(self, sql: str) -> None:
        journal = Journal(self.folder / "schedule.run")
        journal._run(sql)
        journal.close()

    def wait_for(self, state: str, tries: int = 0) -> Run:
        wait_until(lambda: (run := self.read_run()) and run.state == state and run.tries >= tries)
        run = self.read_run()
        assert run is not None
        return run

    def wait_for_pages(self, number: int) -> None:
        """Wait until so many pages are in the web."""
        wait_until(lambda: self.count_pages() >= number)

    def count_pages(self) -> int:
        with suppress(Exception), Web(self.folder / "site.web", create=False, read_only=True) as web:
            return int(web.store.counts()["pages"])
        return 0

    def find_process(self, run: Run) -> int:
        """Return the process of a run."""
        folder = self.folder / "schedule.run"
        wait_until(lambda: look_at_run(folder, run.number)[1].process)
        process = look_at_run(folder, run.number)[1].process
        assert process, "0 would be the test itself"
        return process

    def find_search_page(self) -> int:
        """Return the process of the search page, once it runs."""
        folder = self.folder / "schedule.run"
        wait_until(lambda: look_at_run(folder, 0)[0] and look_at_run(folder, 0)[1].process)
        process = look_at_run(folder, 0)[1].process
        assert process, "0 would be the test itself"
        return process


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    targets = [f"/{number}" for number in range(1, PAGES)]
    pages = {target: make_link_page(text=f"<title>Page {target}</title> {target}") for target in targets}
    toy = Toy({HOST: {"/": make_link_page(*targets), **pages}})
    with serving(toy) as lab, serve_smtp() as smtp:
        yield Place(tmp_path, smtp, f"http://{HOST}:{lab.port}/")


def test_a_run_survives_the_death_of_its_process_and_of_its_runner(place: Place) -> None:
    with place.start() as runner:
        place.ask()
        run = place.wait_for("running")
        place.wait_for_pages(2)
        os.kill(place.find_process(run), signal.SIGKILL)
        waiting = place.wait_for("waiting")
        assert waiting.why == "its process was killed"
        place.change_journal("UPDATE run SET not_before_s = 0")  # as if ten seconds had passed
        again = place.wait_for("running", tries=2)
        child = place.find_process(again)
        place.wait_for_pages(4)
        runner.kill()
        runner.wait()
    # The process of the run goes on without a runner; the next one takes it over.
    os.kill(child, 0)
    with place.start() as runner:
        done = place.wait_for("done")
        assert (done.number, done.tries, done.code) == (run.number, 2, 0)
        wait_until(lambda: place.smtp.mail and (place.folder / "news.atom").exists())
        runner.terminate()
        assert runner.wait(60) == 0
    with Web(place.folder / "site.web", create=False) as web:
        assert [note.state for note in web.tasks()] == ["finished"]
    assert place.count_pages() == PAGES
    assert done.news == PAGES
    [mail] = place.smtp.mail
    assert mail["Subject"] == f"[Gossamer] crawl: {PAGES} new"
    assert (place.folder / "news.atom").read_text("utf-8").count("<entry>") == 1


def test_a_runner_stops_cleanly_and_goes_on_and_refused_mail_is_kept(place: Place) -> None:
    place.smtp.refusals = 1
    with place.start() as runner:
        place.ask()
        run = place.wait_for("running")
        place.wait_for_pages(2)
        child = place.find_process(run)
        runner.terminate()
        assert runner.wait(60) == 0
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
    waiting = place.wait_for("waiting")
    assert (waiting.tries, waiting.why) == (0, "the runner was stopped")
    assert 2 <= place.count_pages() < PAGES
    place.set_delay(0.0)
    with place.start("--once") as runner:
        assert runner.wait(60) == 0
    done = place.wait_for("done")
    assert (done.number, done.tries) == (run.number, 1)
    assert (place.smtp.mail, place.smtp.refused) == ([], 1)
    journal = Journal(place.folder / "schedule.run")
    [notice] = journal.list_notices("waiting")
    assert (notice.tries, notice.why) == (1, "127.0.0.1 answered 451 try again later")
    assert 50 < notice.next_s - time.time() <= 60
    journal.close()
    place.change_journal("UPDATE notice SET next_s = 0")  # as if a minute had passed
    with place.start("--once") as runner:
        assert runner.wait(60) == 0
    assert len(place.smtp.mail) == 1


def test_two_runners_of_one_schedule_are_one_too_many(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    with place.start():
        place.ask()
        assert run_verb(["run", str(place.path)]) == 2
        assert "another `gossamer run` works with" in capsys.readouterr().err


def test_a_run_that_takes_too_long_is_stopped(place: Place) -> None:
    text = place.path.read_text("utf-8")
    place.path.write_text(f"{text}longest = '3 seconds'\n", "utf-8")
    with place.start():
        place.ask()
        failed = place.wait_for("failed")
    assert failed.why == "it took longer than 3 seconds and was stopped"
    assert failed.tries == 1


def test_a_runner_logs_into_a_file_as_json_and_hides_what_is_secret(place: Place) -> None:
    command = json.dumps(["https://anna:hush-hush@mail.example/?token=hushhush"])
    place.path.write_text(f"command = {command}\n{place.path.read_text('utf-8')}", "utf-8")
    place.set_delay(0.0)
    log = place.folder / "run.log"
    with place.start("--log-file", str(log), "--log-format", "json") as runner:
        place.ask()
        place.wait_for("done")
        wait_until(lambda: "cannot be run" in log.read_text("utf-8"))
        runner.terminate()
        assert runner.wait(60) == 0
    text = log.read_text("utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    said = [(line["category"], line["level"], line["text"]) for line in lines]
    assert any(one[:2] == ("gossamer.run", "INFO") and one[2].startswith("crawl: begins") for one in said)
    assert any(one[1] == "WARNING" and "https://(hidden)@mail.example" in one[2] for one in said)
    assert said[-1][2] == "gossamer run has ended with code 0"
    assert "hush" not in text
    assert (place.folder / "runner.log").read_bytes() == b""


def test_a_quiet_runner_tells_only_what_went_wrong_and_without_secrets(place: Place) -> None:
    place.smtp.refusals = 1
    place.set_delay(0.0)
    with place.start("--quiet") as runner:
        place.ask()
        place.wait_for("done")
        wait_until(lambda: (place.folder / "runner.log").read_bytes())
        runner.terminate()
        assert runner.wait(60) == 0
    [line] = (place.folder / "runner.log").read_text("utf-8").splitlines()
    assert " WARNING gossamer.run crawl by mail: 127.0.0.1 answered 451" in line


def test_the_search_page_is_started_again_and_not_left_behind(place: Place) -> None:
    for module in ("starlette", "uvicorn", "tantivy"):
        pytest.importorskip(module, reason=f"{module} is not installed (extra serve)")
    place.set_delay(0.0)
    with place.start() as runner:
        place.ask()
        place.wait_for("done")
    text = place.path.read_text("utf-8")
    place.path.write_text(f"serve = true\nserve_arguments = ['--port', '0']\n{text}", "utf-8")
    with place.start() as runner:
        first = place.find_search_page()
        os.kill(first, signal.SIGKILL)
        wait_until(lambda: place.find_search_page() != first)
        second = place.find_search_page()
        runner.kill()
        runner.wait()
    os.kill(second, 0)
    with place.start() as runner:
        wait_until(lambda: place.find_search_page() != second)
        runner.terminate()
        assert runner.wait(60) == 0
    assert not look_at_run(place.folder / "schedule.run", 0)[0]
