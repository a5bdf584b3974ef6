"""Carry out what a person asks for in the console or by the API: each step is an order to the crawl, or a write to the store."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from gossamer.config import TaskSpec, replace_options
from gossamer.crawl.control.check_task import check_task
from gossamer.crawl.control.command_mailbox import Change, Stop, Submit, read_spec
from gossamer.crawl.control.send_order import carry_out_order
from gossamer.crawl.control.start_tasks import add_task, list_start_pages
from gossamer.crawl.control.submit_pages import (
    make_submission,
    make_withdrawals,
    select_crawls,
    withdraw_at_rest,
)
from gossamer.crawl.steer.continue_task import Continued, continue_task
from gossamer.crawl.task.scope_rules import ScopeRules
from gossamer.errors import BadInput
from gossamer.net import url as urls
from gossamer.records import Link
from gossamer.store.batch import TaskNote
from gossamer.topic_training.task_topic import resolve_topic
from gossamer.web import Web, check_web

WAIT_S = 3.0
"""How long a request waits for the crawl to carry out an order; it does so later, too."""
MOST_PAGES = 1_000
"""Pages that one form may submit."""


class Outcome(msgspec.Struct, frozen=True):
    """A task after an order."""

    note: TaskNote
    done: bool
    """Whether the order is carried out; otherwise the crawl was told, and has not answered yet."""


def find_task(web: Web, number: str) -> TaskNote:
    """Return the task with a number; raise BadInput if there is none."""
    for note in web.tasks():
        if str(note.number) == number.strip():
            return note
    raise BadInput(f"this web has no task number {number[:20]!r}; the list of tasks shows those that it has")


def _find_to_steer(web: Web, number: str) -> TaskNote:
    """Return the task with a number; raise BadInput also if the web is no longer where it was."""
    check_web(web.folder)
    return find_task(web, number)


def stop(web: Web, number: str, pause: bool) -> Outcome:
    """Stop or pause a task."""
    note = _find_to_steer(web, number)
    if note.state == "finished":
        raise BadInput(f"{note.name} has finished meanwhile ({note.reason}): there is nothing to stop")
    order = Stop(note.number, pause, "paused by a person" if pause else "stopped by a person")
    wanted = "paused" if pause else "stopped"
    done = carry_out_order(
        web.store, web.folder, order, lambda one: one.state in (wanted, "finished"), WAIT_S
    )
    return Outcome(find_task(web, number), done)


def resume(web: Web, number: str) -> tuple[Outcome, Continued]:
    """Continue a task, in the crawl that runs or in a process that is started for it."""
    note = _find_to_steer(web, number)
    _check_crawl(web, note)
    if note.state == "finished" and not web.store.count_remaining(note.number):
        raise BadInput(
            f"{note.name} has nothing left to fetch: widen its rules or submit pages, then it can continue"
        )
    how = continue_task(web.store, web.folder, note, WAIT_S)
    return Outcome(find_task(web, number), how != "told"), how


def change(web: Web, number: str, options: Mapping[str, Any]) -> Outcome:
    """Change options of a task."""
    note = _find_to_steer(web, number)
    changed = replace_options(read_spec(note), **options)
    check_task(changed, web.folder)
    if changed.topic:
        options = {**options, "topic": resolve_topic(changed, web).topic}

    def is_done(stored: TaskNote) -> bool:
        return replace_options(read_spec(stored), **options) == read_spec(stored)

    order = Change(note.number, dict(options))
    done = carry_out_order(web.store, web.folder, order, is_done, WAIT_S)
    return Outcome(find_task(web, number), done)


def submit(web: Web, number: str, pages: Sequence[str], widen: bool) -> tuple[Outcome, tuple[str, ...]]:
    """Give pages to a task; without `widen`, refuse those outside its scope. Also return the pages in canonical form."""
    note = _find_to_steer(web, number)
    _check_crawl(web, note)
    if not pages:
        raise BadInput("write at least one address, one in each line")
    if len(pages) > MOST_PAGES:
        raise BadInput(f"at most {MOST_PAGES:,} pages can be submitted at once: these are {len(pages):,}")
    if any(url.lower().startswith("file:") for url in pages):
        raise BadInput("files of this machine are submitted on its command line, not by a browser")
    order = make_submission(web.store, note, pages)
    if not widen:
        _check_scope(web, note, order)

    def is_done(stored: TaskNote) -> bool:
        return set(order.urls) <= set(read_spec(stored).seeds)

    done = carry_out_order(web.store, web.folder, order, is_done, WAIT_S)
    return Outcome(find_task(web, number), done), order.urls


def withdraw(web: Web, number: str, pages: Sequence[str]) -> Outcome:
    """Take submitted pages back from a task."""
    note = _find_to_steer(web, number)
    done = True
    for order in make_withdrawals(web.store, web.folder, pages, note.number):
        gone = set(order.urls)
        done &= carry_out_order(
            web.store,
            web.folder,
            order,
            lambda one: gone.isdisjoint(read_spec(one).seeds),  # noqa: B023 - called within this turn
            WAIT_S,
            lambda: withdraw_at_rest(web.store, web.folder, order, time.time()),  # noqa: B023
        )
    return Outcome(find_task(web, number), done)


def start_new(web: Web, spec: TaskSpec) -> tuple[Outcome, Continued]:
    """Add a new task to the web, and have it crawled."""
    check_web(web.folder)
    check_task(spec, web.folder)
    if spec.topic:
        spec = resolve_topic(spec, web)
    note = add_task(web.store, spec, time.time())
    how = continue_task(web.store, web.folder, note, WAIT_S)
    return Outcome(find_task(web, str(note.number)), how != "told"), how


def find_low_limits(note: TaskNote, options: Mapping[str, Any]) -> dict[str, str]:
    """Return a sentence for each changed limit that is below what the task has done already."""
    counts, limits, found = note.counts, read_spec(note).limits, {}
    done = {
        "pages": (counts.get("downloaded", 0), "pages are kept"),
        "body_bytes": (counts.get("bytes", 0), "bytes are fetched"),
        "time_s": (counts.get("elapsed_ms", 0) // 1000, "seconds have passed"),
    }
    for name, (so_far, what) in done.items():
        limit = options.get(name, 0)
        if limit != getattr(limits, name) and 0 < limit < so_far:
            found[name] = (
                f"{so_far:,} {what} already: give more than that, or stop the task if it is to end now"
            )
    return found


def _check_crawl(web: Web, note: TaskNote) -> None:
    if note not in select_crawls(web.tasks()):
        raise BadInput(f"{note.name} was imported and does not crawl; make a new task instead")


def _check_scope(web: Web, note: TaskNote, order: Submit) -> None:
    """Raise BadInput for pages outside the scope of the task, with the tasks that would take them."""
    spec = read_spec(note)
    outside = [url for url in order.urls if not _is_in_scope(spec, url)]
    if not outside:
        return
    others = [
        one.number
        for one in select_crawls(web.tasks())
        if one.number != note.number and _is_in_scope(read_spec(one), outside[0])
    ]
    hint = f"task {others[0]} would take it" if others else "it is outside the scope of every task"
    raise BadInput(
        f"{outside[0]} is outside the scope of this task ({spec.scope}), and {hint}; "
        "tick “widen the scope” to submit it here all the same"
    )


def _is_in_scope(spec: TaskSpec, url: str) -> bool:
    only = TaskSpec(scope=spec.scope, site_rule=spec.site_rule)
    return ScopeRules(only, list_start_pages(spec)).decide(Link(url), urls.host(url), 0) != "scope"
