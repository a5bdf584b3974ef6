"""`gossamer explain`: show every decision about one URL."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from gossamer.cli.crawl.recrawl import USUAL_SHARE
from gossamer.cli.output.terminal_text import print_error
from gossamer.cli.output.wording import describe_cause, format_count
from gossamer.cli.task_options import Json, WebPath

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from rich.progress import Progress, TaskID

    from gossamer.crawl.explain.explain_url import Explanation, InTask
    from gossamer.crawl.recrawl.revisit_plan import PageOutlook
    from gossamer.records import Visit
    from gossamer.search.index.index_status import IndexStatus
    from gossamer.web import Web

_VERDICTS = {
    "fetched": "It was fetched and kept.",
    "not modified": "It was visited and had not changed.",
    "cache hit": "The copy in the web was fresh enough: it was not fetched again.",
    "redirected": "It redirects to {detail}",
    "refused": "It was not requested: {meaning}.",
    "failed": "It could not be fetched: {meaning}.",
    "not kept": "It was fetched and not kept: {meaning}.",
    "waiting": "It is waiting to be fetched.",
    "given up": "It was queued, then given up: {meaning}.",
    "not followed": "It is not followed: {meaning}.",
    "not found": "This task did not find it.",
    "under way": "It is being fetched.",
    "robots": "It was fetched as robots.txt, not as a page.",
}
_LEFT_OUT = {
    "noindex": "it asks not to be indexed (noindex)",
    "no text": "it has no text that can be read: HTML, plain text and documents are indexed",
    "an error page": "it has an error status",
}
_MARK_MEANINGS = {
    "unreadable": "It is kept as bytes and not read, for the reason in the mark `unreadable`",
    "format": "It was read as a document of the format in the mark `format`, in a process with limits",
    "reader-notes": "What was left out of it is in the mark `reader-notes`",
    "reduced": "It was simplified before it was parsed, since its tree would have been too large",
    "links-cut": "It has more links than the task reads from one page (`--page-links`): the others were left out",
}
_LINKS_SHOWN = 5
_SHOWN_IN_HOURS_DAYS = 2.0
"""Shorter ages are shown in hours."""
_SORTING = "Sorting {what} since the last `explain`, so that looking up a URL is quick"
_SORTED_ROWS = {"known": "new URLs", "visit": "visits", "decision": "decisions", "link": "pages with links"}
_SHOWN_ROWS = {"known": 300_000, "visit": 300_000, "decision": 300_000, "link": 2_000}
"""The rows whose sorting takes a few tenths of a second: a page has about a hundred links."""

_LINK_SCANS = 3
"""The links to the URL, their number, and those to one other page. Where more is looked up, sorting pays."""
_MANY_PAGES = 20_000
"""Reading the history of so many pages takes a second."""
_MANY_URLS = 5_000_000
"""Looking through so many known URLs, and the links to them, takes half a second, and longer from a slow disk."""


def explain(
    url: Annotated[str, typer.Argument(help="Any URL, whether it is in the web or not.", metavar="URL")],
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Show every decision about one URL.

    Where it was found, which rule kept it from being followed, when it was fetched, whether it is stored and indexed.
    In webs that are recrawled also how often it changes and when its next visit is due.

    \b
    gossamer explain https://www.example.org/calendar/2031 --web docs.web
    """
    from gossamer.cli.task_options import to_canonical_url
    from gossamer.cli.typed_url import complete_url, find_typed_url
    from gossamer.crawl.explain.explain_url import explain as explain_url
    from gossamer.store.sqlite.sqlite_store import SqliteStore
    from gossamer.web import open_to_read

    to_canonical_url(complete_url(url))  # report what is no URL before a web is opened
    with open_to_read(web) as opened, _SortingDisplay() as display:
        if isinstance(opened.store, SqliteStore):  # a database has its index of links already
            opened.store.sorter.watch = display.update
            opened.store.sorter.allow_link_scans(_LINK_SCANS)
        _announce_long_search(opened)
        wanted = to_canonical_url(find_typed_url(opened.store, url))
        explanation = explain_url(opened.store, wanted, opened.folder)
        found = opened.presence(explanation.page) if explanation.page else None
        outlook = None
        if explanation.page:
            _announce_long_reading(opened)
            outlook = opened.outlook(explanation.page, USUAL_SHARE)
    if json:
        from gossamer.cli.output.json_lines import print_json

        print_json(msgspec.to_builtins(explanation) | {"index": found, "fresh": outlook})
    else:
        _print(explanation, found, outlook)
    return 0


def _announce_long_search(web: "Web") -> None:
    """Say what takes long in a web that knows millions of URLs."""
    known = web.store.counts()["known"]
    if known >= _MANY_URLS:
        print_error(f"Looking through {known:,} known URLs and the links to them")


def _announce_long_reading(web: "Web") -> None:
    """Say what takes long in a large web that is kept fresh: the estimates need the visits of all pages."""
    from gossamer.crawl.recrawl.revisit_rounds import list_recrawl_tasks

    pages = web.store.counts()["pages"]
    if pages >= _MANY_PAGES and list_recrawl_tasks(web.store):
        print_error(f"Reading how often {pages:,} pages changed, to tell when this one is due")


class _SortingDisplay:
    """Shows the progress of sorting, which takes long in a large web the first time."""

    def __init__(self) -> None:
        self._display: Progress | None = None
        self._bars: dict[str, TaskID] = {}

    def __enter__(self) -> "_SortingDisplay":
        return self

    def __exit__(self, *_: object) -> None:
        if self._display is not None:
            self._display.stop()

    def update(self, table: str, done: int, rows: int) -> None:
        """Show how many rows of a table are sorted; open no display for a few rows."""
        what = _SORTED_ROWS[table]
        if self._display is None and rows - done >= _SHOWN_ROWS[table]:
            self._display = _open_display()
            if self._display.disable:
                print_error(_SORTING.format(what=f"{rows - done:,} {what}"))
        if self._display is not None:
            if table not in self._bars:
                self._bars[table] = self._display.add_task(_SORTING.format(what=what), total=rows)
            self._display.update(self._bars[table], completed=done, total=rows)


def _open_display() -> "Progress":
    """Draw bars on a terminal, with rows and the time left; elsewhere nothing."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(20), MofNCompleteColumn(), TimeRemainingColumn())
    display = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    display.start()
    return display


def _print(explanation: "Explanation", found: "IndexStatus | None", outlook: "PageOutlook | None") -> None:
    from gossamer.cli.output.tables import clean_text, console, print_line

    print_line((clean_text(explanation.url, 2000), "bold"))
    for line in _describe_page(explanation) + _describe_index(found) + _describe_changes(outlook):
        console.print(f"  {line}")
    for task in explanation.tasks:
        print_line(
            (clean_text(task.task), "bold"), f" ({task.state}, {clean_text(task.reason) or 'running'})"
        )
        for line in _describe_task(task):
            console.print(f"  {line}")
    if not explanation.tasks:
        console.print("  This web has no tasks.")


def _describe_page(explanation: "Explanation") -> list[str]:
    from gossamer.cli.output.terminal_text import clean_text, quote_text

    lines = [] if explanation.known else ["This web does not know this URL."]
    if page := explanation.page:
        title = f" {quote_text(page.title)}" if page.title else ""
        lines.append(
            f"In the web: {page.kind}{title}, {format_count(page.body_bytes, 'byte')}, status {page.status}"
        )
        if page.warc:
            lines.append(f"Archived in: archive/{page.warc} at {page.warc_offset}")
        marks = ", ".join(f"{clean_text(name)}={clean_text(value)}" for name, value in page.marks.items())
        lines += [f"Marks: {marks}"] if marks else []
        lines += [meaning for mark, meaning in _MARK_MEANINGS.items() if mark in page.marks]
    if explanation.links:
        lines.append(f"Links to it in this web: {explanation.links:,}")
    if explanation.same_as:
        lines.append(f"The same bytes as {clean_text(explanation.same_as, 500)}")
    lines += [f"Redirected to from {clean_text(url, 500)}" for url in explanation.redirected_from]
    if explanation.reader_kills:
        lines.append(f"Reading it has killed the program {format_count(explanation.reader_kills, 'time')}")
    if explanation.host and explanation.host.failures:
        lines.append(f"Its host recently failed {format_count(explanation.host.failures, 'time')} in a row")
    return lines


def _describe_index(found: "IndexStatus | None") -> list[str]:
    if found is None:
        return []
    if found.verdict == "in the index":
        return [
            f"In the index: {format_count(found.in_links, 'page')} link to it, rank {found.rank:.1f} (1 is average)"
        ]
    if found.verdict == "not yet":
        return ["Not in the index yet: `gossamer index` adds it"]
    return [f"Not in the index: {_LEFT_OUT[found.verdict]}"]


def _describe_changes(outlook: "PageOutlook | None") -> list[str]:
    """Return lines about how often a page changes, how that was estimated, and when its next visit is due."""
    from gossamer.cli.crawl.recrawl_plan import format_rate

    if outlook is None:
        return []
    own = "not yet observed in visits"
    if outlook.days:
        own = f"visits saw {outlook.changes:.2g} changes in {outlook.days:.2g} days"
    lines = [
        f"Changes {format_rate(outlook.per_day)}: {own}; pages of its host and kind change "
        f"{format_rate(outlook.group_per_day)}",
        f"Last seen unchanged {_format_age(outlook.age_days)}, {100 * outlook.chance:.0f} % likely to have changed since",
    ]
    if outlook.told:
        lines.append("A sitemap or feed lists it as changed")
    return [*lines, _describe_due_time(outlook)]


def _describe_due_time(outlook: "PageOutlook") -> str:
    budget = f"at {100 * USUAL_SHARE:.0f} % of the web a day"
    absent = f"it could not be fetched {format_count(outlook.gone_times, 'time')} in a row"
    if outlook.out:
        return f"No further visits: {absent}"
    if outlook.due_s is None:
        return f"Never due {budget}: no visit is worth the price of {outlook.price:.2g}"
    is_due = outlook.due_s <= time.time()
    when = "now" if is_due else time.strftime("%Y-%m-%d %H:%M", time.localtime(outlook.due_s))
    if outlook.gone_times:
        return f"Next try {when}: {absent}"
    share = "more than" if is_due else f"now {100 * outlook.value / outlook.price:.0f} % of"
    return f"Due {when}, {budget}: a visit is worth {share} its price of {outlook.price:.2g} (weight {outlook.weight:.2g})"


def _format_age(days: float) -> str:
    """Return an age in hours or days, such as "3 days ago"."""
    if days < _SHOWN_IN_HOURS_DAYS:
        return f"{format_count(round(24 * days), 'hour')} ago"
    return f"{format_count(round(days), 'day')} ago"


def _describe_task(task: "InTask") -> list[str]:
    from gossamer.cli.output.terminal_text import clean_text, quote_text

    why = describe_cause(task.rule) if task.rule else "no reason was recorded"
    if task.rule == "status" and task.detail:
        why = describe_cause(task.detail)
    lines = [_VERDICTS[task.verdict].format(meaning=why, detail=clean_text(task.detail, 500))]
    if task.detail and task.verdict != "redirected" and task.rule != "status":
        lines.append(f"Detail: {clean_text(task.detail, 500)}")
    if task.requisite_of:
        lines.append(f"It is a requisite of {clean_text(task.requisite_of, 500)}")
    if task.start_page:
        lines.append("It is a start page.")
    for link in task.found_on[:_LINKS_SHOWN]:
        nofollow = ", nofollow" if link.nofollow else ""
        depth = "" if link.depth is None else f", depth {link.depth}"
        text = f" {quote_text(link.text)}" if link.text else ""
        lines.append(f"Found on {clean_text(link.url, 500)} ({link.type}{text}{nofollow}{depth})")
    others = task.found_links - len(task.found_on[:_LINKS_SHOWN])
    if others or task.more_links:
        atleast = "more than " if task.more_links else ""
        lines.append(f"… and by {atleast}{format_count(others, 'other link')}")
    lines += _describe_waiting(task)
    if task.robots_allow is not None:
        lines.append(f"The host's robots.txt {'allows' if task.robots_allow else 'forbids'} it.")
    return lines + [_format_visit(visit) for visit in task.visits]


def _describe_waiting(task: "InTask") -> list[str]:
    if task.waiting is None:
        return []
    waits = task.waiting
    place = f"place {waits.place:,}" if waits.place else "behind more than 10,000 others"
    lines = [f"Priority {waits.priority:g}, {place} at its host"]
    lines += [f"  {value:+.3f}  {name}" for name, value in waits.parts.items()]
    if waits.tries_so_far:
        lines.append(f"Tried {format_count(waits.tries_so_far, 'time')} so far")
    if waits.host_ready_s > time.time():
        lines.append(f"The next request to its host is due in {waits.host_ready_s - time.time():.0f} s")
    return lines


def _format_visit(visit: "Visit") -> str:
    from gossamer.cli.output.terminal_text import clean_text

    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(visit.when_s))
    parts = [visit.result, f"status {visit.status}" if visit.status else "", visit.cause]
    parts += [clean_text(visit.detail, 200) if visit.detail != str(visit.status) else ""]
    parts += [format_count(visit.body_bytes, "byte") if visit.body_bytes else "", f"{visit.took_s:.2f} s"]
    return f"{when}  " + ", ".join(part for part in parts if part)
