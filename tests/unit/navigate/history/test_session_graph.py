"""A day of reading as a graph: each page once, below the page that led to it first."""

from pathlib import Path

from gossamer.navigate.history.history_records import ReadVisit
from gossamer.navigate.history.keep_visits import keep_visits
from gossamer.navigate.history.session_graph import MOST_VISITS, read_session

HERE = "https://optics.example/"


def _visit(path: str, at: float, origin: str = "") -> ReadVisit:
    return ReadVisit(HERE + path, at, path, seconds=30.0, origin=HERE + origin if origin else "")


def test_pages_stand_below_those_that_led_to_them(tmp_path: Path) -> None:
    path = tmp_path / "own.sqlite"
    visits = [
        _visit("start", 100),
        _visit("lens", 110, "start"),
        _visit("mirror", 120, "start"),
        _visit("prism", 130, "lens"),
        _visit("lens", 140, "mirror"),
        _visit("lens", 150, "lens"),
        _visit("other", 160, "yesterday"),
        _visit("tomorrow", 900, "start"),
    ]
    keep_visits(path, [_visit("yesterday", 1), *visits])
    graph = read_session(path, 50, 500)
    assert [(one.title, one.depth, one.parent, one.others, one.visits) for one in graph.pages] == [
        ("start", 0, -1, (), 1),
        ("lens", 1, 0, (3,), 3),
        ("prism", 2, 1, (), 1),
        ("mirror", 1, 0, (), 1),
        ("other", 0, -1, (), 1),
    ]
    assert graph.pages[1].seconds == 90
    assert graph.is_whole


def test_a_long_day_is_cut_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "own.sqlite"
    keep_visits(path, [_visit(f"{n}", 100 + n, f"{n - 1}" if n else "") for n in range(MOST_VISITS + 1)])
    graph = read_session(path, 0, 10_000)
    assert (len(graph.pages), graph.pages[-1].depth, graph.is_whole) == (MOST_VISITS, MOST_VISITS - 1, False)
    assert read_session(tmp_path / "none.sqlite", 0, 1).pages == ()
