"""Pages as a crawl would have kept them, for samples to be drawn from."""

from typing import Any

from gossamer.assess.sample.page_facts import Facts, marked_relevance
from gossamer.records import Page


def page(number: int, **told: Any) -> Page:
    known: dict[str, Any] = {"url": f"http://a.example/{number}", "host": "a.example", "task": 1, "depth": 0}
    known |= {"fetched_s": 1_600_000_000.0, "status": 200, "kind": "html", "title": f"Page {number}"}
    return Page(id=number, **known | told)


def facts(number: int, task: str = "t", order: str = "breadth", **told: Any) -> Facts:
    return Facts(page(number, **told), task, order, marked_relevance)
