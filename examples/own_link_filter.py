# ruff: noqa: T201
"""A custom link filter: a function that decides which links to follow, from any field of the link.

    python examples/own_link_filter.py https://www.example.org/ example.web

Links that a filter refuses are counted under the name of the function, and `gossamer explain URL` shows that name.
"""

from arguments import read_arguments
from lab_options import lab_options

import gossamer
from gossamer.records import Link


def main(url: str, folder: str) -> None:
    """Crawl a host without URLs that have a query and without links that have no text."""
    task = gossamer.Task(seeds=[url], scope="host", pages=200, name="filtered", **lab_options(url))

    @task.link_filter
    def no_scripts(link: Link) -> bool:
        return "?" not in link.url

    @task.link_filter
    def with_words(link: Link) -> bool:
        return bool(link.text.strip()) or link.type != "a"

    with gossamer.open(folder) as web:
        for page in web.crawl(task):
            print(page.url)
        counts = web.task("filtered").counts
        for name in ("no_scripts", "with_words"):
            print(counts.get(f"filtered:{name}", 0), "links were refused by", name)


if __name__ == "__main__":
    main(*read_arguments())
