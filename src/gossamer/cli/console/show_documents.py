"""Print the documents behind a count of a task: `gossamer status --list failed:404`."""

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.reports.crawls.counted_documents import DocumentPage
    from gossamer.store.batch import TaskNote
    from gossamer.web import Web


def show_documents(web: "Web", count: str, task: str, most: int, after: int, json: bool) -> int:
    """Print up to `most` documents behind a count, after the place where the list before ended; 0 is its begin."""
    from gossamer.reports.crawls.counted_documents import read_page

    note = _find_task(web, task)
    page = read_page(web, note.number, count, after, most)
    documents = list(page.documents)
    while page.next_after and len(documents) < most:
        page = read_page(web, note.number, count, page.next_after, most - len(documents))
        documents += page.documents
    page = msgspec.structs.replace(page, documents=documents)
    if json:
        from gossamer.cli.output.json_lines import print_json

        print_json(msgspec.to_builtins(page))
    else:
        _print(page, note)
    return 0


def _find_task(web: "Web", called: str) -> "TaskNote":
    """Return the task that was named, by default the newest."""
    from gossamer.errors import BadInput

    notes = web.tasks()
    if not called and not notes:
        raise BadInput(f"the web at {web.name} has no tasks, and so no counts; `gossamer crawl` starts one")
    return web.task(called) if called else notes[-1]


def _print(page: "DocumentPage", note: "TaskNote") -> None:
    from gossamer.cli.output.tables import clean_text, console, print_table
    from gossamer.crawl.describe_cause import describe_detail
    from gossamer.reports.crawls.counted_documents import count_documents, describe_name
    from gossamer.store.export.csv_files import format_time

    number = count_documents(note, page.count)
    in_all = f", {number:,} in all" if number is not None else ""
    console.print(f"{describe_name(page.count)}, task {note.number} {clean_text(note.name)}{in_all}")
    if page.remark:
        console.print(f"{page.remark[:1].upper()}{page.remark[1:]}.")
    rows = [
        (
            clean_text(one.url, 300) or f"page {one.page}",
            str(one.status or ""),
            clean_text(describe_detail(one.detail), 200),
            format_time(one.when_s) if one.when_s else "",
        )
        for one in page.documents
    ]
    if rows:
        print_table("", ("page", "status", "why", "time, UTC"), rows)
    else:
        console.print("There are no such documents.")
    if page.next_after:
        console.print(f"There are more: the same command with `--after {page.next_after}` lists them.")
