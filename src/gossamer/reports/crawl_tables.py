"""Pages by depth and relevance, judged precision and harvest over time (Schmitz 2001, tables 3.1 to 3.3)."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from gossamer.printable_text import format_duration
from gossamer.reports.analysis import Analysis, ResultTable, flatten_tables, format_share

if TYPE_CHECKING:  # imported when the analysis runs
    from gossamer.assess.results.crawl_report import CrawlReport, OrderPages
    from gossamer.assess.results.precision import Precision

_TENTHS = 10


def analyse_crawl(found: "CrawlReport") -> Analysis:
    """Return the report of a crawl as tables and a plot."""

    def draw() -> Any:
        from gossamer.assess.results.report_plots import draw_report

        return draw_report(found)

    tables = [
        _make_depth_table(found),
        *_make_histogram_table(found),
        *_make_precision_tables(found),
        *(_make_harvest_table(one) for one in found.crawls if any(one.histogram)),
    ]
    notes = []
    if not any(any(crawl.histogram) for crawl in found.crawls):
        notes.append(
            "No page has a relevance: crawl with --order topic, or give a trained topic with --topic."
        )
    if len({crawl.web for crawl in found.crawls}) < len(found.crawls):
        notes.append("Depths are those of the last fetch of each page, in any order.")
    if not found.assessed:
        notes.append("No page has been judged yet: use `gossamer assess --by depth`.")
    return Analysis(msgspec.to_builtins(found), tables, lambda: flatten_tables(tables), notes, draw)


def _list_names(crawls: "Sequence[OrderPages]") -> list[str]:
    return [crawl.name for crawl in crawls]


def _make_depth_table(found: "CrawlReport") -> ResultTable:
    """Make the table of pages by depth, all and relevant ones (Schmitz 2001, table 3.1)."""
    above = f"≥ {found.threshold:g}"
    names = [f"{name}: {what}" for name in _list_names(found.crawls) for what in ("pages", above)]
    rows_of = [{row.depth: (row.pages, row.relevant) for row in crawl.depths} for crawl in found.crawls]
    depths = sorted({depth for rows in rows_of for depth in rows})
    lines: list[tuple[object, ...]] = [
        (str(depth), *(number for rows in rows_of for number in rows.get(depth, (0, 0)))) for depth in depths
    ]
    sums = [sum(row[part] for row in rows.values()) for rows in rows_of for part in (0, 1)]
    return ResultTable("Pages by depth", ["depth", *names], [*lines, ("all", *sums)])


def _make_histogram_table(found: "CrawlReport") -> Iterator[ResultTable]:
    """Make the table of pages by relevance (Schmitz 2001, table 3.2)."""
    rated = [crawl for crawl in found.crawls if any(crawl.histogram)]
    if rated:
        steps = len(rated[0].histogram)
        names = [f"{name}: {what}" for name in _list_names(rated) for what in ("pages", "share")]
        lines = [
            (_format_band(at, steps), *(cell for one in rated for cell in _format_bin(one.histogram, at)))
            for at in range(steps)
        ]
        yield ResultTable("Pages by relevance", ["relevance", *names], lines)


def _format_band(at: int, steps: int) -> str:
    return f"[{at / steps:.2f}, {(at + 1) / steps:.2f}{']' if at == steps - 1 else ')'}"


def _format_bin(histogram: Sequence[int], at: int) -> tuple[int, str]:
    return histogram[at], format_share(histogram[at], sum(histogram))


def _make_precision_tables(found: "CrawlReport") -> Iterator[ResultTable]:
    """Make tables of precision by depth, of all pages and of those classified as relevant (Schmitz 2001, table 3.3)."""
    for one in found.assessed:
        rated = {row.values: row for row in one.relevant}
        lines = [
            (row.values[0], row.judged, *_format_precision(row), *_format_relevant(rated.get(row.values)))
            for row in one.all
            if row.judged
        ]
        above = f"relevance ≥ {found.threshold:g}"
        columns = ["depth", "judged", "precision", "95 % interval", above, "precision", "95 % interval"]
        yield ResultTable(f"Precision by depth, order {one.name}, sample {one.sample}", columns, lines)


def _format_relevant(row: "Precision | None") -> tuple[object, ...]:
    return (row.judged, *_format_precision(row)) if row is not None else (0, "", "")


def _format_precision(row: "Precision") -> tuple[str, str]:
    return (
        (f"{row.precision:.2f}", f"{row.low:.2f} to {row.high:.2f}")
        if row.precision is not None
        else ("", "")
    )


def _make_harvest_table(crawl: "OrderPages") -> ResultTable:
    """Make the table of the share of relevant pages in each tenth of a crawl and up to it."""
    points = crawl.harvest
    ends = sorted({(tenth + 1) * len(points) // _TENTHS - 1 for tenth in range(_TENTHS)} - {-1})
    lines, before = [], (0, 0)
    for at in ends:
        point = points[at]
        here = format_share(point.relevant - before[1], point.pages - before[0])
        lines.append(
            (format_duration(point.elapsed_s), point.pages, point.relevant, here, f"{point.harvest:.2%}")
        )
        before = (point.pages, point.relevant)
    columns = ["after", "pages", "relevant", "of the last tenth", "of all so far"]
    return ResultTable(f"Harvest, order {crawl.name}", columns, lines)
