# ruff: noqa: T201
"""Listeners: functions that are called for each stored page and at the end; async ones are awaited.

    python examples/listener.py https://www.example.org/ example.web

The crawl runs in the background here, as it would in a program with a window or a server.
"""

import asyncio
from collections import Counter

from arguments import read_arguments
from lab_options import lab_options

import gossamer
from gossamer.records import Page


def main(url: str, folder: str) -> None:
    """Count languages during a crawl, and stop it after twenty pages."""
    task = gossamer.Task(seeds=[url], scope="any", pages=200, **lab_options(url))
    languages: Counter[str] = Counter()
    longest: dict[int, str] = {}

    @task.listener
    def count(page: Page) -> None:
        languages[page.language or "unknown"] += 1
        if languages.total() == 20:
            crawl.stop("twenty pages are enough")

    @task.listener
    async def find_longest(page: Page) -> None:
        await asyncio.sleep(0.001)  # a slow call, such as an insert into a database
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
    main(*read_arguments())
