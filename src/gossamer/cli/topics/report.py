"""`gossamer topics report`: tables of pages, relevance, precision and harvest, as in Schmitz 2001."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from gossamer.cli.output.result_tables import show_progress, show_result
from gossamer.cli.task_options import Json, WebPath, parse_web
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.assess.results.crawl_report import CrawlReport
    from gossamer.assess.sample.page_query import Condition

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
    from gossamer.reports.crawl_tables import analyse_crawl
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
    result = analyse_crawl(found)
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
