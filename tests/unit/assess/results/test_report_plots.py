import pytest

from gossamer.assess.results.crawl_report import (
    CrawlReport,
    DepthCount,
    HarvestPoint,
    OrderPages,
    OrderPrecision,
)
from gossamer.assess.results.precision import Precision
from gossamer.assess.results.report_plots import draw_report
from gossamer.plots.canvas import encode_figure

pytestmark = pytest.mark.slow


def make_order_pages(order: str, rated: bool = True) -> OrderPages:
    histogram = (5, *[0] * 18, 7) if rated else (0,) * 20
    points = tuple(HarvestPoint(float(number), number, number // 2) for number in range(1, 13))
    return OrderPages((DepthCount(0, 2, 1), DepthCount(1, 10, 0)), histogram, 0, points, order=order)


def make_precision(depth: int, share: float | None) -> Precision:
    return Precision((str(depth),), 10, 0 if share is None else 10, 5, 0, share, 0.2, 0.8)


def draw_svg(report: CrawlReport) -> str:
    return encode_figure(draw_report(report), "svg").decode()


def test_all_four_parts_are_drawn() -> None:
    rows = (make_precision(0, 0.5), make_precision(1, None), make_precision(2, 0.6))
    drawn = draw_svg(
        CrawlReport(
            0.9,
            (make_order_pages("breadth"), make_order_pages("topic")),
            (OrderPrecision("s", rows, rows, order="topic"),),
        )
    )
    for text in ("Pages by depth", "Relevance", "Precision by depth", "Harvest", "topic, relevance ≥ 0.9"):
        assert text in drawn


def test_parts_without_data_say_so() -> None:
    drawn = draw_svg(CrawlReport(0.9, (make_order_pages("breadth", rated=False),), ()))
    assert drawn.count("no page has a relevance") == 2
    assert "gossamer assess --by depth" in drawn
