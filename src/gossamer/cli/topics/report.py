"""`gossamer topics report`: how a crawl did, in the tables of seed 002."""

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
from gossamer.cli.task_options import Json, WebPath
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported by the verb when it runs: help has to answer at once
    from gossamer.assess.results.crawl_report import CrawlReport, OrderPages
    from gossamer.assess.results.precision import Precision
    from gossamer.assess.sample.page_query import Condition

_TENTHS = 10
_THRESHOLD = 0.9


def report(
    topic: Annotated[
        str, typer.Option("--topic", help="A trained topic tells relevance; else the marks of the crawl do.")
    ] = "",
    relevant: Annotated[
        float, typer.Option("--relevant", help="From here on a page counts as relevant.", min=0, max=1)
    ] = _THRESHOLD,
    where: Annotated[
        str, typer.Option("--where", help="Only pages of which this holds, as in gossamer assess.")
    ] = "",
    sample: Annotated[
        str, typer.Option("--sample", help="Precision from this sample. [default: the one judged most]")
    ] = "",
    plot: Annotated[Path | None, typer.Option("--plot", help="Draw it there: .svg, .png or .html.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write all numbers there: .csv or .parquet.")
    ] = None,
    others: Annotated[
        list[Path] | None, typer.Option("--beside", help="Another web, to be seen beside this one.")
    ] = None,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Report how a crawl did: pages by depth and relevance, precision as judges say, harvest over time.

    Tasks are told apart by their order. Precision comes from what was judged with gossamer assess.

    \b
    gossamer topics report --web docs.web --plot report.html
    gossamer topics report --topic chess --relevant 0.5 --where 'task:first' --web docs.web
    gossamer topics report --web focused.web --beside broad.web --topic chess
    """
    from gossamer.assess.results.crawl_report import combine_reports
    from gossamer.assess.sample.page_query import parse_condition as condition
    from gossamer.cli.output.plot_files import check_plot, write_plot
    from gossamer.cli.output.result_tables import check_out

    check_plot(plot)
    check_out(out)
    fits = condition(where)
    found = _found(web, _Asked(web, topic, relevant, sample or None, fits))
    if others:
        asked = _Asked(web, topic, relevant, None, fits)
        found = combine_reports({str(web): found} | {str(other): _found(other, asked) for other in others})
    told = _told(found)
    if plot is not None:
        write_plot(told, plot, "How the crawl did")
    show_result(told, None, json, out, plot)
    return 0


class _Asked(NamedTuple):
    """What is to be reported of each web."""

    learnt_in: Path
    topic: str
    threshold: float
    sample: str | None
    fits: "Condition"


def _found(web: Path, asked: _Asked) -> "CrawlReport":
    from gossamer.assess.results.crawl_report import make_report as reported
    from gossamer.assess.sample.page_facts import read_crawled_pages
    from gossamer.assess.sample.page_relevance import make_relevance
    from gossamer.web import open_to_read

    with open_to_read(web) as opened, show_progress("Reading pages"):
        relevance = make_relevance(opened.store, web, asked.topic, asked.learnt_in)
        pages = filter(asked.fits, read_crawled_pages(opened.store, relevance))
        found = reported(opened.store, pages, asked.threshold, asked.sample)
    if not found.crawls:
        raise BadInput(f"the web at {web} has no pages to report on, or none of which --where holds")
    return found


def _told(found: "CrawlReport") -> VerbResult:
    import msgspec

    def plot() -> Any:
        from gossamer.assess.results.report_plots import draw_report

        return draw_report(found)

    tables = [
        _depths(found),
        *_histogram(found),
        *_precision(found),
        *(_harvest(one) for one in found.crawls if any(one.histogram)),
    ]
    notes = []
    if not any(any(crawl.histogram) for crawl in found.crawls):
        notes.append(
            "No page has a relevance: crawl with --order topic, or name a trained topic with --topic."
        )
    if len({crawl.web for crawl in found.crawls}) < len(found.crawls):
        notes.append("Depths are those at which pages were fetched last, by whatever order.")
    if not found.assessed:
        notes.append("No page was judged yet: `gossamer assess --by depth` does.")
    return VerbResult(msgspec.to_builtins(found), tables, lambda: flatten_tables(tables), notes, plot)


def _named(crawls: "Sequence[OrderPages]") -> list[str]:
    return [crawl.name for crawl in crawls]


def _depths(found: "CrawlReport") -> ResultTable:
    """Table 3.1: pages by depth, all of them and the relevant ones."""
    above = f"≥ {found.threshold:g}"
    names = [f"{name}: {what}" for name in _named(found.crawls) for what in ("pages", above)]
    rows_of = [{row.depth: (row.pages, row.relevant) for row in crawl.depths} for crawl in found.crawls]
    depths = sorted({depth for rows in rows_of for depth in rows})
    lines: list[tuple[object, ...]] = [
        (str(depth), *(number for rows in rows_of for number in rows.get(depth, (0, 0)))) for depth in depths
    ]
    sums = [sum(row[part] for row in rows.values()) for rows in rows_of for part in (0, 1)]
    return ResultTable("Pages by depth", ["depth", *names], [*lines, ("all", *sums)])


def _histogram(found: "CrawlReport") -> Iterator[ResultTable]:
    """Table 3.2: how many pages have which relevance."""
    rated = [crawl for crawl in found.crawls if any(crawl.histogram)]
    if rated:
        steps = len(rated[0].histogram)
        names = [f"{name}: {what}" for name in _named(rated) for what in ("pages", "share")]
        lines = [
            (_step(at, steps), *(cell for one in rated for cell in _counted(one.histogram, at)))
            for at in range(steps)
        ]
        yield ResultTable("Pages by relevance", ["relevance", *names], lines)


def _step(at: int, steps: int) -> str:
    return f"[{at / steps:.2f}, {(at + 1) / steps:.2f}{']' if at == steps - 1 else ')'}"


def _counted(histogram: Sequence[int], at: int) -> tuple[int, str]:
    return histogram[at], format_share(histogram[at], sum(histogram))


def _precision(found: "CrawlReport") -> Iterator[ResultTable]:
    """Table 3.3: precision by depth, of all pages and of those that a classifier found relevant."""
    for one in found.assessed:
        rated = {row.values: row for row in one.relevant}
        lines = [
            (row.values[0], row.judged, *_share(row), *_rated(rated.get(row.values)))
            for row in one.all
            if row.judged
        ]
        above = f"relevance ≥ {found.threshold:g}"
        columns = ["depth", "judged", "precision", "95 % interval", above, "precision", "95 % interval"]
        yield ResultTable(f"Precision by depth, order {one.name}, sample {one.sample}", columns, lines)


def _rated(row: "Precision | None") -> tuple[object, ...]:
    return (row.judged, *_share(row)) if row is not None else (0, "", "")


def _share(row: "Precision") -> tuple[str, str]:
    return (
        (f"{row.precision:.2f}", f"{row.low:.2f} to {row.high:.2f}")
        if row.precision is not None
        else ("", "")
    )


def _harvest(crawl: "OrderPages") -> ResultTable:
    """Tell how many of the pages were relevant, in each tenth of a crawl and up to there."""
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
