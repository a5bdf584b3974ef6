"""The documents behind a count: on a page, and as CSV and JSON to download."""

import csv
import io
import time
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.crawl.describe_cause import describe_detail
from gossamer.crawl.steer.command_lines import make_command
from gossamer.errors import BadInput
from gossamer.reports.crawls.counted_documents import (
    PER_PAGE,
    DocumentPage,
    count_documents,
    describe_name,
    read_page,
)
from gossamer.store.export.csv_files import escape_formula, format_time
from gossamer.task_file import make_pair
from gossamer.ui.console.live.view_parameters import read_task
from gossamer.ui.page_context import get_context
from gossamer.ui.pages.page_picture import find_pictured

# A download asks for pages of the list until it has this many, or until none is left.
MOST_DOWNLOADED = 10_000
# A list is searched piece by piece; a download waits so long for all of it.
_DOWNLOAD_S = 20.0
_MOST_NAME = 200
_MOST_DIGITS = 19
_COLUMNS = ("url", "time", "status", "detail", "task", "count")
_IN_PARTS = ("checked", "queued", "loaded", "not loaded", "filtered", "waiting", "under way")
"""Lists that are not by time."""


def show_documents(request: Request) -> Response:
    """Show the documents behind a count; without a task, the tasks that have such documents."""
    context = get_context(request)
    task, count = read_task(request), read_count(request)
    with context.borrow_web() as web:
        notes = {note.number: note for note in web.store.tasks()}
        if len(notes) == 1:
            task = task or next(iter(notes))
        if not task:
            return context.render_page(
                request,
                "console/documents.html",
                page=None,
                name=describe_name(count),
                count=count,
                tasks=[(note, count_documents(note, count)) for note in notes.values()],
                note=None,
                number=None,
                newest_first=False,
                command="",
            )
        page = read_page(web, task, count, read_after(request))
        pictured = find_pictured(web, [one.url for one in page.documents])
    return context.render_page(
        request,
        "console/documents.html",
        page=page,
        name=describe_name(count),
        count=count,
        tasks=[],
        note=notes[task],
        number=count_documents(notes[task], count),
        newest_first=count.partition(":")[0] not in _IN_PARTS,
        command=_make_command(context.folder, page, read_after(request)),
        pictured=pictured,
        describe_detail=describe_detail,
    )


def _make_command(folder: Path, page: DocumentPage, after: int) -> str:
    """Return the command that lists the same documents."""
    here = ["--task", str(page.task), *(["--after", str(after)] if after else [])]
    return make_command(folder, "status", *make_pair("--list", page.count), *here)


def send_csv(request: Request) -> Response:
    """Send the documents behind a count as CSV that is safe to open in a spreadsheet."""
    page = _read_all(request)
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(_COLUMNS)
    for one in page.documents:
        when = format_time(one.when_s) if one.when_s else ""
        cells = (one.url, when, one.status or "", one.detail, page.task, page.count)
        writer.writerow([escape_formula(cell) if isinstance(cell, str) else cell for cell in cells])
    return _make_download(file.getvalue().encode("utf-8", "replace"), page, "csv", "text/csv; charset=utf-8")


def send_json(request: Request) -> Response:
    """Send the documents behind a count as JSON."""
    page = _read_all(request)
    return _make_download(msgspec.json.encode(page), page, "json", "application/json")


def _read_all(request: Request) -> DocumentPage:
    """Return all documents behind a count, up to a limit."""
    task, count = read_task(request), read_count(request)
    if not task:
        raise BadInput("name the task: task=1")
    with get_context(request).borrow_web() as web:
        page = read_page(web, task, count, read_after(request), PER_PAGE)
        documents = list(page.documents)
        until_s = time.monotonic() + _DOWNLOAD_S
        while page.next_after and len(documents) < MOST_DOWNLOADED and time.monotonic() < until_s:
            page = read_page(web, task, count, page.next_after, PER_PAGE * 10)
            documents += page.documents
    return msgspec.structs.replace(page, documents=documents)


def _make_download(body: bytes, page: DocumentPage, ending: str, kind: str) -> Response:
    name = "".join(char if char.isascii() and char.isalnum() else "-" for char in page.count)
    headers = {"content-disposition": f'attachment; filename="task-{page.task}-{name}.{ending}"'}
    if page.next_after:
        headers["link"] = f'<?task={page.task}&after={page.next_after}>; rel="next"'
    return Response(body, headers=headers, media_type=kind)


def read_count(request: Request) -> str:
    """Return the name of the count that a page is about."""
    count = request.query_params.get("count", "").strip()
    if not count or len(count) > _MOST_NAME:
        raise BadInput(
            "name a count, such as count=failed or count=refused:robots; the live page links to all"
        )
    return count


def read_after(request: Request) -> int:
    """Return from where a list goes on."""
    after = request.query_params.get("after", "0")
    if not (after.isascii() and after.isdecimal()) or len(after) > _MOST_DIGITS:
        raise BadInput("`after` must be the number that the page before named")
    return int(after)


ROUTES = (
    Route("/console/documents", show_documents),
    Route("/console/documents.csv", send_csv),
    Route("/console/documents.json", send_json),
)
