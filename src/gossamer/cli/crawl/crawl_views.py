"""How a crawl is shown to people: a live display on a terminal, lines elsewhere, a summary at the end.

Apart from `watching.py`, so that `--json` need not wait for rich.
"""

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from rich.markup import escape

from gossamer.cli.output.tables import clean_text, console, print_table
from gossamer.cli.output.wording import count_waiting, format_bytes, format_count, list_counts
from gossamer.crawl.events import Notice, Progress, TaskEnded, TrapFound
from gossamer.crawl.run.background import RunningCrawl
from gossamer.web import UNFINISHED, Web, open_to_read

_LINE_EVERY_S = 10.0


def view_of(web: Web) -> "Lines | LiveView":
    """Return the best way to show a crawl here."""
    return LiveView(web) if console.is_terminal else Lines()


class Lines:
    """A line now and then, where nothing can be drawn."""

    def __init__(self) -> None:
        self._told_s = 0.0

    def shown(self) -> AbstractContextManager[object]:
        return nullcontext()

    def follow(self, under_way: RunningCrawl) -> None:
        """Lines say how it stands, not how far it is."""

    def say(self, sentence: str) -> None:
        console.print(sentence, markup=False)

    def hear(self, event: Any) -> None:
        match event:
            case Progress() if event.when_s - self._told_s >= _LINE_EVERY_S:
                self._told_s = event.when_s
                self.say(_line(event))
            case TrapFound():
                self.say(f"trap: {event.reason}: {event.pattern}")
            case Notice():
                self.say(event.text)


class LiveView:
    """A display that is drawn anew once a second; rich's parts for it are loaded only here."""

    def __init__(self, web: Web) -> None:
        from gossamer.cli.crawl.live_display import LiveDisplay

        def queue() -> dict[int, int]:
            with open_to_read(web.folder) as own:  # its own connection: the crawl's is not held up
                return own.store.count_waiting_by_depth()

        self._display = LiveDisplay(console, f"Crawling into {web.folder} (Ctrl-C stops)", queue)

    def shown(self) -> AbstractContextManager[object]:
        return self._display

    def follow(self, under_way: RunningCrawl) -> None:
        self._display.follow(under_way.tasks)

    def say(self, sentence: str) -> None:
        console.print(sentence, markup=False)

    def hear(self, event: Any) -> None:
        self._display.hear(event)


def _line(event: Progress) -> str:
    pages = sum(counts.get("downloaded", 0) for counts in event.counts.values())
    waiting = sum(map(count_waiting, event.counts.values()))
    hosts = [f"{format_count(number, 'host')} {what}" for what, number in event.hosts.items() if number]
    said = [
        format_count(pages, "page"),
        f"{event.pages_per_s:,.0f}/s",
        f"{format_bytes(event.bytes_per_s)}/s",
        f"{waiting:,} waiting",
    ]
    return ", ".join(said + hosts)


def summarise(web: Web, ends: Iterable[TaskEnded]) -> None:
    """Say what became of each task, and what is in the web now."""
    states = set()
    for task in ends:
        _summarise(task)
        states.add(task.state)
    _point_out(web, goes_on=bool(states & {*UNFINISHED}))


def _summarise(task: TaskEnded) -> None:
    rows = [(escape(name), number) for name, number in list_counts(task.counts)]
    print_table(
        f"{clean_text(task.task)}: {task.state}, {clean_text(task.reason, 200)}", ["what", "how many"], rows
    )


def _point_out(web: Web, goes_on: bool) -> None:
    """Say what is in the web now, and what can be done with it."""
    counts = web.store.counts()
    sentences = [
        f"{web.folder} holds {format_count(counts['pages'], 'page')} and {format_count(counts['links'], 'link')}.",
        f"`gossamer explain URL --web {web.folder}` tells why a URL is in it or not.",
    ]
    if goes_on:
        sentences.append(f"`gossamer resume --web {web.folder}` goes on with what is left.")
    for sentence in sentences:  # a line each, which terminals need not break
        console.print(sentence, markup=False)
