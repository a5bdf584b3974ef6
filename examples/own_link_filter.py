# ruff: noqa: T201
"""An own link filter: a function that says which links are followed; it may look at anything a link has.

    python examples/own_link_filter.py https://www.example.org/ example.web

A link that a filter refuses is counted under the function's name, and `gossamer explain URL` tells that name.
"""

import sys

from trying import manners

import gossamer
from gossamer.records import Link


def main(url: str, folder: str) -> None:
    """Crawl a host, but no page that a script makes and no link without words."""
    task = gossamer.Task(seeds=[url], scope="host", pages=200, name="filtered", **manners(url))

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
    main(*sys.argv[1:3])
