"""The page of the schedule shows its journal, takes wishes of operators, and its figures are among the metrics."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from starlette.types import ASGIApp
from tests.unit.schedule.schedules import NOW_S, make_entry, make_schedule
from tests.unit.ui.app_client import ask, read_form_key
from tests.unit.ui.console.shown_commands import list_commands, parse
from tests.unit.ui.console.test_metrics_page import parse_metrics

from gossamer.schedule.journal.journal import Journal
from gossamer.schedule.keep_schedule import Ending, Keeper
from gossamer.schedule.read_state import locate_folder
from gossamer.ui.access.guard import Guard
from gossamer.ui.app import make_application
from gossamer.ui.page_context import PageContext
from gossamer.ui.route_tables import NAVIGATION

HOUR_S = 3_600.0
OURS = {"origin": "http://127.0.0.1:8080"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A schedule whose only entry failed once and was missed nine times."""
    schedule = make_schedule(tmp_path, make_entry("hourly", 'missed = "skip"'))
    path = tmp_path / "schedule.toml"
    locate_folder(path).mkdir()
    journal = Journal(locate_folder(path), create=True)
    keeper = Keeper(journal, schedule)
    keeper.open(NOW_S)
    [run] = keeper.look(NOW_S + HOUR_S - NOW_S % HOUR_S, 0.0)
    keeper.end(run, Ending(2, NOW_S + HOUR_S, why="<script>alert(1)</script>"), NOW_S + HOUR_S)
    keeper.look(NOW_S + 10 * HOUR_S, 35_200.0)
    journal.close()
    return path


@pytest.fixture
def scheduled(library: Path, path: Path) -> Iterator[ASGIApp]:
    with PageContext(library, NAVIGATION, schedule=path) as context:
        yield make_application(context, Guard())


def test_the_page_shows_entries_results_and_what_was_missed(scheduled: ASGIApp, path: Path) -> None:
    page = ask(scheduled, "/console/schedule")
    assert page.status == 200
    assert '<a href="/console/schedule" aria-current="page">Schedule</a>' in page.text
    assert "every hour" in page.text
    assert "&lt;script&gt;" in page.text
    assert "<script>alert" not in page.text
    assert "the runner was held up" in page.text
    assert "nothing runs until <code>gossamer run</code> is started" in page.text
    listed, asked = map(parse, list_commands(page))
    assert (listed["schedule"], listed["list_"], listed["now"]) == (str(path), True, "")
    assert (asked["schedule"], asked["list_"], asked["now"]) == (str(path), False, "hourly")


def test_a_wish_reaches_the_journal(scheduled: ASGIApp, path: Path) -> None:
    form = {"form_key": read_form_key(scheduled), "entry": "hourly"}
    headers = {"content-type": "application/x-www-form-urlencoded", **OURS}
    body = urlencode(form).encode()
    reply = ask(scheduled, "/console/schedule/run", method="POST", headers=headers, body=body)
    assert (reply.status, reply.headers["location"]) == (303, "/console/schedule?asked=hourly")
    assert (
        "hourly runs as soon as its web is free and a runner works"
        in ask(scheduled, reply.headers["location"]).text
    )
    journal = Journal(locate_folder(path))
    assert [entry for _, entry, _ in journal.list_wishes()] == ["hourly"]
    journal.close()
    wrong = urlencode(form | {"entry": "none"}).encode()
    refused = ask(scheduled, "/console/schedule/run", method="POST", headers=headers, body=wrong)
    assert refused.status == 400
    assert "The schedule has no entry &#39;none&#39;" in refused.text


def test_the_figures_are_among_the_metrics(scheduled: ASGIApp) -> None:
    found = parse_metrics(ask(scheduled, "/metrics").text)
    labels = (("entry", "hourly"), ("web", "site"))
    assert found["gossamer_schedule_failed_total", labels] == 1
    assert found["gossamer_schedule_missed_total", labels] == 9
    assert found["gossamer_schedule_last_end_timestamp_seconds", labels] == NOW_S + HOUR_S
    assert found["gossamer_schedule_alive", ()] == 0


def test_without_a_schedule_the_page_says_how_to_show_one(app: ASGIApp) -> None:
    page = ask(app, "/console/schedule")
    assert "This server shows no schedule; start it with `gossamer serve --schedule" in page.text
    assert 'href="/console/schedule"' not in page.text
    assert "gossamer_schedule" not in ask(app, "/metrics").text


def test_a_schedule_that_was_damaged_since_gets_a_sentence(scheduled: ASGIApp, path: Path) -> None:
    path.write_text("= 1", "utf-8")
    assert "is not a schedule" in ask(scheduled, "/console/schedule").text
    assert ask(scheduled, "/metrics").status == 200
