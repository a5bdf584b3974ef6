"""Pages as a crawl stores them, for tests of samples and reports."""

from typing import Any

from gossamer.assess.sample.page_facts import CrawledPage, read_relevance_mark
from gossamer.records import Page


def make_page(number: int, **options: Any) -> Page:
    known: dict[str, Any] = {"url": f"http://a.example/{number}", "host": "a.example", "task": 1, "depth": 0}
    known |= {"fetched_s": 1_600_000_000.0, "status": 200, "kind": "html", "title": f"Page {number}"}
    return Page(id=number, **known | options)


def make_crawled_page(number: int, task: str = "t", order: str = "breadth", **options: Any) -> CrawledPage:
    return CrawledPage(make_page(number, **options), task, order, read_relevance_mark)
