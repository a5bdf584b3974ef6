"""Rows for any store: pages, requests and links of a small made-up web."""

from collections.abc import Callable

from gossamer.records import Page, Request
from gossamer.store.batch import LinkRow, Store

Open = Callable[[], Store]


def page(number: int, **told: object) -> Page:
    url = f"http://h{number % 3}.example/{number}"
    return Page(number, url, f"h{number % 3}.example", 1, 0, 1.5, 200, "html", **told)  # type: ignore[arg-type]


def wish(
    number: int, host: str = "a.example", priority: float = 0.0, task: int = 1, attempt: int = 0
) -> Request:
    url = f"http://{host}/{number}"
    return Request(number, url, host, task, 2, priority, 7, "a", attempt, number)


def link(source: int, target: int, text: str = "") -> LinkRow:
    return (source, target, "a", text, False, True, False)
