"""The documents behind a count: on a page, and as CSV and JSON to download."""

import csv
import io
import time

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.crawl.describe_cause import describe_cause
from gossamer.crawl.status.read_status import list_documents
from gossamer.crawl.status.status_records import CountedDocument
from gossamer.errors import BadInput
from gossamer.printable_text import clean_text
from gossamer.store.batch import TaskNote
from gossamer.store.export.csv_files import escape_formula, format_time
from gossamer.ui.console.live.view_parameters import read_task
from gossamer.ui.console.stored_patterns import check_task_patterns
from gossamer.ui.page_context import get_context
from gossamer.web import Web

PER_PAGE = 100
# A download asks for pages of the list until it has this many, or until none is left.
MOST_DOWNLOADED = 10_000
# A list is searched piece by piece; a page waits so long for its first document, a download for all of them.
_PAGE_S, _DOWNLOAD_S = 0.5, 20.0
_MOST_NAME = 200
_MOST_DIGITS = 19
_COLUMNS = ("url", "time", "status", "detail", "task", "count")
_KINDS = {"failed": "failed", "refused": "refused", "filtered": "not followed"}
_NAMES = {"cache hits": "from the cache", "seen": "seen before", "filtered": "not followed"}
_HOST_COUNTS = ("waiting", "under way", "failures")
"""Counts of one host: its name follows the colon."""
_JUDGED = ("checked", "seen", "filtered")
"""Lists for which links are judged again."""
_IN_PARTS = ("checked", "queued", "loaded", "not loaded", "filtered", "waiting", "under way")
"""Lists that are not by time."""


class DocumentPage(msgspec.Struct, frozen=True):
    """Some documents behind a count, and from where to go on."""

    task: int
    count: str
    documents: list[CountedDocument]
    next_after: int = 0
    """Ask again with this as `after`; 0 at the end. A page may be empty and have more."""
    remark: str = ""


def read_page(web: Web, task: int, count: str, after: int = 0, most: int = PER_PAGE) -> DocumentPage:
    """Return a page of the documents behind a count of a task; the list is searched until something is found."""
    if count.partition(":")[0] in _JUDGED:
        for note in web.store.tasks():
            if note.number == task:
                check_task_patterns(web, note)
    until_s = time.monotonic() + _PAGE_S
    while True:
        found = list_documents(web.store, web.folder, task, count, after, most)
        after = found.next_after
        if found or not after or time.monotonic() >= until_s:
            return DocumentPage(task, count, list(found), after, found.remark)


def describe_name(count: str) -> str:
    """Return the name of a count as people read it: failed:404 is "failed: the server answered 404"."""
    kind, _, cause = count.partition(":")
    if not cause:
        return _NAMES.get(count, count)
    if kind in _HOST_COUNTS:
        return f"{kind} at {clean_text(cause)}"
    return f"{_KINDS.get(kind, kind)}: {describe_cause(cause)}"


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
                tasks=[(note, _read_number(note, count)) for note in notes.values()],
                note=None,
                number=None,
                newest_first=False,
            )
        page = read_page(web, task, count, read_after(request))
    return context.render_page(
        request,
        "console/documents.html",
        page=page,
        name=describe_name(count),
        count=count,
        tasks=[],
        note=notes[task],
        number=_read_number(notes[task], count),
        newest_first=count.partition(":")[0] not in _IN_PARTS,
    )


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


def _read_number(note: TaskNote, count: str) -> int | None:
    """Return how many documents a count has counted; None for what changes all the time."""
    if count.partition(":")[0] in _HOST_COUNTS:
        return None
    if ":" in count or count in note.counts:
        return note.counts.get(count, 0)
    kinds = [times for name, times in note.counts.items() if name.startswith(f"{count}:")]
    return sum(kinds) if count in _KINDS else None


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
