"""`gossamer topics report`: tables of pages, relevance, precision and harvest, as in Schmitz 2001."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from gossamer.cli.output.result_tables import (
    ResultTable,
    VerbResult,
    flatten_tables,
    format_share,
    show_progress,
    show_result,
)
from gossamer.cli.output.wording import format_duration
from gossamer.cli.task_options import Json, WebPath, parse_web
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.assess.results.crawl_report import CrawlReport, OrderPages
    from gossamer.assess.results.precision import Precision
    from gossamer.assess.sample.page_query import Condition

_TENTHS = 10
_THRESHOLD = 0.9


def report(
    topic: Annotated[
        str, typer.Option("--topic", help="Take relevance from this trained topic. [default: from the crawl]")
    ] = "",
    relevant: Annotated[
        float,
        typer.Option("--relevant", help="A page counts as relevant from this relevance on.", min=0, max=1),
    ] = _THRESHOLD,
    where: Annotated[
        str, typer.Option("--where", help="Only pages that match, as in `gossamer assess`.")
    ] = "",
    sample: Annotated[
        str,
        typer.Option(
            "--sample", help="Take precision from this sample. [default: the one with most judgements]"
        ),
    ] = "",
    plot: Annotated[Path | None, typer.Option("--plot", help="Draw the report: .svg, .png or .html.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Write all numbers: .csv or .parquet.")] = None,
    others: Annotated[
        list[Path] | None,
        typer.Option(
            "--beside", parser=parse_web, metavar="WEB", help="Another web to compare; may be repeated."
        ),
    ] = None,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Report on a crawl: pages by depth and relevance, judged precision, harvest over time.

    Tasks with different orders are reported separately. Precision comes from judgements made with `gossamer assess`.

    \b
    gossamer topics report --web docs.web --plot report.html
    gossamer topics report --topic chess --relevant 0.5 --where 'task:first' --web docs.web
    gossamer topics report --web focused.web --beside broad.web --topic chess
    """
    from gossamer.assess.results.crawl_report import combine_reports
    from gossamer.assess.sample.page_query import parse_condition as condition
    from gossamer.cli.output.plot_files import check_plot, write_plot
    from gossamer.cli.output.result_tables import check_out
    from gossamer.store.opening.web_name import name_web

    check_plot(plot)
    check_out(out)
    fits = condition(where)
    found = _read_report(web, _ReportRequest(web, topic, relevant, sample or None, fits))
    if others:
        request = _ReportRequest(web, topic, relevant, None, fits)
        found = combine_reports(
            {name_web(web): found} | {name_web(other): _read_report(other, request) for other in others}
        )
    result = _make_result(found)
    if plot is not None:
        write_plot(result, plot, "How the crawl did")
    show_result(result, None, json, out, plot)
    return 0


class _ReportRequest(NamedTuple):
    """What to report of each web."""

    learnt_in: Path
    topic: str
    threshold: float
    sample: str | None
    fits: "Condition"


def _read_report(web: Path, request: _ReportRequest) -> "CrawlReport":
    from gossamer.assess.results.crawl_report import make_report
    from gossamer.assess.sample.page_facts import read_crawled_pages
    from gossamer.assess.sample.page_relevance import make_relevance
    from gossamer.store.opening.web_name import name_web
    from gossamer.web import open_to_read

    with open_to_read(web) as opened, show_progress("Reading pages"):
        relevance = make_relevance(opened.store, web, request.topic, request.learnt_in)
        pages = filter(request.fits, read_crawled_pages(opened.store, relevance))
        found = make_report(opened.store, pages, request.threshold, request.sample)
    if not found.crawls:
        raise BadInput(f"the web at {name_web(web)} has no pages to report on, or none that match --where")
    return found


def _make_result(found: "CrawlReport") -> VerbResult:
    import msgspec

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
    return VerbResult(msgspec.to_builtins(found), tables, lambda: flatten_tables(tables), notes, draw)


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
