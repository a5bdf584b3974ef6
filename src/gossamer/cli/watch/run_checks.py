"""Run the checks of `gossamer watch`: add pages, look at those that are due, print and deliver what changed."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from gossamer.atomic_file import write_atomically
from gossamer.cli.crawl.watch_crawl import Interrupted, StopSignals
from gossamer.cli.output.terminal_text import print_error
from gossamer.cli.task_options import to_canonical_url
from gossamer.cli.typed_url import complete_urls
from gossamer.cli.watch.change_views import ChangeView, make_view
from gossamer.config import TaskSpec
from gossamer.crawl.run.background import RunningCrawl
from gossamer.errors import BadInput
from gossamer.fetch.user_agent_header import format_user_agent
from gossamer.store.batch import Batch
from gossamer.watch.change_log import list_changes
from gossamer.watch.check_pages import PageCheck
from gossamer.watch.difference.part_text import WatchedPart
from gossamer.watch.report.atom_feed import render_feed
from gossamer.watch.report.change_html import render_page
from gossamer.watch.report.deliver_changes import Delivery, deliver, make_command, make_webhook
from gossamer.watch.schedule_looks import make_spec, schedule_looks
from gossamer.watch.watch_list import DEFAULT_EVERY_S, WatchedPage, add_page, list_watched, make_note
from gossamer.web import Web

_MOST_SHOWN = 200
_LONGEST_NAP_S = 60.0
_FAILED = 1


class CheckOptions(msgspec.Struct, frozen=True):
    """What `gossamer watch` was asked to do."""

    pages: tuple[str, ...]
    part: WatchedPart
    every_s: float | None
    again: bool
    """Whether checks go on until Ctrl-C."""
    notify: tuple[str, ...]
    webhook: str
    feed: Path | None
    html: Path | None
    json: bool
    task: Mapping[str, Any]
    """Options of the task that fetches the pages."""


def run(folder: Path, options: CheckOptions) -> int:
    """Check the given pages or those that are due, once or until Ctrl-C; return the exit code."""
    urls = [to_canonical_url(url) for url in complete_urls(options.pages)]
    with Web(folder, create=bool(urls)) as web:
        spec = make_spec(web.store, options.task)
        wanted = _add_pages(web, urls, options)
        if not list_watched(web.store):
            raise BadInput(f"the web at {web.name} watches no page yet; give the URL of one")
        code = _check(web, wanted if urls else _find_due(web), spec, options)
        while options.again:
            _wait_for_next(web)
            code = _check(web, _find_due(web), spec, options)
        return code


def _add_pages(web: Web, urls: Sequence[str], options: CheckOptions) -> list[WatchedPage]:
    """Put pages on the watch list, each once; return their entries."""
    known, now_s = list_watched(web.store), time.time()
    for one in known if not urls and options.every_s is not None else ():
        known[known.index(one)] = msgspec.structs.replace(one, every_s=options.every_s or DEFAULT_EVERY_S)
    entries = []
    for url in dict.fromkeys(urls):
        made = WatchedPage(url, options.part, options.every_s or DEFAULT_EVERY_S, now_s)
        entry = next((one for one in known if one.name == made.name), None)
        entries.append(add_page(known, made) if options.every_s is not None or entry is None else entry)
    changed = entries if urls else known
    if changed:
        web.store.commit(Batch(notes=dict(make_note(one) for one in changed)))
    return entries


def _find_due(web: Web) -> list[WatchedPage]:
    now_s = time.time()
    return [page for page in list_watched(web.store) if page.due_s <= now_s]


def _wait_for_next(web: Web) -> None:
    """Sleep until a page is due; others may add pages meanwhile."""
    while not _find_due(web):
        next_s = min((page.due_s for page in list_watched(web.store)), default=0.0)
        time.sleep(min(max(next_s - time.time(), 1.0), _LONGEST_NAP_S))


def _check(web: Web, pages: Sequence[WatchedPage], spec: TaskSpec, options: CheckOptions) -> int:
    """Check pages and tell what changed; return 1 if a new page could not be fetched or a delivery failed."""
    view = make_view(options.json)
    check = PageCheck(web.store, web.folder / "archive", _Looks(web, spec, view).look, time.time())
    done = check.run(pages)
    for change in check.changes:
        view.show_change(change)
    failures = deliver(web.store, check.changes, _make_deliveries(spec, options))
    for channel, why in failures:
        print_error(f"the {channel} was not told: {why}; it is told at the next check.")
    _write_files(web, options)
    never_seen = {page.name for page in pages if not page.checked_s}
    absent = [page for page in done if page.name in never_seen and page.status in ("gone", "failing")]
    for page in absent:
        print_error(f"{page.url} could not be fetched: {page.detail}; it stays on the watch list.")
    waiting = len(list_watched(web.store)) - len(done)
    view.show_end(done, len(check.changes), waiting)
    return _FAILED if absent or failures else 0


def _make_deliveries(spec: TaskSpec, options: CheckOptions) -> list[Delivery]:
    made = []
    if options.notify:
        made.append(make_command(list(options.notify)))
    if options.webhook:
        agent, allowed = format_user_agent(spec.politeness), spec.fetching.allow_private
        made.append(make_webhook(options.webhook, agent, allowed))
    return made


def _write_files(web: Web, options: CheckOptions) -> None:
    """Write the feed and the page of changes, if they are wanted."""
    if options.feed is None and options.html is None:
        return
    changes = list_changes(web.store)
    for path, text in (
        (options.feed, render_feed(changes, web.name) if options.feed else ""),
        (options.html, render_page(changes[:_MOST_SHOWN]) if options.html else ""),
    ):
        if path is not None:
            try:
                with write_atomically(path) as new:
                    new.write_text(text, "utf-8")
            except OSError as error:
                raise BadInput(f"{path} cannot be written: {error.strerror}") from None


class _Looks:
    """Looks at pages by the crawl of a web; Ctrl-C stops it cleanly."""

    def __init__(self, web: Web, spec: TaskSpec, view: ChangeView) -> None:
        self._web = web
        self._spec = spec
        self._view = view
        self._count = 0

    def look(self, urls: Sequence[str]) -> None:
        """Fetch each page once."""
        self._count += 1
        self._view.show_look(self._count, len(urls))
        note = schedule_looks(self._web.store, urls, self._spec, time.time())
        with StopSignals(print_error) as signals:

            def ready(under_way: RunningCrawl) -> None:
                signals.attach(under_way)

            self._web.run(again=[note], ready=ready)
        if self._web.task(str(note.number)).state == "stopped":
            raise Interrupted
