# ruff: noqa: T201
"""A custom classifier: functions mark pages and links, filters decide by the marks (Wollenweber 2002, section 6.4.2).

    python examples/own_classifier.py https://www.example.org/ example.web

Marks are stored with their page, so that other programs can read them later. Classifying a page and deciding what
to do with it are separate: you can replace a filter without changing the meaning of the marks.
"""

from collections import Counter

from arguments import read_arguments
from lab_options import lab_options

import gossamer
from gossamer.crawl.read_page import Reading
from gossamer.records import Link, Page


def main(url: str, folder: str) -> None:
    """Mark pages by their purpose, and follow links only from pages for reading."""
    task = gossamer.Task(seeds=[url], scope="any", pages=200, **lab_options(url))

    @task.page_classifier
    def purpose(reading: Reading) -> dict[str, str]:
        words_a_link = reading.page.words / (len(reading.links) + 1)
        return {"purpose": "directory" if words_a_link < 10 else "reading"}

    @task.page_filter
    def for_reading(reading: Reading) -> bool:
        return reading.page.marks["purpose"] == "reading"

    @task.link_classifier
    def external(link: Link, page: Page) -> dict[str, str]:
        return {"external": "yes"} if page.host not in link.url else {}

    @task.link_filter
    def few_externals(link: Link, marks: dict[str, str]) -> bool:
        return marks.get("external") != "yes" or link.url.endswith("/")

    with gossamer.open(folder) as web:
        for page in web.crawl(task):
            print(page.marks["purpose"], page.url)
        print(Counter(page.marks["purpose"] for page in web.store.pages()))


if __name__ == "__main__":
    main(*read_arguments())
