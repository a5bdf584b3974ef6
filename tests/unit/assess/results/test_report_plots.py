import pytest

from gossamer.assess.results.crawl_report import Assessed, Crawl, Depth, Point, Report
from gossamer.assess.results.precision import Precision
from gossamer.assess.results.report_plots import report_figure
from gossamer.plots.canvas import encode_figure

pytestmark = pytest.mark.slow


def crawl(order: str, rated: bool = True) -> Crawl:
    histogram = (5, *[0] * 18, 7) if rated else (0,) * 20
    points = tuple(Point(float(number), number, number // 2) for number in range(1, 13))
    return Crawl((Depth(0, 2, 1), Depth(1, 10, 0)), histogram, 0, points, order=order)


def precision(depth: int, share: float | None) -> Precision:
    return Precision((str(depth),), 10, 0 if share is None else 10, 5, 0, share, 0.2, 0.8)


def words(report: Report) -> str:
    return encode_figure(report_figure(report), "svg").decode()


def test_all_four_parts_are_drawn() -> None:
    rows = (precision(0, 0.5), precision(1, None), precision(2, 0.6))
    drawn = words(
        Report(0.9, (crawl("breadth"), crawl("topic")), (Assessed("s", rows, rows, order="topic"),))
    )
    for said in ("Pages by depth", "Relevance", "Precision by depth", "Harvest", "topic, relevance ≥ 0.9"):
        assert said in drawn


def test_what_is_not_known_is_said() -> None:
    drawn = words(Report(0.9, (crawl("breadth", rated=False),), ()))
    assert drawn.count("no page has a relevance") == 2
    assert "gossamer assess --by depth" in drawn
