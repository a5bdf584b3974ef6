# ruff: noqa: T201
"""Listeners: functions that hear of each page as it is kept, and of the end; async ones are waited for.

    python examples/listener.py https://www.example.org/ example.web

The crawl runs in the background here, as it would in a program that has a window or serves requests.
"""

import asyncio
import sys
from collections import Counter

from trying import manners

import gossamer
from gossamer.records import Page


def main(url: str, folder: str) -> None:
    """Count languages while a crawl goes on, until there are twenty pages."""
    task = gossamer.Task(seeds=[url], scope="any", pages=200, **manners(url))
    languages: Counter[str] = Counter()
    longest: dict[int, str] = {}

    @task.listener
    def count(page: Page) -> None:
        languages[page.language or "unknown"] += 1
        if languages.total() == 20:
            crawl.stop("twenty pages are enough")

    @task.listener
    async def slowly(page: Page) -> None:
        await asyncio.sleep(0.001)  # a database could be told of the page here
        longest[page.words] = page.url

    @task.at_end
    def ended(task: gossamer.Task, why: str) -> None:
        print("the crawl from", task.spec.seeds[0], "has ended:", why)

    with gossamer.open(folder) as web:
        crawl = web.start(task)
        while not crawl.wait(1.0):
            print("so far", languages.total(), "pages")
        print(languages.most_common())
        print("the longest page is", longest[max(longest)])


if __name__ == "__main__":
    main(*sys.argv[1:3])
