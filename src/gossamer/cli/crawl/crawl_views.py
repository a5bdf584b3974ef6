"""Views of a crawl for people: a live display on a terminal, lines elsewhere, and a summary at the end.

Apart from `watch_crawl.py`, so that `--json` does not load rich.
"""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from gossamer.cli.crawl.describe_topic_page import describe_topic_page
from gossamer.cli.crawl.time_left import LongestQueue, TimeLeft
from gossamer.cli.output.tables import clean_text, console, print_table
from gossamer.cli.output.terminal_text import print_error
from gossamer.cli.output.wording import (
    count_causes,
    count_waiting,
    describe_cause,
    format_bytes,
    format_count,
    list_counts,
)
from gossamer.cli.run_options import Display
from gossamer.crawl.events import Notice, Progress, TaskEnded, TopicFound, TrapFound
from gossamer.crawl.run.background import ObservedTask, RunningCrawl
from gossamer.crawl.task_counts import NOTHING_LEFT
from gossamer.store.opening.web_name import quote_web
from gossamer.web import UNFINISHED, Web, open_to_read

if TYPE_CHECKING:  # imported when a crawl has ended at one page
    from gossamer.crawl.explain.explain_ending import SinglePage

_LINE_EVERY_S = 10.0
_HINTS = {
    "scope": "`--scope site` or `--scope any` follows links to other hosts.",
    "depth": "`--depth` sets how many links away from a start page the crawl goes.",
    "nofollow": "`--no-nofollow` follows links with rel=nofollow.",
    "nofollow page": "`--no-nofollow` follows links of pages that ask not to.",
}
"""What may help, by the rule that most links were not followed for."""


def make_view(web: Web) -> "QuietView | LineView | LiveView":
    """Return a live view on a terminal, and a view that prints lines elsewhere."""
    if Display.hidden:
        return QuietView()
    return LiveView(web) if console.is_terminal else LineView()


class QuietView:
    """Shows nothing while the crawl runs: the log says what there is to say, or nothing is wanted."""

    def open(self) -> AbstractContextManager[object]:
        return nullcontext()

    def attach(self, under_way: RunningCrawl) -> None:
        """Do nothing: no progress is shown."""

    def print_message(self, sentence: str) -> None:
        print_error(sentence)

    def show_event(self, event: Any) -> None:
        """Do nothing: the log has it."""


class LineView:
    """Prints a line of progress every 10 seconds."""

    def __init__(self) -> None:
        self._printed_s = 0.0
        self._time_left = TimeLeft()
        self._tasks: Sequence[ObservedTask] = ()

    def open(self) -> AbstractContextManager[object]:
        return nullcontext()

    def attach(self, under_way: RunningCrawl) -> None:
        """Take the limits of the tasks, for the time left."""
        self._tasks = under_way.tasks

    def print_message(self, sentence: str) -> None:
        console.print(sentence)

    def show_event(self, event: Any) -> None:
        match event:
            case Progress():
                self._time_left.add(event)
                if event.when_s - self._printed_s >= _LINE_EVERY_S:
                    self._printed_s = event.when_s
                    left = self._time_left.describe(self._tasks)
                    self.print_message(_format_progress(event) + (f"; time left: {left}" if left else ""))
            case TrapFound():
                self.print_message(f"trap: {event.reason}: {event.pattern}")
            case TopicFound():
                self.print_message(describe_topic_page(event))
            case Notice():
                self.print_message(event.text)


class LiveView:
    """A display that is redrawn once a second; only this class loads the parts of rich for it."""

    def __init__(self, web: Web) -> None:
        from gossamer.cli.crawl.live_display import LiveDisplay

        def count_waiting_by_depth() -> dict[int, int]:
            with open_to_read(web.folder) as own:  # its own connection, so that the crawl does not wait
                return own.store.count_waiting_by_depth()

        def find_longest_queue() -> LongestQueue:
            with open_to_read(web.folder) as own:
                host, requests = own.store.longest_queue()
                known = own.store.host(host)
            asked_s = known.crawl_delay_s if known else 0.0
            return LongestQueue(
                requests, max([asked_s, *(task.spec.politeness.delay_s for task in self._tasks)])
            )

        self._tasks: Sequence[ObservedTask] = ()
        self._display = LiveDisplay(
            console,
            f"Crawling into {web.name} (Ctrl-C stops)",
            count_waiting_by_depth,
            find_longest_queue,
        )

    def open(self) -> AbstractContextManager[object]:
        return self._display

    def attach(self, under_way: RunningCrawl) -> None:
        self._tasks = under_way.tasks
        self._display.attach(under_way.tasks)

    def print_message(self, sentence: str) -> None:
        console.print(sentence)

    def show_event(self, event: Any) -> None:
        self._display.show_event(event)


def _format_progress(event: Progress) -> str:
    pages = sum(counts.get("downloaded", 0) for counts in event.counts.values())
    waiting = sum(map(count_waiting, event.counts.values()))
    hosts = [f"{format_count(number, 'host')} {what}" for what, number in event.hosts.items() if number]
    parts = [
        format_count(pages, "page"),
        f"{event.pages_per_s:,.0f}/s",
        f"{format_bytes(event.bytes_per_s)}/s",
        f"{waiting:,} waiting",
    ]
    return ", ".join(parts + hosts)


def summarise(web: Web, ends: Iterable[TaskEnded]) -> None:
    """Print how each task ended, what the web holds, and what you can do next."""
    states = set()
    for task in ends:
        _print_counts(task)
        states.add(task.state)
        if sentence := _describe_documents(task.counts):
            console.print(sentence)
        if sentence := _explain_short_crawl(web, task):
            console.print(sentence)
    _print_next_steps(web, unfinished=bool(states & {*UNFINISHED}))


def _print_counts(task: TaskEnded) -> None:
    rows = list(list_counts(task.counts))
    print_table(
        f"{clean_text(task.task)}: {task.state}, {clean_text(task.reason, 200)}", ["what", "how many"], rows
    )


def _describe_documents(counts: dict[str, int]) -> str:
    """Say how many documents beyond HTML were read, and why others were not; "" if there were none."""
    read, unread = count_causes(counts, "read"), count_causes(counts, "unread")
    parts = []
    if read:
        formats = ", ".join(f"{times:,} {clean_text(name)}" for name, times in read)
        parts.append(f"Documents read beside HTML: {formats}.")
    if unread:
        causes = ", ".join(f"{times:,} {clean_text(cause)}" for cause, times in unread)
        parts.append(f"Documents kept but not read: {causes}.")
    if any(cause == "missing extra" for cause, _ in unread):
        parts.append(
            "pip install 'gossamer[documents]' installs their readers; `gossamer index` then reads them."
        )
    return " ".join(parts)


def _explain_short_crawl(web: Web, task: TaskEnded) -> str:
    """Return why a task has ended after one page; "" if it has more, or was stopped."""
    counts = task.counts
    if task.state != "finished" or counts.get("downloaded", 0) != 1 or task.reason != NOTHING_LEFT:
        return ""
    from gossamer.crawl.explain.explain_ending import explain_single_page

    note = [note for note in web.tasks() if note.name == task.task][-1]
    page = explain_single_page(web.store, web.folder, note)
    return "" if page is None else describe_single_page(page, task)


def describe_single_page(page: "SinglePage", task: TaskEnded) -> str:
    """Return a sentence about the only page of a task: why none followed it, and what may help."""
    begin = f"{clean_text(task.task)} ended after one page, {clean_text(page.url, 200)}:"
    lost = [
        f"{times:,} {kind}: {describe_cause(cause)}"
        for kind in ("refused", "failed")
        for cause, times in count_causes(task.counts, kind)
    ]
    if page.links and (page.rules or lost):
        refused = [f"{times:,}: {describe_cause(rule)}" for rule, times in page.rules.items()]
        hints = [_HINTS[rule] for rule in page.rules if rule in _HINTS][:1]
        links = f"of its {format_count(page.links, 'link')}, none led to another page"
        return " ".join([f"{begin} {links} ({'; '.join(refused + lost)}).", *hints])
    others = [f"Other pages: {'; '.join(lost)}."] if lost else []
    return " ".join([begin, _describe_missing_links(page), *others])


def _describe_missing_links(page: "SinglePage") -> str:
    """Return why a page has no links, or none that the crawl could follow."""
    if page.links:
        return f"its {format_count(page.links, 'link')} lead only to itself."
    if page.unreadable:
        return f"it is not HTML ({clean_text(page.kind)}) and could not be read: {clean_text(page.unreadable, 300)}."
    if page.kind != "html" and not page.words:
        return f"it is not HTML ({clean_text(page.kind)}) and has no links."
    if not page.keeps_links:
        return "no link on it was followed; why is not known, since the task keeps no links."
    if page.scripts:
        return (
            f"it has no links and {format_count(page.words, 'word')} of text. If a browser shows links there, "
            "JavaScript makes them, which Gossamer does not run: a sitemap (--sitemaps) may list the pages."
        )
    return "it has no links."


def _print_next_steps(web: Web, unfinished: bool) -> None:
    """Print what the web holds and the next commands."""
    counts = web.store.counts()
    sentences = [
        f"{web.name} holds {format_count(counts['pages'], 'page')} and {format_count(counts['links'], 'link')}.",
        f"`gossamer explain URL --web {quote_web(web.folder)}` shows why a URL is in it or not.",
    ]
    if unfinished:
        sentences.append(f"`gossamer resume --web {quote_web(web.folder)}` continues the unfinished tasks.")
    for sentence in sentences:  # one line each, so that terminals do not break them
        console.print(sentence)
