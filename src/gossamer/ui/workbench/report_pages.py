"""The reports of a web: an overview, a page each, their downloads, and the forms that have them made."""

import csv
import io
import time
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gossamer.crawl.steer.command_lines import make_command
from gossamer.errors import BadInput
from gossamer.reports.analysis import PageCell, PageListCell
from gossamer.reports.report_file import (
    KeptReport,
    KeptTable,
    WebState,
    make_csv_rows,
    make_json,
    read_report,
    read_state,
)
from gossamer.reports.report_kinds import KINDS, ReportKind
from gossamer.store.export.csv_files import escape_formula
from gossamer.ui.forms import read_form
from gossamer.ui.page_context import get_context
from gossamer.ui.workbench.kept_data import get_kept_data
from gossamer.ui.workbench.report_jobs import ReportJob

HERE = "/workbench/reports"
ALL = "all"
_NOT_FOUND, _SEE_OTHER = 404, 303
_ROWS_SHOWN = 20
_PICTURES = {"svg": "image/svg+xml", "png": "image/png"}
# A picture that is opened on its own may use its own styles, and nothing else.
_PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


class ReportCard(msgspec.Struct, frozen=True):
    """A report as the overview and its own page show it."""

    kind: ReportKind
    obstacle: str
    report: KeptReport | None
    job: ReportJob | None
    progress: str
    """How far a report is that is under way."""
    age: str
    """What the web has now, if the report is older; "" if it is current."""


def show_overview(request: Request) -> Response:
    """Show what can be drawn from the web."""
    cards = [_make_card(request, kind) for kind in KINDS.values()]
    return get_context(request).render_page(
        request,
        "workbench/reports.html",
        cards=cards,
        possible=[card for card in cards if not card.obstacle],
        under_way=any(card.progress for card in cards),
        command=make_command(get_context(request).folder, "web", "report"),
    )


def show_report(request: Request) -> Response:
    """Show one report, or how to get it."""
    card = _make_card(request, _get_kind(request))
    return get_context(request).render_page(
        request,
        "workbench/report.html",
        path=HERE,
        card=card,
        report=card.report,
        rows_shown=_ROWS_SHOWN,
        is_page=lambda cell: isinstance(cell, PageCell),
        is_page_list=lambda cell: isinstance(cell, PageListCell),
        is_number_column=_is_number_column,
        show_cell=_show_cell,
        command=make_command(get_context(request).folder, "web", "report", card.kind.name),
    )


def show_progress(request: Request) -> Response:
    """Return how far a report is, as a part of a page; when it is done, the page loads anew."""
    kind = _get_kind(request)
    jobs = get_kept_data(request).jobs
    progress = jobs.describe_progress(kind.name)
    answer = get_context(request).render_page(
        request, "workbench/progress.html", kind=kind, progress=progress, job=jobs.get(kind.name)
    )
    if not progress:
        answer.headers["HX-Refresh"] = "true"
    return answer


async def take_order(request: Request) -> Response:
    """Have a report made, or all that can be made."""
    form = await read_form(request)
    kind = form.get("kind", "")
    if kind != ALL and kind not in KINDS:
        raise BadInput(f"there is no report {kind!r}: choose one of {', '.join(KINDS)}")
    jobs = get_kept_data(request).jobs
    if kind == ALL:
        with get_context(request).borrow_web() as web:
            jobs.start([name for name, one in KINDS.items() if not one.find_obstacle(web)])
        return RedirectResponse(HERE, _SEE_OTHER)
    jobs.start([kind])
    return RedirectResponse(f"{HERE}/{kind}", _SEE_OTHER)


def send_json(request: Request) -> Response:
    """Send the facts of a report."""
    report = _get_report(request)
    return _send_file(make_json(report), "application/json", f"{report.kind}.json")


def send_plot(request: Request) -> Response:
    """Send a plot, as SVG or PNG."""
    report, form = _get_report(request), request.path_params["form"]
    at: int = request.path_params["section"]
    plot = report.sections[at].plot if at < len(report.sections) else None
    if plot is None or form not in _PICTURES:
        raise HTTPException(_NOT_FOUND)
    body = plot.svg if form == "svg" else plot.png
    answer = Response(body, media_type=_PICTURES[form])
    answer.headers["content-security-policy"] = _PICTURE_POLICY
    if "save" in request.query_params:
        answer.headers["content-disposition"] = f'attachment; filename="{report.kind}-{at + 1}.{form}"'
    return answer


def send_table(request: Request) -> Response:
    """Send a table as CSV that is safe to open in a spreadsheet."""
    report = _get_report(request)
    section, table = request.path_params["section"], request.path_params["table"]
    try:
        found = report.sections[section].tables[table]
    except IndexError:
        raise HTTPException(_NOT_FOUND) from None
    return _send_file(
        _to_csv(found), "text/csv; charset=utf-8", f"{report.kind}-{section + 1}-{table + 1}.csv"
    )


def _make_card(request: Request, kind: ReportKind) -> ReportCard:
    context, jobs = get_context(request), get_kept_data(request).jobs
    with context.borrow_web() as web:
        obstacle, now = kind.find_obstacle(web), read_state(web.store)
    report = read_report(context.folder, kind.name)
    age = _describe_age(report.state, now) if report is not None else ""
    return ReportCard(kind, obstacle, report, jobs.get(kind.name), jobs.describe_progress(kind.name), age)


def _describe_age(made: WebState, now: WebState) -> str:
    """Say what the web has now, if that differs from what a report was made from."""
    if made == now:
        return ""
    if made.pages == now.pages:
        return "pages were visited since then"
    return f"the web has {now.pages:,} now"


def _get_kind(request: Request) -> ReportKind:
    kind = KINDS.get(request.path_params["kind"])
    if kind is None:
        raise HTTPException(_NOT_FOUND)
    return kind


def _get_report(request: Request) -> KeptReport:
    report = read_report(get_context(request).folder, _get_kind(request).name)
    if report is None:
        raise HTTPException(_NOT_FOUND)
    return report


def _is_number_column(table: KeptTable, at: int) -> bool:
    """Say whether a column holds only numbers, or texts that are numbers with a unit."""
    cells = [row[at] for row in table.rows if row[at] != ""]
    return bool(cells) and all(
        isinstance(cell, int | float) or (isinstance(cell, str) and _looks_like_number(cell))
        for cell in cells
    )


def _looks_like_number(text: str) -> bool:
    shown = text.strip()
    return shown[:1].isdigit() and all(char in "0123456789.,%e-+ " for char in shown)


def _show_cell(cell: Any) -> str:
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


def _to_csv(table: KeptTable) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    for row in make_csv_rows(table):
        writer.writerow([escape_formula(cell) if isinstance(cell, str) else cell for cell in row])
    return out.getvalue().encode("utf-8", "replace")


def _send_file(body: bytes, media_type: str, name: str) -> Response:
    stamped = f"{time.strftime('%Y%m%d')}-{name}"
    return Response(
        body,
        media_type=media_type,
        headers={"content-disposition": f'attachment; filename="{stamped}"'},
    )


ROUTES = [
    Route(HERE, show_overview),
    Route(f"{HERE}/make", take_order, methods=["POST"]),
    Route(f"{HERE}/{{kind}}", show_report),
    Route(f"{HERE}/{{kind}}/progress", show_progress),
    Route(f"{HERE}/{{kind}}/facts.json", send_json),
    Route(f"{HERE}/{{kind}}/plot-{{section:int}}.{{form}}", send_plot),
    Route(f"{HERE}/{{kind}}/table-{{section:int}}-{{table:int}}.csv", send_table),
]
