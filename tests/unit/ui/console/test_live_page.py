import json
import re
from pathlib import Path

import pytest
from tests.unit.ui.app_client import ask
from tests.unit.ui.conftest import GetPage
from tests.unit.ui.console.status_samples import HOSTILE, NOW_S, make_snapshot, make_task

from gossamer.crawl.status.status_records import CountHistory
from gossamer.store.batch import TaskNote
from gossamer.ui.access.guard import Guard
from gossamer.ui.app import make_application
from gossamer.ui.console.live.curves import MOST_POINTS, draw_line, make_curves, measure_widths
from gossamer.ui.console.live.live_page import render_message
from gossamer.ui.console.live.live_view import make_view
from gossamer.ui.page_context import PageContext
from gossamer.ui.route_tables import NAVIGATION
from gossamer.web import Web


def test_the_page_shows_tasks_counts_and_hosts_of_a_finished_crawl(get_page: GetPage) -> None:
    page = get_page("/console/live").text
    assert "No crawl is running" in page
    assert ">library</a>" in page
    assert "/console/documents?count=downloaded" in page
    assert "In short, now that nothing is left" in page
    assert '<noscript><meta http-equiv="refresh"' in page


def test_one_task_is_chosen_by_its_number(get_page: GetPage) -> None:
    page = get_page("/console/live?task=2&span=all").text
    assert "/console/documents?task=2&amp;count=downloaded" in page
    assert "Show all tasks" in page


@pytest.mark.parametrize("query", ["task=99", "task=x", "task=-1", "task=²", "span=2h", "task=" + "9" * 30])
def test_wrong_parameters_get_a_sentence(get_page: GetPage, query: str) -> None:
    assert get_page(f"/console/live?{query}").status == 400


def test_an_empty_web_says_so(tmp_path: Path) -> None:
    Web(tmp_path / "empty.web").close()
    with PageContext(tmp_path / "empty.web", NAVIGATION) as context:
        app = make_application(context, Guard())
        page = ask(app, "/console/live").text
    assert "Nothing has been crawled yet" in page
    assert "This web has no tasks" in page


def test_the_part_is_what_an_event_sends(get_page: GetPage) -> None:
    message = json.loads(get_page("/console/live/part?task=2").text)
    assert "No crawl is running" in message["head"]
    assert 'id="sum-queued"' in message["html"]
    assert set(message["point"]) == {"when_s", "pages", "bytes", "failed_so_far", "waiting"}


def test_hostile_names_are_text(library: Path) -> None:
    with PageContext(library) as context:
        message = render_message(context, make_snapshot(make_task(name="<i>x</i>")), 0)
    html = message.head + message.html
    assert "<script" not in html
    assert "<b>evil" not in html
    assert "<i>x" not in html
    assert "&lt;script&gt;" in html
    assert f'href="{HOSTILE}' not in html


def test_the_oldest_visit_comes_first_with_its_time() -> None:
    view = make_view(make_snapshot(make_task()), 0)
    assert [(visit.time, visit.step) for visit in view.visits] == [
        ("61 s", "is fetched"),
        ("2.0 s", "asks for robots.txt"),
    ]
    assert view.headline == "2.5 pages/s"
    assert view.tasks[0].time_left == "about 1:30 (1:00 to 3:20)"
    assert view.hosts[0].next_turn == "in 1:15"
    assert view.notices == ((NOW_S - 5, "the disk is nearly full"),)


def test_a_stall_stands_at_the_top_and_in_the_title(library: Path) -> None:
    stalled = make_snapshot(make_task(), stall="no answer has come from a.example for 30 s")
    with PageContext(library) as context:
        head = render_message(context, stalled, 0).head
    assert re.search(r'role="status">\s*<p class="stall"><strong>Stalled:</strong> no answer has come', head)


def test_a_task_whose_process_died_is_interrupted() -> None:
    dead = make_task(active=False, note=TaskNote(1, "news", b"{}", "running"))
    view = make_view(make_snapshot(dead, running=False), 0)
    assert (view.tasks[0].state, view.headline) == ("interrupted", "No crawl is running")


HISTORY = CountHistory(
    [10.0, 20.0, 30.0, 31.0],
    pages=[10, 20, 40, 5],
    bytes=[1_000, 0, 30_000, 1],
    failed=[0, 1, 0, 0],
    waiting=[5, 4, 3, 3],
)


def test_counts_become_rates() -> None:
    view = make_curves(HISTORY)
    assert [(curve.key, curve.latest, curve.highest) for curve in view.curves] == [
        ("pages", "4.0", "4.0"),
        ("bytes", "3.0 kB", "3.0 kB"),
        ("failed", "0.0", "6.0"),
        ("waiting", "3", "5"),
    ]
    assert [row.when_s for row in view.rows] == [30.0, 20.0, 10.0]


def test_a_moment_that_has_only_begun_is_left_out() -> None:
    assert measure_widths([10.0, 20.0, 30.0, 31.0]) == ([10.0, 20.0, 30.0], [10.0, 10.0, 10.0])
    assert measure_widths([10.0, 20.0, 28.0]) == ([10.0, 20.0, 28.0], [10.0, 10.0, 8.0])
    assert make_curves(CountHistory([1.0], [1], [1], [1], [1])).curves == ()


def test_a_curve_is_small_and_within_its_frame() -> None:
    times = [float(at) for at in range(MOST_POINTS)]
    svg = str(draw_line(times, [float(at % 7) for at in range(MOST_POINTS)]))
    assert len(svg) < 3_000
    points = [tuple(map(int, pair.split(","))) for pair in svg.split('points="')[1].split('"')[0].split()]
    assert all(0 <= x <= 600 and 0 <= y <= 120 for x, y in points)
    assert "style" not in svg, "the Content-Security-Policy forbids it"
