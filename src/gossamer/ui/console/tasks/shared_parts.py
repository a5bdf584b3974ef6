"""The parts of the pages of tasks that change: rendered once for all who look."""

import threading
from collections.abc import Callable
from typing import Any

from starlette.requests import Request

from gossamer.crawl.describe_cause import describe_cause
from gossamer.crawl.status.status_records import CrawlStatus
from gossamer.ui.console.tasks.task_view import list_causes, list_counts, view_console, view_task
from gossamer.ui.page_context import PageContext
from gossamer.web import Web

DIGEST = "no-digest-yet"
"""Stands in a part of a page for the digest of its content; a browser that asks sends it back with the next request."""
_FORM_KEY, _SHARED_KEY = 'name="form_key" value="{}"', "key-of-the-visitor"
"""How a form names its key. Texts cannot imitate it: their quotes are escaped."""


class SharedParts:
    """The parts that were rendered from the last status of a web."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._status: CrawlStatus | None = None
        self._parts: dict[int, str] = {}
        """By task, 0 for the list."""

    def render_list(self, context: PageContext, web: Web, status: CrawlStatus, form_key: str) -> str:
        """Return the list of tasks for the visitor with this key."""

        def render() -> str:
            return _render_part(context, "console/task_list.html", console=view_console(web, status))

        return self._share(status, 0, render, form_key)

    def render_facts(
        self, context: PageContext, web: Web, status: CrawlStatus, number: int, form_key: str
    ) -> str:
        """Return the facts and counts of one task, which the status must have, for the visitor with this key."""

        def render() -> str:
            console, task, found = view_task(web, status, number)
            facts = {"console": console, "task": task, "describe_cause": describe_cause}
            counts = {"counts": list_counts(found), "causes": list_causes(found)}
            return _render_part(context, "console/task_news.html", **facts, **counts)

        return self._share(status, number, render, form_key)

    def _share(self, status: CrawlStatus, task: int, render: Callable[[], str], form_key: str) -> str:
        with self._lock:
            if status is not self._status:
                self._status, self._parts = status, {}
            if task not in self._parts:
                self._parts[task] = render()
            part = self._parts[task]
        return part.replace(_FORM_KEY.format(_SHARED_KEY), _FORM_KEY.format(form_key))


def _render_part(context: PageContext, template: str, **facts: Any) -> str:
    return context.render_part(template, form_key=_SHARED_KEY, digest=DIGEST, **facts)


def get_shared_parts(request: Request) -> SharedParts:
    """Return the parts that the viewers of an application share."""
    parts: SharedParts = request.app.state.shared_parts
    return parts
