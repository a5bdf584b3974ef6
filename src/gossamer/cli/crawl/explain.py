"""`gossamer explain`: every decision about one URL."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from gossamer.cli.crawl.recrawl import USUAL_SHARE
from gossamer.cli.output.wording import describe_cause, format_count
from gossamer.cli.task_options import Json, WebPath

if TYPE_CHECKING:  # imported by the verb when it runs: help has to answer at once
    from rich.progress import Progress

    from gossamer.crawl.explain.explain_url import Explanation, InTask
    from gossamer.crawl.recrawl.revisit_plan import PageOutlook
    from gossamer.records import Visit
    from gossamer.search.index.index_status import IndexStatus

_VERDICTS = {
    "fetched": "It was fetched and kept.",
    "not modified": "It was visited and had not changed.",
    "cache hit": "The web had it, young enough: it was not fetched again.",
    "redirected": "It redirects to {detail}",
    "refused": "It was not asked for: {meaning}.",
    "failed": "It could not be had: {meaning}.",
    "not kept": "It was fetched and not kept: {meaning}.",
    "waiting": "It waits to be fetched.",
    "given up": "It was to be fetched and was given up: {meaning}.",
    "not followed": "It is not followed: {meaning}.",
    "not found": "It was never met.",
    "under way": "It is being worked on.",
    "robots": "It was not wanted as a page.",
}
_LEFT_OUT = {
    "noindex": "it asks not to be (noindex)",
    "no text": "only HTML and plain text are",
    "an error page": "it came with an error",
}
_LINKS_SHOWN = 5
_DAY_IN_HOURS = 2.0
"""Up to so many days are told in hours."""
_SORTING = "Sorting what came into this web since somebody last asked"


def explain(
    url: Annotated[str, typer.Argument(help="Any URL, whether it is in the web or not.", metavar="URL")],
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Tell every decision about one URL.

    Found where, followed or not by which rule, fetched when, kept or not, in the index or not; where pages are visited
    again, how often it changes and when it is due.

    \b
    gossamer explain https://www.example.org/calendar/2031 --web docs.web
    """
    from gossamer.cli.task_options import to_canonical_url
    from gossamer.crawl.explain.explain_url import explain as explained
    from gossamer.web import open_to_read

    wanted = to_canonical_url(url)
    with open_to_read(web) as opened, _Patience() as patience:
        opened.store.watch_sorting = patience.hear
        told = explained(opened.store, wanted, opened.folder)
        found = opened.presence(told.page) if told.page else None
        outlook = opened.outlook(told.page, USUAL_SHARE) if told.page else None
    if json:
        from gossamer.cli.output.json_lines import print_json

        print_json(msgspec.to_builtins(told) | {"index": found, "fresh": outlook})
    else:
        _print(told, found, outlook)
    return 0


class _Patience:
    """Tells whoever looks into a large web why that takes long the first time, and how far it is."""

    def __init__(self) -> None:
        self._display: Progress | None = None

    def __enter__(self) -> "_Patience":
        return self

    def __exit__(self, *_: object) -> None:
        if self._display is not None:
            self._display.stop()

    def hear(self, done: int, rows: int) -> None:
        """Show that so many rows of a table have been sorted, if that is not all that there is to do."""
        if self._display is None and done < rows:
            self._display = _begin_display()
        if self._display is not None:
            self._display.update(self._display.task_ids[0], completed=done, total=rows)


def _begin_display() -> "Progress":
    """Draw a bar on a terminal; elsewhere a sentence has to do."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    display = Progress(console=console, transient=True, disable=not console.is_terminal)
    display.add_task(_SORTING)
    display.start()
    if not console.is_terminal:
        print(f"gossamer: {_SORTING} …", file=sys.stderr)  # noqa: T201 - this is the program's voice
    return display


def _print(told: "Explanation", found: "IndexStatus | None", outlook: "PageOutlook | None") -> None:
    from gossamer.cli.output.tables import clean_text, console

    console.print(f"[bold]{clean_text(told.url, 2000)}[/bold]")
    for line in _about_page(told) + _about_index(found) + _about_changes(outlook):
        console.print(f"  {line}")
    for task in told.tasks:
        console.print(
            f"[bold]{clean_text(task.task)}[/bold] ({task.state}, {clean_text(task.reason) or 'at work'})"
        )
        for line in _about_task(task):
            console.print(f"  {line}")
    if not told.tasks:
        console.print("  This web has no tasks.")


def _about_page(told: "Explanation") -> list[str]:
    from gossamer.cli.output.tables import clean_text

    lines = [] if told.known else ["Never heard of in this web."]
    if page := told.page:
        title = f" {clean_text(page.title)!r}" if page.title else ""
        lines.append(
            f"In the web: {page.kind}{title}, {format_count(page.body_bytes, 'byte')}, status {page.status}"
        )
        if page.warc:
            lines.append(f"Its bytes: archive/{page.warc} at {page.warc_offset}")
        marks = ", ".join(f"{clean_text(name)}={clean_text(value)}" for name, value in page.marks.items())
        lines += [f"Marks: {marks}"] if marks else []
    if told.same_as:
        lines.append(f"The same bytes as {clean_text(told.same_as, 500)}")
    lines += [f"Redirected to from {clean_text(url, 500)}" for url in told.redirected_from]
    if told.host and told.host.failures:
        lines.append(f"Its host failed {format_count(told.host.failures, 'time')} in a row, lately")
    return lines


def _about_index(found: "IndexStatus | None") -> list[str]:
    if found is None:
        return []
    if found.verdict == "in the index":
        return [
            f"In the index: {format_count(found.in_links, 'page')} link to it, rank {found.rank:.1f} (1 is average)"
        ]
    if found.verdict == "not yet":
        return ["Not in the index yet: `gossamer index` takes it in"]
    return [f"Not in the index: {_LEFT_OUT[found.verdict]}"]


def _about_changes(outlook: "PageOutlook | None") -> list[str]:
    """Say how often a page changes, how that is known, and when it will be visited again."""
    from gossamer.cli.crawl.recrawl_plan import rate_said

    if outlook is None:
        return []
    own = "no visit has shown it yet"
    if outlook.days:
        own = f"visits show {outlook.changes:.2g} changes in {outlook.days:.2g} days"
    lines = [
        f"Changes {rate_said(outlook.per_day)}: {own}, and pages of its host and kind do so "
        f"{rate_said(outlook.group_per_day)}",
        f"Seen as it is {_ago(outlook.age_days)}, {100 * outlook.chance:.0f} % likely to have changed since",
    ]
    if outlook.told:
        lines.append("A sitemap or feed says that it has changed")
    return [*lines, _when_due(outlook)]


def _when_due(outlook: "PageOutlook") -> str:
    budget = f"when {100 * USUAL_SHARE:.0f} % of the web is visited a day"
    absent = f"it could not be had {format_count(outlook.gone_times, 'time')} in a row"
    if outlook.out:
        return f"Not visited again: {absent}"
    if outlook.due_s is None:
        return f"Never due {budget}: no visit to it is worth the price of {outlook.price:.2g}"
    is_due = outlook.due_s <= time.time()
    when = "now" if is_due else time.strftime("%Y-%m-%d %H:%M", time.localtime(outlook.due_s))
    if outlook.gone_times:
        return f"Looked for again {when}: {absent}"
    share = "more than" if is_due else f"now {100 * outlook.value / outlook.price:.0f} % of"
    return f"Due {when}, {budget}: a visit is worth {share} its price of {outlook.price:.2g} (weight {outlook.weight:.2g})"


def _ago(days: float) -> str:
    """Say how long ago something was."""
    if days < _DAY_IN_HOURS:
        return f"{format_count(round(24 * days), 'hour')} ago"
    return f"{format_count(round(days), 'day')} ago"


def _about_task(task: "InTask") -> list[str]:
    from gossamer.cli.output.tables import clean_text

    why = describe_cause(task.rule) if task.rule else "no reason was kept"
    if task.rule == "status" and task.detail:
        why = describe_cause(task.detail)
    lines = [_VERDICTS[task.verdict].format(meaning=why, detail=clean_text(task.detail, 500))]
    if task.detail and task.verdict != "redirected" and task.rule != "status":
        lines.append(f"Namely: {clean_text(task.detail, 500)}")
    if task.start_page:
        lines.append("It is a start page.")
    for link in task.found_on[:_LINKS_SHOWN]:
        nofollow = ", nofollow" if link.nofollow else ""
        depth = "" if link.depth is None else f", depth {link.depth}"
        text = f" {clean_text(link.text)!r}" if link.text else ""
        lines.append(f"Found on {clean_text(link.url, 500)} ({link.type}{text}{nofollow}{depth})")
    if task.found_on[_LINKS_SHOWN:]:
        lines.append(f"… and on {format_count(len(task.found_on) - _LINKS_SHOWN, 'page')} more")
    lines += _about_waiting(task)
    if task.robots_allow is not None:
        lines.append(f"The host's robots.txt {'allows' if task.robots_allow else 'forbids'} it.")
    return lines + [_visit_line(visit) for visit in task.visits]


def _about_waiting(task: "InTask") -> list[str]:
    if task.waiting is None:
        return []
    waits = task.waiting
    place = f"place {waits.place:,}" if waits.place else "more than 10,000 before it"
    lines = [f"Priority {waits.priority:g}, {place} at its host"]
    lines += [f"  {value:+.3f}  {name}" for name, value in waits.parts.items()]
    if waits.tries_so_far:
        lines.append(f"Tried {format_count(waits.tries_so_far, 'time')} so far")
    if waits.host_ready_s > time.time():
        lines.append(f"Its host is left in peace for {waits.host_ready_s - time.time():.0f} s more")
    return lines


def _visit_line(visit: "Visit") -> str:
    from gossamer.cli.output.tables import clean_text

    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(visit.when_s))
    said = [visit.result, f"status {visit.status}" if visit.status else "", visit.cause]
    said += [clean_text(visit.detail, 200) if visit.detail != str(visit.status) else ""]
    said += [format_count(visit.body_bytes, "byte") if visit.body_bytes else "", f"{visit.took_s:.2f} s"]
    return f"{when}  " + ", ".join(word for word in said if word)
